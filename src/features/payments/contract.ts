import { z } from 'zod'
import { ClosedMonthReason } from '../../shared/closedMonth.ts'
import { isDay } from '../../shared/dates.ts'
import { endpoint } from '../../shared/endpoint.ts'

const Cents = z.number().int()
// The invoices' own screens read this contract, so it knows nothing of theirs.
const BillTo = z.object({
  name: z.string(),
  company: z.string().nullable(),
  street: z.string().nullable(),
  city: z.string().nullable(),
  state: z.string().nullable(),
  zip: z.string().nullable(),
})

const Token = z.object({ token: z.string().min(20).max(100) })

/** The invoice as the customer sees it: nothing of the office. */
export const PublicInvoice = z.object({
  /** Its customer's: the page is in it. */
  language: z.enum(['en', 'es']),
  number: z.number().int(),
  status: z.enum(['issued', 'partially_paid', 'paid', 'void', 'written_off']),
  overdue: z.boolean(),
  business: z.object({
    name: z.string(),
    phone: z.string().nullable(),
    email: z.string().nullable(),
    street: z.string().nullable(),
    city: z.string().nullable(),
    state: z.string().nullable(),
    zip: z.string().nullable(),
    color: z.string(),
    logoUrl: z.string().nullable(),
  }),
  billTo: BillTo,
  issueOn: z.string(),
  dueOn: z.string(),
  lines: z.array(
    z.object({
      serviceOn: z.string().nullable(),
      place: z.string().nullable(),
      description: z.string(),
      quantity: z.number(),
      unitPriceCents: Cents,
      totalCents: Cents,
    }),
  ),
  taxes: z.array(z.object({ name: z.string(), ratePercent: z.number(), baseCents: Cents, taxCents: Cents })),
  subtotalCents: Cents,
  discountCents: Cents,
  totalCents: Cents,
  paidCents: Cents,
  /** What of that is credit, no money. */
  creditedCents: Cents,
  /** What of the customer's money lies on no invoice and waits for no certain work, and whether it goes on the next one by itself; null without any. */
  credit: z.object({ cents: Cents, byItself: z.boolean() }).nullable(),
  /** What was let go of it: nobody asks for it any more. */
  writtenOffCents: Cents,
  balanceCents: Cents,
  /** What refunds gave back of what came, oldest first. */
  gaveBack: z.array(z.object({ onDay: z.string(), method: z.string(), amountCents: Cents })),
  /** As they came: what went back is not taken off. */
  payments: z.array(
    z.object({
      receivedOn: z.string(),
      method: z.string(),
      /** It was paid ahead for the work of a quote or a job. */
      deposit: z.boolean(),
      amountCents: Cents,
      /** What of it still pays this invoice. */
      keptCents: Cents,
      tipCents: Cents,
    }),
  ),
  message: z.string(),
  terms: z.string(),
  /** What the customer's bank is looking into; null where nothing is. */
  disputedCents: Cents.nullable(),
  /** What leaves the customer's bank, a tip included, and since when it is on its way; null where nothing is. */
  pending: z.object({ cents: Cents, since: z.string() }).nullable(),
  /** A payment page that the payer may come back from is still open, or its provider has not been asked yet. */
  pageOpen: z.boolean(),
  /** The payer's bank payment that did not come, while nothing came since; null where there is none. */
  bounced: z.object({ cents: Cents, onDay: z.string(), reason: z.string() }).nullable(),
  /** The payment that the payer's bank took back for good, while nothing came since; null where there is none. */
  takenBack: z.object({ cents: Cents, paidOn: z.string(), onDay: z.string() }).nullable(),
  /** Why no card is asked for what is open, though the business takes cards; null where it is. */
  whyNoCard: z.enum(['tooLittle', 'tooMuch']).nullable(),
  /** What can be paid now: what is on its way is not asked for twice. */
  payableCents: Cents,
  /** From where to where a part of it can be paid; null where all of it is. */
  parts: z.object({ leastCents: Cents, mostCents: Cents }).nullable(),
  /** What can be added for the crew, and the most of it; null where no tips are taken. */
  tips: z
    .object({ choices: z.array(z.object({ cents: Cents, percent: z.number().nullable() })), mostCents: Cents })
    .nullable(),
  /** What is taken off when all that is open is paid by bank, check or cash; null where nothing is. */
  cashDiscount: z
    .object({
      percent: z.string(),
      cents: Cents,
      payCents: Cents,
      /** The same together with its open late fees. */
      withFeesCents: Cents,
    })
    .nullable(),
  /** Whether it can be paid from a bank account too. */
  takesBank: z.boolean(),
  /** Whether the business takes cards at all. */
  takesCards: z.boolean(),
  /** The card that pays by itself, and when; null where none does. */
  autopay: z.object({ card: z.string(), chargeOn: z.string().nullable(), declined: z.string().nullable() }).nullable(),
  /** What was charged for paying it late and is still open, each an invoice of its own, and what is open with them. */
  lateFees: z.array(z.object({ number: z.number().int(), openCents: Cents, onDay: z.string(), path: z.string() })),
  owedWithFeesCents: Cents,
  /** How its payer is told of money; null where nothing reaches them, so that no charge could be announced either. */
  told: z.enum(['mail', 'text', 'both']).nullable(),
  /** What a customer agrees to who leaves a card. */
  mandate: z.object({ text: z.string(), version: z.number().int() }),
  /** Whether a card can be taken right now. */
  canPay: z.boolean(),
  /** False where no real money moves. */
  livemode: z.boolean(),
  photos: z.array(z.object({ url: z.string(), kind: z.string(), place: z.string() })),
  /** What crews said to the customer about the work on it. */
  words: z.array(z.object({ day: z.string().nullable(), place: z.string(), text: z.string() })),
})
export type PublicInvoice = z.output<typeof PublicInvoice>

/** A payment as it was booked, and what it left of its invoice. */
export const RecordedPayment = z.object({
  id: z.uuid(),
  invoiceId: z.uuid(),
  amountCents: Cents,
  /** More than was open: it lies on no invoice and stands in the customer's balance. */
  overpaymentCents: Cents,
  invoiceStatus: z.string(),
  balanceCents: Cents,
  /** On how many invoices it was put. */
  invoiceCount: z.number().int(),
})
export type RecordedPayment = z.output<typeof RecordedPayment>

/** Money that came outside of a checkout, as the office writes it down. */
export const ReceivedMoney = z.object({
  method: z.enum(['check', 'cash', 'card', 'ach', 'other']),
  amountCents: z.number().int().min(1, 'More than zero').max(100_000_000),
  /** What of it the customer meant for the crew: it pays nothing of the invoice. */
  tipCents: z.number().int().min(0).default(0),
  receivedOn: z.string().refine(isDay, 'Not a day of the calendar'),
  note: z.string().trim().max(300).default(''),
  exceptionReason: ClosedMonthReason,
})

/** What a payer chose beside the way to pay. */
const PageChoice = {
  /** Its open late fees in the same payment. */
  withFees: z.boolean().default(false),
  /** The words of autopay that stood on the page, where the card or the account is to be kept. */
  mandate: z.string().max(2000).nullable().default(null),
}

export const paymentsApi = {
  recordPayment: endpoint({
    method: 'POST',
    path: '/api/invoices/:id/payments',
    access: 'office',
    permission: 'money',
    idempotent: true,
    params: z.object({ id: z.uuid() }),
    body: ReceivedMoney.extend({
      /** Whether the discount for paying without a card is given, where the business has one and the amount pays all but it. */
      cashDiscount: z.boolean().default(true),
      /** What is more than is open goes on the other open invoices of the customer, the oldest first. */
      others: z.boolean().default(false),
    }),
    response: RecordedPayment,
    summary: 'Money that came outside: cash, check',
  }),
  publicInvoice: endpoint({
    method: 'GET',
    path: '/api/public/invoices/:token',
    access: 'public',
    params: Token,
    response: PublicInvoice,
    summary: 'The invoice behind a mailed link; changes nothing',
  }),
  viewed: endpoint({
    method: 'POST',
    path: '/api/public/invoices/:token/viewed',
    access: 'public',
    params: Token,
    response: z.object({ viewed: z.literal(true) }),
    summary: 'A person opened it',
  }),
  pay: endpoint({
    method: 'POST',
    path: '/api/public/invoices/:token/pay',
    access: 'public',
    params: Token,
    response: z.object({ url: z.string() }),
    summary: 'The hosted checkout for the balance; an open one is used again',
  }),
  payByBank: endpoint({
    method: 'POST',
    path: '/api/public/invoices/:token/pay-by-bank',
    access: 'public',
    params: Token,
    body: z.object({
      tipCents: z.number().int().min(0).default(0),
      ...PageChoice,
    }),
    response: z.object({ url: z.string() }),
    summary:
      'The hosted checkout from a bank account alone, for the balance less the discount for paying without a card',
  }),
  payAll: endpoint({
    method: 'POST',
    path: '/api/public/invoices/:token/pay-all',
    access: 'public',
    params: Token,
    response: z.object({ url: z.string() }),
    summary: 'The same for the balance and its open late fees, in one payment',
  }),
  payPart: endpoint({
    method: 'POST',
    path: '/api/public/invoices/:token/pay-part',
    access: 'public',
    params: Token,
    body: z.object({ amountCents: z.number().int().min(1).max(100_000_000) }),
    response: z.object({ url: z.string() }),
    summary: 'The hosted checkout for a part of the balance, where the business lets customers choose one',
  }),
  payWithTip: endpoint({
    method: 'POST',
    path: '/api/public/invoices/:token/pay-with-tip',
    access: 'public',
    params: Token,
    body: z.object({
      tipCents: z.number().int().min(1, 'More than $0.00'),
      ...PageChoice,
    }),
    response: z.object({ url: z.string() }),
    summary: 'The hosted checkout for the balance and a tip that the payer chose',
  }),
  sync: endpoint({
    method: 'POST',
    path: '/api/public/invoices/:token/sync',
    access: 'public',
    params: Token,
    response: PublicInvoice,
    summary: 'Back from the checkout: asks the provider what happened',
  }),
  publicPdf: endpoint({
    method: 'GET',
    path: '/api/public/invoices/:token/pdf',
    access: 'public',
    params: Token,
    response: z.any(),
    summary: 'The same as PDF',
  }),
  webhook: endpoint({
    method: 'POST',
    path: '/api/webhooks/stripe',
    access: 'webhook',
    response: z.object({ received: z.literal(true) }),
    summary: 'Events of the payment provider, signed',
  }),
}
