import { config } from '../config.ts'
import { localBilling } from './local-billing.ts'
import type { BillingProvider } from './provider.ts'
import { stripeBilling } from './stripe-billing.ts'

let cached: { key: string; provider: BillingProvider } | null = null

/** Who takes the money for subscriptions: Stripe when it is set up whole, the local test provider outside production, else nobody. */
export const billingProvider = (): BillingProvider | null => {
  const { stripe, production } = config
  if (stripe.mode !== 'ready') return stripe.mode === 'off' && !production ? localBilling : null
  const key = JSON.stringify(stripe)
  if (cached?.key !== key) cached = { key, provider: stripeBilling(stripe) }
  return cached.provider
}
