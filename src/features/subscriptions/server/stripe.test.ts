import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import Stripe from 'stripe'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { config } from '../../../platform/config.ts'
import { readInvoice, readSubscription, stripeClient } from '../../../platform/payments/stripe-billing.ts'
import { readStripeSettings, stripeNames } from '../../../platform/payments/stripe-settings.ts'
import { runTasks, stranger } from '../../../test/api.ts'
import { aBusiness } from '../../../test/factories.ts'
import { aCoupon, checkoutFor } from '../../../test/plans.ts'
import { type FakeStripe, judge, startFakeStripe } from '../../../test/stripe.ts'
import { integrationsApi } from '../../integrations/contract.ts'
import { subscriptionsApi } from '../contract.ts'
import { syncBusiness } from './sync.ts'

/** Stripe's contract: every call through the real library against its own specification. */

const amounts = {
  basic_month: 4999,
  basic_year: 49_999,
  pro_month: 7999,
  pro_year: 79_999,
  enterprise_month: 19_999,
  enterprise_year: 199_999,
}
const webhookSecret = 'whsec_contract'
const environment = (changes: Record<string, string | undefined> = {}): Record<string, string | undefined> => ({
  STRIPE_SECRET_KEY: 'sk_test_contract',
  STRIPE_WEBHOOK_SECRET: webhookSecret,
  ...Object.fromEntries(Object.keys(amounts).map((key) => [`STRIPE_PRICE_${key.toUpperCase()}`, `price_live_${key}`])),
  ...changes,
})

let fake: FakeStripe
const use = (changes?: Record<string, string | undefined>) =>
  Object.assign(config, { stripe: readStripeSettings(environment({ STRIPE_API_BASE: fake.url, ...changes }), false) })
beforeAll(async () => {
  fake = await startFakeStripe(amounts)
  use()
})
afterAll(async () => {
  Object.assign(config, { stripe: { mode: 'off' } })
  await fake.close()
})
const aNew = () => aBusiness({ tier: null })

const post = (event: Record<string, unknown>, secret = webhookSecret) => {
  const payload = JSON.stringify({ object: 'event', livemode: false, created: Math.floor(Date.now() / 1000), ...event })
  return stranger.raw({
    method: 'POST',
    url: '/api/webhooks/stripe',
    headers: {
      'content-type': 'application/json',
      'stripe-signature': Stripe.webhooks.generateTestHeaderString({ payload, secret }),
    },
    payload,
  })
}

const declined = {
  status: 402,
  body: { error: { type: 'card_error', code: 'card_declined', message: 'Your card was declined.' } },
}

describe('the whole way of a subscription', () => {
  it('speaks only calls that Stripe knows, each answered with 200', async () => {
    const own = await aNew()
    const code = `FALL${Date.now() % 100_000}`
    await aCoupon(code)
    const clicks = await Promise.all([1, 2].map(() => checkoutFor(own, 'price_basic_month', code)))
    expect(new Set(clicks.map((c) => c.body.sessionId)).size).toBe(1)
    const { sessionId, url } = clicks[0]?.body ?? {}
    expect(url).toBe(`https://checkout.stripe.test/${sessionId}`)
    const subscriptionId = fake.completeCheckout(sessionId ?? '')
    const customer = String(fake.objects.get(subscriptionId)?.customer)
    const event = {
      id: `evt_${subscriptionId}`,
      type: 'customer.subscription.created',
      data: { object: { id: subscriptionId, object: 'subscription', customer } },
    }
    expect((await post(event, 'whsec_somebody')).status).toBe(400)
    expect((await post(event)).status).toBe(200)
    expect((await post(event)).status).toBe(200)
    await runTasks()
    expect(await own.api.ok(subscriptionsApi.status, {})).toMatchObject({
      active: true,
      tier: 'basic',
      status: 'trialing',
    })
    expect((await stranger.ok(subscriptionsApi.confirm, { params: { sessionId: sessionId ?? '' } })).state).toBe(
      'confirmed',
    )
    expect(await own.api.ok(subscriptionsApi.get, {})).toMatchObject({
      provider: 'stripe',
      livemode: false,
      couponCode: code,
      card: { last4: '4242' },
    })
    const preview = await own.api.ok(subscriptionsApi.previewChange, { query: { priceId: 'price_live_pro_year' } })
    expect(preview).toMatchObject({ plan: 'pro', period: 'year', dueNowCents: 4321, endsTrial: true })
    expect((await own.api.ok(subscriptionsApi.change, { body: { priceId: 'price_live_pro_year' } })).plan).toBe('pro')
    expect((await own.api.ok(subscriptionsApi.cancel, {})).endsAt).not.toBeNull()
    expect((await own.api.ok(subscriptionsApi.resume, {})).endsAt).toBeNull()
    expect((await own.api.ok(subscriptionsApi.portal, {})).url).toBe('https://billing.stripe.test/p')
    // One customer, whatever was clicked.
    const made = fake.calls.filter((c) => c.method === 'POST' && c.path === '/v1/customers' && c.status === 200)
    expect(new Set(made.map((c) => c.idempotencyKey)).size).toBe(1)
    // The one call that may fail looks whether the code is there yet.
    const failed = fake.calls
      .filter((c) => c.status !== 200)
      .map((c) => `${c.status} ${c.method} ${c.path.replace(/swath-.*/, '')}`)
    expect(new Set(failed)).toEqual(new Set(['404 GET /v1/coupons/']))
  })

  it('a declined card changes nothing, in words', async () => {
    const own = await aNew()
    fake.completeCheckout((await checkoutFor(own, 'price_pro_month')).body.sessionId ?? '')
    fake.answerOnce('POST', /^\/v1\/subscriptions\//, declined)
    const answer = await own.api.call(subscriptionsApi.change, { body: { priceId: 'price_enterprise_month' } })
    expect([answer.status, answer.error.message]).toEqual([
      409,
      'Your card was declined. Nothing was charged and your plan is as it was. Update the card, then try again.',
    ])
    expect((await own.api.ok(subscriptionsApi.get, {})).plan).toBe('pro')
    expect((await own.api.ok(subscriptionsApi.change, { body: { priceId: 'price_enterprise_month' } })).plan).toBe(
      'enterprise',
    )
  })
})

describe('two looks at once', () => {
  it('the one that began earlier and saw less does not write over the later one', async () => {
    const own = await aNew()
    const id = fake.completeCheckout((await checkoutFor(own, 'price_pro_month')).body.sessionId ?? '')
    await syncBusiness(own.id)
    const release = fake.holdOnce('GET', /^\/v1\/subscriptions$/)
    const early = syncBusiness(own.id)
    await expect.poll(() => fake.waiting()).toBe(1)
    const subscription = fake.objects.get(id)
    if (subscription) fake.objects.set(id, { ...subscription, status: 'canceled', ended_at: 1_800_000_000 })
    await syncBusiness(own.id)
    expect(await own.api.ok(subscriptionsApi.status, {})).toMatchObject({ active: false, status: 'canceled' })
    release()
    await early
    expect(await own.api.ok(subscriptionsApi.status, {})).toMatchObject({ active: false, status: 'canceled' })
  })
})

describe('an answer that is none', () => {
  it('is not taken for success: the HTTP status counts', async () => {
    if (config.stripe.mode !== 'ready') throw new Error('Stripe is not set up.')
    const client = await stripeClient(config.stripe)
    const seen: number[] = []
    const note = (event: { status: number }) => seen.push(event.status)
    client.on('response', note)
    try {
      await client.customers.create({ name: 'Status' })
      expect(seen).toEqual([200])
      fake.answerOnce('POST', /customers$/, { status: 404, body: { message: 'Not Found' } })
      await expect(client.customers.create({ name: 'Proxy' }, { maxNetworkRetries: 0 })).rejects.toThrow(
        /404 without saying why|connection/i,
      )
      fake.answerOnce('POST', /customers$/, declined)
      await expect(client.customers.create({ name: 'Card' })).rejects.toMatchObject({
        type: 'StripeCardError',
        statusCode: 402,
      })
      expect(seen.at(-1)).toBe(402)
    } finally {
      client.off('response', note)
    }
  })

  it('a wrong price sells nothing', async () => {
    const price = fake.objects.get('price_live_pro_month') as unknown as { unit_amount: number }
    price.unit_amount = 5
    use({ STRIPE_SECRET_KEY: 'sk_test_other' })
    try {
      const own = await aNew()
      const answer = await checkoutFor(own)
      expect([answer.status, answer.error.message]).toEqual([
        503,
        expect.stringContaining('Failed to create checkout session'),
      ])
      const { items } = await own.api.ok(integrationsApi.list, {})
      expect(items.find((one) => one.key === 'plans')?.message).toContain('should be 79.99 USD a month')
    } finally {
      price.unit_amount = 7999
      use()
    }
  })
})

describe('the specification as a gate', () => {
  it.each([
    ['POST', '/v1/checkout/sessions', { mode: 'subscription', customer: 'cus_1', succes_url: 'x' }],
    ['POST', '/v1/checkout/sessions', { mode: 'subscribe' }],
    ['POST', '/v1/checkout/sessions', { mode: 'subscription', subscription_data: { trial_days: '14' } }],
    ['POST', '/v1/subscriptions/sub_1', { proration_behavior: 'sometimes' }],
    ['POST', '/v1/invoices/create_preview', { subscription_details: { proration: 'none' } }],
    ['POST', '/v1/customer', { name: 'x' }],
  ])('refuses %s %s with %j', (method, path, body) => expect(judge(method, path, body, {})).not.toBeNull())
  it('refuses a query that is not there', () =>
    expect(judge('GET', '/v1/subscriptions', {}, { costumer: 'x' })).toContain('costumer'))
})

describe('set up', () => {
  it.each([
    [{}, 'ready', ''],
    [Object.fromEntries(stripeNames.map((name) => [name, undefined])), 'off', ''],
    [{ STRIPE_WEBHOOK_SECRET: undefined }, 'incomplete', 'STRIPE_WEBHOOK_SECRET is not set'],
    [{ STRIPE_PRICE_PRO_YEAR: '', STRIPE_PRICE_PRO_MONTH: undefined }, 'incomplete', 'are not set'],
    [{ STRIPE_SECRET_KEY: 'pk_test_public' }, 'incomplete', 'does not look like'],
    [{ STRIPE_WEBHOOK_SECRET: 'secret' }, 'incomplete', 'does not look like'],
    [{ STRIPE_PRICE_PRO_YEAR: 'price_live_pro_month' }, 'incomplete', 'stands for two'],
    [{ STRIPE_SECRET_KEY: 'sk_live_contract' }, 'incomplete', 'needs PUBLIC_URL'],
  ])('%j is %s', (changes, mode, reason) => {
    const settings = readStripeSettings(environment(changes as Record<string, string>), false)
    expect(settings.mode).toBe(mode)
    expect(settings.mode === 'incomplete' ? settings.reason : '').toContain(reason)
  })

  it('half of it sells nothing, not even on the test checkout', async () => {
    use({ STRIPE_WEBHOOK_SECRET: undefined })
    try {
      const own = await aNew()
      expect((await checkoutFor(own)).status).toBe(503)
      const { items } = await own.api.ok(integrationsApi.list, {})
      expect(items.find((one) => one.key === 'plans')).toMatchObject({
        mode: 'off',
        missing: [{ name: 'STRIPE_WEBHOOK_SECRET' }],
      })
    } finally {
      use()
    }
  })

  it('a live key takes live money, and earlier prices are still known', () => {
    const settings = readStripeSettings(
      environment({ STRIPE_SECRET_KEY: 'sk_live_x', STRIPE_PRICE_PRO_MONTH: 'price_new, price_old' }),
      true,
    )
    expect(settings).toMatchObject({ mode: 'ready', livemode: true, prices: { pro_month: ['price_new', 'price_old'] } })
  })
})

/** Shapes as Stripe publishes them; not part of the product, so the folder is named by whoever has it. */
const folder = process.env.SWATH_STRIPE_FIXTURES ?? ''
const file = ['stripe-fixtures3.json', 'fixtures3.json']
  .map((name) => join(folder, name))
  .find((path) => folder && existsSync(path))
describe.runIf(file)('shapes of Stripe’s own fixtures', () => {
  const { resources } = file
    ? (JSON.parse(readFileSync(file, 'utf8')) as { resources: Record<string, unknown> })
    : { resources: {} }
  it('a subscription and an invoice are read whole', () => {
    const s = readSubscription(resources.subscription as Stripe.Subscription, () => 'pro')
    expect(s).toMatchObject({ plan: 'pro', period: 'month', priceCents: 2000 })
    expect(s.periodEndsAt).toMatch(/^\d{4}-/)
    const invoice = readInvoice(resources.invoice as Stripe.Invoice)
    expect(invoice).toMatchObject({ status: 'draft', totalCents: 1000, attempts: 0 })
    expect(Object.values(invoice)).not.toContain(undefined)
  })
})
if (!file)
  console.info(
    'Stripe’s fixtures are not here (SWATH_STRIPE_FIXTURES names no folder with them): shapes of its answers are not compared.',
  )
