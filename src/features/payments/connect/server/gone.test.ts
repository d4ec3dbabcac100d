import { afterAll, beforeAll, expect, it } from 'vitest'
import type { PaymentProvider, PaymentRequest } from '../../../../platform/payments/provider.ts'
import { stripeBilling } from '../../../../platform/payments/stripe-billing.ts'
import { readSession } from '../../../../platform/payments/stripe-checkout.ts'
import { readStripeSettings } from '../../../../platform/payments/stripe-settings.ts'
import { type FakeStripe, startFakeStripe } from '../../../../test/stripe.ts'

/** What Stripe refuses for good, and an account that it lets us at no more, through the real library. */

let fake: FakeStripe
let stripe: PaymentProvider
const names = ['BASIC', 'PRO', 'ENTERPRISE'].flatMap((plan) => [`${plan}_MONTH`, `${plan}_YEAR`])
beforeAll(async () => {
  fake = await startFakeStripe({})
  const settings = readStripeSettings(
    {
      STRIPE_SECRET_KEY: 'sk_test_gone',
      STRIPE_WEBHOOK_SECRET: 'whsec_ours',
      STRIPE_API_BASE: fake.url,
      ...Object.fromEntries(names.map((name) => [`STRIPE_PRICE_${name}`, `price_${name}`])),
    },
    false,
  )
  if (settings.mode !== 'ready') throw new Error('Stripe is not set up.')
  stripe = stripeBilling(settings)
})
afterAll(() => fake.close())

const mark = { businessId: 'b', invoiceId: 'i', checkoutSessionId: 'c' }
const page: PaymentRequest = {
  purpose: 'invoice',
  closesAt: '2099-01-01T00:00:00.000Z',
  savesCard: false,
  tipCents: 0,
  takesBank: false,
  mark,
  amountCents: 5000,
  description: 'INV-1',
  payeeName: 'Green',
  email: null,
  successPath: '/a',
  cancelPath: '/b',
  requestKey: 'page',
}
const kind = 'card' as const
const charge = {
  customerId: 'cus_1',
  methodId: 'pm_1',
  kind,
  amountCents: 5000,
  description: '',
  mark,
  requestKey: 'try',
}
const no = (code: string) => ({ status: 400, body: { error: { type: 'invalid_request_error', code, message: 'No.' } } })

it('an account that is shut has nothing to find, and refuses what is asked of it', async () => {
  fake.objects.set('acct_gone', { id: 'acct_gone', object: 'account', gone: true })
  expect(await stripe.findAccount('acct_gone')).toBeNull()
  expect(await stripe.findCheckout('cs_1', 'acct_gone')).toBeNull()
  expect(await stripe.findCharge('pi_1', 'acct_gone')).toBeNull()
  expect(await stripe.findRefund('re_1', 'acct_gone')).toBeNull()
  await stripe.expireCheckout('cs_1', 'acct_gone')
  await stripe.removeMethod('pm_1', 'acct_gone')
  const refused = { name: 'PaymentRefused', code: 'account_invalid' }
  const back = { paymentId: 'pi_1', amountCents: 1, mark: { businessId: 'b', refundId: 'r' }, requestKey: 'back' }
  await expect(stripe.refund(back, 'acct_gone')).rejects.toMatchObject(refused)
  await expect(stripe.chargeMethod(charge, 'acct_gone')).rejects.toMatchObject(refused)
  await expect(stripe.openCheckout(page, 'acct_gone')).rejects.toMatchObject(refused)
  // that it has no such charge is not said of an account that nobody can look at
  const asked = { customerId: 'cus_1', checkoutSessionId: 'c', since: '2026-01-01T00:00:00Z' }
  await expect(stripe.findChargeOf(asked, 'acct_gone')).rejects.toMatchObject(refused)
})

it('a refused page is a refusal and no failure of ours; a server error is none of both', async () => {
  fake.answerOnce('POST', /checkout\/sessions$/, no('account_invalid'))
  await expect(stripe.openCheckout(page, 'acct_1')).rejects.toMatchObject({ name: 'PaymentRefused' })
  fake.answerOnce('POST', /payment_intents$/, no('amount_too_small'))
  await expect(stripe.chargeMethod(charge, 'acct_1')).rejects.toMatchObject({ code: 'amount_too_small' })
  fake.answerOnce('POST', /payment_intents$/, no('resource_missing'))
  await expect(stripe.chargeMethod(charge, 'acct_1')).rejects.toMatchObject({ code: 'resource_missing' })
})

it('offers what answers at once, and finds the charge of a try without charging', async () => {
  await stripe.openCheckout({ ...page, requestKey: 'another page' }, 'acct_1')
  expect(fake.calls.at(-1)?.body).toMatchObject({ allowed_payment_method_types: ['card'] })
  const since = new Date(Date.now() - 60_000).toISOString()
  const asked = { customerId: 'cus_1', checkoutSessionId: 'c', since }
  expect(await stripe.findChargeOf(asked, 'acct_1')).toBeNull()
  const made = await stripe.chargeMethod({ ...charge, requestKey: 'another try' }, 'acct_1')
  const before = fake.calls.filter(({ method }) => method === 'POST').length
  expect(await stripe.findChargeOf(asked, 'acct_1')).toMatchObject({ id: made.id, status: 'paid' })
  expect(await stripe.findChargeOf({ ...asked, checkoutSessionId: 'other' }, 'acct_1')).toBeNull()
  expect(fake.calls.filter(({ method }) => method === 'POST')).toHaveLength(before)
  expect(fake.calls.filter(({ status }) => status === 400)).toHaveLength(3)
})

it.each([
  ['succeeded', null, 'paid'],
  ['processing', null, 'processing'],
  ['requires_confirmation', null, 'processing'],
  ['requires_payment_method', null, 'processing'],
  ['requires_payment_method', { code: 'card_declined', decline_code: 'lost_card' }, 'declined'],
  ['requires_action', null, 'declined'],
  ['canceled', null, 'declined'],
])('a charge that is %s with the error %j is %s', async (status, error, expected) => {
  const id = `pi_${status}_${error ? 'error' : 'none'}`
  fake.objects.set(id, {
    id,
    object: 'payment_intent',
    account: 'acct_1',
    status,
    last_payment_error: error,
    amount: 1,
    created: 1,
    metadata: {},
  })
  expect((await stripe.findCharge(id, 'acct_1'))?.status).toBe(expected)
})

const bank = { id: 'pm_bank', type: 'us_bank_account', us_bank_account: { bank_name: 'First Bank', last4: '6789' } }
it.each([
  ['processing', 'unpaid', { payment_method: bank }, { processing: true, problem: null, paymentId: null }],
  ['succeeded', 'paid', { payment_method: bank }, { processing: false, problem: null, paymentId: 'pi_1' }],
  [
    'requires_payment_method',
    'unpaid',
    { payment_method: null, last_payment_error: { code: 'account_closed', payment_method: bank } },
    { processing: false, problem: 'account_closed', paymentId: null },
  ],
] as const)('a page paid from a bank account whose payment is %s', (status, paid, intent, expected) => {
  const page = {
    id: 'cs_1',
    status: 'complete',
    payment_status: paid,
    metadata: {},
    payment_intent: {
      id: 'pi_1',
      status,
      customer: 'cus_1',
      setup_future_usage: 'off_session',
      payment_method_types: ['card', 'us_bank_account'],
      ...intent,
    },
  }
  const read = readSession(page as never)
  expect(read).toMatchObject({ ...expected, method: 'bank' })
  expect(read.saved?.kind ?? null).toBe(intent.payment_method ? 'bank' : null)
  expect(read.paidAt).toBeNull()
})

it('a page paid by card tells when its card was charged', () => {
  const payment_intent = {
    id: 'pi_1',
    status: 'succeeded',
    payment_method_types: ['card'],
    payment_method: { type: 'card' },
    latest_charge: { id: 'ch_1', created: 1_780_000_000 },
  }
  const page = { id: 'cs_1', status: 'complete', payment_status: 'paid', metadata: {}, payment_intent }
  expect(readSession(page as never).paidAt).toBe('2026-05-28T20:26:40.000Z')
})
