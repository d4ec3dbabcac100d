import { addMonths, type Day } from '../../../shared/dates.ts'
import type { Frequency } from '../../services/rules.ts'
import { frequencyOf, type Recurrence } from '../rules.ts'

/** What of a job goes on in its next season. */

/** A round of a program as it stands in the next season. */
export type NextRound = { programId: string; year: number; opensOn: Day; closesOn: Day; minGapDays: number }

/** A line of a job as it would be in its next season. */
export type SeasonLine = {
  /** The line of the old job; null for a round that the program has only since. */
  jobLineId: string | null
  name: string
  description: string
  serviceId: string
  serviceName: string
  quantity: number
  unit: string
  frequency: Frequency
  /** How it comes back in words, where that is none of the usual rhythms. */
  rhythm: string
  /** Expected in the season. */
  visits: number
  /** What one unit costs today. */
  wasCents: number
  minutes: number
  taxCategory: string
  round: NextRound | null
}

/** Whether "every week", "every two weeks" or "every month" says all of a rule. */
export const isUsualRhythm = (rule: Recurrence): boolean =>
  (rule.periods ?? []).length === 0 &&
  rule.weekdays.length < 2 &&
  rule.anchor !== 'completion' &&
  ((rule.freq === 'week' && rule.interval <= 2) || (rule.freq === 'month' && rule.interval === 1))

export const rhythmOf = (rule: Recurrence): Frequency => frequencyOf(rule)

/**
 * A rule in its next season: the same days of the week and the same weeks. What ended on a day ends a year later, what ended after so many visits counts
 * anew, and days that were left out once are in again.
 */
export const nextRule = (rule: Recurrence, startsOn: Day): Recurrence => {
  const { end, ...open } = rule
  const next = { ...open, exceptions: [] }
  if (!end) return next
  if ('count' in end) return { ...next, phaseOn: startsOn, end }
  let on = end.on
  while (on < startsOn) on = addMonths(on, 12)
  return { ...next, end: { on } }
}
