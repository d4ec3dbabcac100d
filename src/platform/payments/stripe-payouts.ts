import type Stripe from 'stripe'
import type { Payout, PayoutLine, PayoutLines } from './provider.ts'
import { findOrNull, idOf } from './stripe-errors.ts'

const kinds: Record<string, PayoutLine['kind']> = {
  charge: 'payment',
  payment: 'payment',
  refund: 'refund',
  payment_refund: 'refund',
  refund_failure: 'refund',
  payment_failure_refund: 'refund',
  stripe_fee: 'fee',
  stripe_fx_fee: 'fee',
  tax_fee: 'fee',
  application_fee: 'fee',
  payout_failure: 'returned',
  payout_cancel: 'returned',
}

const instantOf = (seconds: number): string => new Date(seconds * 1000).toISOString()

/** A movement of an account's balance in our words. Exported for the test. */
export const readLine = (line: Stripe.BalanceTransaction): PayoutLine => {
  const source = line.source as
    | { object?: string; id?: string; payment_intent?: string | { id: string } }
    | string
    | null
  const of = typeof source === 'object' ? source : null
  const kind = of?.object === 'dispute' ? 'dispute' : (kinds[line.type] ?? 'other')
  return {
    id: line.id,
    kind,
    amountCents: line.amount,
    feeCents: line.fee,
    sourceId: kind === 'payment' ? idOf(of?.payment_intent) : typeof source === 'string' ? source : (of?.id ?? null),
    madeAt: instantOf(line.created),
    words: line.description ?? '',
  }
}

const statuses: Record<string, Payout['status']> = { paid: 'paid', failed: 'failed', canceled: 'canceled' }

/** A payout in our words. Exported for the test. */
export const readPayout = (payout: Stripe.Payout): Payout => ({
  provider: 'stripe',
  livemode: payout.livemode,
  id: payout.id,
  status: statuses[payout.status] ?? 'on_its_way',
  amountCents: payout.amount,
  madeAt: instantOf(payout.created),
  // a day of Stripe's, at midnight UTC
  arrivesOn: instantOf(payout.arrival_date).slice(0, 10),
  failure: payout.failure_message ?? null,
  // Stripe knows the parts of what it pays out by itself, some minutes after it is made; of what somebody asked for it never does.
  linesTold: !payout.automatic ? 'never' : payout.reconciliation_status === 'in_progress' ? 'coming' : 'all',
})

export const findStripePayout = (client: Stripe, id: string, account: string): Promise<Payout | null> =>
  findOrNull(async () => readPayout(await client.payouts.retrieve(id, {}, { stripeAccount: account })))

/** The newest payouts since an instant, at most 100. */
export const listStripePayouts = async (client: Stripe, account: string, since: string): Promise<string[]> => {
  const found = await findOrNull(() =>
    client.payouts.list(
      { limit: 100, created: { gte: Math.floor(Date.parse(since) / 1000) } },
      { stripeAccount: account },
    ),
  )
  return found?.data.map(({ id }) => id) ?? []
}

/** A page of what a payout is made of. The payout itself is one of Stripe's movements, and none of ours. */
export const listStripePayoutLines = async (
  client: Stripe,
  id: string,
  account: string,
  after: string | null,
): Promise<PayoutLines> => {
  const { data, has_more: more } = await client.balanceTransactions.list(
    { payout: id, limit: 100, expand: ['data.source'], ...(after ? { starting_after: after } : {}) },
    { stripeAccount: account },
  )
  return {
    lines: data.filter(({ type }) => type !== 'payout').map(readLine),
    next: more ? (data.at(-1)?.id ?? null) : null,
  }
}
