import { clock } from '../../../platform/clock.ts'
import { type BusinessId, type TenantDb, withTenant } from '../../../platform/db/tenant.ts'
import { publishChange } from '../../../platform/events/changes.ts'
import { emit } from '../../../platform/events/events.ts'
import { newId } from '../../../platform/ids.ts'
import { log } from '../../../platform/log.ts'
import type {
  PaymentProvider,
  PlanTier,
  ProviderInvoice,
  ProviderState,
  ProviderSubscription,
} from '../../../platform/payments/provider.ts'
import { paymentProvider } from '../../../platform/payments/providers.ts'
import { formatCents } from '../../../shared/money.ts'
import { paths } from '../../../shared/paths.ts'
import { setSubscriptionStateTx } from '../../businesses/server/row/commands.ts'
import { queueMessage } from '../../messages/server/commands.ts'
import { notifyOffice } from '../../notifications/server/commands.ts'
import { redeemCouponTx } from '../coupons/server/commands.ts'
import { businessStateOf, isLive, pastDueSince, pickSubscription, trialEndsSoon } from '../rules.ts'
import { findPayerTx } from './queries.ts'
import { failedMail, type PayerMail, receiptMail, trialMail } from './templates.ts'
import { trialKeys } from './trial-keys.ts'

type Kept = ProviderSubscription & { plan: PlanTier }

/** Only what is ours: a price of the plan table, and no other business's mark on it. */
const ours = (businessId: string, all: readonly ProviderSubscription[]): Kept[] =>
  all.filter((s): s is Kept => {
    if (s.businessId !== null && s.businessId !== businessId) {
      log.error({ subscriptionId: s.id, businessId }, 'a subscription carries the mark of another business')
      return false
    }
    if (s.plan === null)
      log.error({ subscriptionId: s.id, businessId }, 'a subscription over a price that is none of ours')
    return s.plan !== null
  })

const keepSubscription = async (
  db: TenantDb,
  provider: PaymentProvider,
  s: Kept,
  since: string | null,
): Promise<void> => {
  const values = {
    plan: s.plan,
    period: s.period,
    priceCents: s.priceCents,
    status: s.status,
    trialEndsAt: s.trialEndsAt,
    periodEndsAt: s.periodEndsAt,
    cancelAt: s.cancelAt,
    pastDueSince: since,
    couponCode: s.couponCode,
    cardBrand: s.card?.brand ?? null,
    cardLast4: s.card?.last4 ?? null,
    updatedAt: clock.iso(),
  }
  await db
    .insertInto('subscriptions')
    .values({
      businessId: db.businessId,
      id: newId(),
      provider: provider.name,
      livemode: provider.livemode,
      providerSubscriptionId: s.id,
      startedAt: s.startedAt,
      createdAt: clock.iso(),
      ...values,
    })
    .onConflict((c) => c.columns(['businessId', 'providerSubscriptionId']).doUpdateSet(values))
    .execute()
}

const storeInvoice = async (db: TenantDb, provider: PaymentProvider, invoice: ProviderInvoice): Promise<void> => {
  const { id, subscriptionId: _, ...values } = invoice
  await db
    .insertInto('subscriptionInvoices')
    .values({
      businessId: db.businessId,
      id: newId(),
      provider: provider.name,
      livemode: provider.livemode,
      providerInvoiceId: id,
      createdAt: clock.iso(),
      ...values,
    })
    .onConflict((c) => c.columns(['businessId', 'providerInvoiceId']).doUpdateSet(values))
    .execute()
}

const notifyPayer = async (db: TenantDb, to: string | null, dedupeKey: string, mail: PayerMail): Promise<void> => {
  if (to)
    await queueMessage(db, {
      channel: 'email',
      purpose: 'account',
      address: to,
      fromName: 'Swath',
      dedupeKey,
      ...mail,
    })
}

/** Says that a payment failed, once per invoice and try. */
export const notifyOfFailure = async (
  db: TenantDb,
  invoice: { id: string; totalCents: number },
  step: 'first' | `day${number}`,
): Promise<void> => {
  const payer = await findPayerTx(db)
  await notifyPayer(db, payer.email, `subscription-failed:${invoice.id}:${step}`, failedMail(payer, invoice, step))
  await notifyOffice(db, {
    type: 'system',
    title: `Your payment of ${formatCents(invoice.totalCents)} for Swath did not go through`,
    content: 'Everything stays on for 7 days. Update the card in your profile.',
    path: `${paths.profile}#plan`,
    dedupeKey: `subscription-failed:${invoice.id}:${step}`,
  })
}

/** Says that a trial ends, once per subscription. */
export const notifyOfTrialEnd = async (
  db: TenantDb,
  s: { id: string; plan: string; period: 'month' | 'year'; priceCents: number; trialEndsAt: string | null },
): Promise<void> => {
  const payer = await findPayerTx(db)
  if (s.trialEndsAt)
    await notifyPayer(
      db,
      payer.email,
      `subscription-trial-ends:${s.id}`,
      trialMail(payer, { ...s, trialEndsAt: s.trialEndsAt }),
    )
}

const notifyTx = async (
  db: TenantDb,
  provider: PaymentProvider,
  current: Kept | null,
  invoices: readonly ProviderInvoice[],
): Promise<void> => {
  const payer = await findPayerTx(db)
  for (const invoice of invoices) {
    if (invoice.status === 'paid' && invoice.totalCents > 0)
      await notifyPayer(
        db,
        payer.email,
        `subscription-receipt:${invoice.id}`,
        receiptMail(payer, invoice, provider.livemode),
      )
    if (invoice.status === 'open' && invoice.attempts > 0) await notifyOfFailure(db, invoice, 'first')
  }
  if (current?.status === 'trialing' && !current.cancelAt && trialEndsSoon(current.trialEndsAt, clock.nowMs()))
    await notifyOfTrialEnd(db, current)
}

/** Writes down what a look at the provider saw, unless a later look was written before. @returns subscriptions that are too many */
const applyTx = async (
  db: TenantDb,
  provider: PaymentProvider,
  snapshot: number,
  state: ProviderState,
): Promise<Kept[]> => {
  const account = db
    .updateTable('billingAccounts')
    .where('businessId', '=', db.businessId)
    .where('provider', '=', provider.name)
    .where('livemode', '=', provider.livemode)
  const applied = await account
    .set({ syncApplied: snapshot, updatedAt: clock.iso() })
    .where('syncApplied', '<', snapshot)
    .returning('businessId')
    .executeTakeFirst()
  if (!applied) return []
  // A customer that was deleted at the provider is made anew with the next checkout.
  if (state.deleted)
    await account
      .set((eb) => ({
        customerId: null,
        checkoutId: null,
        checkoutPrice: null,
        checkoutAttempt: eb('checkoutAttempt', '+', 1),
      }))
      .execute()
  const all = ours(db.businessId, state.subscriptions)
  const { current, tooMany } = pickSubscription(all)
  const known = new Set(all.map((s) => s.id))
  await db
    .updateTable('subscriptions')
    .set({ status: 'canceled', updatedAt: clock.iso() })
    .where('businessId', '=', db.businessId)
    .where('provider', '=', provider.name)
    .where('livemode', '=', provider.livemode)
    .where((eb) =>
      known.size === 0 ? eb.val(true) : eb('providerSubscriptionId', 'not in', [...known, ...tooMany.map((s) => s.id)]),
    )
    .execute()
  const since = current ? pastDueSince(current, state.invoices, clock.iso()) : null
  // Those that ended first, so that at most one live row is there at any time.
  const extra = new Set(tooMany.map((s) => s.id))
  for (const s of all.filter((one) => !isLive(one.status))) await keepSubscription(db, provider, s, null)
  if (current && isLive(current.status) && !extra.has(current.id)) await keepSubscription(db, provider, current, since)
  for (const invoice of state.invoices) await storeInvoice(db, provider, invoice)
  for (const s of all) if (s.couponCode && s.id === current?.id) await redeemCouponTx(db, s.couponCode, s.id)
  const payer = await findPayerTx(db)
  if (all.some((s) => s.trialEndsAt))
    await db
      .insertInto('trialUses')
      .values(trialKeys(db.businessId, payer.email).map((emailHash) => ({ emailHash, usedAt: clock.iso() })))
      .onConflict((c) => c.column('emailHash').doNothing())
      .execute()
  const next = businessStateOf(current, since)
  // Somebody who only looked at a checkout has no subscription to lose.
  const had = await db
    .selectFrom('subscriptions')
    .select('id')
    .where('businessId', '=', db.businessId)
    .limit(1)
    .executeTakeFirst()
  if (!current && !had) return tooMany
  await setSubscriptionStateTx(db, {
    ...next,
    subscriptionSince: current?.startedAt ?? null,
    livemode: provider.livemode && current !== null,
  })
  await notifyTx(db, provider, current, state.invoices)
  await emit(db, 'subscription.changed', { status: current?.status ?? 'none' })
  await publishChange(db, 'business')
  return tooMany
}

/**
 * Brings our rows in line with what the provider says of a business, whole. The success page, every webhook and the nightly comparison
 * come here, as often as they like and in any order: a look that began later wins over one that began before.
 */
export const syncBusiness = async (businessId: BusinessId): Promise<void> => {
  const provider = paymentProvider('subscription')
  if (!provider) return
  const asked = await withTenant({ businessId }, (db) =>
    db
      .updateTable('billingAccounts')
      .set((eb) => ({ syncAsked: eb('syncAsked', '+', 1) }))
      .where('businessId', '=', businessId)
      .where('provider', '=', provider.name)
      .where('livemode', '=', provider.livemode)
      .where('customerId', 'is not', null)
      .returning(['customerId', 'syncAsked'])
      .executeTakeFirst(),
  )
  if (!asked?.customerId) return
  const state = await provider.readCustomer(asked.customerId)
  const tooMany = await withTenant({ businessId }, (db) => applyTx(db, provider, Number(asked.syncAsked), state))
  for (const s of tooMany) {
    log.error({ businessId, subscriptionId: s.id }, 'a second subscription of one business is ended')
    await provider.cancelNow(s.id, asked.customerId)
  }
}
