import type { z } from 'zod'
import type { Actor } from '../../../platform/actor.ts'
import { audit } from '../../../platform/audit.ts'
import { clock } from '../../../platform/clock.ts'
import { config } from '../../../platform/config.ts'
import { database } from '../../../platform/db/database.ts'
import { type BusinessId, type TenantDb, withTenant } from '../../../platform/db/tenant.ts'
import { directly, type Once, type Run } from '../../../platform/http/idempotency.ts'
import { newId } from '../../../platform/ids.ts'
import { log } from '../../../platform/log.ts'
import {
  type ChangePreview,
  type PaymentProvider,
  PaymentRefused,
  type PlanPrice,
} from '../../../platform/payments/provider.ts'
import { paymentProvider } from '../../../platform/payments/providers.ts'
import { AppError, conflict, invalid, notFound } from '../../../shared/errors.ts'
import { paths } from '../../../shared/paths.ts'
import { conversionOf, type Plan } from '../../billing/rules.ts'
import { getCustomerLimit } from '../../customers/server/queries.ts'
import { smsUsage } from '../../messages/server/queries.ts'
import type { Confirmation, Subscription } from '../contract.ts'
import { getUsableCoupon } from '../coupons/server/queries.ts'
import { downgradeWarnings, fillTag, isLive } from '../rules.ts'
import {
  findAccountTx,
  findBusinessOfCustomer,
  findLiveSubscriptionTx,
  findPayerTx,
  findSoldPrice,
  getSubscription,
  isTrialAvailableTx,
  soldPrices,
} from './queries.ts'
import { syncBusiness } from './sync.ts'

const failed = 'Failed to create checkout session'

/** Who takes money for plans, ready to. @throws AppError unavailable with what is wrong, in a sentence */
const readyProvider = async (): Promise<PaymentProvider> => {
  const provider = paymentProvider('subscription')
  if (!provider)
    throw new AppError(
      'unavailable',
      'Plans cannot be paid here yet: no payment provider is set up. Nothing was charged.',
    )
  const problem = await provider.problem(soldPrices)
  if (!problem) return provider
  log.error({ problem }, 'the payment provider cannot sell plans')
  throw new AppError('unavailable', `${failed}. Nothing was charged; please try again later or contact support.`)
}

const soldPrice = (provider: PaymentProvider | null, priceId: string): { plan: Plan; price: PlanPrice } => {
  const sold = findSoldPrice(provider, priceId)
  if (!sold) throw invalid([{ path: 'priceId', message: 'We do not sell this price.' }])
  return sold
}

/** The one customer of a business at the provider: its row stands before the provider is asked, under a key that makes a second wish the same. */
const ensureCustomer = async (provider: PaymentProvider, businessId: BusinessId): Promise<string> => {
  const { account, payer } = await withTenant({ businessId }, async (db) => {
    await db
      .insertInto('billingAccounts')
      .values({
        businessId,
        provider: provider.name,
        livemode: provider.livemode,
        createdAt: clock.iso(),
        updatedAt: clock.iso(),
      })
      .onConflict((c) => c.columns(['businessId', 'provider', 'livemode']).doNothing())
      .execute()
    const account = await findAccountTx(db, provider)
    if (!account) throw new Error('The billing account is not there.')
    return { account, payer: await findPayerTx(db) }
  })
  if (account.customerId) return account.customerId
  const customerId = await provider.ensureCustomer(
    { businessId, name: payer.businessName, email: payer.email },
    `cust:${businessId}:${account.checkoutAttempt}`,
  )
  await database()
    .insertInto('paymentCustomers')
    .values({ provider: provider.name, customerId, businessId, createdAt: clock.iso() })
    .onConflict((c) => c.columns(['provider', 'customerId']).doNothing())
    .execute()
  await withTenant({ businessId }, (db) =>
    db
      .updateTable('billingAccounts')
      .set({ customerId })
      .where('businessId', '=', businessId)
      .where('provider', '=', provider.name)
      .where('livemode', '=', provider.livemode)
      .where('customerId', 'is', null)
      .execute(),
  )
  return customerId
}

const accountRow = (db: TenantDb, provider: PaymentProvider) =>
  db
    .updateTable('billingAccounts')
    .where('businessId', '=', db.businessId)
    .where('provider', '=', provider.name)
    .where('livemode', '=', provider.livemode)

/** Closes the page that is noted as open, in the books; the next one gets another number and so another key. */
const forgetCheckoutTx = (db: TenantDb, provider: PaymentProvider, id: string) =>
  accountRow(db, provider)
    .set((eb) => ({
      checkoutId: null,
      checkoutPrice: null,
      checkoutAttempt: eb('checkoutAttempt', '+', 1),
    }))
    .where('checkoutId', '=', id)
    .execute()

/**
 * The hosted checkout for a plan. One customer per business; with a live subscription the way to change it instead; an open page for
 * the same plan and code is used again, any other is ended first.
 * @throws AppError validation_failed, unavailable
 */
export const startCheckout = async (
  businessId: BusinessId,
  input: { priceId: string; coupon?: string | undefined },
): Promise<{ sessionId: string | null; url: string }> => {
  const provider = await readyProvider()
  const { plan, price } = soldPrice(provider, input.priceId)
  const customerId = await ensureCustomer(provider, businessId)
  // What was paid a moment ago may not have come by webhook yet.
  await syncBusiness(businessId)
  for (let tries = 0; tries < 4; tries++) {
    const found = await withTenant({ businessId }, async (db) => ({
      live: await findLiveSubscriptionTx(db, provider),
      account: await findAccountTx(db, provider),
      coupon: input.coupon ? await getUsableCoupon(db, input.coupon) : null,
      trialDays: plan.trialDays > 0 && (await isTrialAvailableTx(db)) ? plan.trialDays : 0,
    }))
    if (found.live) return { sessionId: null, url: `${paths.profile}?plan=${plan.id}&period=${price.period}#plan` }
    const { account, coupon, trialDays } = found
    const wanted = [price.plan, price.period, coupon?.code ?? '-', trialDays].join(':')
    if (account?.checkoutId) {
      const open = account.checkoutPrice === wanted ? await provider.findCheckout(account.checkoutId) : null
      if (open?.status === 'open') return { sessionId: open.id, url: open.url }
      if (!open) await provider.expireCheckout(account.checkoutId)
      const gone = account.checkoutId
      await withTenant({ businessId }, (db) => forgetCheckoutTx(db, provider, gone))
      // It may have been paid between our look and its end.
      await syncBusiness(businessId)
      continue
    }
    const session = await provider.openCheckout({
      purpose: 'subscription',
      customerId,
      businessId,
      price,
      trialDays,
      coupon,
      successPath: `${paths.paymentSuccess}?session_id={CHECKOUT_SESSION_ID}`,
      cancelPath: paths.pricing,
      requestKey: `cs:${businessId}:${wanted}:${account?.checkoutAttempt ?? 1}`,
    })
    const kept = await withTenant({ businessId }, (db) =>
      accountRow(db, provider)
        .set({ checkoutId: session.id, checkoutPrice: wanted })
        .where((eb) => eb.or([eb('checkoutId', 'is', null), eb('checkoutId', '=', session.id)]))
        .where('checkoutAttempt', '=', account?.checkoutAttempt ?? 1)
        .returning('businessId')
        .executeTakeFirst(),
    )
    if (kept) return { sessionId: session.id, url: session.url }
    // Another tab opened a page meanwhile; if it is not the same one, ours ends and we look again.
    const theirs = await withTenant({ businessId }, (db) => findAccountTx(db, provider))
    if (theirs?.checkoutId === session.id) return { sessionId: session.id, url: session.url }
    await provider.expireCheckout(session.id)
  }
  throw conflict('Another window is choosing a plan right now. Nothing was charged; close it and try again.')
}

/** Back from a checkout: asks the provider, brings the books in line, and says how far it is. @throws AppError not_found */
export const confirmCheckout = async (sessionId: string): Promise<z.input<typeof Confirmation>> => {
  const provider = paymentProvider('subscription')
  const session = provider ? await provider.findCheckout(sessionId) : null
  const businessId =
    provider && session?.customerId ? await findBusinessOfCustomer(provider.name, session.customerId) : null
  if (!provider || !session || !businessId) throw notFound('checkout')
  const nothing = { plan: null, period: null, trialEndsAt: null, renewsAt: null, livemode: provider.livemode }
  if (session.status !== 'complete') return { state: session.status, ...nothing }
  await syncBusiness(businessId)
  const row = await withTenant({ businessId }, (db) =>
    db
      .selectFrom('subscriptions')
      .select(['plan', 'period', 'status', 'trialEndsAt', 'periodEndsAt'])
      .where('businessId', '=', businessId)
      .where('providerSubscriptionId', '=', session.subscriptionId ?? '')
      .executeTakeFirst(),
  )
  if (!row || !isLive(row.status)) return { state: 'waiting', ...nothing }
  return {
    state: 'confirmed',
    plan: row.plan,
    period: row.period,
    trialEndsAt: row.status === 'trialing' ? row.trialEndsAt : null,
    renewsAt: row.periodEndsAt,
    livemode: provider.livemode,
  }
}

const liveOf = async (businessId: BusinessId) => {
  const provider = await readyProvider()
  await syncBusiness(businessId)
  const { live, account } = await withTenant({ businessId }, async (db) => ({
    live: await findLiveSubscriptionTx(db, provider),
    account: await findAccountTx(db, provider),
  }))
  if (!live || !account?.customerId)
    throw conflict('There is no subscription to change. Choose a plan on the pricing page; nothing was charged.')
  return { provider, live, customerId: account.customerId }
}

const after = async (
  actor: Actor,
  action: string,
  change?: Record<string, unknown>,
  once: Once = directly,
): Promise<Subscription> => {
  await syncBusiness(actor.businessId)
  return once(() =>
    withTenant(actor, async (db) => {
      await audit(db, actor, action, { type: 'business', id: db.businessId }, change ? { after: change } : {})
      return getSubscription(db)
    }),
  )
}

/** What another plan would cost now and what it would not hold. */
export const previewPlanChange = async (
  actor: Actor,
  priceId: string,
): Promise<
  ChangePreview & {
    plan: Plan['id']
    period: PlanPrice['period']
    priceCents: number
    endsTrial: boolean
    warnings: string[]
  }
> => {
  const { provider, live, customerId } = await liveOf(actor.businessId)
  const { plan, price } = soldPrice(provider, priceId)
  const use = await withTenant(actor, async (db) => ({
    customers: (await getCustomerLimit(db)).active,
    segments: (await smsUsage(db)).segmentsUsed,
  }))
  return {
    ...(await provider.previewChange(live.providerSubscriptionId, customerId, price)),
    plan: plan.id,
    period: price.period,
    priceCents: price.cents,
    endsTrial: live.status === 'trialing',
    warnings: downgradeWarnings(plan, use),
  }
}

/** Another plan or period, at once. @throws AppError state_conflict, also when the card is declined: then nothing changed */
export const changePlan = async (actor: Actor, priceId: string, { once, again }: Run): Promise<Subscription> => {
  const { provider, live, customerId } = await liveOf(actor.businessId)
  const { plan, price } = soldPrice(provider, priceId)
  const change = { plan: plan.id, period: price.period }
  const isThere = live.plan === plan.id && live.period === price.period
  // a first try may have reached the provider and no further
  if (isThere && again) return after(actor, 'subscription.change', change, once)
  if (isThere) throw conflict(`You are on ${plan.name} already. Nothing was changed.`)
  if (live.status !== 'active' && live.status !== 'trialing')
    throw conflict('A payment is open. Update the card first, then change the plan; nothing was changed.')
  try {
    await provider.changePlan(live.providerSubscriptionId, customerId, price, `change:${live.id}:${newId()}`)
  } catch (error) {
    if (!(error instanceof PaymentRefused)) throw error
    throw conflict(`${error.message} Nothing was charged and your plan is as it was. Update the card, then try again.`)
  }
  return after(actor, 'subscription.change', change, once)
}

/** Ends the subscription with its paid period, or takes that back. */
export const setCancelAtEnd = async (actor: Actor, cancel: boolean): Promise<Subscription> => {
  const { provider, live, customerId } = await liveOf(actor.businessId)
  if ((live.cancelAt !== null) !== cancel)
    await provider.setCancelAtEnd(live.providerSubscriptionId, customerId, cancel)
  return after(actor, cancel ? 'subscription.cancel' : 'subscription.resume')
}

/** The provider's own page for card and invoices. */
export const openPortal = async (actor: Actor): Promise<{ url: string }> => {
  const provider = await readyProvider()
  const account = await withTenant(actor, (db) => findAccountTx(db, provider))
  if (!account?.customerId) throw conflict('There is nothing to manage yet. Choose a plan first.')
  return { url: await provider.openPortal(account.customerId, `${paths.profile}#plan`) }
}

/** Ends everything that a business pays, now: before its records are deleted. Nobody who is gone is charged. */
export const endSubscriptionNow = async (businessId: BusinessId): Promise<void> => {
  const provider = paymentProvider('subscription')
  const account = provider ? await withTenant({ businessId }, (db) => findAccountTx(db, provider)) : undefined
  if (!provider || !account?.customerId) return
  const state = await provider.readCustomer(account.customerId)
  if (account.checkoutId) await provider.expireCheckout(account.checkoutId)
  for (const s of state.subscriptions.filter((one) => isLive(one.status)))
    await provider.cancelNow(s.id, account.customerId)
  await syncBusiness(businessId)
}

/** The address of the conversion tag for the running subscription, handed out once. */
export const claimConversion = async (actor: Actor): Promise<{ url: string | null }> => {
  const template = config.conversionUrl
  const provider = paymentProvider('subscription')
  if (!template || !provider) return { url: null }
  const claimed = await withTenant(actor, async (db) => {
    const live = await findLiveSubscriptionTx(db, provider)
    return live
      ? db
          .updateTable('subscriptions')
          .set({ conversionClaimedAt: clock.iso() })
          .where('businessId', '=', db.businessId)
          .where('id', '=', live.id)
          .where('conversionClaimedAt', 'is', null)
          .returning(['id', 'plan'])
          .executeTakeFirst()
      : undefined
  })
  const conversion = claimed ? conversionOf(claimed.plan) : null
  if (!claimed || !conversion) return { url: null }
  return { url: fillTag(template, { ...conversion, currency: 'USD', id: claimed.id }) }
}
