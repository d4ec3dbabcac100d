import { counted } from '../../../shared/counted.ts'
import type { Day } from '../../../shared/dates.ts'
import { formatCents } from '../../../shared/money.ts'
import { letterReasons } from '../../jobs/letters/rules.ts'
import { leastLaborSeconds } from '../rules.ts'

/** Days of finished work by which lawns are judged. */
export const lawnPeriods = ['month', 'quarter', 'year'] as const
export type LawnPeriod = (typeof lawnPeriods)[number]
/** The one that is looked at first, and by which job costing tells a price. */
export const usualLawnPeriod: LawnPeriod = 'quarter'
export const lawnDays: Record<LawnPeriod, number> = { month: 30, quarter: 90, year: 365 }

/** Fewer visits say little: one long stop is no pattern. */
export const leastLawnVisits = 2

/** Why a lawn that earns less than the target is not in the list. */
export const leftReasons = [...letterReasons, 'fewVisits'] as const

/** What price letters say of a property: its lines that earn too little and can be raised by one, and those that get none, with why. */
export type LawnPrices = {
  low: readonly { suggestedCents: number; unitPriceCents: number; quantity: number }[]
  left: readonly { reason: (typeof leftReasons)[number]; why: string }[]
  /** Lines that earn too little at the price of now and reach the target at one that is to come: what a unit costs from that day. */
  coming: readonly { unitPriceCents: number; quantity: number; fromOn: Day }[]
}

/** What is known of a line of a job: of its finished visits, and what one of them costs by now. */
export type LawnFacts = {
  completions: number
  /** Of all these visits, on site and on the road, each person counted. */
  laborSeconds: number
  quantity: number
  /** The price of a unit that holds, or is to hold. */
  unitPriceCents: number
}

/** What a labor hour there brings in at a price, in cents; null where less than a quarter of an hour is known. */
export const earnedAt = ({ completions, laborSeconds, quantity }: LawnFacts, unitCents: number): number | null =>
  laborSeconds < leastLaborSeconds || completions === 0
    ? null
    : Math.round((unitCents * quantity * completions * 3600) / laborSeconds)

/**
 * The price of a unit at which a lawn earns its target for each labor hour, up to the step in which its service is priced. It is counted against the
 * price of now, not against what was earned: who was raised already is not raised again for visits of before.
 * @param targetCents for a labor hour; 0 is none
 * @param stepCents to which the service rounds its prices
 * @returns cents, more than the price of now; null where it earns the target, or where that is not known
 */
export const suggestedCents = (facts: LawnFacts, targetCents: number, stepCents: number): number | null => {
  const earned = earnedAt(facts, facts.unitPriceCents)
  if (targetCents <= 0 || earned === null || earned >= targetCents) return null
  const needed = (targetCents * facts.laborSeconds) / 3600 / facts.completions / facts.quantity
  const step = Math.max(1, stepCents)
  const cents = Math.ceil(needed / step - 1e-6) * step
  return cents > facts.unitPriceCents ? cents : null
}

/** By how much a price goes up, in whole percent; null where it does not, or where it was nothing. */
export const raisePercent = (from: number, to: number): number | null =>
  from > 0 && to > from ? Math.round((100 * (to - from)) / from) : null

/** More for a unit is a slip of the keys. */
export const mostPriceCents = 10_000_000

/** Why an amount is no new price of a lawn that costs `fromCents`, or null. */
export const raiseRefusal = (fromCents: number, toCents: number): string | null =>
  toCents <= fromCents
    ? `More than ${formatCents(fromCents)}: a letter only raises.`
    : toCents > mostPriceCents
      ? `At most ${formatCents(mostPriceCents)}.`
      : null

/** "+18%"; what is many times the old price is said so. */
export const raiseText = (percent: number): string =>
  percent >= 1000 ? 'over 10 times' : `+${percent.toLocaleString('en-US')}%`

/** More at once than customers usually take: the office looks at it twice. */
export const isSteep = (percent: number): boolean => percent > 25

/** "14 services at 9 properties earn less than your target of $60.00": how many; a property with mowing and feeding can stand here twice. */
export const servicesBelow = (count: number, properties: number): string =>
  `${counted(count, 'service')} at ${counted(properties, 'property', 'properties')} ${count === 1 ? 'earns' : 'earn'} less`
