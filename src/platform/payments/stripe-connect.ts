import type Stripe from 'stripe'
import { config } from '../config.ts'
import type { AccountState, PaymentProvider } from './provider.ts'
import { findOrNull } from './stripe-errors.ts'

/** An account in our words. Exported for the test that reads Stripe's own fixtures. */
export const readAccount = (account: Stripe.Account, livemode: boolean): AccountState => ({
  id: account.id,
  livemode,
  businessId: account.metadata?.businessId ?? null,
  chargesEnabled: account.charges_enabled,
  payoutsEnabled: account.payouts_enabled,
  detailsSubmitted: account.details_submitted,
  // What is past due is asked for first; the same name stands in both lists.
  requirements: [
    ...new Set([...(account.requirements?.past_due ?? []), ...(account.requirements?.currently_due ?? [])]),
  ],
  pausedReason: account.requirements?.disabled_reason ?? null,
})

/** Accounts of businesses: they are the merchant, with Stripe's full dashboard, and bear fees, refunds and disputes themselves. */
export const stripeAccounts = (
  stripe: () => Promise<Stripe>,
  livemode: boolean,
): Pick<PaymentProvider, 'openAccount' | 'findAccount' | 'openOnboarding' | 'dashboardUrl' | 'playedBankPath'> => ({
  dashboardUrl: 'https://dashboard.stripe.com/',
  playedBankPath: null,
  openAccount: async ({ businessId, name, email }, requestKey) =>
    readAccount(
      await (await stripe()).accounts.create(
        {
          country: 'US',
          ...(email ? { email } : {}),
          business_profile: { name, product_description: 'Lawn and landscape care' },
          controller: {
            stripe_dashboard: { type: 'full' },
            fees: { payer: 'account' },
            losses: { payments: 'stripe' },
            requirement_collection: 'stripe',
          },
          metadata: { businessId },
        },
        { idempotencyKey: requestKey },
      ),
      livemode,
    ),
  findAccount: async (accountId) => {
    const client = await stripe()
    return findOrNull(async () => readAccount(await client.accounts.retrieve(accountId), livemode))
  },
  openOnboarding: async (accountId, { refreshPath, returnPath }) =>
    (
      await (
        await stripe()
      ).accountLinks.create({
        account: accountId,
        type: 'account_onboarding',
        refresh_url: `${config.publicUrl}${refreshPath}`,
        return_url: `${config.publicUrl}${returnPath}`,
      })
    ).url,
})
