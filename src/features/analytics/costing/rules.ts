import { perLaborHour, shareOf } from '../rules.ts'

/** Days that costs are asked for; longer ones stand in the books. */
export const costPeriods = ['week', 'month', 'quarter'] as const
export type CostPeriod = (typeof costPeriods)[number]
export const costDays: Record<CostPeriod, number> = { week: 7, month: 30, quarter: 90 }

/** The row of what has no crew, or no other of its kind. */
export const noKey = 'none'

/** What costs are told apart by. */
export const costKinds = ['property', 'service', 'crew', 'customer'] as const
export type CostKind = (typeof costKinds)[number]

export const costSorts = ['least', 'most', 'worth'] as const

/** Of finished visits: what they are worth, and what they cost. `laborSeconds` counts each person, with the drive there. */
export type Costs = {
  completions: number
  worthCents: number
  laborSeconds: number
  laborCents: number
  expenseCents: number
}

/** What is left of the worth of finished work after labor and what was bought for it, in cents; below 0 where it cost more. */
export const marginCents = ({ worthCents, laborCents, expenseCents }: Costs): number =>
  worthCents - laborCents - expenseCents

/** The same in percent of the worth, with one decimal; null where nothing was earned. */
export const marginPercent = (costs: Costs): number | null =>
  costs.worthCents <= 0 ? null : shareOf(marginCents(costs), costs.worthCents)

/** What each hour that somebody worked there brought in, in cents; null for less than a quarter of an hour. */
export const earnedPerHour = (costs: Costs): number | null => perLaborHour(costs.worthCents, costs.laborSeconds)

/** Fewer visits say little: one long stop is no pattern. */
export const enoughVisits = 2

/** A price is told in whole dollars. */
const dollarCents = 100

/**
 * What a visit would have to cost for its lawn to earn the target for each labor hour, in cents and rounded up to a whole dollar.
 * @param targetCents for a labor hour
 * @returns null where it earns that already, or where too little was done there to say so
 */
export const priceForTarget = (costs: Costs, targetCents: number): number | null => {
  const earned = earnedPerHour(costs)
  if (earned === null || earned >= targetCents || costs.completions < enoughVisits) return null
  const perVisitCents = (targetCents * costs.laborSeconds) / 3600 / costs.completions
  return Math.ceil(Math.round(perVisitCents) / dollarCents) * dollarCents
}

/** One person with a crew on a day: time on the clock, the lawns that are theirs, and how they are paid, as payroll has it. */
export type ClockedPart = {
  seconds: number
  lawns: number
  centsPerHour: number
  /** Paid for a lawn instead of the hour. */
  pieceCents: number | null
  /** Paid for a lawn on top. */
  bonusCents: number | null
  burdenPercent: number
}

const costOf = ({ seconds, lawns, centsPerHour, pieceCents, bonusCents, burdenPercent }: ClockedPart): number =>
  ((pieceCents === null ? (seconds / 3600) * centsPerHour : lawns * pieceCents) + lawns * (bonusCents ?? 0)) *
  (1 + burdenPercent / 100)

/** What an hour of a crew's people costs on a day, on average by their time, in cents with a fraction; null where nobody was on the clock. Overtime is left to payroll: it is a matter of the week. */
export const crewHourCents = (parts: readonly ClockedPart[]): number | null => {
  const seconds = parts.reduce((sum, part) => sum + part.seconds, 0)
  return seconds <= 0 ? null : (parts.reduce((sum, part) => sum + costOf(part), 0) * 3600) / seconds
}
