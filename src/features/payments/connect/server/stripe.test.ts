import Stripe from 'stripe'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { systemActor } from '../../../../platform/actor.ts'
import { config } from '../../../../platform/config.ts'
import { readStripeSettings } from '../../../../platform/payments/stripe-settings.ts'
import { noteEventLook } from '../../../../platform/webhooks.ts'
import { runTasks, stranger } from '../../../../test/api.ts'
import { openSaving } from '../../../../test/cards.ts'
import { aBusiness, type TestBusiness } from '../../../../test/factories.ts'
import { aVisit } from '../../../../test/field.ts'
import { type FakeStripe, startFakeStripe } from '../../../../test/stripe.ts'
import { invoicesApi } from '../../../invoices/contract.ts'
import { cardsApi } from '../../cards/contract.ts'
import { chargeInvoice, planCharge } from '../../cards/server/charges.ts'
import { paymentsApi } from '../../contract.ts'
import { connectApi } from '../contract.ts'
import { storeMissedEvents, storeOwnMissedEvents } from './commands.ts'
import { findAccountRow } from './queries.ts'

/** Accounts of businesses at Stripe: every call through the real library, judged by Stripe's own specification. */

const secret = 'whsec_accounts'
const names = ['BASIC', 'PRO', 'ENTERPRISE'].flatMap((plan) => [`${plan}_MONTH`, `${plan}_YEAR`])
const use = (changes: Record<string, string | undefined> = {}) =>
  Object.assign(config, {
    stripe: readStripeSettings(
      {
        STRIPE_SECRET_KEY: 'sk_test_accounts',
        STRIPE_WEBHOOK_SECRET: 'whsec_ours',
        STRIPE_CONNECT_WEBHOOK_SECRET: secret,
        STRIPE_API_BASE: fake.url,
        ...Object.fromEntries(names.map((name) => [`STRIPE_PRICE_${name}`, `price_${name}`])),
        ...changes,
      },
      false,
    ),
  })

let fake: FakeStripe
beforeAll(async () => {
  fake = await startFakeStripe({})
  use()
})
afterAll(async () => {
  Object.assign(config, { stripe: { mode: 'off' } })
  await fake.close()
})

const tell = async (account: string, type: string, object: object) => {
  const payload = JSON.stringify({
    id: `evt_${account}_${Math.random()}`,
    object: 'event',
    account,
    type,
    data: { object },
  })
  const { status } = await stranger.raw({
    method: 'POST',
    url: '/api/webhooks/stripe',
    headers: {
      'content-type': 'application/json',
      'stripe-signature': Stripe.webhooks.generateTestHeaderString({ payload, secret }),
    },
    payload,
  })
  await runTasks()
  return status
}
const accountOf = async (own: TestBusiness) =>
  (
    await own.db((db) =>
      db
        .selectFrom('paymentAccounts')
        .select('accountId')
        .where('businessId', '=', own.id)
        .where('removedAt', 'is', null)
        .execute(),
    )
  ).map(({ accountId }) => accountId)

it('opens one account, reads its state, and charges on it and nowhere else', async () => {
  const own = await aBusiness({ cards: false })
  const links = await Promise.all([1, 2].map(() => own.api.ok(connectApi.connectAccount, {})))
  expect(links.every(({ url }) => url.startsWith('https://connect.stripe.test/setup/'))).toBe(true)
  const [account = '', ...more] = await accountOf(own)
  expect(more).toEqual([])
  const made = fake.calls.filter(({ path, method }) => path === '/v1/accounts' && method === 'POST')
  expect(new Set(made.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1)
  expect(made[0]?.body).toMatchObject({ metadata: { businessId: own.id }, controller: { fees: { payer: 'account' } } })
  expect(await own.api.ok(connectApi.syncAccount, {})).toMatchObject({
    state: 'incomplete',
    providerLabel: 'Stripe',
    requirements: ['A bank account for your payouts', 'Your Social Security number'],
  })
  const stored = fake.objects.get(account)
  Object.assign(stored ?? {}, {
    charges_enabled: true,
    payouts_enabled: true,
    details_submitted: true,
    requirements: { currently_due: [], past_due: [], disabled_reason: null },
  })
  expect(await tell(account, 'account.updated', { id: account, object: 'account' })).toBe(200)
  expect(await own.api.ok(connectApi.getAccount, {})).toMatchObject({ state: 'ready', takesCards: true })

  const visit = await aVisit(own, { status: 'completed', priceCents: 5500 })
  await own.api.ok(invoicesApi.createBatch, { body: { send: true } })
  const id = (await own.api.ok(invoicesApi.list, { query: { customerId: visit.customerId } })).items[0]?.id ?? ''
  const token = ((await own.api.ok(invoicesApi.get, { params: { id } })).publicPath ?? '').split('/').at(-1) ?? ''
  const { url } = await stranger.ok(paymentsApi.pay, { params: { token } })
  const session = url.split('/').at(-1) ?? ''
  const opened = fake.calls.find(({ path }) => path === '/v1/checkout/sessions')
  expect([opened?.account, opened?.status]).toEqual([account, 200])
  // open for an hour, not for Stripe's day, in which no card on file would be charged
  const [attempt] = await own.db((db) =>
    db.selectFrom('checkoutSessions').selectAll().where('businessId', '=', own.id).execute(),
  )
  const begun = Date.parse(attempt?.createdAt ?? '') / 1000
  expect(Math.round((Number(opened?.body.expires_at) - begun) / 60)).toBe(60)
  // the address of the page is a key to it: it is nowhere in our rows, and the same page is handed out again
  expect(JSON.stringify(attempt)).not.toContain('checkout.stripe.test')
  expect((await stranger.ok(paymentsApi.pay, { params: { token } })).url).toBe(url)
  Object.assign(fake.objects.get(session) ?? {}, {
    status: 'complete',
    payment_status: 'paid',
    payment_intent: 'pi_1',
    amount_total: 5500,
  })
  // told by another account, it is not there
  expect(await tell('acct_other', 'checkout.session.completed', { id: session, object: 'checkout.session' })).toBe(200)
  expect((await own.api.ok(invoicesApi.get, { params: { id } })).status).toBe('issued')
  await tell(account, 'checkout.session.completed', { id: session, object: 'checkout.session' })
  expect((await own.api.ok(invoicesApi.get, { params: { id } })).status).toBe('paid')
  expect(fake.calls.filter(({ status }) => status === 400)).toEqual([])

  Object.assign(stored ?? {}, { gone: true })
  await tell(account, 'account.application.deauthorized', { id: 'ca_1', object: 'application' })
  expect((await own.api.ok(connectApi.getAccount, {})).state).toBe('removed')
})

it('a page or a charge in an account of one business that names an invoice of another books nothing there', async () => {
  const [own, other] = [await aBusiness({ cards: false }), await aBusiness({ cards: false })]
  for (const one of [own, other]) {
    await one.api.ok(connectApi.connectAccount, {})
    const [account = ''] = await accountOf(one)
    Object.assign(fake.objects.get(account) ?? {}, {
      charges_enabled: true,
      payouts_enabled: true,
      details_submitted: true,
      requirements: { currently_due: [], past_due: [], disabled_reason: null },
    })
    await tell(account, 'account.updated', { id: account, object: 'account' })
  }
  await aVisit(own, { status: 'completed', priceCents: 5500 })
  await own.api.ok(invoicesApi.createBatch, { body: { send: true } })
  const id = (await own.api.ok(invoicesApi.list, { query: {} })).items[0]?.id ?? ''
  const { publicPath } = await own.api.ok(invoicesApi.get, { params: { id } })
  await stranger.ok(paymentsApi.pay, { params: { token: (publicPath ?? '').split('/').at(-1) ?? '' } })
  const attempt = await own.db((db) =>
    db.selectFrom('checkoutSessions').select('id').where('businessId', '=', own.id).executeTakeFirstOrThrow(),
  )
  // a press that was cut off: no page is noted yet that would tell the two apart
  await own.db((db) =>
    db.updateTable('checkoutSessions').set({ providerSessionId: null }).where('businessId', '=', own.id).execute(),
  )
  const [foreign = ''] = await accountOf(other)
  const metadata = { businessId: own.id, invoiceId: id, checkoutSessionId: attempt.id }
  const common = { account: foreign, livemode: false, created: 1_790_000_000, metadata }
  fake.objects.set('cs_forged', {
    ...common,
    id: 'cs_forged',
    object: 'checkout.session',
    mode: 'payment',
    status: 'complete',
    payment_status: 'paid',
    payment_intent: 'pi_forged',
    amount_total: 5500,
    expires_at: 1_790_086_400,
    url: 'https://checkout.stripe.test/cs_forged',
  })
  fake.objects.set('pi_forged', {
    ...common,
    id: 'pi_forged',
    object: 'payment_intent',
    status: 'succeeded',
    amount: 5500,
  })
  await tell(foreign, 'checkout.session.completed', { id: 'cs_forged', object: 'checkout.session' })
  await tell(foreign, 'payment_intent.succeeded', { id: 'pi_forged', object: 'payment_intent' })
  await own.db((db) =>
    db.updateTable('checkoutSessions').set({ kind: 'autopay' }).where('businessId', '=', own.id).execute(),
  )
  await tell(foreign, 'payment_intent.succeeded', { id: 'pi_forged', object: 'payment_intent' })
  const { status, payments } = await own.api.ok(invoicesApi.get, { params: { id } })
  expect([status, payments]).toEqual(['issued', []])
})

it('asks Stripe for the events of the last days and works off those that no webhook brought', async () => {
  const own = await aBusiness({ cards: false })
  await own.api.ok(connectApi.connectAccount, {})
  const [account = ''] = await accountOf(own)
  Object.assign(fake.objects.get(account) ?? {}, {
    charges_enabled: true,
    payouts_enabled: true,
    details_submitted: true,
    requirements: { currently_due: [], past_due: [], disabled_reason: null },
  })
  const event = (id: string, type: string) => ({
    id,
    object: 'event',
    type,
    created: 1_790_000_000,
    data: { object: { id: account, object: 'account' } },
  })
  const page = (data: object[], has_more: boolean) => ({
    status: 200,
    body: { object: 'list', url: '/v1/events', has_more, data },
  })
  fake.answerOnce(
    'GET',
    /^\/v1\/events$/,
    page([event('evt_b', 'account.updated'), event('evt_c', 'plan.created')], true),
  )
  fake.answerOnce('GET', /^\/v1\/events$/, page([event('evt_a', 'account.updated')], false))
  const look = async () => {
    const row = await own.db(findAccountRow)
    return row ? storeMissedEvents(systemActor(own.id), row) : null
  }
  expect(await look()).toBe(2)
  const asked = fake.calls.filter(({ path }) => path === '/v1/events')
  expect(asked.slice(0, 2).map((call) => [call.account, call.status])).toEqual([
    [account, 200],
    [account, 200],
  ])
  expect(new Set(asked.map((call) => call.account))).toEqual(new Set([account]))
  await runTasks()
  expect(await own.api.ok(connectApi.getAccount, {})).toMatchObject({ state: 'ready' })
  // an account that took our access away has nothing to tell
  Object.assign(fake.objects.get(account) ?? {}, { gone: true })
  expect(await look()).toBe(0)
})

it('a look for missed events that is cut off goes on at the day where it stopped, the oldest first', async () => {
  const own = await aBusiness({ cards: false })
  await own.api.ok(connectApi.connectAccount, {})
  const [account = ''] = await accountOf(own)
  const dayMs = 86_400_000
  const start = Date.now() - 10 * dayMs
  await own.db((db) =>
    db
      .updateTable('paymentAccounts')
      .set({ eventsLookedAt: new Date(start).toISOString() })
      .where('businessId', '=', own.id)
      .execute(),
  )
  const day = (ids: string[]) => ({
    status: 200,
    body: {
      object: 'list',
      url: '/v1/events',
      has_more: false,
      data: ids.map((id) => ({
        id,
        object: 'event',
        type: 'account.updated',
        created: 1_790_000_000,
        data: { object: { id: account, object: 'account' } },
      })),
    },
  })
  const broken = { status: 401, body: { error: { type: 'invalid_request_error', message: 'Not now' } } }
  const answers = (...list: { status: number; body: unknown }[]) => {
    for (const answer of list) fake.answerOnce('GET', /^\/v1\/events$/, answer)
  }
  const look = async () => {
    const row = await own.db(findAccountRow)
    return row ? storeMissedEvents(systemActor(own.id), row) : 0
  }
  const asked = () =>
    fake.calls
      .filter((call) => call.path === '/v1/events' && call.account === account)
      .map(({ query }) => Math.round((Number((query.created as { gte: string }).gte) * 1000 - start) / dayMs) + 0)
  answers(day(['evt_day_1']), day([]), day(['evt_day_3']), broken)
  await expect(look()).rejects.toThrow('Not now')
  expect(asked()).toEqual([-1, 0, 1, 2])
  answers(day(['evt_day_3']), day(['evt_day_4']), ...Array.from({ length: 9 }, () => day([])))
  expect(await look()).toBe(1)
  // one day is read again, the others are behind
  expect(asked().slice(4, 7)).toEqual([1, 2, 3])
  // other tests paid our own side through the local provider and may have looked at it on a day of their own
  await storeOwnMissedEvents()
  await noteEventLook('stripe', new Date(Date.now() - 3 * dayMs).toISOString())
  answers(day(['evt_own_1']), broken)
  await expect(storeOwnMissedEvents()).rejects.toThrow('Not now')
  answers(...Array.from({ length: 9 }, () => day([])))
  expect(await storeOwnMissedEvents()).toBe(0)
})

it('an older look at an account never replaces what a newer one saw', async () => {
  const own = await aBusiness({ cards: false })
  await own.api.ok(connectApi.connectAccount, {})
  const [account = ''] = await accountOf(own)
  const release = fake.holdOnce('GET', /^\/v1\/accounts\//)
  const slow = own.api.ok(connectApi.syncAccount, {})
  await expect.poll(() => fake.waiting()).toBe(1)
  Object.assign(fake.objects.get(account) ?? {}, {
    charges_enabled: true,
    payouts_enabled: true,
    details_submitted: true,
    requirements: { currently_due: [], past_due: [], disabled_reason: null },
  })
  await tell(account, 'account.updated', { id: account, object: 'account' })
  release()
  await slow
  expect((await own.api.ok(connectApi.getAccount, {})).state).toBe('ready')
})

it('without the second endpoint’s secret nobody is sent to a form that could not answer', async () => {
  use({ STRIPE_CONNECT_WEBHOOK_SECRET: undefined })
  const own = await aBusiness({ cards: false })
  const refused = await own.api.call(connectApi.connectAccount, {})
  expect([refused.status, refused.error.message]).toEqual([
    409,
    expect.stringContaining('STRIPE_CONNECT_WEBHOOK_SECRET'),
  ])
  expect((await own.api.ok(connectApi.getAccount, {})).state).toBe('unavailable')
  use()
})

it('keeps a card with the payment, charges it while its holder is away, and forgets it', async () => {
  const own = await aBusiness({ cards: false })
  await own.api.ok(connectApi.connectAccount, {})
  const [account = ''] = await accountOf(own)
  const ready = { charges_enabled: true, payouts_enabled: true, details_submitted: true }
  Object.assign(fake.objects.get(account) ?? {}, {
    ...ready,
    requirements: { currently_due: [], past_due: [], disabled_reason: null },
  })
  await own.api.ok(connectApi.syncAccount, {})
  const { customerId } = await aVisit(own, { status: 'completed', priceCents: 5500 })
  await own.db((db) =>
    db
      .updateTable('customers')
      .set({ email: 'ann@test.swath.test' })
      .where('businessId', '=', own.id)
      .where('id', '=', customerId)
      .execute(),
  )
  const issue = async () => {
    const lines = [{ description: 'Mowing', quantity: 1, unitPriceCents: 5500 }]
    const { id } = await own.api.ok(invoicesApi.create, { body: { customerId, termsDays: 0, lines } })
    await own.api.ok(invoicesApi.issue, { params: { id } })
    return id
  }
  const id = await issue()
  const token = ((await own.api.ok(invoicesApi.get, { params: { id } })).publicPath ?? '').split('/').at(-1) ?? ''
  const url = await openSaving(token)
  const session = url.split('/').at(-1) ?? ''
  expect(fake.calls.findLast(({ path }) => path === '/v1/checkout/sessions')?.body).toMatchObject({
    customer_creation: 'always',
    payment_intent_data: { setup_future_usage: 'off_session' },
  })
  const card = { brand: 'visa', last4: '4242', exp_month: 8, exp_year: 2040 }
  const method = { id: `pm_${own.id}`, object: 'payment_method', card }
  fake.objects.set(method.id, method)
  Object.assign(fake.objects.get(session) ?? {}, {
    status: 'complete',
    payment_status: 'paid',
    amount_total: 5500,
    customer: 'cus_1',
    payment_intent: {
      id: `pi_${own.id}`,
      setup_future_usage: 'off_session',
      payment_method: method,
      customer: 'cus_1',
    },
  })
  await tell(account, 'checkout.session.completed', { id: session, object: 'checkout.session' })
  const shown = await own.api.ok(cardsApi.getCard, { params: { id: customerId } })
  expect(shown.card).toMatchObject({ label: 'Visa ending in 4242', expires: '08/2040', autopay: true })

  const second = await issue()
  const actor = systemActor(own.id)
  await planCharge(actor, second)
  const today = () =>
    own.db((db) =>
      db.updateTable('autopayCharges').set({ chargeOn: '2026-01-01' }).where('businessId', '=', own.id).execute(),
    )
  await today()
  Object.assign(method, { declines: 'insufficient_funds' })
  await chargeInvoice(actor, second)
  expect((await own.api.ok(invoicesApi.get, { params: { id: second } })).status).toBe('issued')
  Object.assign(method, { declines: undefined })
  await today()
  await chargeInvoice(actor, second)
  expect((await own.api.ok(invoicesApi.get, { params: { id: second } })).status).toBe('paid')
  const charges = fake.calls.filter(({ path }) => path === '/v1/payment_intents')
  expect(charges.map(({ account: on, status }) => [on, status])).toEqual([
    [account, 402],
    [account, 200],
  ])
  expect(new Set(charges.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(2)
  expect(charges[0]?.body).toMatchObject({ off_session: 'true', confirm: 'true', amount: '5500', customer: 'cus_1' })
  await own.api.ok(cardsApi.removeCard, { params: { id: customerId } })
  await expect.poll(() => fake.calls.at(-1)?.path).toBe(`/v1/payment_methods/${method.id}/detach`)
  expect(fake.calls.filter(({ status }) => status === 400)).toEqual([])
})
