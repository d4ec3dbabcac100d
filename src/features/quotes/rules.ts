import type { Refusal } from '../../shared/can.ts'
import type { Day } from '../../shared/dates.ts'
import { allocateCents, lineCents, roundHalfUp } from '../../shared/money.ts'
import type { TaxPlace, TaxRule } from '../businesses/taxes/rules.ts'
import type { TaxExempt } from '../invoices/exemptions/rules.ts'
import { invoiceTotals, type Totals } from '../invoices/rules.ts'
import {
  type AskedSize,
  askedOf,
  type Measure,
  type MeasuredBy,
  measureOf,
  measureOfAsked,
  type Sizes,
} from '../services/measures/rules.ts'
import type { Frequency, ServiceUnit } from '../services/rules.ts'
import type { QuoteDay } from './days/rules.ts'

/** What work would cost before it is booked. Pure: the builder, the customer's page, the paper and the rows come from the same functions. */

export const quoteStatuses = [
  'draft',
  'sent',
  'viewed',
  'changes_requested',
  'approved',
  'declined',
  'expired',
  'converted',
  'archived',
] as const
export type QuoteStatus = (typeof quoteStatuses)[number]

export const lostReasons = ['price', 'timing', 'competitor', 'scope', 'no_answer', 'other'] as const
export type LostReason = (typeof lostReasons)[number]

/** By which steps after a quote was sent it is asked after, in days. */
export const followUpDays = [2, 5, 10] as const

export const most = { lines: 60, packages: 4, photos: 12 } as const

/** "Q-1001". */
export const quoteName = (number: number): string => `Q-${number}`

/** What a quote is called unless somebody gives it a title: its work, each once. */
export const quoteTitle = (lines: readonly { name: string }[]): string =>
  [...new Set(lines.map(({ name }) => name))].join(', ').slice(0, 160) || 'Quote'

const wordsOf = (name: string): string[] => name.toLowerCase().match(/\p{L}{2,}/gu) ?? []

/** Whether a signature has no word in common with the customer's name: somebody else may have signed. */
export const isOtherName = (signer: string, customer: string): boolean => {
  const own = new Set(wordsOf(customer))
  return !wordsOf(signer).some((word) => own.has(word))
}

/**
 * What the price of a line was worked out from, kept so that it can be worked out again: square feet of lawn or beds, or feet of edges. Without a measure
 * it was the lawn, as on quotes of before.
 */
export type PriceInputs = AskedSize & { measuredBy?: MeasuredBy | undefined; difficulty: number; firstCut: boolean }

/** What a service goes by as a line has it; a size that was of something else says nothing for it. */
export const measureOfInputs = (service: { measuredBy: MeasuredBy }, inputs: PriceInputs): Measure =>
  (inputs.measuredBy ?? 'lawn') === service.measuredBy
    ? measureOfAsked(service, inputs)
    : { measuredBy: service.measuredBy, size: null }

/** The inputs of a line for a service at a place. */
export const inputsAt = (
  service: { measuredBy: MeasuredBy },
  place: Sizes & { difficulty: number },
  firstCut = false,
): PriceInputs => {
  const measured = measureOf(service, place)
  const { feet, squareFeet } = askedOf(measured)
  const other = service.measuredBy === 'lawn' ? {} : { measuredBy: service.measuredBy, feet }
  return { squareFeet, ...other, difficulty: place.difficulty, firstCut }
}

/** A round of a program as it stands on a quote. */
export type QuoteRound = {
  programId: string
  year: number
  opensOn: Day
  closesOn: Day
  minGapDays: number
}

/** `unitPriceCents` is null while nobody has priced it; cents, minutes and material are those of one visit. */
export type QuoteLine = {
  id: string
  serviceId: string
  name: string
  description: string
  quantity: number
  unit: ServiceUnit
  frequency: Frequency
  /** Expected in the season; 1 for what is done once. */
  visits: number
  unitPriceCents: number | null
  /** What the price book says for `inputs`; null where it cannot say. */
  ruleCents: number | null
  inputs: PriceInputs | null
  costCents: number
  minutes: number
  /** How it comes back, where that is none of the usual rhythms: "Every 10 days". */
  rhythm?: string | undefined
  taxCategory: string
  optional: boolean
  /** An option that is ticked before the customer looks. */
  preselected: boolean
  /** In these packages only; empty is in all. */
  packageIds: string[]
  round: QuoteRound | null
}

export type QuotePackage = { id: string; name: string; description: string; recommended: boolean }

/** Percent in hundredths (1000 = 10 %), or cents. */
export type Share = { kind: 'none' | 'percent' | 'amount'; value: number }

/** By what a quote is taxed, as it was when it was sent. */
export type QuoteTaxes = { rules: TaxRule[]; place: TaxPlace; exempt: TaxExempt; day: Day }

/** What the customer picked: a package where there are any, and options; and whether they pay all of it ahead. */
export type Choice = { packageId: string | null; lineIds: string[]; prepay?: boolean | undefined }

type Priced = {
  lines: readonly QuoteLine[]
  packages: readonly QuotePackage[]
  discount: Share
  deposit: Share
  /** The weekday that fits, with what is off for it. */
  day?: Pick<QuoteDay, 'densityPercent'> | null | undefined
  /** Hundredths of a percent less for who pays all of it on signing; none where it is not offered. */
  prepayPercent?: number | undefined
}

/** What is chosen before anybody chose: the recommended package, else the first; options that are ticked. */
export const firstChoice = ({ lines, packages }: Pick<Priced, 'lines' | 'packages'>): Choice => ({
  packageId: (packages.find(({ recommended }) => recommended) ?? packages[0])?.id ?? null,
  lineIds: lines.flatMap(({ id, optional, preselected }) => (optional && preselected ? [id] : [])),
})

/** Whether a line can be had with a package. */
const isIn = (line: QuoteLine, packageId: string | null): boolean =>
  line.packageIds.length === 0 || (packageId !== null && line.packageIds.includes(packageId))

/** Whether a line belongs to what was chosen. */
export const isChosen = (line: QuoteLine, choice: Choice): boolean =>
  isIn(line, choice.packageId) && (!line.optional || choice.lineIds.includes(line.id))

/** A choice as far as the quote has it: unknown options and those of another package are left out. */
export const tidyChoice = (content: Pick<Priced, 'lines' | 'packages' | 'prepayPercent'>, wish: Choice): Choice => {
  const packageId = content.packages.some(({ id }) => id === wish.packageId)
    ? wish.packageId
    : firstChoice(content).packageId
  return {
    packageId,
    lineIds: content.lines.flatMap((line) =>
      line.optional && isIn(line, packageId) && wish.lineIds.includes(line.id) ? [line.id] : [],
    ),
    ...(paysAhead(content, wish) ? { prepay: true } : {}),
  }
}

/** Whether somebody pays ahead and gets what is off for it. */
export const paysAhead = ({ prepayPercent }: Pick<Priced, 'prepayPercent'>, { prepay }: Choice): boolean =>
  (prepay ?? false) && (prepayPercent ?? 0) > 0

export type QuoteTotals = {
  lines: {
    id: string
    /** Of one unit at one visit, less a discount in percent. */
    unitCents: number
    /** Of all its visits, less every discount. */
    totalCents: number
  }[]
  subtotalCents: number
  discountCents: number
  /** What is off because crews pass there anyway. */
  densityCents: number
  taxes: Totals['taxes']
  taxCents: number
  totalCents: number
  depositCents: number
  /** What one visit of a rhythm comes to, with its tax. */
  perVisit: { frequency: Exclude<Frequency, 'once'>; cents: number }[]
  /** Labor minutes and material of everything. */
  minutes: number
  costCents: number
}

const untaxed: QuoteTaxes = { rules: [], place: {}, exempt: false, day: '2000-01-01' }

const less = (cents: number, hundredths: number): number => roundHalfUp((cents * (10_000 - hundredths)) / 10_000)

/** Of one unit at one visit, less a discount in percent; what is off for the day and for paying ahead comes off that. */
const discountedOf = ({ unitPriceCents }: QuoteLine, discount: Share): number =>
  less(unitPriceCents ?? 0, discount.kind === 'percent' ? discount.value : 0)

/** All visits of a line before any discount; null where it has no price yet. A visit is what is invoiced: it is rounded by itself. */
export const fullCentsOf = (line: Pick<QuoteLine, 'quantity' | 'visits' | 'unitPriceCents'>): number | null =>
  line.unitPriceCents === null ? null : lineCents(line.quantity, line.unitPriceCents) * line.visits

/** A part of a whole in percent; null where there is no whole. */
export const percentOf = (part: number, whole: number): number | null => (whole === 0 ? null : (part * 100) / whole)

const units = (line: QuoteLine): number => Math.round(line.quantity * line.visits * 1000) / 1000

/**
 * What is chosen of a quote comes to. A discount in percent lowers the price of each visit, so that what is invoiced later is what was signed; one in
 * dollars comes off what is done once, and never makes more than that free. Tax by the rules of invoices.
 */
export const quoteTotals = (content: Priced, choice: Choice, tax: QuoteTaxes = untaxed): QuoteTotals => {
  const chosen = content.lines.filter((line) => isChosen(line, choice))
  const ahead = paysAhead(content, choice)
  const priced = chosen.map((line) => {
    const discounted = discountedOf(line, content.discount)
    const near = less(discounted, content.day?.densityPercent ?? 0)
    const unitCents = less(near, ahead ? (content.prepayPercent ?? 0) : 0)
    // a visit is what is invoiced: it is rounded by itself
    const nearCents = (lineCents(line.quantity, discounted) - lineCents(line.quantity, near)) * line.visits
    return { line, unitCents, nearCents, netCents: lineCents(line.quantity, unitCents) * line.visits }
  })
  const subtotalCents = chosen.reduce((sum, line) => sum + (fullCentsOf(line) ?? 0), 0)
  const once = priced.map(({ line, netCents }) => (line.frequency === 'once' ? netCents : 0))
  const offCents =
    content.discount.kind === 'amount'
      ? Math.min(
          content.discount.value,
          once.reduce((a, b) => a + b, 0),
        )
      : 0
  const off = offCents > 0 ? allocateCents(offCents, once) : once.map(() => 0)
  const nets = priced.map(({ netCents }, at) => netCents - (off[at] ?? 0))
  const taxed = (list: readonly { line: QuoteLine; cents: number }[]) =>
    invoiceTotals(
      list.map(({ line, cents }) => ({
        quantity: 1,
        unitPriceCents: cents,
        taxCategory: line.taxCategory,
        place: tax.place,
      })),
      { taxes: tax.rules, taxExempt: tax.exempt, today: tax.day },
    )
  const totals = taxed(priced.map(({ line }, at) => ({ line, cents: nets[at] ?? 0 })))
  const rhythms = (['weekly', 'biweekly', 'monthly'] as const).flatMap((frequency) => {
    const own = priced.filter(({ line }) => line.frequency === frequency && line.round === null && !line.rhythm)
    if (own.length === 0) return []
    const { totalCents } = taxed(
      own.map(({ line, unitCents }) => ({ line, cents: lineCents(line.quantity, unitCents) })),
    )
    return [{ frequency, cents: totalCents }]
  })
  const densityCents = priced.reduce((sum, { nearCents }) => sum + nearCents, 0)
  const depositCents = ahead
    ? totals.totalCents
    : content.deposit.kind === 'percent'
      ? roundHalfUp((totals.totalCents * content.deposit.value) / 10_000)
      : content.deposit.kind === 'amount'
        ? Math.min(content.deposit.value, totals.totalCents)
        : 0
  return {
    lines: priced.map(({ line, unitCents }, at) => ({ id: line.id, unitCents, totalCents: nets[at] ?? 0 })),
    subtotalCents,
    discountCents: subtotalCents - totals.subtotalCents - densityCents,
    densityCents,
    taxes: totals.taxes,
    taxCents: totals.taxCents,
    totalCents: totals.totalCents,
    depositCents,
    perVisit: rhythms,
    minutes: chosen.reduce((sum, line) => sum + line.minutes * line.visits, 0),
    costCents: chosen.reduce((sum, line) => sum + line.costCents * units(line), 0),
  }
}

/** What is left of a price, in cents, and for an hour of labor. @param laborCents what an hour of one person costs; null where who asks may not know */
export const marginOf = (
  { totalCents, taxCents, minutes, costCents }: Pick<QuoteTotals, 'totalCents' | 'taxCents' | 'minutes' | 'costCents'>,
  laborCents: number | null,
): { perHourCents: number | null; marginCents: number | null; percent: number | null } => {
  const earned = totalCents - taxCents
  const marginCents =
    laborCents === null ? null : earned - roundHalfUp(costCents) - roundHalfUp((laborCents * minutes) / 60)
  return {
    perHourCents: minutes > 0 ? roundHalfUp(((earned - costCents) * 60) / minutes) : null,
    marginCents,
    percent: marginCents === null || earned === 0 ? null : Math.round((marginCents * 1000) / earned) / 10,
  }
}

/** How often something comes in a season of so many days, one visit at least. */
export const visitsIn = (frequency: Frequency, seasonDays: number): number => {
  const days: Record<Frequency, number> = { weekly: 7, biweekly: 14, monthly: 30.4, once: Number.POSITIVE_INFINITY }
  return Math.max(1, Math.round(seasonDays / days[frequency]))
}

/** What is wrong with a quote beyond its shape, by field; a draft may lack prices. */
export const contentProblem = (content: Priced): { path: string; message: string } | null => {
  const ids = content.packages.map(({ id }) => id)
  if (new Set(ids).size < ids.length) return { path: 'packages', message: 'One package stands there twice.' }
  if (ids.length === 1)
    return { path: 'packages', message: 'One package is no choice. Add another one, or take it away.' }
  if (content.packages.filter(({ recommended }) => recommended).length > 1)
    return { path: 'packages', message: 'Only one package can be recommended.' }
  const seen = new Set<string>()
  for (const [at, line] of content.lines.entries()) {
    if (seen.has(line.id)) return { path: `lines.${at}.name`, message: 'This line stands there twice.' }
    seen.add(line.id)
    if (line.packageIds.some((id) => !ids.includes(id)))
      return { path: `lines.${at}.packageIds`, message: 'It belongs to a package that is not there any more.' }
    if (line.frequency === 'once' && line.visits !== 1)
      return { path: `lines.${at}.visits`, message: 'What is done once has one visit.' }
  }
  if (content.discount.kind === 'percent' && content.discount.value > 10_000)
    return { path: 'discount.value', message: 'At most 100 %.' }
  if (
    content.discount.kind === 'amount' &&
    content.discount.value > 0 &&
    content.lines.length > 0 &&
    !content.lines.some(({ frequency }) => frequency === 'once')
  )
    return {
      path: 'discount.value',
      message: 'Dollars come off what is done once. For work that comes back, give a percentage.',
    }
  if (content.deposit.kind === 'percent' && content.deposit.value > 10_000)
    return { path: 'deposit.value', message: 'At most 100 %.' }
  return null
}

/** What a quote still needs before it can be sent, as a sentence; null when nothing. */
export const sendProblem = (content: Priced): string | null => {
  if (content.lines.length === 0) return 'Add at least one line, then send it.'
  const bare = content.lines.find(({ unitPriceCents }) => unitPriceCents === null)
  if (bare) return `${bare.name} has no price yet. Set one, then send it.`
  const inside = (id: string): string => content.lines.flatMap((line) => (isIn(line, id) ? [line.id] : [])).join(' ')
  const same = content.packages.find(({ id }, at) =>
    content.packages.slice(0, at).some((one) => inside(one.id) === inside(id)),
  )
  if (same) return `The package ${same.name} holds the same as another one. Put a line in it alone, or take it away.`
  const empty = content.packages.find(({ id }) => !content.lines.some((line) => !line.optional && isIn(line, id)))
  if (empty) return `Nothing is in the package ${empty.name}. Put a line in it, or take it away.`
  return content.lines.some((line) => !line.optional) ? null : 'Everything is optional. Let at least one line stand.'
}

export const quoteActions = [
  'edit',
  'send',
  'resend',
  'revise',
  'approve',
  'decline',
  'convert',
  'archive',
  'copy',
] as const
export type QuoteAction = (typeof quoteActions)[number]

export type QuoteFacts = { number: number; status: QuoteStatus }

const past: Partial<Record<QuoteStatus, string>> = {
  approved: 'was approved, and what was signed never changes',
  converted: 'is a job already',
  archived: 'is archived',
  declined: 'was declined',
  expired: 'has expired',
}
const notNow = ({ number, status }: QuoteFacts, what: string): string =>
  `${quoteName(number)} ${past[status] ?? (status === 'draft' ? 'is a draft' : 'is with the customer')}, so it cannot be ${what}. Nothing was changed.`

/** Open for an answer: the customer has it and has not said anything. */
export const isWaiting = (status: QuoteStatus): boolean => status === 'sent' || status === 'viewed'

const only =
  (statuses: readonly QuoteStatus[], what: string): Refusal<QuoteFacts> =>
  (facts) =>
    statuses.includes(facts.status) ? null : notNow(facts, what)

/** Why a quote's state refuses an action; whatever is not listed is refused. */
export const quoteRefusals: Record<QuoteAction, Refusal<QuoteFacts>> = {
  edit: only(['draft'], 'edited as it stands: make a new version first'),
  send: only(['draft'], 'sent'),
  resend: only(['sent', 'viewed'], 'sent again'),
  revise: only(['sent', 'viewed', 'changes_requested', 'declined', 'expired'], 'worked on again'),
  approve: only(['sent', 'viewed', 'changes_requested'], 'approved'),
  decline: only(['sent', 'viewed', 'changes_requested'], 'marked as lost'),
  convert: only(['approved'], 'made a job'),
  archive: (facts) => (facts.status === 'converted' || facts.status === 'archived' ? notNow(facts, 'archived') : null),
  copy: () => null,
}

export const statusLabel: Record<QuoteStatus, string> = {
  draft: 'Draft',
  sent: 'Sent',
  viewed: 'Viewed',
  changes_requested: 'Changes asked',
  approved: 'Approved',
  declined: 'Declined',
  expired: 'Expired',
  converted: 'Job made',
  archived: 'Archived',
}

export const lostLabel: Record<LostReason, string> = {
  price: 'The price',
  timing: 'Not now',
  competitor: 'Took somebody else',
  scope: 'Wants something else',
  no_answer: 'No answer',
  other: 'Another reason',
}

export const frequencyLabel: Record<Frequency, string> = {
  weekly: 'every week',
  biweekly: 'every two weeks',
  monthly: 'every month',
  once: 'once',
}

/** Whether nothing is left to invoice: the season is paid ahead, or the deposit is all of it. */
export const isAllPaidAhead = (
  { totalCents, depositCents }: Pick<QuoteTotals, 'totalCents' | 'depositCents'>,
  { prepay }: Choice,
): boolean => prepay === true || (totalCents > 0 && depositCents >= totalCents)
