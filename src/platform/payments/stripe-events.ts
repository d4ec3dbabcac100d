import type Stripe from 'stripe'
import type { EventSpan, ProviderEvent } from './provider.ts'
import { onAccount } from './stripe-checkout.ts'
import { isGone } from './stripe-errors.ts'

const seconds = (instant: string): number => Math.floor(Date.parse(instant) / 1000)

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
/**
 * What happened in a span of time in an account, or on our own side: all of it, read page by page as it is asked for. Within the span the newest
 * comes first, which is Stripe's only order; who works off an event asks for the present state, so none depends on it.
 * @param span ISO instants, from and before; Stripe keeps 30 days
 */
export async function* listStripeEvents(
  client: Stripe,
  account: string | null,
  span: EventSpan,
): AsyncGenerator<ProviderEvent> {
  const created = { gte: seconds(span.since), ...(span.until === null ? {} : { lt: seconds(span.until) }) }
  try {
    for await (const event of client.events.list({ created, limit: 100 }, onAccount(account)))
      if (heard.some((beginning) => event.type.startsWith(beginning)))
        yield { id: event.id, type: event.type, payload: event }
  } catch (error) {
    if (!isGone(error)) throw error
  }
}
