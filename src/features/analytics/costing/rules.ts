import { formatDay } from '../../../shared/dates.ts'
import { formatCents, lineCents } from '../../../shared/money.ts'
import { type LawnPrices, leftReasons } from '../lawns/rules.ts'
import { perLaborHour, shareOf } from '../rules.ts'

/** Days that costs are asked for; longer ones stand in the books. */
export const costPeriods = ['week', 'month', 'quarter'] as const
export type CostPeriod = (typeof costPeriods)[number]
export const costDays: Record<CostPeriod, number> = { week: 7, month: 30, quarter: 90 }

/** The row of what has no crew, or no other of its kind. */
export const noKey = 'none'

/** What costs are told apart by; a route is the day of a crew. */
export const costKinds = ['property', 'visit', 'service', 'crew', 'route', 'customer'] as const
export type CostKind = (typeof costKinds)[number]

/** The newest is by the last visit of a row. */
export const costSorts = ['least', 'most', 'worth', 'newest'] as const

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
  /** Used from stock, at cost. */
  materialCents: number
  /** Of those visits of which the clock says how long they took: by them alone an hour is told. */
  clockedCompletions: number
  clockedWorthCents: number
  clockedLaborSeconds: number
}

/** What is left of the worth of finished work after labor, what was bought for it and what was used on it, in cents; below 0 where it cost more. */
export const marginCents = ({
  worthCents,
  laborCents,
  expenseCents,
  materialCents,
}: Pick<Costs, 'worthCents' | 'laborCents' | 'expenseCents' | 'materialCents'>): number =>
  worthCents - laborCents - expenseCents - materialCents

/** Whether the labor of any of these visits is known: of work that was only entered as done it is not, and then nobody can say what is left. */
export const isLaborKnown = (costs: Pick<Costs, 'completions' | 'clockedCompletions'>): boolean =>
  costs.completions === 0 || costs.clockedCompletions > 0

/** The same in percent of the worth, with one decimal; null where nothing was earned, or no labor is known. */
export const marginPercent = (costs: Costs): number | null =>
  costs.worthCents <= 0 || !isLaborKnown(costs) ? null : shareOf(marginCents(costs), costs.worthCents)

/** What each hour that somebody worked there brought in, by the visits with a clock, in cents; null for less than a quarter of an hour. */
export const earnedPerHour = (costs: Pick<Costs, 'clockedWorthCents' | 'clockedLaborSeconds'>): number | null =>
  perLaborHour(costs.clockedWorthCents, costs.clockedLaborSeconds)

/** "2 of 4 visits have no time on the clock"; null where all have. */
export const unclockedWords = ({
  completions,
  clockedCompletions,
}: Pick<Costs, 'completions' | 'clockedCompletions'>): string | null => {
  const without = completions - clockedCompletions
  if (without === 0) return null
  if (completions === 1) return 'The visit has no time on the clock'
  return `${without.toLocaleString('en-US')} of ${completions.toLocaleString('en-US')} visits ${without === 1 ? 'has' : 'have'} no time on the clock`
}

const ownReasons = ['noTarget', 'noTime', 'reached', 'otherWork', 'raised', 'several'] as const
/** Why a property has no price for the target: its own reasons, and those for which a line of a job gets no letter. */
export const priceReasons = [...ownReasons, 'coming', ...leftReasons] as const
export type PriceReason = (typeof priceReasons)[number]

/** The same in words; those of letters come with the line that they are said of. */
const ownWords: Record<(typeof ownReasons)[number], string> = {
  noTarget: 'no target is set',
  noTime: 'too little time is known',
  reached: 'it earns the target',
  otherWork: 'no clock tells of the work that its jobs have now',
  raised: 'its price of now reaches the target',
  several: 'several services, a price each',
}

type TargetPrice = {
  /** Of a visit. */
  cents: number | null
  /** What a visit costs by now. */
  nowCents: number | null
  reason: PriceReason | null
  why: string | null
}

/**
 * What a visit would have to cost for its lawn to earn the target for each labor hour, as price letters suggest it: one lawn has one price, whichever
 * screen tells it. Or why none is told.
 * @param earned what a labor hour earned in the days looked at @param targetCents for a labor hour; 0 is none @param lawn nothing where too little is known
 */
export const targetPrice = (earned: number | null, targetCents: number, lawn: LawnPrices | undefined): TargetPrice => {
  const none = (reason: PriceReason, why: string) => ({ cents: null, nowCents: null, reason, why })
  const own = (reason: (typeof ownReasons)[number]) => none(reason, ownWords[reason])
  if (targetCents <= 0) return own('noTarget')
  if (earned === null) return own('noTime')
  if (earned >= targetCents) return own('reached')
  const [first, second] = lawn?.low ?? []
  if (first && second) return own('several')
  if (first)
    return {
      cents: lineCents(first.quantity, first.suggestedCents),
      nowCents: lineCents(first.quantity, first.unitPriceCents),
      reason: null,
      why: null,
    }
  const left = lawn?.left[0]
  if (left) return none(left.reason, left.why)
  const coming = lawn?.coming[0]
  if (coming)
    return none(
      'coming',
      `a new price of ${formatCents(lineCents(coming.quantity, coming.unitPriceCents))} a visit holds from ${formatDay(coming.fromOn, { year: true })}`,
    )
  return own(lawn ? 'raised' : 'otherWork')
}

/** One person with a crew on a day: time on the clock, and how they are paid, as payroll has it. */
export type ClockedPart = {
  seconds: number
  centsPerHour: number
  /** Paid for a lawn instead of the hour. */
  pieceCents: number | null
  burdenPercent: number
}

/**
 * What an hour of a crew's people costs on a day, on average by their time, in cents with a fraction; null where nobody was on the clock. Who is paid by
 * the lawn costs nothing by the hour: the lawns lie on their visits (`lawnPayCents`). Overtime is left to payroll: it is a matter of the week.
 */
export const crewHourCents = (parts: readonly ClockedPart[]): number | null => {
  const seconds = parts.reduce((sum, part) => sum + part.seconds, 0)
  const cents = parts.reduce(
    (sum, part) =>
      sum + (part.pieceCents === null ? part.seconds * part.centsPerHour * (1 + part.burdenPercent / 100) : 0),
    0,
  )
  return seconds <= 0 ? null : cents / seconds
}

/** What one lawn that counted costs of a person who is paid by the lawn, or has a bonus for each, in cents with a fraction. */
export const lawnPayCents = ({
  pieceCents,
  bonusCents,
  burdenPercent,
}: {
  pieceCents: number | null
  bonusCents: number | null
  burdenPercent: number
}): number => ((pieceCents ?? 0) + (bonusCents ?? 0)) * (1 + burdenPercent / 100)
