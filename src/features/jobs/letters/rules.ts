import { type Day, formatDay } from '../../../shared/dates.ts'

/** Prices of certain lawns, told by a letter. */

/** So many lines of jobs are in one letter run: it is one transaction, and somebody looks through all of them. */
export const mostLetterLines = 100

/** Why a line of a job gets no letter. */
export const letterReasons = ['over', 'rests', 'once', 'flat', 'plan', 'ahead', 'ends'] as const
export type LetterReason = (typeof letterReasons)[number]

export type LetterFacts = {
  isOver: boolean
  /** It rests and nobody said until when. */
  rests: boolean
  recurs: boolean
  /** What its job is billed by. */
  billing: string
  /** It counts against a billing plan that runs. */
  onPlan: boolean
  /** The day from which it costs something else already. */
  newPriceOn: Day | null
  endOn: Day | null
}

/** Why the price of a line is not changed by a letter, or null. @param fromOn the day from which it would hold */
export const letterReason = (facts: LetterFacts, fromOn: Day): LetterReason | null => {
  if (facts.isOver) return 'over'
  if (facts.rests) return 'rests'
  if (!facts.recurs) return 'once'
  if (facts.billing !== 'per_visit') return 'flat'
  if (facts.onPlan) return 'plan'
  if (facts.newPriceOn !== null) return 'ahead'
  return facts.endOn !== null && facts.endOn < fromOn ? 'ends' : null
}

/** The same behind the name of a lawn. */
export const letterReasonText = (reason: LetterReason, newPriceOn: Day | null): string =>
  ({
    over: 'the job is over',
    rests: 'rests, and nobody said until when',
    once: 'is done once or by a program: its price was agreed for that work',
    flat: 'is not billed by the visit: its price is agreed for the season',
    plan: 'is paid by a billing plan: its price is agreed until the plan ends',
    ahead: `gets a new price on ${newPriceOn ? formatDay(newPriceOn, { year: true }) : 'a later day'} already`,
    ends: 'ends before that day',
  })[reason]

/** So many days after its day a letter that nobody printed is no news any more. */
export const paperDays = 30
