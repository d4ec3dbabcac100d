import { z } from 'zod'
import { isDay } from '../../../shared/dates.ts'

const Cents = z.number().int()

/** What an invoice says of bank payments. */
export const InvoicePending = {
  /** Bank payments of it that did not come, and why, by the provider's own name. */
  failedDebits: z.array(z.object({ id: z.uuid(), cents: Cents, problem: z.string(), at: z.string() })),
  /** What leaves a bank for it, what of it that settles, and since when it is on its way. */
  pending: z
    .object({ cents: Cents, coversCents: Cents, since: z.string().refine(isDay, 'Not a day of the calendar') })
    .nullable(),
}

/** Of a batch that was sent: what of it autopay charges by itself. */
export const BatchAutopay = z.object({ count: z.number().int(), cents: z.number().int() })
