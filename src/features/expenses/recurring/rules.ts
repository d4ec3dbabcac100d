import { addMonths, type Day } from '../../../shared/dates.ts'

/** How often a cost comes, in months. */
export const everyMonths = { month: 1, quarter: 3, year: 12 } as const
export type Every = keyof typeof everyMonths
export const everyLabels: Record<Every, string> = {
  month: 'Every month',
  quarter: 'Every 3 months',
  year: 'Every year',
}

/**
 * The n-th day of a cost that comes again, the first being 0. Counted from the first day, so that the 31st comes back after a February and a
 * cost of February 29 stands on the 28th in the years between.
 */
export const dueOn = (firstOn: Day, every: Every, n: number): Day =>
  addMonths(firstOn, n * everyMonths[every], Number(firstOn.slice(8, 10)))

/** The first day of a cost on or after a day, or null when it has ended by then. */
export const nextOn = ({ firstOn, every, endOn }: Cost, from: Day): Day | null => {
  const months = (day: Day) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7))
  let n = Math.max(0, Math.floor((months(from) - months(firstOn)) / everyMonths[every]))
  while (dueOn(firstOn, every, n) < from) n++
  const day = dueOn(firstOn, every, n)
  return endOn !== null && day > endOn ? null : day
}

export type Cost = { firstOn: Day; every: Every; endOn: Day | null }

/** How much of it comes in a year, in cents. */
export const yearlyCents = (totalCents: number, every: Every): number => (totalCents * 12) / everyMonths[every]
