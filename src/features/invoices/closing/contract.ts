import { z } from 'zod'
import { isDay } from '../../../shared/dates.ts'
import { endpoint } from '../../../shared/endpoint.ts'

const Cents = z.number().int()
const Day = z.string().refine(isDay, 'Not a day of the calendar')
const Month = z.string().regex(/^(19|20)\d\d-(0[1-9]|1[0-2])$/, 'Not a month of the calendar')
const Reason = z.string().trim().min(1, 'Say why: it stands on the record').max(300)

/** What is still to do before a month is closed. */
export const OpenItems = z.object({
  drafts: z.object({ count: z.number().int(), totalCents: Cents }),
  /** Finished and not invoiced; `more` where one batch does not hold them all. */
  visits: z.object({ count: z.number().int(), totalCents: Cents, withoutPrice: z.number().int(), more: z.boolean() }),
  /** Receipts from phones and by mail of that time that nobody of the office has looked at. */
  receipts: z.object({ count: z.number().int(), totalCents: Cents }),
  /** Refunds that the bank has not confirmed, and cards that are being charged right now. */
  moving: z.object({ count: z.number().int(), totalCents: Cents }),
  /** Cash and checks taken at the door by then that the office has not counted. */
  field: z.object({ count: z.number().int(), totalCents: Cents }),
  /** Money that came in and lies on no invoice. */
  unmatched: z.object({
    count: z.number().int(),
    totalCents: Cents,
    /** The customers with the most of it. */
    customers: z.array(z.object({ id: z.uuid(), name: z.string(), cents: Cents })),
  }),
})
export type OpenItems = z.output<typeof OpenItems>

export const ClosingCheck = z.object({
  month: Month,
  from: Day,
  to: Day,
  closed: z.boolean(),
  open: OpenItems,
  /** Whether anything of it is left to do. */
  hasOpen: z.boolean(),
  /** What the ledger moved in the month, by kind; together it is how the balances changed. */
  sums: z.object({
    invoicedCents: Cents,
    paidCents: Cents,
    creditedCents: Cents,
    refundedCents: Cents,
    /** Taken back by banks; what they gave back is among the others. */
    disputedCents: Cents,
    /** Of what was received, for the crews. */
    tipsCents: Cents,
    otherCents: Cents,
    togetherCents: Cents,
    /** Expenses dated in the month: no part of what customers owe. */
    spentCents: Cents,
  }),
  /** Why it cannot be closed or reopened, or null. */
  closeRefusal: z.string().nullable(),
  reopenRefusal: z.string().nullable(),
})
export type ClosingCheck = z.output<typeof ClosingCheck>

export const Closings = z.object({
  /** The last closed day, or null while nothing is closed. */
  closedThrough: Day.nullable(),
  /** The last twelve months that are over, newest first. */
  months: z.array(z.object({ month: Month, closed: z.boolean() })),
  /** The newest 30 things that were done with months, newest first. */
  history: z.array(
    z.object({
      id: z.uuid(),
      action: z.enum(['closed', 'reopened', 'exception']),
      onDay: Day,
      reason: z.string(),
      detail: z.string(),
      by: z.string().nullable(),
      at: z.string(),
    }),
  ),
  can: z.object({ close: z.boolean(), reopen: z.boolean() }),
})
export type Closings = z.output<typeof Closings>

export const closingApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/books/months',
    access: 'office',
    permission: 'money',
    response: Closings,
    summary: 'Which months of the books are closed, and what was done with them',
  }),
  check: endpoint({
    method: 'GET',
    path: '/api/books/months/check',
    access: 'office',
    permission: 'money',
    query: z.object({ month: Month }),
    response: ClosingCheck,
    summary: 'What is still open in a month, and what its ledger moved',
  }),
  close: endpoint({
    method: 'POST',
    path: '/api/books/months/close',
    access: 'owner',
    idempotent: true,
    body: z.object({
      month: Month,
      /** Said by who saw what is still open and closes all the same. */
      leaveOpen: z.boolean().default(false),
    }),
    response: Closings,
    summary: 'Close a month and all before it: no money is dated in it any more',
  }),
  reopen: endpoint({
    method: 'POST',
    path: '/api/books/months/reopen',
    access: 'owner',
    idempotent: true,
    body: z.object({ month: Month, reason: Reason }),
    response: Closings,
    summary: 'Open a closed month again, and all after it',
  }),
}
