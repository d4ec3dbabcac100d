import { messageIn } from '../../../shared/spanishMessages.ts'
import { FieldButton } from '../../../ui/field/FieldButton.tsx'
import { Sheet } from '../../../ui/field/Sheet.tsx'
import type { ConflictAnswer } from '../conflicts/contract.ts'
import { sharePercent } from '../figures/rules.ts'
import type { Crew } from './data.ts'
import { spanOf } from './labels.ts'
import { mayUsePhotoLine } from './photoLine.ts'
import './crewapp.css'

type Item = {
  id: string
  what: string
  where: string
  queuedAt: number
  why: string | null
  stage: string
  answer: string | null
}

/** Where something is on its way: on the phone, or how much of it has got there. */
const stageOf = ({ state, t }: Crew, id: string, byteCount: number | null): string => {
  const { underWay, sendingTaps } = state
  if (byteCount === null) return sendingTaps ? t.sendingNow : t.onThisPhone
  if (underWay?.id === id)
    return underWay.sentBytes > 0 ? t.sentShare(sharePercent(underWay.sentBytes, byteCount)) : t.sendingNow
  return mayUsePhotoLine() ? t.onThisPhone : t.waitsForWifi
}

/** Why a photo was not taken: the server's own words are English. */
const photoWhy = ({ t, language }: Crew, reason: string | null): string =>
  t.reasons[reason ?? ''] ?? messageIn(language, reason ?? t.reasons.rejected ?? '', t.reasons.rejected ?? '')

/** What the office decided, in the person's language, and its words. */
const answerText = (t: Crew['t'], { decision, note, by }: ConflictAnswer): string =>
  [t.answers[decision](by || t.theOffice), note ? `“${note}”` : ''].filter(Boolean).join(' ')

/** What a tap was; of a switch of the clock, to what. */
const whatOf = (t: Crew['t'], { type, payload }: Crew['state']['commands'][number]['command']): string =>
  type === 'switch' ? `${t.commands.switch}: ${t.switchedTo[payload.kind ?? 'work'] ?? ''}` : t.commands[type]

const itemsOf = (crew: Crew): Item[] => {
  const { state, t } = crew
  return [
    ...state.commands.map((c) => ({
      id: c.command.id,
      what: whatOf(t, c.command),
      where: c.label,
      queuedAt: c.queuedAt,
      why: c.state === 'attention' ? (t.reasons[c.reason ?? ''] ?? t.reasons.rejected ?? '') : null,
      stage: stageOf(crew, c.command.id, null),
      answer: c.answer ? answerText(t, c.answer) : null,
    })),
    ...state.photos.map((p) => ({
      id: p.id,
      what: t.photoOf[p.kind],
      where: p.label,
      queuedAt: p.queuedAt,
      why: p.state === 'attention' ? photoWhy(crew, p.reason) : null,
      stage: stageOf(crew, p.id, p.byteCount),
      answer: null,
    })),
  ]
}

/** What has not reached the office, how old it is, and what a person has to see. */
export const UnsentList = ({ crew }: { crew: Crew }) => {
  const { t, wallNow: now, outbox, state } = crew
  const items = itemsOf(crew)
  if (items.length === 0) return <p className="muted">{t.unsentNone}</p>
  const age = (at: number) => (now - at < 60_000 ? t.justNow : t.ago(spanOf((now - at) / 1000)))
  const waits = items.some((i) => i.why === null && i.answer === null)
  const refused = items.some((i) => i.why !== null)
  return (
    <>
      {waits ? <p className="muted">{state.needsSignIn ? t.waitingSignIn : t.waitingSignal}</p> : null}
      <ul className="c-items">
        {items.map((item) => (
          <li key={item.id}>
            <b>
              {item.what}
              {item.where ? ` · ${item.where}` : ''}
            </b>
            <span className="c-ago">{age(item.queuedAt)}</span>
            {item.answer !== null ? (
              <>
                <span className="c-answer">{item.answer}</span>
                <FieldButton onClick={() => void outbox.discard(item.id)}>{t.gotIt}</FieldButton>
              </>
            ) : item.why === null ? (
              <span className="c-stage">{item.stage}</span>
            ) : (
              <>
                <span className="c-why">{item.why}</span>
                <FieldButton onClick={() => void outbox.discard(item.id)}>{t.gotIt}</FieldButton>
              </>
            )}
          </li>
        ))}
      </ul>
      {waits ? (
        <FieldButton kind="main" busy={state.sending} onClick={() => void outbox.flush()}>
          {t.sendNow}
        </FieldButton>
      ) : null}
      {refused ? (
        <FieldButton kind={waits ? 'plain' : 'main'} busy={state.sending} onClick={() => void outbox.retry()}>
          {t.sendAgain}
        </FieldButton>
      ) : null}
    </>
  )
}

export const UnsentSheet = ({ crew, open, onClose }: { crew: Crew; open: boolean; onClose: () => void }) => (
  <Sheet open={open} onClose={onClose} title={crew.t.unsentTitle} closeLabel={crew.t.close}>
    <UnsentList crew={crew} />
  </Sheet>
)
