import { addDays, type Day, isDay } from '../../../shared/dates.ts'
import { later } from '../undated/rules.ts'

/** Programs of rounds: what a business offers every year, as windows of the year. */

/** A round of a program: what is done, in which part of the year, how long after the round before it. */
export type ProgramStep = {
  name: string
  serviceId: string
  /** First and last day of its window, `MM-DD`; one that ends before it begins goes over New Year. */
  from: string
  to: string
  minGapDays: number
  /** Null: the price rule of the service. */
  priceCents: number | null
  /** Labor minutes; null: the time rule of the service. */
  minutes: number | null
}

/** Farther ahead nobody puts a program on. */
export const yearsAhead = 2

const dayIn = (year: number, monthDay: string): Day | null => {
  const day = `${year}-${monthDay}`
  return isDay(day) ? day : null
}
/** February 29 of a common year: a window opens the day after, never early, and closes the day before. */
const opening = (year: number, from: string): Day => dayIn(year, from) ?? `${year}-03-01`
const closing = (year: number, to: string): Day => dayIn(year, to) ?? `${year}-02-28`

/**
 * The windows of rounds in a season, in days; both ends are part of them. A round that begins earlier in the year than the one before it belongs
 * to the next year.
 * @param year the year in which the first round opens
 */
export const windowsOf = (
  steps: readonly Pick<ProgramStep, 'from' | 'to'>[],
  year: number,
): { opensOn: Day; closesOn: Day }[] => {
  let at = year
  let before = ''
  return steps.map(({ from, to }) => {
    if (from < before) at += 1
    before = from
    const [opensOn, closesOn] = [opening(at, from), closing(to < from ? at + 1 : at, to)]
    return { opensOn, closesOn: later(opensOn, closesOn) }
  })
}

/** Whether the rounds can be kept at all: null, or which one's gap does not fit before its window closes, and why. */
export const spacingProblemOf = (
  steps: readonly Pick<ProgramStep, 'from' | 'to' | 'minGapDays'>[],
): { step: number; message: string } | null => {
  const windows = windowsOf(steps, 2025)
  for (const [at, step] of steps.entries()) {
    const [before, own] = [windows[at - 1], windows[at]]
    if (before && own && addDays(before.opensOn, step.minGapDays) > own.closesOn)
      return {
        step: at,
        message: `Even done on the first day of the round before it, this one is due after its window: ${step.minGapDays} days do not fit.`,
      }
  }
  return null
}

/** The season that a program is put on for: this year as long as one of its windows is open or ahead. */
export const seasonYearOf = (steps: readonly Pick<ProgramStep, 'from' | 'to'>[], today: Day): number => {
  const year = Number(today.slice(0, 4))
  return windowsOf(steps, year).some(({ closesOn }) => closesOn >= today) ? year : year + 1
}

/** Six rounds of a cool-season lawn, four to nine weeks apart. */
export const sixRounds: readonly Omit<ProgramStep, 'serviceId'>[] = [
  { name: 'Round 1, early spring', from: '02-15', to: '04-05', minGapDays: 0, priceCents: null, minutes: null },
  { name: 'Round 2, late spring', from: '04-10', to: '05-31', minGapDays: 35, priceCents: null, minutes: null },
  { name: 'Round 3, early summer', from: '06-01', to: '07-10', minGapDays: 28, priceCents: null, minutes: null },
  { name: 'Round 4, late summer', from: '07-15', to: '08-31', minGapDays: 28, priceCents: null, minutes: null },
  { name: 'Round 5, early fall', from: '09-05', to: '10-20', minGapDays: 28, priceCents: null, minutes: null },
  { name: 'Round 6, winterizer', from: '10-25', to: '12-15', minGapDays: 35, priceCents: null, minutes: null },
]
