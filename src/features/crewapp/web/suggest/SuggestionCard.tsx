import { useSyncExternalStore } from 'react'
import { dayOf } from '../../../../shared/dates.ts'
import { FieldButton } from '../../../../ui/field/FieldButton.tsx'
import { FieldCard } from '../../../../ui/field/FieldCard.tsx'
import { type Suggestion, suggestionOf } from '../../suggest/rules.ts'
import type { Crew } from '../data.ts'
import { spanOf, timeOf } from '../labels.ts'
import type { DayActions } from '../useDay.ts'
import { suggestTexts } from './suggestTexts.ts'
import { dismiss, onWhereabouts, whereabouts } from './whereabouts.ts'

type Props = { crew: Crew; day: Pick<DayActions, 'act' | 'askFinish'> }

const wordsOf = (one: Suggestion, { language, timeZone, wallNow: now }: Crew) => {
  const w = suggestTexts[language]
  const time = (at: string) => timeOf(at, timeZone)
  if (one.kind === 'start')
    return { text: w.here(one.street, time(one.at)), yes: w.startAt(time(one.at)), no: w.notNow }
  if (one.kind === 'finish') {
    const ago = spanOf(Math.max(0, now - Date.parse(one.at)) / 1000)
    return { text: w.gone(one.street, ago), yes: w.finishAt(time(one.at)), no: w.stillRuns }
  }
  return { text: w[one.why](time(one.since)), yes: one.at ? w.outAt(time(one.at)) : w.outNow, no: w.stillWorking }
}

/** What the phone asks from where it is. Nothing happens before somebody presses. */
export const SuggestionCard = ({ crew, day }: Props) => {
  const { outbox, plan, clock, wallNow: now, timeZone } = crew
  const kept = useSyncExternalStore(onWhereabouts, () => whereabouts(outbox.userId))
  if (kept.day !== dayOf(now, timeZone)) return null
  const one = suggestionOf({ where: kept.where, plan, clock, nowMs: now, dismissed: kept.dismissed })
  if (!one) return null
  const { text, yes, no } = wordsOf(one, crew)
  const take = () => {
    const stop = one.kind === 'clockOut' ? undefined : plan?.stops.find(({ id }) => id === one.stopId)
    if (one.kind === 'clockOut') day.act('clock_out', undefined, {}, 0, one.at ?? undefined)
    else if (stop && one.kind === 'start') day.act('start', stop, {}, 0, one.at)
    else if (stop) day.askFinish(stop, one.at)
  }
  return (
    <FieldCard>
      <section className="c-stack" aria-label={text}>
        <p role="status">
          <b>{text}</b>
        </p>
        <FieldButton kind="main" onClick={take}>
          {yes}
        </FieldButton>
        <FieldButton onClick={() => dismiss(outbox.userId, one.key)}>{no}</FieldButton>
      </section>
    </FieldCard>
  )
}
