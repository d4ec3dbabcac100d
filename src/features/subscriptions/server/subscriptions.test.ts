import { sql } from 'kysely'
import { afterEach, describe, expect, it } from 'vitest'
import { localBilling } from '../../../local/payments/billing.ts'
import { localPlansApi } from '../../../local/plans/contract.ts'
import { clock, resetClock, setClock } from '../../../platform/clock.ts'
import { config } from '../../../platform/config.ts'
import { database } from '../../../platform/db/database.ts'
import { apiFor, runTasks, stranger } from '../../../test/api.ts'
import { aBusiness, type TestBusiness } from '../../../test/factories.ts'
import {
  aCoupon,
  atPortal,
  checkoutFor,
  failingLater,
  payCheckout,
  productOwner,
  subscribe,
  subscriptionOf,
} from '../../../test/plans.ts'
import { deleteClosedBusiness } from '../../accounts/closing/server/tasks.ts'
import { customersApi } from '../../customers/contract.ts'
import { messagesApi } from '../../messages/contract.ts'
import { notificationsApi } from '../../notifications/contract.ts'
import { subscriptionsApi } from '../contract.ts'
import { couponsApi } from '../coupons/contract.ts'
import { endSubscriptionNow } from './commands.ts'
import { checkSubscription, checkSubscriptions } from './tasks.ts'

afterEach(resetClock)
const aNew = () => aBusiness({ tier: null })
// The clock moves by weeks: the session is asked with a token of then.
const asOwner = (own: TestBusiness) => apiFor(own.owner)
const statusOf = async (own: TestBusiness) => (await asOwner(own)).ok(subscriptionsApi.status, {})
const mailsOf = async (own: TestBusiness) =>
  own.db((db) =>
    db
      .selectFrom('messages')
      .select(['subject', 'fromName', 'address', 'dedupeKey'])
      .where('businessId', '=', own.id)
      .execute(),
  )
const nightly = async () => {
  await checkSubscriptions.run({})
  await runTasks()
}
const providerState = async (own: TestBusiness) => {
  const account = await own.db((db) =>
    db.selectFrom('billingAccounts').select('customerId').where('businessId', '=', own.id).executeTakeFirstOrThrow(),
  )
  return localBilling.readCustomer(account.customerId ?? '')
}
const inDays = (days: number) => {
  const at = clock.nowMs() + days * 86_400_000
  setClock(() => new Date(at))
}

describe('plans', () => {
  it('are served with prices, limits, the trial and what is recommended', async () => {
    const { plans, livemode } = await stranger.ok(subscriptionsApi.plans, {})
    expect(livemode).toBe(false)
    expect(
      plans.map((p) => [p.id, p.price, p.annualPrice, p.customerLimit, p.messageLimit, p.trialDays, p.recommended]),
    ).toEqual([
      ['basic', 49.99, 499.99, 25, 150, 14, false],
      ['pro', 79.99, 799.99, 100, 250, 0, true],
      ['enterprise', 199.99, 1999.99, null, null, 0, false],
    ])
    expect(plans[0]?.annualPriceId).toBe('price_basic_year')
  })
})

describe('whose checkout', () => {
  it('is only the owner’s own; nobody signed in is told to sign in', async () => {
    const own = await aNew()
    const other = await aNew()
    const body = { priceId: 'price_pro_month', userId: own.owner.userId }
    const nobody = await stranger.call(subscriptionsApi.createCheckout, { body })
    expect([nobody.status, nobody.error.message]).toEqual([401, 'Please sign in to continue'])
    expect((await other.api.call(subscriptionsApi.createCheckout, { body })).status).toBe(404)
    expect((await (await own.admin()).api.call(subscriptionsApi.createCheckout, { body })).status).toBe(403)
    expect((await (await own.employee()).api.call(subscriptionsApi.createCheckout, { body })).status).toBe(403)
    for (const priceId of ['price_gold_month', 'price_1OtherShop', '']) {
      const wrong = await own.api.call(subscriptionsApi.createCheckout, { body: { ...body, priceId } })
      expect([wrong.status, wrong.error.errors?.[0]?.path]).toEqual([422, 'priceId'])
    }
    expect(await own.db((db) => db.selectFrom('subscriptions').selectAll().execute())).toEqual([])
  })

  it('is the product owner’s only for a business whose account they opened', async () => {
    const own = await aNew()
    const seller = await productOwner()
    const body = { priceId: 'price_basic_year', userId: own.owner.userId }
    expect((await seller.call(subscriptionsApi.createCheckout, { body })).status).toBe(404)
    expect((await seller.call(subscriptionsApi.createCheckout, { body: { ...body, userId: 'nobody' } })).status).toBe(
      404,
    )
    await own.db((db) =>
      db.updateTable('businesses').set({ openedByProductOwner: true }).where('businessId', '=', own.id).execute(),
    )
    expect((await seller.ok(subscriptionsApi.createCheckout, { body })).url).toMatch(
      /^\/local\/checkout\/plan\/cs_test_/,
    )
  })
})

describe('a checkout', () => {
  it('gives access when it was paid, not when its address was opened', async () => {
    const own = await aNew()
    const { body } = await checkoutFor(own, 'price_premium_month')
    const sessionId = body.sessionId ?? ''
    expect((await stranger.ok(subscriptionsApi.confirm, { params: { sessionId } })).state).toBe('open')
    expect(await statusOf(own)).toMatchObject({ active: false, tier: null })
    expect((await stranger.call(subscriptionsApi.confirm, { params: { sessionId: 'cs_test_made_up' } })).status).toBe(
      404,
    )
    expect((await payCheckout(sessionId, '4000 0000 0000 0002')).body.result).toBe('declined')
    expect((await payCheckout(sessionId, '4000 0000 0000 9995')).body.message).toContain('Nothing was charged')
    expect((await payCheckout(sessionId, '1234')).status).toBe(422)
    expect((await payCheckout(sessionId, '4000 0025 0000 3155')).body.result).toBe('confirm')
    await runTasks()
    expect((await statusOf(own)).active).toBe(false)
    expect((await payCheckout(sessionId, '4000 0025 0000 3155', true)).body.result).toBe('paid')
    // The page asks before the webhook was worked off.
    expect(await stranger.ok(subscriptionsApi.confirm, { params: { sessionId } })).toMatchObject({
      state: 'confirmed',
      plan: 'pro',
      period: 'month',
      livemode: false,
    })
    await Promise.all([runTasks(), stranger.ok(subscriptionsApi.confirm, { params: { sessionId } })])
    expect(await statusOf(own)).toMatchObject({ active: true, tier: 'pro', status: 'active' })
    const subscription = await subscriptionOf(own)
    expect(subscription).toMatchObject({ priceCents: 7999, livemode: false, card: { brand: 'visa', last4: '3155' } })
    expect(subscription.invoices.map((i) => [i.status, i.totalCents])).toEqual([['paid', 7999]])
    const receipts = (await mailsOf(own)).filter((m) => m.subject.includes('Receipt'))
    expect(receipts.map((m) => [m.fromName, m.address])).toEqual([['Swath', own.owner.email]])
    expect(receipts[0]?.subject).toMatch(/^TEST –/)
    const pdf = await own.api.raw({ method: 'GET', url: `/api/payment/invoices/${subscription.invoices[0]?.id}/pdf` })
    expect([pdf.status, pdf.text.slice(0, 5)]).toEqual([200, '%PDF-'])
    const other = await aNew()
    expect(
      (await other.api.raw({ method: 'GET', url: `/api/payment/invoices/${subscription.invoices[0]?.id}/pdf` })).status,
    ).toBe(404)
  })

  it('is one page for a doubled click; another plan ends the first page', async () => {
    const own = await aNew()
    const clicks = await Promise.all([1, 2, 3].map(() => checkoutFor(own, 'price_pro_month')))
    expect(new Set(clicks.map((c) => c.body.url)).size).toBe(1)
    const first = clicks[0]?.body.sessionId ?? ''
    const second = (await checkoutFor(own, 'price_basic_month')).body.sessionId ?? ''
    expect(second).not.toBe(first)
    expect((await payCheckout(first)).status).toBe(409)
    expect((await checkoutFor(own, 'price_basic_month')).body.sessionId).toBe(second)
    await payCheckout(second)
    await runTasks()
    expect((await providerState(own)).subscriptions.map((s) => s.plan)).toEqual(['basic'])
  })

  it('never makes a second subscription: it leads to the change of plan', async () => {
    const own = await aNew()
    await subscribe(own, 'price_pro_month')
    const again = await checkoutFor(own, 'price_enterprise_year')
    expect(again.body).toEqual({ sessionId: null, url: '/profile?plan=enterprise&period=year#plan' })
    // Two windows, two plans, at once.
    const racing = await aNew()
    const pages = (
      await Promise.all([checkoutFor(racing, 'price_pro_month'), checkoutFor(racing, 'price_enterprise_month')])
    )
      .map((answer) => answer.body.sessionId)
      .filter((id): id is string => Boolean(id))
    await Promise.all(pages.map((id) => payCheckout(id)))
    await runTasks()
    expect((await providerState(racing)).subscriptions.filter((s) => s.status === 'active')).toHaveLength(1)
  })

  it('a second one that came into being all the same is ended, and the first stays', async () => {
    const own = await aNew()
    await subscribe(own, 'price_pro_month')
    const { subscriptions } = await providerState(own)
    const customer = await own.db((db) => db.selectFrom('billingAccounts').selectAll().executeTakeFirstOrThrow())
    const extra = await localBilling.openCheckout({
      purpose: 'subscription',
      customerId: customer.customerId ?? '',
      businessId: own.id,
      price: { plan: 'basic', planName: 'Basic', period: 'month', cents: 4999 },
      trialDays: 0,
      coupon: null,
      successPath: '/payment-success',
      cancelPath: '/pricing',
      requestKey: `by-hand:${own.id}`,
    })
    inDays(0.01)
    await payCheckout(extra.id)
    await runTasks()
    const state = await providerState(own)
    expect(state.subscriptions.filter((s) => s.status === 'active').map((s) => s.id)).toEqual([subscriptions[0]?.id])
    expect(await statusOf(own)).toMatchObject({ active: true, tier: 'pro' })
  })
})

describe('the trial', () => {
  it('is 14 days of Basic, once per business and per address, and is warned of before it ends', async () => {
    const own = await aNew()
    expect((await subscriptionOf(own)).trialAvailable).toBe(true)
    const { body } = await checkoutFor(own, 'price_basic_month')
    const page = await stranger.ok(localPlansApi.checkout, { params: { sessionId: body.sessionId ?? '' } })
    expect(page).toMatchObject({ dueNowCents: 0, firstCents: 4999, taxCents: 0, planName: 'Basic' })
    expect(Date.parse(page.trialEndsAt ?? '') - clock.nowMs()).toBeGreaterThan(13.9 * 86_400_000)
    await payCheckout(body.sessionId ?? '')
    await runTasks()
    expect(await statusOf(own)).toMatchObject({ active: true, tier: 'basic', status: 'trialing' })
    expect((await mailsOf(own)).filter((m) => m.subject.includes('Receipt'))).toEqual([])
    inDays(11.5)
    await nightly()
    await nightly()
    await atPortal(own, { action: 'trialSoon' })
    expect((await mailsOf(own)).filter((m) => m.subject.startsWith('Your Swath trial ends'))).toHaveLength(1)
    inDays(3)
    await nightly()
    expect(await statusOf(own)).toMatchObject({ active: true, status: 'active', trialEndsAt: null })
    const paid = (await subscriptionOf(own)).invoices.filter((i) => i.totalCents > 0)
    expect(paid.map((i) => i.totalCents)).toEqual([4999])

    await atPortal(own, { action: 'cancel' })
    await atPortal(own, { action: 'renew' })
    expect(await statusOf(own)).toMatchObject({ active: false, tier: null, status: 'canceled' })
    const again = await checkoutFor(own, 'price_basic_month')
    expect(
      (await stranger.ok(localPlansApi.checkout, { params: { sessionId: again.body.sessionId ?? '' } })).trialEndsAt,
    ).toBeNull()

    // The same person registers another business.
    const second = await aNew()
    await second.db((db) =>
      db.updateTable('users').set({ email: own.owner.email }).where('id', '=', second.owner.userId).execute(),
    )
    expect((await subscriptionOf(second)).trialAvailable).toBe(false)
  })
})

describe('a payment that fails', () => {
  it('can be played to its end by the test clock, and another card brings everything back', async () => {
    const own = await aNew()
    await subscribe(own, 'price_pro_month', failingLater)
    await atPortal(own, { action: 'renew' })
    expect(await statusOf(own)).toMatchObject({ active: true, status: 'past_due' })
    await atPortal(own, { action: 'giveUp' })
    expect(await statusOf(own)).toMatchObject({ active: false, status: 'unpaid' })
    await atPortal(own, { action: 'card', cardNumber: '4242424242424242' })
    expect(await statusOf(own)).toMatchObject({ active: true, status: 'active' })
  })

  it('leaves 7 days with everything on, asks the card on day 3, 5 and 7, then the office reads only', async () => {
    const own = await aNew()
    await subscribe(own, 'price_pro_month', failingLater)
    await atPortal(own, { action: 'renew' })
    // The provider's clock went on by a month; ours follows it.
    inDays(31)
    expect(await statusOf(own)).toMatchObject({ active: true, status: 'past_due' })
    const since = (await statusOf(own)).graceEndsAt
    expect(since).not.toBeNull()
    for (const days of [0, 3, 0.1, 2]) {
      inDays(days)
      await nightly()
      await nightly()
    }
    const failures = async () =>
      (await mailsOf(own)).map((m) => m.dedupeKey).filter((key) => key.startsWith('subscription-failed'))
    expect((await failures()).map((key) => key.split(':').at(-1)).sort()).toEqual(['day3', 'day5', 'first'])
    inDays(3)
    await nightly()
    await nightly()
    expect((await failures()).map((key) => key.split(':').at(-1)).sort()).toEqual(['day3', 'day5', 'day7', 'first'])
    const attempts = (await providerState(own)).invoices.find((i) => i.status === 'open')?.attempts
    expect(attempts).toBe(4)
    expect((await statusOf(own)).active).toBe(false)
    const refused = await (await asOwner(own)).call(customersApi.create, {
      body: { name: 'Late Larry', properties: [] } as never,
    })
    expect([refused.status, refused.error.code]).toEqual([402, 'subscription_required'])
    expect((await (await asOwner(own)).call(customersApi.list, { query: {} })).status).toBe(200)
    inDays(10)
    await nightly()
    expect((await providerState(own)).invoices.find((i) => i.status === 'open')?.attempts).toBe(4)
    // Another card pays what is open, and everything is on again.
    await atPortal(own, { action: 'card', cardNumber: '4242 4242 4242 4242' })
    expect(await statusOf(own)).toMatchObject({ active: true, status: 'active', graceEndsAt: null })
  })

  it('asks the card again until the provider answered that day, and once after that', async () => {
    const own = await aNew()
    await subscribe(own, 'price_pro_month', failingLater)
    await atPortal(own, { action: 'renew' })
    inDays(31)
    await nightly()
    inDays(3)
    const attempts = async () => (await providerState(own)).invoices.find((i) => i.status === 'open')?.attempts
    const before = (await attempts()) ?? 0
    const check = () => checkSubscription.run({ kind: 'system', businessId: own.id }, {})
    const { payInvoice } = localBilling
    localBilling.payInvoice = () => Promise.reject(new Error('The provider did not answer.'))
    try {
      await expect(check()).rejects.toThrow('did not answer')
    } finally {
      localBilling.payInvoice = payInvoice
    }
    expect(await attempts()).toBe(before)
    await check()
    await check()
    expect(await attempts()).toBe(before + 1)
  })
})

describe('changing the plan', () => {
  it('says what it costs and what will not fit, charges the rest of the period, and changes nothing when declined', async () => {
    const own = await aNew()
    await subscribe(own, 'price_pro_month', failingLater)
    const preview = await own.api.ok(subscriptionsApi.previewChange, { query: { priceId: 'price_enterprise_month' } })
    expect(preview).toMatchObject({ plan: 'enterprise', priceCents: 19999, endsTrial: false, warnings: [] })
    expect(preview.dueNowCents).toBeGreaterThan(11_900)
    const declined = await own.api.call(subscriptionsApi.change, { body: { priceId: 'price_enterprise_month' } })
    expect([declined.status, declined.error.message]).toEqual([409, expect.stringContaining('Nothing was charged')])
    expect(await statusOf(own)).toMatchObject({ tier: 'pro' })
    await atPortal(own, { action: 'card', cardNumber: '4242424242424242' })
    const key = { 'idempotency-key': 'change-once-1' }
    const changed = await own.api.ok(subscriptionsApi.change, { body: { priceId: 'price_enterprise_month' } }, key)
    expect(await own.api.ok(subscriptionsApi.change, { body: { priceId: 'price_enterprise_month' } }, key)).toEqual(
      changed,
    )
    expect(changed.plan).toBe('enterprise')
    expect((await own.api.call(subscriptionsApi.change, { body: { priceId: 'price_enterprise_month' } })).status).toBe(
      409,
    )
    expect((await subscriptionOf(own)).invoices.filter((i) => i.status === 'paid')).toHaveLength(2)
    expect(
      (await (await own.admin()).api.call(subscriptionsApi.change, { body: { priceId: 'price_pro_month' } })).status,
    ).toBe(403)
  })

  it('to less than is used is allowed and told before; one more customer is refused, naming the plan', async () => {
    const own = await aNew()
    await subscribe(own, 'price_pro_month')
    await own.db((db) =>
      db
        .insertInto('customers')
        .values(
          Array.from({ length: 26 }, (_, i) => ({
            businessId: own.id,
            id: crypto.randomUUID(),
            name: `Customer ${i}`,
          })),
        )
        .execute(),
    )
    const preview = await own.api.ok(subscriptionsApi.previewChange, { query: { priceId: 'price_basic_month' } })
    expect(preview.warnings[0]).toMatch(/Basic holds 25 customers and you have 26/)
    expect(preview.dueNowCents).toBe(0)
    expect(preview.creditCents).toBeGreaterThan(0)
    expect((await own.api.ok(subscriptionsApi.change, { body: { priceId: 'price_basic_month' } })).plan).toBe('basic')
    const refused = await own.api.call(customersApi.create, { body: { name: 'One More', properties: [] } as never })
    expect([refused.status, refused.error.code]).toEqual([402, 'customer_limit_reached'])
    expect(refused.error.message).toContain('Pro')
    expect((await own.api.ok(customersApi.list, { query: {} })).items).toHaveLength(26)
  })

  it('cancels with the paid period, shows the date, and goes on after all when asked', async () => {
    const own = await aNew()
    await subscribe(own, 'price_pro_month')
    const canceled = await own.api.ok(subscriptionsApi.cancel, {})
    expect(canceled).toMatchObject({ active: true, renewsAt: null })
    expect(canceled.endsAt).not.toBeNull()
    expect((await own.api.ok(subscriptionsApi.cancel, {})).endsAt).toBe(canceled.endsAt)
    const resumed = await own.api.ok(subscriptionsApi.resume, {})
    expect([resumed.endsAt, resumed.renewsAt]).toEqual([null, canceled.endsAt])
    await own.api.ok(subscriptionsApi.cancel, {})
    await atPortal(own, { action: 'renew' })
    expect(await statusOf(own)).toMatchObject({ active: false, tier: null, status: 'canceled' })
    expect((await own.api.call(subscriptionsApi.resume, {})).status).toBe(409)
  })
})

describe('coupons', () => {
  it('are made by the product owner, hold once per business at either checkout, and end', async () => {
    const code = `SPRING${Date.now() % 100_000}`
    await aCoupon(code)
    const seller = await productOwner()
    expect((await seller.call(couponsApi.create, { body: { code: code.toLowerCase(), percentOff: 10 } })).status).toBe(
      409,
    )
    expect((await seller.call(couponsApi.create, { body: { code: 'x y', percentOff: 101 } })).status).toBe(422)
    const own = await aNew()
    const { body } = await checkoutFor(own, 'price_pro_month', code.toLowerCase())
    const page = await stranger.ok(localPlansApi.checkout, { params: { sessionId: body.sessionId ?? '' } })
    expect([page.discountCents, page.dueNowCents]).toEqual([1200, 6799])
    await payCheckout(body.sessionId ?? '')
    await runTasks()
    await atPortal(own, { action: 'renew' })
    expect((await subscriptionOf(own)).invoices.map((i) => i.totalCents)).toEqual([7999, 6799])
    expect((await seller.ok(couponsApi.list, {})).coupons.find((c) => c.code === code)?.uses).toBe(1)
    await endSubscriptionNow(own.id)
    const again = await checkoutFor(own, 'price_pro_month', code)
    expect([again.status, again.error.errors?.[0]]).toEqual([
      422,
      { path: 'coupon', message: expect.stringContaining('once') },
    ])

    const other = await aNew()
    const open = (await checkoutFor(other, 'price_basic_month')).body.sessionId ?? ''
    const typed = (text: string | null) =>
      stranger.call(localPlansApi.coupon, { params: { sessionId: open }, body: { code: text } })
    expect((await typed('NOPE99')).status).toBe(422)
    expect((await typed(code)).body).toMatchObject({ dueNowCents: 0, firstCents: 4249 })
    await payCheckout(open)
    await runTasks()
    await atPortal(other, { action: 'endTrial' })
    expect((await subscriptionOf(other)).invoices.map((i) => i.totalCents)).toEqual([4249, 0])
    await seller.ok(couponsApi.end, { params: { code } })
    expect((await checkoutFor(await aNew(), 'price_pro_month', code)).status).toBe(422)
  })
})

describe('a business that goes', () => {
  /** Closed, and its 30 days are over. */
  const aClosed = async () => {
    const own = await aNew()
    await subscribe(own, 'price_pro_month')
    await own.db((db) =>
      db
        .updateTable('businesses')
        .set({ closedAt: '2026-01-01T00:00:00.000Z', deleteAfter: '2026-01-31T00:00:00.000Z' })
        .where('businessId', '=', own.id)
        .execute(),
    )
    const account = await own.db((db) =>
      db.selectFrom('billingAccounts').select('customerId').where('businessId', '=', own.id).executeTakeFirstOrThrow(),
    )
    const customerId = account.customerId ?? ''
    return {
      own,
      paid: async () => (await localBilling.readCustomer(customerId)).subscriptions.map((s) => s.status),
      wayToIt: () =>
        database().selectFrom('paymentCustomers').select('provider').where('customerId', '=', customerId).execute(),
    }
  }

  it('pays nothing more from the moment it is deleted, and no way to it is left after the night', async () => {
    const { own, paid, wayToIt } = await aClosed()
    await deleteClosedBusiness.run({ kind: 'system', businessId: own.id }, {})
    expect(await paid()).toEqual(['canceled'])
    await nightly()
    expect(await wayToIt()).toEqual([])
  })

  it('pays nothing more after the night when its subscription was forgotten as its records went', async () => {
    const { own, paid, wayToIt } = await aClosed()
    const step = () =>
      own.db(
        async (db) =>
          (await sql<{ step: string }>`select delete_closed_business(${own.id}, 2000) as step`.execute(db)).rows[0]
            ?.step,
      )
    let last = await step()
    for (let steps = 1; last === 'more' && steps < 1000; steps++) last = await step()
    expect(last).toBe('gone')
    expect(await paid()).toEqual(['active'])
    await nightly()
    expect(await paid()).toEqual(['canceled'])
    expect(await wayToIt()).toEqual([])
  })

  it('keeps its subscription while it may still be opened again', async () => {
    const { own, paid } = await aClosed()
    await own.db((db) =>
      db
        .updateTable('businesses')
        .set({ deleteAfter: '2999-01-31T00:00:00.000Z' })
        .where('businessId', '=', own.id)
        .execute(),
    )
    await deleteClosedBusiness.run({ kind: 'system', businessId: own.id }, {})
    expect(await paid()).toEqual(['active'])
  })
})

describe('in production', () => {
  it('nobody plays the provider: its pages are 404, its signatures do not count, test subscriptions end', async () => {
    const own = await aNew()
    const sessionId = await subscribe(own, 'price_pro_month')
    Object.assign(config, { production: true })
    try {
      expect((await stranger.call(localPlansApi.checkout, { params: { sessionId } })).status).toBe(404)
      expect(
        (await stranger.call(localPlansApi.pay, { params: { sessionId }, body: { cardNumber: '4242' } })).status,
      ).toBe(404)
      expect((await stranger.call(localPlansApi.portal, { params: { sessionId } })).status).toBe(404)
      const answer = await checkoutFor(own)
      expect([answer.status, answer.error.code]).toEqual([503, 'unavailable'])
      await nightly()
      expect(await statusOf(own)).toMatchObject({ active: false, tier: null })
    } finally {
      Object.assign(config, { production: false })
    }
  })
})

describe('the conversion tag', () => {
  it('is told once, with the specified value, and not at all unless it is set up', async () => {
    const own = await aNew()
    await subscribe(own, 'price_pro_month')
    expect((await own.api.ok(subscriptionsApi.conversion, {})).url).toBeNull()
    Object.assign(config, { conversionUrl: 'https://tags.test/c?e={event}&v={value}&c={currency}&id={id}' })
    try {
      const claims = await Promise.all([1, 2, 3].map(() => own.api.ok(subscriptionsApi.conversion, {})))
      const urls = claims.map((c) => c.url).filter(Boolean)
      expect(urls).toHaveLength(1)
      expect(urls[0]).toMatch(/^https:\/\/tags\.test\/c\?e=premium&v=49\.99&c=USD&id=[0-9a-f-]{36}$/)
      const large = await aNew()
      await subscribe(large, 'price_enterprise_month')
      expect((await large.api.ok(subscriptionsApi.conversion, {})).url).toBeNull()
    } finally {
      Object.assign(config, { conversionUrl: undefined })
    }
  })
})

it('a plan that is nearly used up is told to the office once', async () => {
  const own = await aNew()
  await subscribe(own, 'price_basic_month')
  await own.db((db) =>
    db
      .insertInto('customers')
      .values(
        Array.from({ length: 20 }, (_, i) => ({ businessId: own.id, id: crypto.randomUUID(), name: `Customer ${i}` })),
      )
      .execute(),
  )
  await nightly()
  await nightly()
  const { notifications } = await own.api.ok(notificationsApi.list, {})
  expect(notifications.map((n) => n.title)).toEqual(['20 of 25 customers are used'])
})

it('texts are counted against the limit of the plan', async () => {
  const own = await aNew()
  await subscribe(own, 'price_basic_month')
  expect((await own.api.ok(messagesApi.usage, {})).segmentLimit).toBe(150)
})
