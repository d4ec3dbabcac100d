import { addDays, type Day } from '../../../shared/dates.ts'
import { countsAnew, type InvoiceStatus, isOpen } from '../rules.ts'

/** When customers are reminded by themselves, in minutes of the business's day: nobody is asked for money at night. */
export const remindFromMinute = 9 * 60
export const remindToMinute = 20 * 60

/** So many days late a step is still made up for: after a night without power, not after a summer. */
export const catchUpDays = 3

/** What of an invoice decides whether it is reminded of. Days are the business's own. */
export type ReminderFacts = {
  status: InvoiceStatus
  dueOn: Day | null
  /** When what had been paid was owed again; null where it never was. */
  reopenedOn: Day | null
  lastRemindedOn: Day | null
  promisedOn: Day | null
  remindersStopped: string | null
}

/**
 * The days on which an invoice is reminded of: around its due day, or, where it was opened again after it, so many days from then on; on
 * that day itself nobody is reminded of what they thought was paid. None where none leaves by itself.
 */
const daysOf = (facts: ReminderFacts, steps: readonly number[]): Day[] =>
  isOpen(facts.status) && facts.remindersStopped === null ? daysAround(facts, steps) : []

const daysAround = (facts: Pick<ReminderFacts, 'dueOn' | 'reopenedOn'>, steps: readonly number[]): Day[] => {
  const { dueOn } = facts
  if (dueOn === null) return []
  return countsAnew(facts)
    ? steps.filter((step) => step > 0).map((step) => addDays(facts.reopenedOn, step))
    : steps.map((step) => addDays(dueOn, step))
}

const came = (days: readonly Day[], lastRemindedOn: Day | null, today: Day): Day[] =>
  days.filter(
    (day) => day <= today && day >= addDays(today, -catchUpDays) && (lastRemindedOn === null || lastRemindedOn < day),
  )

/** The days of steps of an open invoice that have come, at most `catchUpDays` ago, since nobody was reminded of it. */
export const stepsDue = (
  facts: Pick<ReminderFacts, 'dueOn' | 'reopenedOn' | 'lastRemindedOn'>,
  steps: readonly number[],
  today: Day,
): Day[] => came(daysAround(facts, steps), facts.lastRemindedOn, today)

/**
 * Whether a reminder of an invoice leaves today: a step has come, at most `catchUpDays` ago, nobody was reminded since, and no promise
 * runs.
 */
export const isReminderDue = (facts: ReminderFacts, steps: readonly number[], today: Day): boolean => {
  const { lastRemindedOn, promisedOn } = facts
  if (promisedOn !== null && promisedOn >= today) return false
  return came(daysOf(facts, steps), lastRemindedOn, today).length > 0
}

/** The day of the next reminder that leaves by itself, or null. */
export const nextReminderOn = (facts: ReminderFacts, steps: readonly number[], today: Day): Day | null => {
  const { promisedOn } = facts
  if (isReminderDue(facts, steps, today)) return today
  const days = daysOf(facts, steps).filter((day) => day > today)
  const after = promisedOn !== null && promisedOn >= today ? days.filter((day) => day > promisedOn) : days
  return after.sort()[0] ?? null
}
