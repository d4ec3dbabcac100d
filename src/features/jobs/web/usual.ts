import type { JobRecord } from '../contract.ts'
import type { Calendar } from '../rules.ts'
import { formOf, type LineForm } from './lines.ts'
import { newSchedule, type Schedule, withHowOften } from './schedule.ts'

export type Proposal = { jobNumber: number; lines: LineForm[]; schedule: Schedule; crewId: string }

/** The same rhythm from the next work day on: what ended with the old job, and its days off, are not taken along. */
const again = (old: Schedule, calendar: Calendar): Schedule => {
  const fresh = newSchedule(calendar)
  if (old.undated) return withHowOften(fresh, old.undated.kind === 'on_demand' ? 'on_demand' : 'waiting', calendar)
  if (!old.recurrence) return withHowOften(fresh, 'once', calendar)
  const { end: _, ...rule } = old.recurrence
  return { ...fresh, recurrence: { ...rule, exceptions: [], phaseOn: fresh.startOn } }
}

/**
 * What a customer had last, as a form to book it again: services that the business still has, their prices, the rhythm and the crew. Null where
 * nothing of it can be booked like that: rounds are put on with their program.
 */
export const proposalOf = (
  job: JobRecord,
  services: readonly { id: string }[],
  calendar: Calendar,
): Proposal | null => {
  const { lines, schedule } = formOf(job)
  const known = lines.filter(
    (line) => line.schedule?.undated?.kind !== 'step' && services.some((service) => service.id === line.serviceId),
  )
  if (known.length === 0) return null
  return {
    jobNumber: job.number,
    crewId: job.crew?.id ?? '',
    schedule: again(schedule, calendar),
    lines: known.map(({ id: _id, phaseOn: _phase, ...line }) => ({
      ...line,
      schedule: line.schedule && again(line.schedule, calendar),
    })),
  }
}
