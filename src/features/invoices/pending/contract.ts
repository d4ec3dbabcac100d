import { z } from 'zod'
import { isDay } from '../../../shared/dates.ts'

const Cents = z.number().int()

/** What an invoice says of bank payments. */
export const InvoicePending = {
  /** Bank payments of it that did not come, and why, by the provider's own name. */
  failedDebits: z.array(z.object({ id: z.uuid(), cents: Cents, problem: z.string(), at: z.string() })),
  /** What of it is on its way from a bank, and since when. */
  pending: z.object({ cents: Cents, since: z.string().refine(isDay, 'Not a day of the calendar') }).nullable(),
}

/** Of a batch that was sent: what of it autopay charges by itself. */
export const BatchAutopay = z.object({ count: z.number().int(), cents: z.number().int() })
