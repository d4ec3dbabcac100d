import { addDays, type Day } from '../../../shared/dates.ts'
import { type InvoiceStatus, isOpen } from '../rules.ts'

/** When customers are reminded by themselves, in minutes of the business's day: nobody is asked for money at night. */
export const remindFromMinute = 9 * 60
export const remindToMinute = 20 * 60

/** So many days late a step is still made up for: after a night without power, not after a summer. */
export const catchUpDays = 3

/** What of an invoice decides whether it is reminded of. Days are the business's own. */
export type ReminderFacts = {
  status: InvoiceStatus
  dueOn: Day | null
  lastRemindedOn: Day | null
  promisedOn: Day | null
  remindersStopped: string | null
}

/** The due day that an invoice is reminded around, or null where none leaves by itself. */
const dueDayOf = ({ status, dueOn, remindersStopped }: ReminderFacts): Day | null =>
  isOpen(status) && remindersStopped === null ? dueOn : null

/**
 * Whether a reminder of an invoice leaves today: a step has come, at most `catchUpDays` ago, nobody was reminded since, and no promise
 * runs.
 */
export const isReminderDue = (facts: ReminderFacts, steps: readonly number[], today: Day): boolean => {
  const { lastRemindedOn, promisedOn } = facts
  const dueOn = dueDayOf(facts)
  if (dueOn === null || (promisedOn !== null && promisedOn >= today)) return false
  return steps.some((step) => {
    const day = addDays(dueOn, step)
    return day <= today && day >= addDays(today, -catchUpDays) && (lastRemindedOn === null || lastRemindedOn < day)
  })
}

/** The day of the next reminder that leaves by itself, or null. */
export const nextReminderOn = (facts: ReminderFacts, steps: readonly number[], today: Day): Day | null => {
  const { promisedOn } = facts
  const dueOn = dueDayOf(facts)
  if (dueOn === null) return null
  if (isReminderDue(facts, steps, today)) return today
  const days = steps.map((step) => addDays(dueOn, step)).filter((day) => day > today)
  const after = promisedOn !== null && promisedOn >= today ? days.filter((day) => day > promisedOn) : days
  return after.sort()[0] ?? null
}
