import type Stripe from 'stripe'
import type { ProviderEvent } from './provider.ts'
import { onAccount } from './stripe-checkout.ts'
import { findOrNull } from './stripe-errors.ts'

/** What somebody here works off; an account has a great deal more of its own. */
const heard = [
  'account.',
  'capability.',
  'charge.dispute.',
  'charge.refund.',
  'checkout.session.',
  'customer.',
  'invoice.',
  'payment_intent.',
  'payment_method.',
  'payout.',
  'refund.',
  'setup_intent.',
]
/** So many of one account are read at once: a hundred pages of Stripe's list. */
const mostEvents = 10_000

/**
 * What happened since an instant in an account, or on our own side, oldest first.
 * @param since ISO instant; Stripe keeps 30 days
 */
export const listStripeEvents = async (
  client: Stripe,
  account: string | null,
  since: string,
): Promise<ProviderEvent[]> => {
  const gte = Math.floor(Date.parse(since) / 1000)
  const found = await findOrNull(() =>
    client.events.list({ created: { gte }, limit: 100 }, onAccount(account)).autoPagingToArray({ limit: mostEvents }),
  )
  return (found ?? [])
    .filter(({ type }) => heard.some((beginning) => type.startsWith(beginning)))
    .reverse()
    .map((event) => ({ id: event.id, type: event.type, payload: event }))
}
