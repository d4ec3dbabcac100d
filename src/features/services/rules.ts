import type { Refusal } from '../../shared/can.ts'
import { type Day, formatDay } from '../../shared/dates.ts'
import { roundHalfUp } from '../../shared/money.ts'
import { squareFeetPerAcre } from '../../shared/numbers.ts'
import { type Measure, type MeasuredBy, measureUnitLong, needsMeasure } from './measures/rules.ts'

/** How often a service comes back, as far as its price cares. */
export const frequencies = ['weekly', 'biweekly', 'monthly', 'once'] as const
export type Frequency = (typeof frequencies)[number]

export const serviceCategories = ['mow', 'treat', 'install', 'cleanup', 'snow', 'other'] as const
export type ServiceCategory = (typeof serviceCategories)[number]
export const serviceUnits = ['visit', 'ksqft', 'hour', 'yard', 'each'] as const
export type ServiceUnit = (typeof serviceUnits)[number]

/**
 * Each tier's rate holds up to its end; the last one has no end. For a service that goes by edges the sizes of its rules are feet, the rates those of
 * 1,000 feet.
 */
export type PriceTier = { upToSquareFeet: number | null; centsPerKsqft: number }

/** How a service's price grows with what it is measured by. Cents, square feet and whole percentages (100 = unchanged). */
export type PriceRule = {
  /** What the smallest one pays; no price is below it before rounding. */
  minCents: number
  /** Up to this size the minimum holds. */
  sizeAtMinSquareFeet: number
  tiers: PriceTier[]
  /** Prices are rounded half up to a multiple of this. */
  roundToCents: number
  /** For difficulty 1 to 5. */
  difficultyPercent: number[]
  frequencyPercent: Record<Frequency, number>
  /** For a first cut of an overgrown lawn. */
  firstCutPercent: number
  /** Rounded up to the next multiple instead, as a raise may ask for. */
  roundUp?: boolean | undefined
}

/** Labor minutes on site: fixed + by size + by unit, times difficulty. */
export type TimeRule = {
  fixedMinutes: number
  minutesPerKsqft: number
  minutesPerUnit: number
  difficultyPercent: number[]
}

/** What a price depends on. */
export type PriceFacts = Measure & {
  /** 1 to 5. */
  difficulty: number
  frequency: Frequency
  firstCut?: boolean
}

/** `cents` is null when the rule cannot say; then `reason` tells what is missing. */
export type Price = { cents: number; reason: null } | { cents: null; reason: string }
export type Minutes = { minutes: number; reason: null } | { minutes: null; reason: string }

/** Cents of the tiers alone for a size, without minimum or factors. */
const tierCents = (tiers: readonly PriceTier[], size: number): number => {
  let from = 0
  let cents = 0
  for (const tier of tiers) {
    const to = Math.min(size, tier.upToSquareFeet ?? size)
    if (to > from) {
      cents += ((to - from) / 1000) * tier.centsPerKsqft
      from = to
    }
  }
  return cents
}

const percentAt = (list: readonly number[], difficulty: number): number =>
  list[Math.min(Math.max(Math.round(difficulty), 1), list.length) - 1] ?? 100

/** Whether a rule asks how large it is. */
export const priceNeedsSize = (rule: PriceRule): boolean => rule.tiers.some((tier) => tier.centsPerKsqft !== 0)

/** Whether a service's price or minutes ask how large what it goes by is; who sees no prices is told so to be safe. */
export const goesBySize = (service: { priceRule: PriceRule | null; timeRule: TimeRule }): boolean =>
  service.priceRule === null || priceNeedsSize(service.priceRule) || service.timeRule.minutesPerKsqft !== 0

/**
 * The price of one unit of a service: round_to(max(min, (base + rate × ksqft) × difficulty × frequency × first cut)), where
 * base = min − the tiers' price at the size up to which the minimum holds.
 * @returns cents, or null with the reason when the size is not known and matters; never a guess
 */
export const priceFor = (rule: PriceRule, facts: PriceFacts): Price => {
  if (facts.size === null && priceNeedsSize(rule)) return { cents: null, reason: needsMeasure[facts.measuredBy] }
  const base = rule.minCents - tierCents(rule.tiers, rule.sizeAtMinSquareFeet)
  const bySize = base + tierCents(rule.tiers, facts.size ?? 0)
  // One division at the end, so that 130 % of 100 % carries no binary dust.
  const percents =
    percentAt(rule.difficultyPercent, facts.difficulty) *
    rule.frequencyPercent[facts.frequency] *
    (facts.firstCut ? rule.firstCutPercent : 100)
  const cents = Math.max(rule.minCents, (bySize * percents) / 1_000_000)
  return { cents: roundTo(cents, rule.roundToCents, rule.roundUp), reason: null }
}

/** The sizes of a price matrix, in the unit of the measure; the last lawn is an acre. */
export const matrixSizes: Record<MeasuredBy, readonly [number, number, number, number, number, number]> = {
  lawn: [5000, 10_000, 15_000, 20_000, 30_000, squareFeetPerAcre],
  beds: [250, 500, 1000, 2000, 3000, 5000],
  edges: [100, 200, 300, 500, 1000, 2000],
}

const plain = (rule: PriceRule): PriceRule => ({
  ...rule,
  difficultyPercent: [100, 100, 100, 100, 100],
  frequencyPercent: { weekly: 100, biweekly: 100, monthly: 100, once: 100 },
  firstCutPercent: 100,
})

/** What a rule asks for each size of the matrix, before difficulty and frequency. Cents. */
export const matrixOf = (rule: PriceRule, measuredBy: MeasuredBy): number[] =>
  matrixSizes[measuredBy].map(
    (size) => priceFor(plain(rule), { measuredBy, size, difficulty: 1, frequency: 'weekly' }).cents ?? rule.minCents,
  )

/**
 * The rule that comes to these prices: up to the first size the first price, between two sizes in a straight line, above the last as before it.
 * @param cents one for each size of the matrix; rounded as the rule rounds
 * @returns the rule, or null where a larger one would cost less
 */
export const ruleOfMatrix = (rule: PriceRule, measuredBy: MeasuredBy, cents: readonly number[]): PriceRule | null => {
  const sizes = matrixSizes[measuredBy]
  const prices = cents.map((one) => roundTo(one, rule.roundToCents, rule.roundUp))
  if (prices.length !== sizes.length || prices.some((one, at) => one < (prices[at - 1] ?? 0))) return null
  // each rate is a whole cent: what that loses is made good by the next one
  let reached = prices[0] ?? 0
  const tiers = sizes.slice(1).map((to, at): PriceTier => {
    const thousands = (to - (sizes[at] ?? 0)) / 1000
    const exact = ((prices[at + 1] ?? 0) - reached) / thousands
    const centsPerKsqft = Math.max(0, rule.roundUp ? Math.floor(exact) : Math.round(exact))
    reached += centsPerKsqft * thousands
    return { upToSquareFeet: at === sizes.length - 2 ? null : to, centsPerKsqft }
  })
  return { ...rule, minCents: prices[0] ?? 0, sizeAtMinSquareFeet: sizes[0], tiers }
}

/** A service's price rule on a day, as far ahead as the price book says. @param service with its rule of today */
export const ruleOfDay = (
  service: { priceRule: PriceRule; nextPrice: { fromOn: string; priceRule: PriceRule } | null },
  day: string,
): PriceRule => (service.nextPrice && service.nextPrice.fromOn <= day ? service.nextPrice.priceRule : service.priceRule)

/** Cents as a multiple of `step`: half up, or up to the next one. Binary dust makes nobody pay a step more. */
const roundTo = (cents: number, step: number, up = false): number =>
  (up ? Math.ceil(cents / step - 1e-6) : roundHalfUp(cents / step)) * step

/** How raised prices end: on the cent, on whole dollars, on a five or a zero; always up to the next. */
export const raiseRoundings = ['cent', 'dollar', 'five'] as const
export type RaiseRounding = (typeof raiseRoundings)[number]
const roundingCents: Record<RaiseRounding, number> = { cent: 1, dollar: 100, five: 500 }

/** By how much prices go up: a percentage (4 = 4 %) or cents, and how they end. */
export type Raise = { percent: number | null; cents: number | null; rounding: RaiseRounding }

const raised = (cents: number, raise: Raise): number =>
  raise.percent !== null ? (cents * (100 + raise.percent)) / 100 : cents + (raise.cents ?? 0)

/** Cents as a multiple of `step` at or below them. Binary dust takes nobody a step off. */
const roundDown = (cents: number, step: number): number => Math.floor(cents / step + 1e-6) * step

/**
 * A price after a raise, in cents; after a cut where the raise is less than nothing. It ends as wished on the side that was asked for: a raise never
 * lowers a price, a cut never raises one. Nothing that costs nothing begins to cost.
 * @returns cents; less than nothing where more is taken off than the price, for the caller to refuse
 */
export const raisedCents = (cents: number, raise: Raise): number => {
  if (cents === 0) return 0
  const wished = raised(cents, raise)
  const step = roundingCents[raise.rounding]
  return wished < cents ? roundDown(wished, step) : roundTo(wished, step, true)
}

/** The step to which a service's prices are rounded, in cents; a raise ends on it as well. */
export const raiseStepCents = (rule: Partial<PriceRule>): number => rule.roundToCents ?? roundingCents.dollar

/** A price rule after a raise: the smallest price and, by a percentage, the rates above it. */
export const raisedRule = (rule: PriceRule, raise: Raise): PriceRule => ({
  ...rule,
  // To the cent: the price that comes of them is rounded once, at its end.
  minCents: rule.minCents === 0 ? 0 : roundTo(raised(rule.minCents, raise), 1, true),
  tiers: rule.tiers.map((tier) => ({
    ...tier,
    centsPerKsqft: raise.percent === null ? tier.centsPerKsqft : roundTo(raised(tier.centsPerKsqft, raise), 1, true),
  })),
  ...(raise.rounding === 'cent'
    ? {}
    : { roundToCents: Math.max(rule.roundToCents, roundingCents[raise.rounding]), roundUp: true }),
})

/** Whether a service is planned with no time on site, whatever the size. */
export const takesNoTime = (rule: TimeRule): boolean =>
  rule.fixedMinutes === 0 && rule.minutesPerKsqft === 0 && rule.minutesPerUnit === 0

/**
 * Labor minutes on site for a quantity of a service, rounded up to whole minutes.
 * @returns minutes, or null with the reason when the size is not known and matters
 */
export const minutesFor = (rule: TimeRule, facts: Measure & { difficulty: number; quantity?: number }): Minutes => {
  if (facts.size === null && rule.minutesPerKsqft !== 0)
    return { minutes: null, reason: needsMeasure[facts.measuredBy] }
  const base =
    rule.fixedMinutes + ((facts.size ?? 0) / 1000) * rule.minutesPerKsqft + (facts.quantity ?? 1) * rule.minutesPerUnit
  const minutes = (base * percentAt(rule.difficultyPercent, facts.difficulty)) / 100
  return { minutes: Math.ceil(minutes - 1e-6), reason: null }
}

/** Why a service cannot be priced so, in words for the form, or null. */
export const measureProblem = ({ unit, measuredBy }: Told): { path: string; message: string } | null =>
  unit === 'ksqft' && measuredBy === 'edges'
    ? { path: 'measuredBy', message: 'Edges are measured in feet: choose another way to price, not per 1,000 sq ft.' }
    : null

/** What is wrong with a price rule beyond its shape, in words for the form, or null. */
export const priceRuleProblem = (rule: PriceRule): { path: string; message: string } | null => {
  const last = rule.tiers.at(-1)
  if (!last) return { path: 'priceRule.tiers', message: 'Give at least one rate.' }
  if (last.upToSquareFeet !== null)
    return { path: `priceRule.tiers.${rule.tiers.length - 1}`, message: 'The last rate has no upper end.' }
  let from = 0
  for (const [index, tier] of rule.tiers.slice(0, -1).entries()) {
    if (tier.upToSquareFeet === null || tier.upToSquareFeet <= from)
      return { path: `priceRule.tiers.${index}`, message: 'Each rate ends at a larger size than the one before.' }
    from = tier.upToSquareFeet
  }
  return null
}

export const categoryLabel: Record<ServiceCategory, string> = {
  mow: 'Mowing',
  treat: 'Treatment',
  install: 'Installation',
  cleanup: 'Clean-up',
  snow: 'Snow',
  other: 'Other',
}

export const unitLabel: Record<ServiceUnit, string> = {
  visit: 'per visit',
  ksqft: 'per 1,000 sq ft',
  hour: 'per hour',
  yard: 'per yard',
  each: 'each',
}

const dollars = (cents: number): string => `$${(cents / 100).toFixed(cents % 100 === 0 ? 0 : 2)}`
const feet = (squareFeet: number): string => squareFeet.toLocaleString('en-US')

/** What a price is told with: the service itself. */
type Told = { unit: ServiceUnit; measuredBy: MeasuredBy }
const usual: Told = { unit: 'visit', measuredBy: 'lawn' }

/** A price rule in one line: "$45 up to 5,000 sq ft, then $2.50 per 1,000 to 20,000, $1.75 above". */
export const priceRuleText = (rule: PriceRule, { unit, measuredBy }: Told = usual): string => {
  const least = roundTo(rule.minCents, rule.roundToCents, rule.roundUp)
  if (!priceNeedsSize(rule)) return `${dollars(least)} ${unitLabel[unit]}`
  const tiers = rule.tiers.map((tier, index) => {
    const end = tier.upToSquareFeet === null ? (index === 0 ? '' : ' above') : ` to ${feet(tier.upToSquareFeet)}`
    return `${dollars(tier.centsPerKsqft)}${index === 0 ? ' per 1,000' : ''}${end}`
  })
  return `${dollars(least)} up to ${feet(rule.sizeAtMinSquareFeet)} ${measureUnitLong[measuredBy]}, then ${tiers.join(', ')}`
}

/** "$62 a visit from Tue, Dec 1": a price that is to come. */
export const nextPriceText = (next: { fromOn: Day; priceRule: PriceRule }, told: Told = usual): string =>
  `${priceRuleText(next.priceRule, told)} from ${formatDay(next.fromOn)}`

const perUnit: Record<ServiceUnit, string> = {
  visit: 'a visit',
  ksqft: 'per 1,000 sq ft',
  hour: 'an hour',
  yard: 'a yard',
  each: 'each',
}

/** "8 min + 1.8 min per 1,000 sq ft"; work priced by the hour takes the hours that are booked. */
export const timeRuleText = (rule: TimeRule, { unit, measuredBy }: Told = usual): string =>
  [
    rule.fixedMinutes > 0 ? `${rule.fixedMinutes} min` : null,
    rule.minutesPerKsqft > 0 ? `${rule.minutesPerKsqft} min per 1,000 ${measureUnitLong[measuredBy]}` : null,
    rule.minutesPerUnit > 0
      ? unit === 'hour' && rule.minutesPerUnit === 60
        ? 'the hours booked'
        : `${rule.minutesPerUnit} min ${perUnit[unit]}`
      : null,
  ]
    .filter(Boolean)
    .join(' + ') || 'no time'

/**
 * Labor minutes to plan with, also where the size is not known: then those of the smallest one of the price rule, so that a day is never
 * planned as if the work took nothing.
 */
export const budgetMinutesFor = (
  service: { timeRule: TimeRule; priceRule: PriceRule | null },
  facts: Measure & { difficulty: number; quantity?: number },
): number =>
  minutesFor(service.timeRule, facts).minutes ??
  minutesFor(service.timeRule, { ...facts, size: service.priceRule?.sizeAtMinSquareFeet ?? 0 }).minutes ??
  0

export const serviceActions = ['update', 'archive', 'restore'] as const
export type ServiceAction = (typeof serviceActions)[number]

/** Why the state of a service refuses what somebody would do with it. */
export const serviceRefusals: Record<ServiceAction, Refusal<{ name: string; archivedAt: string | null }>> = {
  update: () => null,
  archive: ({ name, archivedAt }) => (archivedAt === null ? null : `${name} is archived already.`),
  restore: ({ name, archivedAt }) => (archivedAt === null ? `${name} is not archived.` : null),
}
