import { config } from '../config.ts'
import type {
  Charge,
  Checkout,
  Dispute,
  EventSpan,
  PaymentProvider,
  Payout,
  ProviderEvent,
  Purpose,
  Refund,
} from './provider.ts'
import { stripeBilling } from './stripe-billing.ts'

let cached: { key: string; provider: PaymentProvider } | null = null

const stripe = (): PaymentProvider | null => {
  if (config.stripe.mode !== 'ready') return null
  const key = JSON.stringify(config.stripe)
  if (cached?.key !== key) cached = { key, provider: stripeBilling(config.stripe) }
  return cached.provider
}

/** Plays the provider where none is set up; in production nobody does. */
export type PlayedProvider = {
  provider: PaymentProvider /** What its events are signed with. */
  secrets: () => string[]
}

let played: PlayedProvider | null = null

/** Says who plays the provider on one's own computer; set at start. */
export const setPlayedProvider = (by: PlayedProvider): void => {
  played = by
}

/** Who plays the provider, or null in production. */
export const playedProvider = (): PlayedProvider | null => (config.production ? null : played)

const simulator = (): PaymentProvider | null => playedProvider()?.provider ?? null

/**
 * Who takes our own money: Stripe when it is set up whole, the test provider outside production, else nobody. Half of Stripe sells nothing of ours.
 * What customers pay a business is taken by whoever keeps that business's account.
 */
export const paymentProvider = (_purpose: Exclude<Purpose, 'invoice' | 'card' | 'deposit'>): PaymentProvider | null =>
  stripe() ?? (config.stripe.mode === 'off' ? simulator() : null)

/** Who opens accounts for businesses, or why nobody does: without the second endpoint's secret Stripe could not tell what became of one. */
export const accountProvider = (): { provider: PaymentProvider } | { provider: null; reason: string } => {
  const real = stripe()
  if (real && config.stripe.mode === 'ready')
    return config.stripe.connect
      ? { provider: real }
      : { provider: null, reason: 'Stripe is set up for plans only: STRIPE_CONNECT_WEBHOOK_SECRET is not set.' }
  const played = simulator()
  if (played) return { provider: played }
  return { provider: null, reason: 'This server has no card provider.' }
}

/** Asks whoever may have opened it what became of a page, or null when nobody knows it. */
export const findCheckout = async (id: string, account: string | null = null): Promise<Checkout | null> => {
  for (const provider of [simulator(), stripe()]) {
    const found = (await provider?.findCheckout(id, account)) ?? null
    if (found) return found
  }
  return null
}

/** Ends a page wherever it was opened. */
export const expireCheckout = async (id: string, account: string | null = null): Promise<void> => {
  const found = await findCheckout(id, account)
  if (found?.status !== 'open') return
  for (const provider of [simulator(), stripe()])
    if (provider?.name === found.provider) await provider.expireCheckout(id, account)
}

/** Who took a payment, by the name that stands on it; null where that provider is not set up any more. */
export const providerNamed = (name: string): PaymentProvider | null =>
  [simulator(), stripe()].find((provider) => provider?.name === name) ?? null

/** Asks whoever may have given it back what became of a refund. */
export const findRefund = async (id: string, account: string | null = null): Promise<Refund | null> => {
  for (const provider of [simulator(), stripe()]) {
    const found = (await provider?.findRefund(id, account)) ?? null
    if (found) return found
  }
  return null
}

/** Asks whoever may have made it what became of a charge of a saved card. */
export const findCharge = async (id: string, account: string): Promise<Charge | null> => {
  for (const provider of [simulator(), stripe()]) {
    const found = (await provider?.findCharge(id, account)) ?? null
    if (found) return found
  }
  return null
}

/** Asks whoever keeps the account how a dispute stands. */
export const findDispute = async (id: string, account: string): Promise<Dispute | null> => {
  for (const provider of [simulator(), stripe()]) {
    const found = (await provider?.findDispute(id, account)) ?? null
    if (found) return found
  }
  return null
}

/** What happened in a span of time in an account, or on our own side, as whoever keeps it tells it. */
export async function* listProviderEvents(account: string | null, span: EventSpan): AsyncGenerator<ProviderEvent> {
  for (const provider of [simulator(), stripe()]) if (provider) yield* provider.listEvents(account, span)
}

/** Asks whoever keeps the account how a payout stands. */
export const findPayout = async (id: string, account: string): Promise<Payout | null> => {
  for (const provider of [simulator(), stripe()]) {
    const found = (await provider?.findPayout(id, account)) ?? null
    if (found) return found
  }
  return null
}

/** Providers that move money. What anybody else took was only played, and counts for nothing in production. */
export const realProviders: readonly PaymentProvider['name'][] = ['stripe']
