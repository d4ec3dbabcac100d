import { z } from 'zod'
import { endpoint } from '../../../shared/endpoint.ts'
import { page } from '../../../shared/list.ts'
import { lineKinds, payoutStates } from './rules.ts'

const Cents = z.number().int()

/** Money that the card provider sends to the business's bank. */
export const PayoutSummary = z.object({
  id: z.uuid(),
  state: z.enum(payoutStates),
  /** What reaches the bank. */
  amountCents: Cents,
  /** What the provider kept. */
  feeCents: Cents,
  arrivesOn: z.string(),
  lineCount: z.number().int(),
  /** What it comes to beyond its lines; 0 where they add up or are not told. */
  differenceCents: Cents,
  livemode: z.boolean(),
})
export type PayoutSummary = z.output<typeof PayoutSummary>

export const Payout = PayoutSummary.extend({
  madeOn: z.string(),
  /** Whether all that it is made of is known. */
  linesTold: z.enum(['coming', 'all', 'never']),
  /** Why the bank sent it back, in the provider's words. */
  failure: z.string().nullable(),
  /** Its lines by kind, before fees. */
  sums: z.array(z.object({ kind: z.enum(lineKinds), count: z.number().int(), amountCents: Cents })),
  /** The expense under which its fees are booked. */
  feeExpenseId: z.uuid().nullable(),
  /** Where the business looks after its account; null where that is here. */
  dashboardUrl: z.string().nullable(),
})
export type Payout = z.output<typeof Payout>

export const PayoutLine = z.object({
  id: z.string(),
  kind: z.enum(lineKinds),
  /** Before its fee. */
  amountCents: Cents,
  feeCents: Cents,
  words: z.string(),
  /** Null where it is nothing that was taken through Swath. */
  customer: z.object({ id: z.uuid(), name: z.string() }).nullable(),
  receipt: z.string().nullable(),
  disputeId: z.uuid().nullable(),
  invoices: z.array(z.object({ id: z.uuid(), number: z.number().int() })),
})
export type PayoutLine = z.output<typeof PayoutLine>

const Id = z.object({ id: z.uuid() })
const read = { access: 'office', permission: 'money' } as const

export const payoutsApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/payouts',
    ...read,
    query: z.object(page(50)),
    response: z.object({
      items: z.array(PayoutSummary),
      nextCursor: z.string().nullable(),
      /** What is on its way now, and when the next of it comes. */
      onItsWay: z.object({ amountCents: Cents, count: z.number().int(), nextOn: z.string().nullable() }),
      /** Whether there is an account that pays out. */
      hasAccount: z.boolean(),
    }),
    summary: 'Payouts of card payments to the business’s bank, the latest first, and what is on its way',
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/payouts/:id',
    ...read,
    params: Id,
    response: Payout,
    summary: 'A payout: when it comes, what it comes to, what the provider kept, and what does not add up',
  }),
  lines: endpoint({
    method: 'GET',
    path: '/api/payouts/:id/lines',
    ...read,
    params: Id,
    query: z.object(page(50)),
    response: z.object({ items: z.array(PayoutLine), nextCursor: z.string().nullable() }),
    summary: 'What a payout is made of: payments, refunds, disputes and fees, with the invoices behind them',
  }),
  csv: endpoint({
    method: 'GET',
    path: '/api/payouts/:id/csv',
    ...read,
    params: Id,
    response: z.any(),
    summary: 'All that a payout is made of, as CSV',
  }),
}
