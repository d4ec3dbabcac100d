import type { z } from 'zod'
import { clock } from '../../../platform/clock.ts'
import { config } from '../../../platform/config.ts'
import { database } from '../../../platform/db/database.ts'
import { asBusinessId, type BusinessId, type TenantDb } from '../../../platform/db/tenant.ts'
import type { PaymentProvider, PlanPrice } from '../../../platform/payments/provider.ts'
import { paymentProvider, realProviders } from '../../../platform/payments/providers.ts'
import { notFound } from '../../../shared/errors.ts'
import { graceEndsAt, isSubscriptionActive } from '../../../shared/subscription.ts'
import { billingPeriods, findPrice, type Plan, planFeatures, plans, priceCents } from '../../billing/rules.ts'
import type { Subscription, subscriptionsApi } from '../contract.ts'
import { liveStates } from '../rules.ts'
import { trialKeys } from './trial-keys.ts'

/** Everything that is sold. */
export const soldPrices: readonly PlanPrice[] = plans.flatMap((plan) =>
  billingPeriods.map((period) => ({
    plan: plan.id,
    planName: plan.name,
    period,
    cents: priceCents(plan, period),
  })),
)

/** Why plans cannot be sold although a provider is set up, or null. */
export const getPlansProblem = async (): Promise<string | null> =>
  (await paymentProvider('subscription')?.problem(soldPrices)) ?? null

/** The plan table as the wire has it; the ids are the provider's where one is set up. */
export const listPlans = (): z.input<(typeof subscriptionsApi)['plans']['response']> => {
  const provider = paymentProvider('subscription')
  const idOf = (plan: Plan, period: 'month' | 'year') => provider?.priceId(plan.id, period) ?? plan.priceIds[period]
  return {
    livemode: provider?.livemode ?? true,
    plans: plans.map((plan) => ({
      id: plan.id,
      name: plan.name,
      price: plan.monthlyCents / 100,
      annualPrice: plan.annualCents / 100,
      priceId: idOf(plan, 'month'),
      annualPriceId: idOf(plan, 'year'),
      customerLimit: plan.customerLimit,
      messageLimit: plan.messageLimit,
      features: plan.features.map((feature) => planFeatures[feature]),
      trialDays: plan.trialDays,
      recommended: plan.recommended,
    })),
  }
}

/** What a price id that a browser sends stands for: ours or the provider's, and nothing else. */
export const findSoldPrice = (
  provider: PaymentProvider | null,
  priceId: string,
): { plan: Plan; price: PlanPrice } | null => {
  const own = findPrice(priceId)
  const price = soldPrices.find((one) =>
    own ? one.plan === own.plan.id && one.period === own.period : provider?.priceId(one.plan, one.period) === priceId,
  )
  const plan = price && plans.find((one) => one.id === price.plan)
  return plan && price ? { plan, price } : null
}

/** Who pays for the business: its first owner with an address. */
export const findPayerTx = async (
  db: TenantDb,
): Promise<{ name: string; email: string | null; businessName: string; timeZone: string }> => {
  const business = await db
    .selectFrom('businesses')
    .select(['name', 'timeZone'])
    .where('businessId', '=', db.businessId)
    .executeTakeFirstOrThrow()
  const owner = await db
    .selectFrom('users')
    .select(['name', 'email'])
    .where('businessId', '=', db.businessId)
    .where('role', '=', 'Owner')
    .where('status', '=', 'active')
    .where('archivedAt', 'is', null)
    .where('email', 'is not', null)
    .orderBy('createdAt')
    .orderBy('id')
    .executeTakeFirst()
  return {
    name: owner?.name ?? business.name,
    email: owner?.email ?? null,
    businessName: business.name,
    timeZone: business.timeZone,
  }
}

/** The way from a person's id to their business, or null. */
export const findBusinessOfUser = async (userId: string): Promise<BusinessId | null> => {
  if (!/^[0-9a-f-]{36}$/i.test(userId)) return null
  const row = await database()
    .selectFrom('accountEmails')
    .select('businessId')
    .where('userId', '=', userId)
    .executeTakeFirst()
  return row ? asBusinessId(row.businessId) : null
}

/** Whether the product owner made this account, and so may open its checkout. */
export const isOpenedByProductOwnerTx = async (db: TenantDb): Promise<boolean> => {
  const row = await db
    .selectFrom('businesses')
    .select('openedByProductOwner')
    .where('businessId', '=', db.businessId)
    .executeTakeFirst()
  return row?.openedByProductOwner ?? false
}

/** The business behind a customer of the provider, or null. */
export const findBusinessOfCustomer = async (provider: string, customerId: string): Promise<BusinessId | null> => {
  const row = await database()
    .selectFrom('paymentCustomers')
    .select('businessId')
    .where('provider', '=', provider)
    .where('customerId', '=', customerId)
    .executeTakeFirst()
  return row ? asBusinessId(row.businessId) : null
}

const customersByBusiness = () =>
  database()
    .selectFrom('paymentCustomers')
    .select(['customerId', 'businessId'])
    .orderBy('businessId')
    .orderBy('customerId')

/** Every business's customer at a provider. */
export const listCustomersOfProvider = (provider: string): Promise<{ customerId: string; businessId: string }[]> =>
  customersByBusiness().where('provider', '=', provider).execute()

/** The same at providers that were only played. */
export const listPlayedCustomers = (): Promise<{ customerId: string; businessId: string }[]> =>
  customersByBusiness().where('provider', 'not in', realProviders).execute()

/** Whether this business, or whoever pays for it, may still have a trial. */
export const isTrialAvailableTx = async (db: TenantDb): Promise<boolean> => {
  const { email } = await findPayerTx(db)
  const used = await db
    .selectFrom('trialUses')
    .select('emailHash')
    .where('emailHash', 'in', trialKeys(db.businessId, email))
    .executeTakeFirst()
  return used === undefined
}

/** The subscription that runs with the provider of now, or null. */
export const findLiveSubscriptionTx = (db: TenantDb, provider: PaymentProvider) =>
  db
    .selectFrom('subscriptions')
    .selectAll()
    .where('businessId', '=', db.businessId)
    .where('provider', '=', provider.name)
    .where('livemode', '=', provider.livemode)
    .where('status', 'in', [...liveStates])
    .executeTakeFirst()

export const findAccountTx = (db: TenantDb, provider: PaymentProvider) =>
  db
    .selectFrom('billingAccounts')
    .selectAll()
    .where('businessId', '=', db.businessId)
    .where('provider', '=', provider.name)
    .where('livemode', '=', provider.livemode)
    .executeTakeFirst()

const stateOf = async (db: TenantDb) => {
  const row = await db
    .selectFrom('businesses')
    .select(['planTier', 'subscriptionStatus', 'pastDueSince', 'trialEndsAt', 'subscriptionEndsAt'])
    .where('businessId', '=', db.businessId)
    .executeTakeFirstOrThrow()
  return row
}

/** What every signed-in person may know: whether the business is on. */
export const getSubscriptionStatus = async (
  db: TenantDb,
): Promise<z.input<(typeof subscriptionsApi)['status']['response']>> => {
  const state = await stateOf(db)
  return {
    active: isSubscriptionActive(state, clock.nowMs()),
    tier: state.planTier,
    status: state.subscriptionStatus,
    trialEndsAt: state.subscriptionStatus === 'trialing' ? state.trialEndsAt : null,
    graceEndsAt: graceEndsAt(state),
    endsAt: state.subscriptionEndsAt,
  }
}

/** The subscription as the profile shows it. */
export const getSubscription = async (db: TenantDb): Promise<Subscription> => {
  const provider = paymentProvider('subscription')
  const state = await stateOf(db)
  const live = provider ? await findLiveSubscriptionTx(db, provider) : undefined
  const invoices = await db
    .selectFrom('subscriptionInvoices')
    .selectAll()
    .where('businessId', '=', db.businessId)
    .where('status', '!=', 'draft')
    .orderBy('issuedAt', 'desc')
    .orderBy('number', 'desc')
    .limit(60)
    .execute()
  return {
    provider: provider?.name ?? null,
    livemode: provider?.livemode ?? config.production,
    status: state.subscriptionStatus,
    active: isSubscriptionActive(state, clock.nowMs()),
    plan: state.planTier,
    period: live?.period ?? null,
    priceCents: live?.priceCents ?? null,
    trialEndsAt: state.subscriptionStatus === 'trialing' ? state.trialEndsAt : null,
    renewsAt: live && !live.cancelAt ? live.periodEndsAt : null,
    endsAt: state.subscriptionEndsAt,
    graceEndsAt: graceEndsAt(state),
    card: live?.cardLast4 ? { brand: live.cardBrand ?? 'card', last4: live.cardLast4 } : null,
    couponCode: live?.couponCode ?? null,
    openCents: invoices.filter((one) => one.status === 'open').reduce((sum, one) => sum + one.totalCents, 0),
    trialAvailable: await isTrialAvailableTx(db),
    invoices: invoices.map((one) => ({
      id: one.id,
      number: one.number,
      status: one.status,
      description: one.description,
      issuedAt: one.issuedAt,
      totalCents: one.totalCents,
      discountCents: one.discountCents,
      taxCents: one.taxCents,
      hostedUrl: one.hostedUrl,
    })),
  }
}

/** One of our invoices with whom it is for. */
export const getSubscriptionInvoice = async (db: TenantDb, id: string) => {
  const row = await db
    .selectFrom('subscriptionInvoices')
    .selectAll()
    .where('businessId', '=', db.businessId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw notFound('invoice')
  const to = await db
    .selectFrom('businesses')
    .select(['name', 'street', 'city', 'state', 'zip'])
    .where('businessId', '=', db.businessId)
    .executeTakeFirstOrThrow()
  return { ...row, to }
}
