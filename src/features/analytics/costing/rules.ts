import { perLaborHour, shareOf } from '../rules.ts'

/** Days that costs are asked for; longer ones stand in the books. */
export const costPeriods = ['week', 'month', 'quarter'] as const
export type CostPeriod = (typeof costPeriods)[number]
export const costDays: Record<CostPeriod, number> = { week: 7, month: 30, quarter: 90 }

/** The row of what has no crew, or no other of its kind. */
export const noKey = 'none'

/** What costs are told apart by; a route is the day of a crew. */
export const costKinds = ['property', 'service', 'crew', 'route', 'customer'] as const
export type CostKind = (typeof costKinds)[number]

export const costSorts = ['least', 'most', 'worth'] as const

/** A route is named by its day and its crew. */
export const routeKey = /^\d{4}-\d{2}-\d{2}\.[0-9a-f-]{36}$/
/** @returns the day and the crew of a route, or null for the row of visits that were on none */
export const routeOf = (key: string): { day: string; crewId: string } | null => {
  const [day, crewId] = routeKey.test(key) ? key.split('.') : []
  return day && crewId ? { day, crewId } : null
}

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

/** Why a property has no price for the target. */
export const priceReasons = ['noTarget', 'noTime', 'reached', 'plan', 'severalJobs', 'fewVisits'] as const
export type PriceReason = (typeof priceReasons)[number]

/** The same as a cell of the table reads. */
export const priceReasonWords: Record<PriceReason, string> = {
  noTarget: 'no target set',
  noTime: 'too little time known',
  reached: 'earns the target',
  plan: 'on a billing plan',
  severalJobs: 'several jobs, a price each',
  fewVisits: `after ${enoughVisits} visits`,
}

/**
 * What a visit would have to cost for its lawn to earn the target for each labor hour, in cents and rounded up to a whole dollar; or why none is told.
 * @param targetCents for a labor hour; 0 is none
 * @param priced whether its visits have one price: several jobs have several, and those of a billing plan the plan's
 */
export const priceForTarget = (
  costs: Costs,
  targetCents: number,
  priced: { severalJobs?: boolean; plan?: boolean } = {},
): { cents: number; reason: null } | { cents: null; reason: PriceReason } => {
  const earned = earnedPerHour(costs)
  const none = (reason: PriceReason) => ({ cents: null, reason })
  if (targetCents <= 0) return none('noTarget')
  if (earned === null) return none('noTime')
  if (earned >= targetCents) return none('reached')
  if (priced.plan) return none('plan')
  if (priced.severalJobs) return none('severalJobs')
  if (costs.completions < enoughVisits) return none('fewVisits')
  const perVisitCents = (targetCents * costs.laborSeconds) / 3600 / costs.completions
  return { cents: Math.ceil(Math.round(perVisitCents) / dollarCents) * dollarCents, reason: null }
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
