import { z } from 'zod'
import { BatchAutopay } from '../pending/contract.ts'

/** How far a batch is. The counts are of what was made; invoices are made in the order in which the preview listed them. */
export const InvoiceBatch = z.object({
  batchId: z.uuid(),
  status: z.enum(['running', 'done', 'failed']),
  send: z.boolean(),
  /** Invoices that were confirmed, and how many of them were looked at. */
  total: z.number().int(),
  done: z.number().int(),
  invoiceCount: z.number().int(),
  visitCount: z.number().int(),
  totalCents: z.number().int(),
  mailedCount: z.number().int(),
  unmailedCount: z.number().int(),
  /** Of those that were sent, how many never arrived, and the first of them. */
  lostCount: z.number().int(),
  lost: z.array(
    z.object({ id: z.uuid(), number: z.number().int(), customer: z.object({ id: z.uuid(), name: z.string() }) }),
  ),
  autopay: BatchAutopay,
  /** Confirmed, but not made: the work or its price changed meanwhile. */
  leftOutCount: z.number().int(),
  error: z.string().nullable(),
})
export type InvoiceBatch = z.output<typeof InvoiceBatch>
