import { cityLine } from '../../shared/address-lines.ts'
import type { Refusal } from '../../shared/can.ts'
import { addDays, type Day, daysBetween } from '../../shared/dates.ts'
import { allocateCents, formatCents, lineCents, roundHalfUp } from '../../shared/money.ts'
import { ratesFor, type TaxPlace, type TaxRule } from '../businesses/taxes/rules.ts'
import { isReached, type PaperReach, unreachedWords } from '../messages/paperways/rules.ts'
import { wasVoided } from './corrections/rules.ts'
import { isExemptIn, type TaxExempt } from './exemptions/rules.ts'
import type { TaxTreatment } from './taxreport/rules.ts'

export const invoiceStatuses = ['draft', 'issued', 'partially_paid', 'paid', 'void', 'written_off'] as const
export type InvoiceStatus = (typeof invoiceStatuses)[number]

const moves: Record<InvoiceStatus, readonly InvoiceStatus[]> = {
  draft: ['issued', 'void'],
  issued: ['partially_paid', 'paid', 'void', 'written_off'],
  partially_paid: ['issued', 'paid', 'written_off'],
  paid: ['issued', 'partially_paid'],
  void: [],
  written_off: ['issued', 'partially_paid'],
}

/** Whether an invoice may go from one status to another; whatever is not listed is refused. */
export const canMove = (from: InvoiceStatus, to: InvoiceStatus): boolean => moves[from].includes(to)

/** Whether the customer still owes on it. */
export const isOpen = (status: InvoiceStatus): boolean => status === 'issued' || status === 'partially_paid'

/** Whether money can be taken for it. Recording a payment on a draft issues it first. */
export const isPayable = (status: InvoiceStatus): boolean => status === 'draft' || isOpen(status)

/** The status that the money makes: paid only from money, and open again when money went back. A draft, a void and a written off one stay. */
export const statusFromMoney = (status: InvoiceStatus, totalCents: number, paidCents: number): InvoiceStatus => {
  if (!isOpen(status) && status !== 'paid') return status
  if (paidCents >= totalCents) return 'paid'
  return paidCents > 0 ? 'partially_paid' : 'issued'
}

export const isOverdue = (invoice: { status: InvoiceStatus; dueOn: Day | null }, today: Day): boolean =>
  isOpen(invoice.status) && invoice.dueOn !== null && invoice.dueOn < today

export const dueOn = (issueOn: Day, termsDays: number): Day => addDays(issueOn, termsDays)

/** Whether an invoice counts as late from the day it was opened again, or reached its customer at last, not from its due day. */
export const countsAnew = <T extends { dueOn: Day | null; reopenedOn: Day | null }>(
  invoice: T,
): invoice is T & { dueOn: Day; reopenedOn: Day } =>
  invoice.dueOn !== null && invoice.reopenedOn !== null && invoice.reopenedOn > invoice.dueOn

/**
 * The day from which late fees and reminders count the days of an open invoice: its due day, or the day on which what had been paid was owed
 * again or it reached its customer at last, whichever is later. Its age in lists and statements counts from the due day all the same. Null for a draft.
 */
export const lateFrom = (invoice: { dueOn: Day | null; reopenedOn: Day | null }): Day | null =>
  countsAnew(invoice) ? invoice.reopenedOn : invoice.dueOn

/** How long past its due day an open invoice is: the days from and to, both included; null is without an end. */
export const ages = {
  not_due: { from: null, to: 0 },
  late_30: { from: 1, to: 30 },
  late_60: { from: 31, to: 60 },
  late_90: { from: 61, to: 90 },
  late_more: { from: 91, to: null },
} as const
export type Age = keyof typeof ages
export const ageNames = Object.keys(ages) as Age[]

/** The age of an open invoice that is due on a day. */
export const ageOf = (due: Day, today: Day): Age => {
  const late = daysBetween(due, today)
  return ageNames.find((age) => late <= (ages[age].to ?? Number.POSITIVE_INFINITY)) ?? 'late_more'
}

export type LineDraft = {
  quantity: number
  unitPriceCents: number
  discountCents?: number
  taxCategory: string
  /** Where the work is done, and when: sales tax follows both. */
  place?: TaxPlace
  serviceOn?: Day | null
  /** Where its customer pays no sales tax on the day of the work; what holds of the whole invoice where it is left out. */
  taxExempt?: TaxExempt
}
export type Totals = {
  lines: {
    totalCents: number
    /** What is left of it after its share of the discount. */
    netCents: number
    /** The state that it is taxed by, and whether a rate is charged on it, would be, or is not there. */
    state: string | null
    treatment: TaxTreatment
  }[]
  subtotalCents: number
  discountCents: number
  taxes: { name: string; ratePercent: number; baseCents: number; taxCents: number }[]
  taxCents: number
  totalCents: number
}

/**
 * Which rules of reckoning `invoiceTotals` follows; kept on each invoice that is issued. To be raised with every change by which the same lines,
 * rates and exemptions would come to another sum.
 */
export const rulesVersion = 1

/**
 * Totals of an invoice in cents. Order: lines, their discounts, the invoice's discount spread by largest remainder, then tax rounded half
 * up once per rate group of the invoice (never per line).
 * @param options.discountCents off the whole invoice; never more than it comes to
 * @param options.taxExempt no tax at all, or none on work in these states
 * @param options.today the day by which lines without a day of their own are taxed
 */
export const invoiceTotals = (
  lines: readonly LineDraft[],
  options: { discountCents?: number; taxes?: readonly TaxRule[]; taxExempt?: TaxExempt; today?: Day } = {},
): Totals => {
  const lineTotals = lines.map((line) => {
    const cents = lineCents(line.quantity, line.unitPriceCents)
    // what was billed before is taken off a final invoice as a line below zero; a discount never makes one
    return cents < 0 ? cents : Math.max(0, cents - (line.discountCents ?? 0))
  })
  const subtotalCents = lineTotals.reduce((a, b) => a + b, 0)
  const discountCents = Math.min(options.discountCents ?? 0, Math.max(0, subtotalCents))
  const shares = allocateCents(discountCents, lineTotals)
  const fitting = lines.map(({ taxCategory, place = {}, serviceOn }) =>
    ratesFor(options.taxes ?? [], { taxCategory, place, day: serviceOn ?? options.today ?? null }),
  )
  const rates = lines.map(({ place, taxExempt }, i) =>
    isExemptIn(taxExempt ?? options.taxExempt ?? false, place?.state) ? [] : fitting[i],
  )
  const taxes = (options.taxes ?? [])
    .map((tax) => {
      const baseCents = lines.reduce(
        (sum, _, i) => (rates[i]?.includes(tax) ? sum + (lineTotals[i] ?? 0) - (shares[i] ?? 0) : sum),
        0,
      )
      return {
        name: tax.name,
        ratePercent: tax.ratePercent,
        baseCents,
        taxCents: roundHalfUp((baseCents * tax.ratePercent) / 100),
      }
    })
    .filter((tax) => tax.baseCents !== 0)
  const taxCents = taxes.reduce((sum, tax) => sum + tax.taxCents, 0)
  return {
    lines: lineTotals.map((totalCents, i) => ({
      totalCents,
      netCents: totalCents - (shares[i] ?? 0),
      state: lines[i]?.place?.state || null,
      treatment: rates[i]?.length ? 'taxed' : fitting[i]?.length ? 'exempt' : 'untaxed',
    })),
    subtotalCents,
    discountCents,
    taxes,
    taxCents,
    totalCents: subtotalCents - discountCents + taxCents,
  }
}

/** What a discount above the lines is answered with: cutting it in silence would bill another sum than was typed. */
export const discountTooBig = (subtotalCents: number): string =>
  `The discount is more than the ${formatCents(subtotalCents)} of the lines.`

type Place = { id: string; street: string; city: string; state: string; zip: string; archivedAt?: string | null }
type Billed = {
  name: string
  company: string | null
  billingStreet: string | null
  billingCity: string | null
  billingState: string | null
  billingZip: string | null
}

/** Where a line's work is done: at the property it names, else at the customer's first one. */
export const placeOf = <P extends Place>(propertyId: string | null, places: readonly P[]): P | null =>
  places.find((place) => place.id === propertyId) ?? places.find((place) => !place.archivedAt) ?? null

type BillingPlace = Pick<Billed, 'billingState' | 'billingCity' | 'billingZip'>

/** By which place work is taxed: where it is done, and only where nobody knows that, the billing address. */
export const taxPlaceOf = (place: TaxPlace | null, customer: BillingPlace): Required<TaxPlace> => ({
  state: place?.state || customer.billingState,
  city: place ? place.city || null : customer.billingCity,
  zip: place ? place.zip || null : customer.billingZip,
})

/** The place that a line is taxed by. */
export const placeOfWork = (
  propertyId: string | null,
  places: readonly Place[],
  customer: BillingPlace,
): Required<TaxPlace> => taxPlaceOf(placeOf(propertyId, places), customer)

/** Who is billed, as it stands on the invoice for ever: the billing address, else the place of the work. */
export const billToOf = (customer: Billed, place: Omit<Place, 'id'> | null) => ({
  name: customer.name,
  company: customer.company,
  ...(customer.billingStreet || !place
    ? {
        street: customer.billingStreet,
        city: customer.billingCity,
        state: customer.billingState,
        zip: customer.billingZip,
      }
    : { street: place.street, city: place.city || null, state: place.state || null, zip: place.zip || null }),
})

/** Who is billed, line by line as an address is written; a company called like its customer stands there once. */
export const billLines = (bill: ReturnType<typeof billToOf>): string[] =>
  [bill.name, bill.company, bill.street, cityLine(bill)].filter(
    (part, at, all): part is string => Boolean(part) && all.indexOf(part) === at,
  )

export type Grouping = 'customer' | 'property' | 'visit'

/** Which invoice a finished visit goes on. */
export const groupKey = (visit: { id: string; customerId: string; propertyId: string }, grouping: Grouping): string =>
  grouping === 'visit'
    ? visit.id
    : grouping === 'property'
      ? `${visit.customerId}:${visit.propertyId}`
      : visit.customerId

/** "38 finished visits", "1,000+ finished visits". @param count null for more than 1,000 */
export const finishedVisitsLabel = (count: number | null): string =>
  count === 1 ? '1 finished visit' : `${count === null ? '1,000+' : count.toLocaleString('en-US')} finished visits`

/** Why a finished visit is left out of a batch, in words that say what to do. */
export const exceptionReasons = {
  no_price: 'No price on the visit: set one, or mark it as not billable',
  on_hold: 'Invoices for this customer are on hold',
  not_per_visit: 'Billed by contract, not by visit',
  covered: 'Covered by a billing plan: its months are billed instead',
} as const
export type ExceptionReason = keyof typeof exceptionReasons

/** Words beside an invoice that will be made but reaches its customer neither by mail nor by text. */
export const noEmailNote = 'No mail and no text reaches them: it will be made, but you have to print it'

/** Why a draft is not issued whose tax changed since it was saved: nobody sends another sum than the one they saw. */
export const taxChanged = (number: number, savedCents: number, nowCents: number): string =>
  `The tax on ${invoiceName(number)} was ${formatCents(savedCents)} when it was saved, and is ${formatCents(nowCents)} by the rates, places and exemptions that hold now. Open it, choose Change, look at the total and save. Nothing was sent.`

/** "INV-1042". */
/** What the name of an invoice begins with. */
export const invoicePrefix = 'INV-'

export const invoiceName = (number: number): string => `${invoicePrefix}${number}`

/** What of an invoice decides what can be done with it. */
export type InvoiceFacts = {
  number: number
  status: InvoiceStatus
  totalCents: number
  paidCents: number
  lastRemindedAt: string | null
  customer: { name: string }
  /** Where its papers go now. */
  reach: PaperReach
  /** The card or bank account on file was asked for it, and the answer is not known yet. */
  beingCharged: boolean
  /** What of the customer's money lies on no invoice and is bound to no work, and what waits for work. */
  creditCents: number
  boundCents: number
  /** What of what is paid was paid ahead for its own work: voided, it gives that back. */
  aheadCents: number
  /** What bills the work of a voided one by now; null where nothing does. */
  otherBill: string | null
  /** It was charged for paying another one late. */
  isLateFee: boolean
  /** A payment of it is disputed and not decided yet. */
  disputed: boolean
  /** What is on its way from a bank. */
  pendingCents: number
  /** Why no reminder leaves by itself any more; null while they do. */
  remindersStopped: string | null
  /** What its next late fee comes to, where that rests because the customer answered; null where none does. */
  restingFeeCents: number | null
  nowMs: number
}

type Of<Key extends keyof InvoiceFacts> = Pick<InvoiceFacts, Key>

export const invoiceActions = [
  'send',
  'issue',
  'edit',
  'remind',
  'pay',
  'useCredit',
  'credit',
  'writeOff',
  'reinstate',
  'void',
  'waiveFee',
  'settleFee',
  'print',
  'promise',
  'stopReminders',
  'startReminders',
  'makeAgain',
] as const
export type InvoiceAction = (typeof invoiceActions)[number]

/** A customer is reminded of an invoice at most once in so long. */
export const remindPauseMs = 20 * 3600 * 1000

const closedWord = { void: 'voided', written_off: 'written off' } as const

const isClosed = (status: InvoiceStatus): status is keyof typeof closedWord => status in closedWord

const isBeingCharged = (number: number): string =>
  `The card or bank account on file is being charged for ${invoiceName(number)} right now. Try again in an hour, or when the payment has arrived.`

const bankDecides = (number: number): string =>
  `The customer’s bank is still looking into a payment of ${invoiceName(number)}. Wait for its decision; nothing was changed.`

/** Why nobody is asked for the money of an invoice now, or null while something is to be asked for. */
export const whyNotAsked = (invoice: {
  number: number
  status: string
  totalCents: number
  paidCents: number
  pendingCents: number
  disputed: boolean
}): string | null => {
  const name = invoiceName(invoice.number)
  if (invoice.status === 'void') return wasVoided(name)
  if (invoice.status === 'written_off') return `${name} was written off`
  if (invoice.paidCents >= invoice.totalCents && invoice.status !== 'draft') return `${name} was paid`
  if (invoice.disputed) return `A payment of ${name} is disputed`
  if (invoice.pendingCents > 0) return `A bank payment for ${name} is on its way`
  return null
}

const bankPays = ({ number, pendingCents }: { number: number; pendingCents: number }): string =>
  `A bank payment of ${formatCents(pendingCents)} for ${invoiceName(number)} is on its way. Wait for it; nothing was changed.`

/** Why an invoice's state refuses an action. Each names only what it looks at, so that a command asks with what it has. */
export const invoiceRefusals = {
  send: ({ number, status, customer, reach }: Of<'number' | 'status' | 'customer' | 'reach'>) =>
    isClosed(status)
      ? `${invoiceName(number)} was ${closedWord[status]} and cannot be sent.`
      : status === 'paid'
        ? `${invoiceName(number)} is paid, so there is nothing to send.`
        : isReached(reach)
          ? null
          : `${customer.name} ${unreachedWords(reach)}. Add an e-mail to the customer, then send ${invoiceName(number)} again.`,
  issue: ({ number, status }: Of<'number' | 'status'>) =>
    status === 'draft' ? null : `${invoiceName(number)} was issued before. Nothing was changed.`,
  edit: ({ number, status }: Of<'number' | 'status'>) =>
    status === 'draft'
      ? null
      : `${invoiceName(number)} was issued, so what stands on it stays. Give a credit note, or void it and make a new one.`,
  remind: ({
    number,
    status,
    customer,
    reach,
    lastRemindedAt,
    disputed,
    pendingCents,
    nowMs,
  }: Of<'number' | 'status' | 'customer' | 'reach' | 'lastRemindedAt' | 'disputed' | 'pendingCents' | 'nowMs'>) =>
    !isOpen(status)
      ? `${invoiceName(number)} is not open, so there is nothing to remind of.`
      : disputed
        ? bankDecides(number)
        : pendingCents > 0
          ? bankPays({ number, pendingCents })
          : !isReached(reach)
            ? `${customer.name} ${unreachedWords(reach)}. Add an e-mail to the customer first.`
            : lastRemindedAt !== null && nowMs - Date.parse(lastRemindedAt) < remindPauseMs
              ? `A reminder for ${invoiceName(number)} left less than a day ago. Give them a little time.`
              : null,
  pay: ({ number, status }: Of<'number' | 'status'>) =>
    isPayable(status)
      ? null
      : status === 'paid'
        ? `${invoiceName(number)} is paid in full already. Nothing was changed.`
        : status === 'written_off'
          ? `${invoiceName(number)} was written off. Open it again first, then record the payment.`
          : `${invoiceName(number)} was voided, so nothing can be paid on it.`,
  useCredit: ({
    number,
    status,
    creditCents,
    boundCents,
    customer,
  }: Of<'number' | 'status' | 'creditCents' | 'boundCents' | 'customer'>) =>
    !isOpen(status)
      ? `${invoiceName(number)} is not open, so no credit can be put on it.`
      : creditCents > 0 || boundCents > 0
        ? null
        : `${customer.name} has no credit that could be put on ${invoiceName(number)}.`,
  credit: ({ number, status, totalCents }: Of<'number' | 'status' | 'totalCents'>) =>
    totalCents === 0
      ? `${invoiceName(number)} is over nothing, so there is nothing to credit.`
      : isClosed(status)
        ? `${invoiceName(number)} was ${closedWord[status]}, so nothing of it can be credited.`
        : status === 'draft'
          ? `${invoiceName(number)} is a draft: change it instead.`
          : null,
  writeOff: ({
    number,
    status,
    beingCharged,
    disputed,
    pendingCents,
  }: Of<'number' | 'status' | 'beingCharged' | 'disputed' | 'pendingCents'>) =>
    !isOpen(status)
      ? `${invoiceName(number)} is not open, so there is nothing to write off.`
      : disputed
        ? bankDecides(number)
        : pendingCents > 0
          ? bankPays({ number, pendingCents })
          : beingCharged
            ? isBeingCharged(number)
            : null,
  reinstate: ({ number, status }: Of<'number' | 'status'>) =>
    status === 'written_off' ? null : `${invoiceName(number)} is not written off. Nothing was changed.`,
  void: ({
    number,
    status,
    paidCents,
    aheadCents,
    beingCharged,
    disputed,
  }: Of<'number' | 'status' | 'paidCents' | 'aheadCents' | 'beingCharged' | 'disputed'>) =>
    paidCents > aheadCents
      ? `${invoiceName(number)} has payments on it, so it stays. Nothing was changed.`
      : !canMove(aheadCents > 0 ? statusFromMoney(status, 1, 0) : status, 'void')
        ? `${invoiceName(number)} cannot be voided any more.`
        : disputed
          ? bankDecides(number)
          : beingCharged
            ? isBeingCharged(number)
            : null,
  waiveFee: ({
    number,
    status,
    paidCents,
    isLateFee,
    beingCharged,
  }: Of<'number' | 'status' | 'paidCents' | 'isLateFee' | 'beingCharged'>) =>
    !isLateFee
      ? `${invoiceName(number)} is no late fee. Void it, or give a credit note.`
      : !isOpen(status)
        ? `${invoiceName(number)} is not open, so there is nothing to waive.`
        : paidCents > 0
          ? `Some of ${invoiceName(number)} is paid. Give a credit note instead: what was paid becomes their credit.`
          : beingCharged
            ? isBeingCharged(number)
            : null,
  settleFee: ({ number, restingFeeCents }: Of<'number' | 'restingFeeCents'>) =>
    restingFeeCents === null ? `No late fee of ${invoiceName(number)} waits for you. Nothing was changed.` : null,
  // its paper would ask for money that nobody owes
  print: ({ number, status }: Of<'number' | 'status'>) =>
    status === 'void' ? `${invoiceName(number)} was voided, so there is no PDF of it.` : null,
  promise: ({ number, status }: Of<'number' | 'status'>) =>
    isOpen(status) ? null : `${invoiceName(number)} is not open, so nobody has to promise to pay it.`,
  stopReminders: ({ number, status, remindersStopped }: Of<'number' | 'status' | 'remindersStopped'>) =>
    !isOpen(status)
      ? `${invoiceName(number)} is not open, so nobody is reminded of it.`
      : remindersStopped !== null
        ? `Reminders of ${invoiceName(number)} are stopped already: ${remindersStopped}.`
        : null,
  startReminders: ({
    number,
    status,
    remindersStopped,
    disputed,
  }: Of<'number' | 'status' | 'remindersStopped' | 'disputed'>) =>
    !isOpen(status)
      ? `${invoiceName(number)} is not open, so nobody is reminded of it.`
      : disputed
        ? bankDecides(number)
        : remindersStopped === null
          ? `Reminders of ${invoiceName(number)} leave already. Nothing was changed.`
          : null,
  makeAgain: ({ number, status, isLateFee, otherBill }: Of<'number' | 'status' | 'isLateFee' | 'otherBill'>) =>
    status !== 'void'
      ? `${invoiceName(number)} was not voided, so it is not made again. Nothing was changed.`
      : isLateFee
        ? `${invoiceName(number)} was a late fee, which was let go. Nothing was changed.`
        : otherBill !== null
          ? `${invoiceName(number)} is not made again: ${otherBill}. Nothing was changed.`
          : null,
} satisfies Record<InvoiceAction, Refusal<InvoiceFacts>>

const farAboveCents = 2_000

/** Whether an amount that was typed for a payment is so far above what is open that it may be a slip of the keys. */
export const isFarAbove = (amountCents: number, openCents: number): boolean =>
  amountCents > 2 * openCents && amountCents - openCents > farAboveCents
