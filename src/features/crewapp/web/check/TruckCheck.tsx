import { type ReactNode, useState } from 'react'
import { Alert } from '../../../../ui/field/Alert.tsx'
import { FieldButton } from '../../../../ui/field/FieldButton.tsx'
import { FieldCard } from '../../../../ui/field/FieldCard.tsx'
import { MainAction } from '../../../../ui/field/MainAction.tsx'
import { useOnlyLooks } from '../../../accounts/web/session.ts'
import type { CrewCheck } from '../../../equipment/checks/contract.ts'
import { linesFor, openLines } from '../../check/rules.ts'
import type { Crew } from '../data.ts'
import { timeOf } from '../labels.ts'
import { CheckSheet } from './CheckSheet.tsx'
import { checkTexts } from './checkTexts.ts'
import { useDoneHere, useDraft } from './draft.ts'
import './check.css'

type Props = { crew: Crew; check: CrewCheck }

const useCheck = (crew: Crew, check: CrewCheck) => {
  const draftKey = `${crew.outbox.userId} ${crew.today}`
  const [draft] = useDraft(draftKey)
  const doneHere = useDoneHere(draftKey)
  const left = openLines(check, draft).length
  return {
    draftKey,
    words: checkTexts(crew.language),
    isDone: check.done !== null || doneHere,
    left: left < linesFor(check).length ? left : null,
  }
}

/** What stands above the first stop until the truck was looked at; afterwards one line, and what must not be used. */
export const TruckCheck = ({ crew, check }: Props) => {
  const { draftKey, words, isDone, left } = useCheck(crew, check)
  const [open, setOpen] = useState(false)
  const onlyLooks = useOnlyLooks()
  const isOff = crew.clock?.state === 'off'
  const out = check.equipment.filter((piece) => piece.out !== null)
  const asks = check.asks !== 'off' && !isDone
  if (!asks && out.length === 0 && !check.done) return isDone ? <p className="c-checked">{words.doneHere}</p> : null
  return (
    <>
      {out.length > 0 || asks ? (
        <FieldCard>
          {out.map((piece) => (
            <Alert key={piece.id} tone="danger">
              {words.out(piece.name, piece.out ?? '')}
            </Alert>
          ))}
          {asks ? (
            <>
              <h2>{words.title}</h2>
              <p className="muted c-check-lead">{words.lead(check.equipment.map(({ name }) => name).join(', '))}</p>
              <div className="c-stack">
                <FieldButton onClick={() => setOpen(true)}>
                  {left === null ? words.start : words.goOn(left)}
                </FieldButton>
                {check.asks === 'first' && isOff && !onlyLooks ? (
                  <FieldButton kind="quiet" onClick={() => void crew.act('clock_in')}>
                    {words.withoutIt}
                  </FieldButton>
                ) : null}
              </div>
            </>
          ) : null}
        </FieldCard>
      ) : null}
      {isDone ? (
        <p className="c-checked">
          {check.done ? words.done(check.done.by, timeOf(check.done.at, crew.timeZone)) : words.doneHere}
        </p>
      ) : null}
      <CheckSheet
        open={open}
        crew={crew}
        check={check}
        words={words}
        draftKey={draftKey}
        onClose={() => setOpen(false)}
      />
    </>
  )
}

/** Where the truck is looked at before anybody clocks in, that is the one thing to do. */
export const CheckFirst = ({ crew, check, children }: Props & { children: ReactNode }) => {
  const { draftKey, words, isDone, left } = useCheck(crew, check)
  const [open, setOpen] = useState(false)
  if (isDone) return children
  return (
    <>
      <MainAction onClick={() => setOpen(true)}>{left === null ? words.start : words.goOn(left)}</MainAction>
      <CheckSheet
        open={open}
        crew={crew}
        check={check}
        words={words}
        draftKey={draftKey}
        onClose={() => setOpen(false)}
      />
    </>
  )
}
