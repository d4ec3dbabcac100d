import { config } from '../config.ts'
import type { Checkout, PaymentProvider, Purpose, Refund } from './provider.ts'
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
 * Who takes the money for a purpose: Stripe when it is set up whole, the test provider outside production, else nobody. Half of Stripe sells nothing of ours.
 * @param account the business's own account, without which no invoice of a customer is paid through a real provider
 */
export const paymentProvider = (purpose: Purpose, account: string | null = null): PaymentProvider | null => {
  if (purpose === 'invoice') return (account === null ? null : stripe()) ?? simulator()
  return stripe() ?? (config.stripe.mode === 'off' ? simulator() : null)
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

/** Providers that move money. What anybody else took was only played, and counts for nothing in production. */
export const realProviders: readonly PaymentProvider['name'][] = ['stripe']
