import { z } from 'zod'
import { isDay } from '../../../shared/dates.ts'

const Cents = z.number().int()
const Day = z.string().refine(isDay, 'Not a day of the calendar')

/** What was set right on an invoice after it was issued. */
export const Correction = z.object({
  id: z.uuid(),
  kind: z.enum(['reversal', 'moved', 'refund', 'dispute', 'write_off', 'reinstated', 'void']),
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
  kind: z.enum(['came', 'credit_note']),
  /** The payment that a refund took it off, so that both are one payment; null where it went otherwise. */
  paymentId: z.uuid().nullable(),
  method: z.enum(['card', 'ach', 'check', 'cash', 'credit', 'other']),
  amountCents: Cents,
  creditNote: z.string().nullable(),
  reason: z.string(),
  onDay: Day,
  at: z.string(),
})

/** What refunds gave back of what came for an invoice: on which day, and how. */
export const GaveBack = z.object({
  paymentId: z.uuid(),
  onDay: Day,
  method: z.string(),
  amountCents: Cents,
})
export type GaveBack = z.output<typeof GaveBack>
