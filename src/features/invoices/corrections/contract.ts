import { z } from 'zod'
import { isDay } from '../../../shared/dates.ts'
import { paymentActions } from './rules.ts'

const Cents = z.number().int()
const Day = z.string().refine(isDay, 'Not a day of the calendar')

/** Money or credit that came for an invoice, with what can be set right about it. */
export const Payment = z.object({
  id: z.uuid(),
  method: z.enum(['card', 'ach', 'check', 'cash', 'credit', 'other']),
  amountCents: Cents,
  /** The part of it that this invoice got. */
  allocatedCents: Cents,
  /** What of it is for the crew, given with this invoice. */
  tipCents: Cents,
  refundedCents: Cents,
  /** What of that the provider was asked for and has not said that it went. */
  returningCents: Cents,
  /** What of it lies nowhere: it is credit. */
  restCents: Cents,
  /** "CN-7" where it is no money but a credit. */
  creditNote: z.string().nullable(),
  /** It was paid ahead for the work of a quote or a job. */
  deposit: z.boolean(),
  /** The invoices that it pays, by number. */
  pays: z.array(z.number().int()),
  /** "R-1007" where it is money. */
  receipt: z.string().nullable(),
  receivedOn: Day,
  /** When it was written down. */
  createdAt: z.string(),
  note: z.string(),
  livemode: z.boolean(),
  provider: z.string(),
  can: z.record(z.enum(paymentActions), z.boolean()),
})

/** What was set right on an invoice after it was issued. */
export const Correction = z.object({
  id: z.uuid(),
  kind: z.enum([
    'reversal',
    'moved',
    // a deposit that the voided invoice gave back to its work
    'given_back',
    'refund',
    'dispute',
    'write_off',
    'reinstated',
    'void',
    'fee_let_go',
    'fee_waived',
  ]),
  amountCents: Cents,
  reason: z.string(),
  onDay: Day,
  /** When it was written down. */
  at: z.string(),
  /** Who did it, where that is kept with it. */
  by: z.string().nullable(),
})

/** What no payment of an invoice says any more, or never said: one that was taken off it since, and a credit note that became credit for later. */
export const Earlier = z.object({
  id: z.uuid(),
  /** `late` is money for it that came when nothing was open any more: it is the customer's credit. */
  kind: z.enum(['came', 'credit_note', 'late']),
  /** The payment that a refund took it off, so that both are one payment; null where it went otherwise. */
  paymentId: z.uuid().nullable(),
  method: z.enum(['card', 'ach', 'check', 'cash', 'credit', 'other']),
  amountCents: Cents,
  creditNote: z.string().nullable(),
  reason: z.string(),
  onDay: Day,
  at: z.string(),
})

/** Money that lies on no invoice and waits for work: what came for a job, or for a quote with all that it becomes. */
export const BoundCredit = z.object({
  paymentId: z.uuid(),
  restCents: Cents,
  quote: z.object({ number: z.number().int() }).nullable(),
  job: z.object({ number: z.number().int(), title: z.string() }).nullable(),
  /** The invoice bills that work. */
  own: z.boolean(),
})

/** A deposit that a voided invoice gave back to its work: `id` is that of the correction. */
export const GaveDeposit = BoundCredit.pick({ quote: true, job: true, restCents: true }).extend({
  id: z.uuid(),
  /** What of it this invoice had. */
  amountCents: Cents,
  /** The invoices that it pays now, by number. */
  pays: z.array(z.number().int()),
})

/** What refunds gave back of what came for an invoice: on which day, and how. */
export const GaveBack = z.object({
  paymentId: z.uuid(),
  onDay: Day,
  method: z.string(),
  amountCents: Cents,
})
export type GaveBack = z.output<typeof GaveBack>
