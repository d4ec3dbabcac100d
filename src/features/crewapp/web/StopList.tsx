import { FieldCard } from '../../../ui/field/FieldCard.tsx'
import { StopRow } from '../../../ui/field/StopRow.tsx'
import { stripState } from '../../visits/rules.ts'
import type { CrewStop } from '../contract.ts'
import type { Crew } from './data.ts'
import { plannedMinutes, servicesOf, shortTime, skipLabel, timeOf, workedMinutes } from './labels.ts'

/** What became of a stop, in the crew's words. */
export const outcomeLabel = ({ t, now, language, bundle }: Crew, stop: CrewStop): string => {
  if (stop.status === 'canceled') return t.canceledByOffice
  if (stop.status === 'missed') return t.missedStop
  if (stop.status === 'skipped') {
    const reason = stop.skipReason ?? 'other'
    const label = skipLabel(bundle?.skips?.find((one) => one.code === reason) ?? { code: reason, nameEs: '' }, {
      t,
      language,
    })
    return t.skippedBecause(stop.skipNote ? `${label} · ${stop.skipNote}` : label)
  }
  return t.workedMinutes(workedMinutes(stop, now), plannedMinutes(stop))
}

const subOf = (crew: Crew, stop: CrewStop): string => {
  const { t } = crew
  if (['canceled', 'missed', 'skipped', 'completed'].includes(stop.status)) return outcomeLabel(crew, stop)
  return [
    stop.begunOn ? t.begunBefore : '',
    servicesOf(crew, stop),
    t.minutes(plannedMinutes(stop)),
    stop.checklist.some((c) => c.required) ? t.withChecklist : '',
  ]
    .filter(Boolean)
    .join(' · ')
}

/** When it was over; of one that never was there is no time to tell, and of an open one the planned. */
export const sideOf = ({ timeZone }: Pick<Crew, 'timeZone'>, stop: CrewStop): string => {
  if (stop.status === 'canceled' || stop.status === 'missed') return ''
  if ((stop.status === 'completed' || stop.status === 'skipped') && stop.finishedAt)
    return timeOf(stop.finishedAt, timeZone).replace(/ [AP]M$/, '')
  if (stop.status === 'skipped') return ''
  return stop.plannedStartMinute === null ? '' : shortTime(stop.plannedStartMinute)
}

/** Stops in their order; each opens its sheet. */
export const StopList = ({
  crew,
  stops,
  numberOf,
  onOpen,
}: {
  crew: Crew
  stops: readonly CrewStop[]
  numberOf: (stop: CrewStop) => number | null
  onOpen: (stop: CrewStop) => void
}) => (
  <FieldCard flush>
    {stops.map((stop) => (
      <StopRow
        key={stop.id}
        number={numberOf(stop)}
        title={stop.street}
        sub={subOf(crew, stop)}
        side={sideOf(crew, stop)}
        warning={stripState(stop.status) === 'todo' ? stop.notes.dog : undefined}
        state={stripState(stop.status)}
        stateLabel={crew.t.stateLabel[stripState(stop.status)]}
        onClick={() => onOpen(stop)}
      />
    ))}
  </FieldCard>
)
