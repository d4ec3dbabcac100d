import { sql } from 'kysely'
import { z } from 'zod'
import type { SystemActor } from '../../../platform/actor.ts'
import { clock } from '../../../platform/clock.ts'
import { config } from '../../../platform/config.ts'
import { database } from '../../../platform/db/database.ts'
import { asBusinessId, type TenantDb, withTenant } from '../../../platform/db/tenant.ts'
import { log } from '../../../platform/log.ts'
import { type PaymentProvider, PaymentRefused } from '../../../platform/payments/provider.ts'
import { paymentProvider, realProviders } from '../../../platform/payments/providers.ts'
import type { GlobalTask, Schedule } from '../../../platform/tasks/runner.ts'
import { enqueue, type Task, task } from '../../../platform/tasks/task.ts'
import { forEach } from '../../../platform/tasks/walk.ts'
import type { StoredWebhook } from '../../../platform/webhooks.ts'
import { paths } from '../../../shared/paths.ts'
import { setSubscriptionStateTx } from '../../businesses/server/row/commands.ts'
import { lockCustomerLimitTx } from '../../customers/server/commands.ts'
import { smsUsage } from '../../messages/server/queries.ts'
import { notifyOffice } from '../../notifications/server/commands.ts'
import { isLive, meterState, retriesDue } from '../rules.ts'
import {
  findAccountTx,
  findBusinessOfCustomer,
  findLiveSubscriptionTx,
  listCustomersOfProvider,
  listPlayedCustomers,
} from './queries.ts'
import { notifyOfFailure, notifyOfTrialEnd, syncBusiness } from './sync.ts'

const Event = z.object({
  livemode: z.boolean().optional(),
  data: z.object({ object: z.object({ id: z.string(), object: z.string(), customer: z.unknown().optional() }) }),
})

const customerOf = (object: z.output<typeof Event>['data']['object']): string | null => {
  if (object.object === 'customer') return object.id
  const { customer } = object
  if (typeof customer === 'string') return customer
  return typeof customer === 'object' && customer !== null && 'id' in customer ? String(customer.id) : null
}

/**
 * Works off a stored event of the payment provider that is about a plan. It only says which customer to look at: what is true is asked
 * for, so events may be doubled, late and out of order. One about nobody of ours is done with.
 */
export const processSubscriptionEvent = async (event: StoredWebhook): Promise<void> => {
  const parsed = Event.safeParse(event.payload)
  const provider = paymentProvider('subscription')
  if (!parsed.success || !provider || event.account !== '') return
  // A test event says nothing about real money, nor the other way round.
  if (parsed.data.livemode !== undefined && parsed.data.livemode !== provider.livemode) return
  const customerId = customerOf(parsed.data.data.object)
  const businessId = customerId ? await findBusinessOfCustomer(provider.name, customerId) : null
  if (!businessId) return
  await syncBusiness(businessId)
  if (event.type === 'customer.subscription.trial_will_end')
    await withTenant({ businessId }, async (db) => {
      const live = await findLiveSubscriptionTx(db, provider)
      if (live?.status === 'trialing' && !live.cancelAt)
        await notifyOfTrialEnd(db, {
          id: live.providerSubscriptionId,
          plan: live.plan,
          period: live.period,
          priceCents: live.priceCents,
          trialEndsAt: live.trialEndsAt,
        })
    })
}

/**
 * Open invoices of ours whose day to be tried again has come and that the provider has not answered on that day yet. The row stands before the card is
 * asked: with the key that is made of it, asking twice charges once.
 */
const takeRetriesTx = async (db: TenantDb, provider: PaymentProvider) => {
  const live = await findLiveSubscriptionTx(db, provider)
  if (live?.status !== 'past_due' || !live.pastDueSince) return []
  const days = retriesDue(live.pastDueSince, clock.nowMs())
  const open = await db
    .selectFrom('subscriptionInvoices')
    .select(['providerInvoiceId', 'totalCents'])
    .where('businessId', '=', db.businessId)
    .where('provider', '=', provider.name)
    .where('status', '=', 'open')
    .execute()
  const taken: { invoiceId: string; totalCents: number; day: number }[] = []
  for (const { providerInvoiceId: invoiceId, totalCents } of open) {
    // Days that were missed while the server rested are one try, not several.
    const day = days.at(-1)
    if (day === undefined) break
    const at = clock.iso()
    const waiting = await db
      .insertInto('subscriptionRetries')
      .values({ businessId: db.businessId, providerInvoiceId: invoiceId, day, at })
      .onConflict((c) =>
        c
          .columns(['businessId', 'providerInvoiceId', 'day'])
          .doUpdateSet({ at })
          .where('subscriptionRetries.doneAt', 'is', null),
      )
      .returning('day')
      .executeTakeFirst()
    if (waiting) taken.push({ invoiceId, totalCents, day })
  }
  return taken
}

const retryPayments = async (actor: SystemActor, provider: PaymentProvider): Promise<void> => {
  const { retries, account } = await withTenant(actor, async (db) => ({
    retries: await takeRetriesTx(db, provider),
    account: await findAccountTx(db, provider),
  }))
  for (const { invoiceId, totalCents, day } of retries) {
    try {
      await provider.payInvoice(invoiceId, account?.customerId ?? '', `retry:${invoiceId}:${day}`)
    } catch (error) {
      if (!(error instanceof PaymentRefused)) throw error
      await withTenant(actor, (db) => notifyOfFailure(db, { id: invoiceId, totalCents }, `day${day}`))
    }
    await withTenant(actor, (db) =>
      db
        .updateTable('subscriptionRetries')
        .set({ doneAt: clock.iso() })
        .where('businessId', '=', db.businessId)
        .where('providerInvoiceId', '=', invoiceId)
        .where('day', '=', day)
        .execute(),
    )
  }
  if (retries.length > 0) await syncBusiness(actor.businessId)
}

/** Tells the office once, by limit and month, that the plan is nearly used up. */
const notifyOfLimitsTx = async (db: TenantDb): Promise<void> => {
  const { active, limit } = await lockCustomerLimitTx(db)
  const usage = await smsUsage(db)
  const notify = (what: string, used: number, most: number | null, key: string) =>
    most !== null && meterState(used, most) !== 'fine'
      ? notifyOffice(db, {
          type: 'system',
          title: `${used} of ${most} ${what} are used`,
          content: 'At the limit new ones wait. Your profile says which plan holds more.',
          path: `${paths.profile}#plan`,
          dedupeKey: `limit80:${key}:${most}`,
        })
      : null
  await notify('customers', active, limit, 'customers')
  await notify('SMS segments of this month', usage.segmentsUsed, usage.segmentLimit, `segments:${usage.month}`)
}

const Empty = z.object({})

/** Looks after one business's subscription: compares it with the provider, asks a declined card again, warns before a trial ends. */
export const checkSubscription: Task<typeof Empty> = task({
  name: 'subscriptions.check',
  payload: Empty,
  run: async (actor) => {
    await syncBusiness(actor.businessId)
    const provider = paymentProvider('subscription')
    if (provider) await retryPayments(actor, provider)
    await withTenant(actor, notifyOfLimitsTx)
  },
})

/** A business that is gone pays nothing more, whatever was forgotten when it went. */
const endForGone = async (provider: PaymentProvider, customerId: string): Promise<void> => {
  const { subscriptions } = await provider.readCustomer(customerId)
  for (const s of subscriptions.filter((one) => isLive(one.status))) {
    log.error({ subscriptionId: s.id }, 'a business that is gone still paid; its subscription is ended')
    await provider.cancelNow(s.id, customerId)
  }
  // What was begun and never paid may still be paid: the way to it stays until that is over too.
  if (subscriptions.some((one) => one.status === 'incomplete')) return
  await database()
    .deleteFrom('paymentCustomers')
    .where('provider', '=', provider.name)
    .where('customerId', '=', customerId)
    .execute()
}

/** In production nothing that was paid with a test card opens anything. */
const endTestSubscriptionsTx = async (db: TenantDb): Promise<void> => {
  const ended = await db
    .updateTable('subscriptions')
    .set({ status: 'canceled', updatedAt: clock.iso() })
    .where('businessId', '=', db.businessId)
    .where('provider', 'not in', realProviders)
    .where('status', '!=', 'canceled')
    .returning('id')
    .executeTakeFirst()
  if (!ended) return
  await setSubscriptionStateTx(db, {
    planTier: null,
    subscriptionStatus: 'canceled',
    subscriptionEndsAt: clock.iso(),
    trialEndsAt: null,
  })
}

const nameOf = ({ businessId }: { businessId: string }) => ({ businessId })

/** The nightly walk over everybody who has a customer at the provider. */
export const checkSubscriptions: GlobalTask = {
  name: 'subscriptions.checkAll',
  run: async () => {
    const provider = paymentProvider('subscription')
    await provider?.tick()
    if (config.production)
      await forEach('ending test subscriptions', await listPlayedCustomers(), nameOf, ({ businessId }) =>
        withTenant({ businessId: asBusinessId(businessId) }, endTestSubscriptionsTx),
      )
    if (!provider) return
    const customers = await listCustomersOfProvider(provider.name)
    await forEach('the check of subscriptions', customers, nameOf, async ({ businessId, customerId }) => {
      const scope = { businessId: asBusinessId(businessId) }
      const there = await withTenant(scope, async (db) => {
        const { rows } = await sql`select 1 from businesses where business_id = ${businessId}`.execute(db)
        if (rows.length > 0) await enqueue(db, checkSubscription, {}, { key: 'check' })
        return rows.length > 0
      })
      if (!there) await endForGone(provider, customerId)
    })
  },
}

export const checkSubscriptionsSchedule: Schedule = { task: checkSubscriptions.name, match: '20 10 * * *' }
