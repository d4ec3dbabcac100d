import type { Refusal } from '../../shared/can.ts'
import { addDays, addMonths, type Day, formatDay, monthNames } from '../../shared/dates.ts'
import { allocateCents, formatCents, roundHalfUp } from '../../shared/money.ts'

/** Billing plans: a season paid in equal months (budget billing), or all of it ahead (prepaid). */

export const planKinds = ['budget', 'prepaid'] as const
export type PlanKind = (typeof planKinds)[number]
export const kindLabel: Record<PlanKind, string> = { budget: 'Budget billing', prepaid: 'Prepaid' }

/** A month is `YYYY-MM`. */
export type Month = string
export const monthOf = (day: Day): Month => day.slice(0, 7)

/** "April 2027". */
export const monthLabel = (month: Month): string => `${monthNames[Number(month.slice(5, 7)) - 1]} ${month.slice(0, 4)}`

export const mostMonths = 24

/** Lines of jobs that one plan covers at most. */
export const mostLines = 1000

/** The day of a month on which it is billed: its last one where it has no such day (the 31st, February 29). */
export const billDay = (month: Month, dayOfMonth: number): Day => addMonths(`${month}-01`, 0, dayOfMonth)

/** Months one after the other. */
export const monthsFrom = (first: Month, count: number): Month[] =>
  Array.from({ length: Math.max(0, count) }, (_, at) => monthOf(addMonths(`${first}-01`, at)))

/** Months of a season, the first and the last included; at most 24. */
export const monthsBetween = (from: Day, to: Day): Month[] =>
  monthsFrom(monthOf(from), mostMonths).filter((month) => month <= monthOf(to))

/** The season that is proposed on a day: to the end of the year, or the next one from October on. */
export const usualSeason = (today: Day): { startsOn: Day; endsOn: Day } => {
  const year = Number(today.slice(0, 4))
  return today.slice(5, 7) >= '10'
    ? { startsOn: `${year + 1}-01-01`, endsOn: `${year + 1}-12-31` }
    : { startsOn: today, endsOn: `${year}-12-31` }
}

/** What a season is called while nobody named it. */
export const seasonName = (startsOn: Day, endsOn: Day): string => {
  const [from, to] = [startsOn.slice(0, 4), endsOn.slice(0, 4)]
  return from === to ? `Season ${to}` : `Season ${from} to ${to}`
}

/** What a season costs that is paid ahead with a discount. @param percent of what its work comes to */
export const prepaidCents = (listCents: number, percent: number): number =>
  roundHalfUp((listCents * (100 - percent)) / 100)

/** Equal parts that come to the total; the first takes the cents that do not divide. */
export const spread = (totalCents: number, parts: number): number[] => {
  if (parts <= 0) return []
  const each = Math.floor(totalCents / parts)
  return Array.from({ length: parts }, (_, at) => (at === 0 ? totalCents - each * (parts - 1) : each))
}

/** What is said of equal parts of which the first takes the cents that do not divide; null where all are the same. */
export const levelWords = (parts: readonly number[]): string | null => {
  const [first = 0, ...others] = parts
  const [each] = others
  if (each === undefined || first === each || others.some((cents) => cents !== each)) return null
  const odd = first - each
  return odd > 0 && odd < parts.length
    ? `The first bill takes the ${odd === 1 ? '1 cent that does' : `${odd} cents that do`} not divide by ${parts.length}, so that together they come to the cent.`
    : null
}

/** Cents of finished work as they count for a plan: at what was agreed, in proportion to what its work comes to at the visits' prices. */
export const countedCents = (listCents: number, plan: { seasonCents: number; listCents: number }): number =>
  plan.listCents === 0 ? 0 : roundHalfUp((listCents * plan.seasonCents) / plan.listCents)

/** Money by place of the work and tax category: sales tax follows both. */
export type Group = { propertyId: string; taxCategory: string; cents: number }
type Grouped = Pick<Group, 'propertyId' | 'taxCategory'>

export const groupKeyOf = ({ propertyId, taxCategory }: Grouped): string => `${propertyId}:${taxCategory}`
export const sumOf = (groups: readonly { cents: number }[]): number => groups.reduce((sum, { cents }) => sum + cents, 0)

/** Adds up groups of the same place and category, in the order in which they come. */
export const addGroups = (...lists: readonly (readonly Group[])[]): Group[] => {
  const all = new Map<string, Group>()
  for (const one of lists.flat()) {
    const key = groupKeyOf(one)
    const known = all.get(key)
    all.set(key, known ? { ...known, cents: known.cents + one.cents } : { ...one })
  }
  return [...all.values()]
}

export const negated = (groups: readonly Group[]): Group[] => groups.map((one) => ({ ...one, cents: -one.cents }))

/** An amount spread over groups to the cent by their own weight. @param weights none below zero */
export const spreadOver = (totalCents: number, weights: readonly Group[]): Group[] => {
  const parts = allocateCents(
    totalCents,
    weights.map(({ cents }) => cents),
  )
  return weights.map((one, at) => ({ ...one, cents: parts[at] ?? 0 }))
}

/**
 * How the next month divides into groups, so that after the last one each group was billed exactly its share of the whole.
 * @param shares what the work of each group is expected to come to, and what was carried over
 * @param billed what earlier months billed of each
 */
export const monthGroups = (cents: number, shares: readonly Group[], billed: readonly Group[]): Group[] => {
  const positive = shares.filter((one) => one.cents > 0)
  const target = spreadOver(sumOf(billed) + cents, positive)
  const needs = addGroups(target, negated(billed))
    .filter((one) => positive.some((share) => groupKeyOf(share) === groupKeyOf(one)))
    .map((one) => ({ ...one, cents: Math.max(0, one.cents) }))
  return spreadOver(cents, sumOf(needs) > 0 ? needs : positive).filter((one) => one.cents !== 0)
}

/** Sales tax as it was charged on work of one place and category: `cents` is what it was charged on. */
export type BilledTax = Group & { name: string; ratePercent: number; taxCents: number }
type InvoiceTax = { name: string; ratePercent: number; baseCents: number; taxCents: number }

/** Every choice out of a list, the whole of it first; of a long one the whole alone. */
const choicesOf = <T>(list: readonly T[]): T[][] =>
  list.length > 10
    ? [[...list]]
    : Array.from({ length: 2 ** list.length - 1 }, (_, at) => list.filter((_one, bit) => !(at & (1 << bit))))

/**
 * On which work of an invoice each of its taxes was charged: a tax is on one category, at all places or at some of them, and an invoice keeps
 * its sum. A tax that fits nowhere is spread over all of the work.
 * @param likely the categories that a tax of this name is on today, looked at first
 */
export const taxesOfInvoice = (
  groups: readonly Group[],
  taxes: readonly InvoiceTax[],
  likely: (name: string) => readonly string[],
): BilledTax[] =>
  taxes.flatMap(({ name, ratePercent, baseCents, taxCents }) => {
    const first = likely(name)
    const categories = [...new Set(groups.map(({ taxCategory }) => taxCategory))].sort(
      (a, b) => Number(first.includes(b)) - Number(first.includes(a)),
    )
    const on =
      categories
        .flatMap((category) => choicesOf(groups.filter(({ taxCategory }) => taxCategory === category)))
        .find((some) => sumOf(some) === baseCents) ?? groups
    const parts = spreadOver(taxCents, on)
    const bases = spreadOver(baseCents, on)
    return parts.map((part, at) => ({ ...part, name, ratePercent, cents: bases[at]?.cents ?? 0, taxCents: part.cents }))
  })

/** Adds up the same tax on the same work of several invoices, so that a part of it is rounded once. */
export const addTaxes = (taxes: readonly BilledTax[]): BilledTax[] => {
  const all = new Map<string, BilledTax>()
  for (const tax of taxes) {
    const key = `${groupKeyOf(tax)}:${tax.name}:${tax.ratePercent}`
    const known = all.get(key) ?? { ...tax, cents: 0, taxCents: 0 }
    all.set(key, { ...known, cents: known.cents + tax.cents, taxCents: known.taxCents + tax.taxCents })
  }
  return [...all.values()]
}

/** The tax of a part of what was billed, as it was charged: the whole of it for the whole. @param cents of the `billedCents` */
export const taxShare = (taxes: readonly BilledTax[], cents: number, billedCents: number): BilledTax[] =>
  billedCents <= 0
    ? []
    : taxes.map((tax) => ({
        ...tax,
        cents: roundHalfUp((tax.cents * cents) / billedCents),
        taxCents: roundHalfUp((tax.taxCents * cents) / billedCents),
      }))

export const settleChoices = ['bill', 'credit', 'refund', 'carry', 'waive', 'none'] as const
export type SettleChoice = (typeof settleChoices)[number]

/** What can be done with what is left when a plan ends: asked of the sum with tax, more than zero is still to be billed. */
export const choicesFor = (
  totalCents: number,
  options: { isOver: boolean; refundableCents: number },
): SettleChoice[] => {
  if (totalCents === 0) return ['none']
  const carry: SettleChoice[] = options.isOver ? ['carry'] : []
  return totalCents > 0
    ? ['bill', ...carry, 'waive']
    : ['credit', ...(options.refundableCents > 0 ? (['refund'] as const) : []), ...carry]
}

/** What months are left come to when a season's total changes. Null: more is billed already. */
export const monthsLeft = (
  totalCents: number,
  billedCents: number,
  left: readonly { billOn: Day }[],
): number[] | null => (totalCents < billedCents ? null : spread(totalCents - billedCents, left.length))

export type PlanStatus = 'active' | 'settled' | 'discarded'
export type PlanFacts = {
  name: string
  status: PlanStatus
  /** Months that stand on an invoice which was not voided. */
  billedMonths: number
  plannedMonths: number
  /** The newest change that was not taken back, and whether a month was billed, or came to nothing on its day, since. */
  change: { billedSince: boolean } | null
  /** What keeps a settlement from being taken back. */
  settled: {
    choice: SettleChoice
    sent: boolean
    touched: boolean
    /** Its last invoice was voided: what that billed is on no invoice. */
    voided: boolean
    taken: boolean
    /** The running plan that bills some of the same work by now. */
    newer: string | null
  } | null
}
export const planActions = ['change', 'undoChange', 'settle', 'undoSettlement', 'discard'] as const
export type PlanAction = (typeof planActions)[number]

const over = ({ name, status }: Pick<PlanFacts, 'name' | 'status'>): string | null =>
  status === 'settled'
    ? `${name} is settled. Nothing was changed.`
    : status === 'discarded'
      ? `${name} was taken back. Nothing was changed.`
      : null

/** Why the state of a billing plan refuses an action. */
export const planRefusals = {
  change: (plan) => over(plan),
  undoChange: (plan) =>
    over(plan) ??
    (plan.change === null
      ? `${plan.name} was not changed, so there is nothing to undo.`
      : plan.change.billedSince
        ? 'A month was billed since that change, or its day has passed. Change the plan again instead. Nothing was changed.'
        : null),
  settle: (plan) =>
    (plan.settled?.voided ? null : over(plan)) ??
    (plan.billedMonths === 0
      ? `No month of ${plan.name} was billed yet. Take the plan back instead: its visits are then billed one by one.`
      : null),
  undoSettlement: ({ name, settled }) =>
    settled === null
      ? `${name} is not settled. Nothing was changed.`
      : settled.choice === 'refund'
        ? 'Money went back with this settlement, so it stays. Start a new plan instead.'
        : settled.sent && !settled.voided
          ? 'The customer was sent this settlement, so it stays. Void its invoice and settle the plan again, or give a credit instead.'
          : settled.touched && !settled.voided
            ? 'The invoice or the credit of this settlement was used, paid or taken back since, so it stays.'
            : settled.taken
              ? 'The next plan has taken over what was carried. Take that plan back first.'
              : settled.newer !== null
                ? `${settled.newer} bills some of the same work by now, so it would be billed twice. Take that plan back first.`
                : null,
  discard: (plan) =>
    over(plan) ??
    (plan.billedMonths > 0 ? `A month of ${plan.name} is on an invoice. Cancel and settle the plan instead.` : null),
} satisfies Record<PlanAction, Refusal<PlanFacts>>

/** What somebody asks of the months of a plan, and what is wrong with it, by field. */
export const monthsProblem = (
  months: readonly Month[],
  { kind, today, startsOn }: { kind: PlanKind; today: Day; startsOn: Day },
): string | null => {
  if (months.length === 0) return 'Choose at least one month.'
  if (kind === 'prepaid' && months.length > 1) return 'A prepaid season is billed once.'
  if (months.length > mostMonths) return `At most ${mostMonths} months.`
  if (new Set(months).size !== months.length) return 'A month is there twice.'
  const past = months.find((month) => month < monthOf(today))
  if (past) return `${monthLabel(past)} is over. Choose months from ${monthLabel(monthOf(today))} on.`
  const last = monthOf(addMonths(startsOn, mostMonths - 1))
  const far = months.find((month) => month > last)
  return far ? `${monthLabel(far)} is too far ahead: the last one is ${monthLabel(last)}.` : null
}

/** Why a season cannot have these days, or null. */
export const seasonProblem = (startsOn: Day, endsOn: Day, today: Day): string | null =>
  endsOn < startsOn
    ? 'The season ends before it begins.'
    : endsOn < today
      ? 'This season is over already.'
      : endsOn > addDays(startsOn, 366)
        ? 'A season is a year at most.'
        : startsOn < addDays(today, -366)
          ? 'The season began more than a year ago.'
          : null

/** "$40.00 billed ahead": more was billed than delivered. @param differenceCents delivered less billed */
export const standingLabel = (differenceCents: number): string =>
  differenceCents === 0
    ? 'Even'
    : differenceCents > 0
      ? `${formatCents(differenceCents)} to bill`
      : `${formatCents(-differenceCents)} billed ahead`

/** What the office reads in place of a month's invoice that could not be made. */
export const heldMessage = (name: string, billOn: Day): string => `${name}: ${formatDay(billOn)} could not be billed`
