import { z } from 'zod'
import { ClosedMonthReason } from '../../../shared/closedMonth.ts'
import { isDay } from '../../../shared/dates.ts'
import { endpoint } from '../../../shared/endpoint.ts'
import { HandedRefund } from '../../../shared/handedRefund.ts'

const Cents = z.number().int()
// an invoice of many lines may be over more than the most that one line costs
const Amount = z.number().int().min(1, 'More than zero').max(100_000_000_000)
const Reason = z.string().trim().min(1, 'Say why: it stands on the record').max(300)
const Id = z.object({ id: z.uuid() })

/** What was done, and what it left open. */
export const Corrected = z.object({
  paymentId: z.uuid().nullable(),
  amountCents: Cents,
  /** "CN-7", the note that was made over the amount; null where none was. */
  creditNote: z.string().nullable(),
  /** What lies on no invoice of the customer now. */
  creditCents: Cents,
  /** The invoices it touched, as they stand now. */
  invoices: z.array(z.object({ id: z.uuid(), number: z.number().int(), status: z.string(), balanceCents: Cents })),
})
export type Corrected = z.output<typeof Corrected>

/** Whether the customer has the note by their own ways, mail or text. */
const Tell = z.boolean().default(true)

const change = { access: 'office', permission: 'money', idempotent: true } as const

export const correctionsApi = {
  useCredit: endpoint({
    ...change,
    method: 'POST',
    path: '/api/invoices/:id/credit',
    params: Id,
    body: z.object({
      amountCents: Amount,
      /** Payments for other work that are used too, after what is free; none is by itself. */
      deposits: z.array(z.uuid()).max(50).default([]),
    }),
    response: Corrected,
    summary:
      'Put what a customer has paid too much, or was credited, on an open invoice; a deposit only where it is named',
  }),
  creditInvoice: endpoint({
    ...change,
    needsSubscription: true,
    method: 'POST',
    path: '/api/invoices/:id/credit-notes',
    params: Id,
    body: z.object({ amountCents: Amount, reason: Reason, tell: Tell }),
    response: Corrected,
    summary: 'Credit part or all of an issued invoice; what is more than is open becomes the customer’s credit',
  }),
  giveCredit: endpoint({
    ...change,
    needsSubscription: true,
    method: 'POST',
    path: '/api/customers/:id/credits',
    params: Id,
    body: z.object({ amountCents: Amount, reason: Reason, tell: Tell }),
    response: Corrected,
    summary: 'Give a customer credit that no invoice asks for',
  }),
  reversePayment: endpoint({
    ...change,
    method: 'POST',
    path: '/api/payments/:id/reverse',
    params: Id,
    body: z.object({ reason: Reason }),
    response: Corrected,
    summary: 'Take back a payment or a credit that was recorded by mistake; its invoices are open again',
  }),
  takeOff: endpoint({
    ...change,
    method: 'POST',
    path: '/api/payments/:id/take-off',
    params: Id,
    body: z.object({ invoiceId: z.uuid(), reason: Reason }),
    response: Corrected,
    summary: 'Take what a payment pays of an invoice off it; the money stays the customer’s credit',
  }),
  refundPayment: endpoint({
    ...change,
    method: 'POST',
    path: '/api/payments/:id/refunds',
    params: Id,
    body: z.object({
      amountCents: Amount,
      /** "provider", or "card" of a payment that came through it: to what it was paid with, by who took it. Else it is handed over. */
      method: z.enum(['provider', 'card', 'ach', 'check', 'cash', 'other']),
      onDay: z.string().refine(isDay, 'Not a day of the calendar'),
      reason: Reason,
      /** What of the amount is the tip; where it is left out, the tip goes back last. */
      tipCents: z.number().int().min(0).optional(),
      /** What is taken off an invoice is credited to it, so that nobody owes it again. */
      creditInvoices: z.boolean().default(false),
      /** The invoice that it is taken off before the others. */
      invoiceId: z.uuid().optional(),
      exceptionReason: ClosedMonthReason,
    }),
    response: Corrected,
    summary:
      'Give money back: first what lies on no invoice, then from the invoice that is named, or the newest it was put on',
  }),
  takeRefundBack: endpoint({
    ...change,
    method: 'POST',
    path: '/api/refunds/:id/take-back',
    params: Id,
    body: z.object({ reason: Reason }),
    response: Corrected,
    summary: 'Take back a refund that was recorded by mistake: the money is booked as before',
  }),
  listCredits: endpoint({
    method: 'GET',
    path: '/api/customers/:id/credits',
    access: 'office',
    permission: 'money',
    params: Id,
    response: z.object({
      customerName: z.string(),
      creditCents: Cents,
      /** Whether the business wants it to pay invoices by itself. */
      useCredit: z.boolean(),
      items: z.array(
        z.object({
          paymentId: z.uuid(),
          method: z.enum(['card', 'ach', 'check', 'cash', 'credit', 'other']),
          provider: z.string(),
          receivedOn: z.string(),
          amountCents: Cents,
          refundedCents: Cents,
          restCents: Cents,
          tipCents: Cents,
          /** "CN-7", or null for money that came in. */
          creditNote: z.string().nullable(),
          /** The invoices that another part of it pays, by number. */
          pays: z.array(z.number().int()),
          receipt: z.string().nullable(),
          /** The job that it is a deposit for. */
          job: z.object({ id: z.uuid(), number: z.number().int(), title: z.string() }).nullable(),
          /** The quote that it is a deposit for: it pays all of the work that the quote becomes. */
          quote: z.object({ id: z.uuid(), number: z.number().int(), title: z.string() }).nullable(),
          note: z.string(),
          can: z.object({ reverse: z.boolean(), refund: z.boolean() }),
        }),
      ),
      /** Money of the last year that was handed back and was taken off no invoice, the newest first. */
      handedRefunds: z.array(HandedRefund),
    }),
    summary: 'What of a customer’s money lies on no invoice, and where it came from',
  }),
}
