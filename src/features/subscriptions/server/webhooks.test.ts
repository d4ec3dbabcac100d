import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { endpointPlugins } from '../../../app-endpoints.ts'
import { advanceLocal, localBilling, setLocalCard } from '../../../local/payments/billing.ts'
import { setLocalPost, signEvent } from '../../../local/payments/events.ts'
import { clock, resetClock } from '../../../platform/clock.ts'
import { withTenant } from '../../../platform/db/tenant.ts'
import { takesAny } from '../../../shared/endpoint.ts'
import { runTasks, stranger, testServer } from '../../../test/api.ts'
import { aBusiness, type TestBusiness } from '../../../test/factories.ts'
import { checkoutFor, failingLater, payCheckout, subscribe } from '../../../test/plans.ts'
import { processSubscriptionEvent } from './tasks.ts'

/** Webhooks come unsigned, doubled, late, in any order and about others: the state in the end is the provider's. */

type Sent = { headers: Record<string, string>; payload: string }
const real = async (one: Sent) => {
  const app = await testServer()
  return (await app.inject({ method: 'POST', url: '/api/webhooks/stripe', ...one })).statusCode
}
let restore: () => void = () => undefined
afterEach(() => {
  restore()
  resetClock()
})

/** Holds back what the provider sends. */
const intercept = (): Sent[] => {
  const sent: Sent[] = []
  restore()
  restore = setLocalPost(async (_url, headers, payload) => {
    sent.push({ headers, payload })
    return 200
  })
  return sent
}

const accountOf = async (own: TestBusiness) =>
  (
    await own.db((db) =>
      db.selectFrom('billingAccounts').select('customerId').where('businessId', '=', own.id).executeTakeFirstOrThrow(),
    )
  ).customerId ?? ''

const stateOf = (own: TestBusiness) =>
  withTenant({ businessId: own.id }, async (db) => ({
    business: await db
      .selectFrom('businesses')
      .select(['planTier', 'subscriptionStatus', 'pastDueSince', 'trialEndsAt', 'subscriptionEndsAt'])
      .where('businessId', '=', own.id)
      .executeTakeFirstOrThrow(),
    subscriptions: await db
      .selectFrom('subscriptions')
      .select(['providerSubscriptionId', 'plan', 'period', 'status', 'cancelAt', 'periodEndsAt'])
      .where('businessId', '=', own.id)
      .orderBy('providerSubscriptionId')
      .execute(),
    invoices: await db
      .selectFrom('subscriptionInvoices')
      .select(['providerInvoiceId', 'status', 'totalCents', 'paidCents', 'attempts'])
      .where('businessId', '=', own.id)
      .orderBy('providerInvoiceId')
      .execute(),
    mails: (
      await db
        .selectFrom('messages')
        .select('dedupeKey')
        .where('businessId', '=', own.id)
        .orderBy('dedupeKey')
        .execute()
    ).map((m) => m.dedupeKey),
  }))

type Step = 'renew' | 'fail' | 'retry' | 'goodCard' | 'cancel' | 'resume' | 'upgrade' | 'downgrade' | 'end'
const prices = {
  upgrade: { plan: 'enterprise' as const, planName: 'Enterprise', period: 'month' as const, cents: 19_999 },
  downgrade: { plan: 'basic' as const, planName: 'Basic', period: 'month' as const, cents: 4999 },
}

const play = async (customerId: string, step: Step): Promise<void> => {
  const { subscriptions } = await localBilling.readCustomer(customerId)
  const live = subscriptions.find((s) => s.status !== 'canceled')
  if (!live) return
  if (step === 'renew') return advanceLocal(customerId, 'renew')
  if (step === 'fail') return advanceLocal(customerId, 'failPayment')
  if (step === 'retry') return advanceLocal(customerId, 'retry')
  if (step === 'goodCard')
    return void (await setLocalCard(customerId, { brand: 'visa', last4: '4242', declines: null }))
  if (step === 'end') return localBilling.cancelNow(live.id, customerId)
  if (step === 'cancel' || step === 'resume') return localBilling.setCancelAtEnd(live.id, customerId, step === 'cancel')
  await localBilling.changePlan(live.id, customerId, prices[step], '').catch(() => undefined)
}

const stored = ({ payload }: Sent) => {
  const event = JSON.parse(payload) as { id: string; type: string }
  return { provider: 'stripe', account: '', eventId: event.id, type: event.type, payload: event }
}

describe('events', () => {
  const runs = process.env.SWATH_TEST_LONG === '1' ? 10_000 : 12
  const steps = fc.array(
    fc.constantFrom<Step>('renew', 'fail', 'retry', 'goodCard', 'cancel', 'resume', 'upgrade', 'downgrade', 'end'),
    { minLength: 1, maxLength: 5 },
  )
  it(`in any order, doubled and at once, end in the provider's state (${runs} histories)`, async () => {
    const foreign = await aBusiness({ tier: null })
    await subscribe(foreign, 'price_enterprise_month')
    const before = await stateOf(foreign)
    await fc.assert(
      fc.asyncProperty(steps, fc.integer(), async (history, seed) => {
        const own = await aBusiness({ tier: null })
        const page = (await checkoutFor(own, seed % 2 ? 'price_pro_month' : 'price_basic_month')).body.sessionId ?? ''
        const sent = intercept()
        await payCheckout(page, failingLater)
        const customerId = await accountOf(own)
        const random = (n: number) => Math.abs((Math.imul(seed ^ (n + 1), 2_654_435_761) >>> 8) % 1000)
        let n = 0
        for (const step of history) {
          await play(customerId, step)
          // Some arrive while the provider goes on, older ones among them.
          const at = sent[random(n++) % Math.max(1, sent.length)]
          if (at && random(n++) % 2) await processSubscriptionEvent(stored(at))
        }
        const shuffled = [...sent, ...sent].map((one) => ({ one, key: random(n++) })).sort((a, b) => a.key - b.key)
        for (let i = 0; i < shuffled.length; i += 4)
          await Promise.all(shuffled.slice(i, i + 4).map(({ one }) => processSubscriptionEvent(stored(one))))
        const shuffledState = await stateOf(own)
        // In order, once more: nothing moves any more.
        for (const one of sent) await processSubscriptionEvent(stored(one))
        const { pastDueSince: a, ...rest } = shuffledState.business
        const again = await stateOf(own)
        const { pastDueSince: b, ...restAgain } = again.business
        expect({ ...again, business: restAgain, due: b === null }).toEqual({
          ...shuffledState,
          business: rest,
          due: a === null,
        })
        const truth = await localBilling.readCustomer(customerId)
        expect(again.subscriptions.map((s) => [s.providerSubscriptionId, s.plan, s.status])).toEqual(
          truth.subscriptions.map((s) => [s.id, s.plan, s.status]).sort(),
        )
        expect(again.invoices.map((i) => [i.providerInvoiceId, i.status, i.attempts])).toEqual(
          truth.invoices.map((i) => [i.id, i.status, i.attempts]).sort(),
        )
        restore()
      }),
      { numRuns: runs, seed: 20_261_121 },
    )
    expect(await stateOf(foreign)).toEqual(before)
  })

  it('unsigned, signed over other bytes, or too old are refused and leave nothing', async () => {
    const own = await aBusiness({ tier: null })
    const page = (await checkoutFor(own)).body.sessionId ?? ''
    const sent = intercept()
    await payCheckout(page)
    const [first] = sent
    if (!first) throw new Error('Nothing was sent.')
    const json = { 'content-type': 'application/json' }
    expect(await real({ headers: json, payload: first.payload })).toBe(400)
    expect(await real({ headers: { ...json, 'stripe-signature': 't=1,v1=00' }, payload: first.payload })).toBe(400)
    expect(await real({ headers: first.headers, payload: `${first.payload} ` })).toBe(400)
    await runTasks()
    expect((await stateOf(own)).business.subscriptionStatus).toBe('none')
    expect(await real(first)).toBe(200)
    expect(await real(first)).toBe(200)
    await runTasks()
    expect((await stateOf(own)).business.subscriptionStatus).toBe('active')
  })

  it.each([
    ['a customer nobody has', { object: 'subscription', id: 'sub_1', customer: 'cus_nobody' }, false],
    ['a connected account', { object: 'subscription', id: 'sub_1' }, false],
    ['live money while this is a test', { object: 'subscription', id: 'sub_1' }, true],
    ['a payload that claims to be paid', { object: 'subscription', id: 'sub_1', status: 'active' }, false],
    ['nothing at all', { object: 'balance', id: 'x' }, false],
  ])('about %s change nothing and are done with', async (_, object, livemode) => {
    const own = await aBusiness({ tier: null })
    await checkoutFor(own)
    const customer = await accountOf(own)
    const payload = JSON.stringify({
      id: `evt_${customer}_${clock.nowMs()}`,
      object: 'event',
      type: 'customer.subscription.updated',
      livemode,
      data: { object: { customer, ...object } },
    })
    const headers = { 'content-type': 'application/json', 'stripe-signature': await signEvent(payload) }
    expect(await real({ headers, payload })).toBe(200)
    await runTasks()
    const { business, subscriptions } = await stateOf(own)
    expect([business.subscriptionStatus, subscriptions]).toEqual(['none', []])
  })

  it('a subscription with another business’s mark is not taken over', async () => {
    const own = await aBusiness({ tier: null })
    const other = await aBusiness({ tier: null })
    await checkoutFor(own)
    const customerId = await accountOf(own)
    const page = await localBilling.openCheckout({
      purpose: 'subscription',
      customerId,
      businessId: other.id,
      price: prices.upgrade,
      trialDays: 0,
      coupon: null,
      successPath: '/payment-success',
      cancelPath: '/pricing',
      requestKey: `foreign:${own.id}`,
    })
    const { database } = await import('../../../platform/db/database.ts')
    const row = await database()
      .selectFrom('localBillingObjects')
      .select('payload')
      .where('id', '=', customerId)
      .executeTakeFirstOrThrow()
    await database()
      .updateTable('localBillingObjects')
      .set({ payload: JSON.stringify({ ...(row.payload as object), businessId: other.id }) })
      .where('id', '=', customerId)
      .execute()
    await payCheckout(page.id)
    await runTasks()
    for (const one of [own, other]) expect((await stateOf(one)).business.planTier).toBeNull()
  })
})

/** Calls behind the gated screens that go on without a subscription, each with its reason. */
const goOn: Record<string, string> = {
  'imports.undo': 'undoes what was brought in',
  'services.quotePrice': 'only computes',
  'jobs.previewChange': 'only shows what would happen',
  'invoices.printMany': 'draws what is there already, on paper',
  'invoices.link': 'leads customers to what they owe, and paying goes on',
  'quotes.record': 'writes down money that came in, as payments do',
  'quotes.keep': 'says whose the money is that came in',
  'reports.remove': 'ends its mails, which nobody is to be kept from',
  'invoices.revokeLink': 'takes an address back, which nobody is to be kept from',
}

describe('without a subscription', () => {
  const gated = [
    'jobs',
    'services',
    'invoices',
    'visits',
    'routes',
    'customers',
    'imports',
    'quotes',
    'leads',
    'reports',
  ]
  const changes = endpointPlugins
    .filter((plugin) => gated.includes(plugin.feature))
    .flatMap((plugin) =>
      Object.entries(plugin.contract).map(([name, endpoint]) => ({ name: `${plugin.feature}.${name}`, endpoint })),
    )
    .filter(({ endpoint, name }) => endpoint.method !== 'GET' && takesAny(endpoint, 'office', 'owner') && !goOn[name])
  it('every change of these hubs answers 402', () =>
    expect(changes.filter(({ endpoint }) => !endpoint.needsSubscription).map(({ name }) => name)).toEqual([]))

  it('reads, exports, paying and the crew go on', async () => {
    const own = await aBusiness({ tier: 'pro', status: 'unpaid' })
    const crew = await own.employee()
    for (const url of ['/api/customers', '/api/invoices', '/api/jobs', '/api/payment/subscription', '/api/business'])
      expect([url, (await own.api.raw({ method: 'GET', url })).status]).toEqual([url, 200])
    expect((await checkoutFor(own)).status).toBe(200)
    expect((await crew.api.raw({ method: 'POST', url: '/api/timeclock/clock-in', payload: {} })).status).not.toBe(402)
    const employees = endpointPlugins
      .flatMap((plugin) => Object.entries(plugin.contract))
      .filter(([, e]) => e.access === 'member' && e.needsSubscription)
    expect(employees.map(([name]) => name)).toEqual([])
    expect((await stranger.raw({ method: 'GET', url: '/api/payment/plans' })).status).toBe(200)
  })
})
