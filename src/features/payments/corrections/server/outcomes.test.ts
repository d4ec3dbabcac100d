import { afterEach, expect, it } from 'vitest'
import { failLocalRefund, refundInDashboard } from '../../../../local/payments/checkout.ts'
import { systemActor } from '../../../../platform/actor.ts'
import { clock, resetClock, setClock } from '../../../../platform/clock.ts'
import { database } from '../../../../platform/db/database.ts'
import { providerNamed } from '../../../../platform/payments/providers.ts'
import { apiFor, runTasks, stranger } from '../../../../test/api.ts'
import { aBankBusiness, accounts, passDays, payByBank } from '../../../../test/bank.ts'
import {
  aCardClock,
  aCustomer,
  accountOf,
  anInvoice,
  bookedIds,
  invoiceOf,
  openPage,
  payPage,
} from '../../../../test/cards.ts'
import { aBusiness, type TestBusiness } from '../../../../test/factories.ts'
import { today } from '../../../../test/field.ts'
import { notificationsApi } from '../../../notifications/contract.ts'
import { paymentsApi } from '../../contract.ts'
import { correctionsApi } from '../contract.ts'
import { compareBooks } from './queries.ts'
import { processRefundEvent, refundWork, sweepRefunds } from './tasks.ts'

/** What becomes of a refund whose answer was lost, or that somebody made in the provider's own dashboard. */

afterEach(() => resetClock())

const paid = async () => {
  const own = await aBusiness()
  const { id, token } = await anInvoice(own, await aCustomer(own))
  await payPage(await openPage(token))
  await stranger.ok(paymentsApi.sync, { params: { token } })
  await runTasks()
  return { own, id }
}
const refund = async (own: TestBusiness, id: string, amountCents: number, more: object = {}) =>
  own.api.ok(correctionsApi.refundPayment, {
    params: { id: (await invoiceOf(own, id)).payments[0]?.id ?? '' },
    body: { amountCents, method: 'card', onDay: today(), reason: 'Too much', ...more },
  })
const rows = (own: TestBusiness) =>
  own.db((db) =>
    db
      .selectFrom('refunds')
      .select(['id', 'status', 'method', 'byProvider', 'providerRefundId', 'amountCents'])
      .where('businessId', '=', own.id)
      .orderBy('id')
      .execute(),
  )
const forget = (own: TestBusiness) =>
  own.db((db) =>
    db
      .updateTable('refunds')
      .set({ status: 'pending', providerRefundId: null })
      .where('businessId', '=', own.id)
      .execute(),
  )
const given = async (own: TestBusiness) =>
  database()
    .selectFrom('localRefunds')
    .select('id')
    .where('paymentIntent', '=', (await bookedIds(own))[0] ?? '')
    .execute()
const told = (account: string, id: string, type = 'refund.updated') =>
  processRefundEvent({ provider: 'stripe', account, eventId: `evt_${id}`, type, payload: { data: { object: { id } } } })
const notices = async (own: TestBusiness) =>
  (await (await apiFor(own.owner)).ok(notificationsApi.list, {})).notifications.map(({ title, content }) => [
    title,
    content,
  ])

it('an answer that was lost comes by webhook: it went, and its customer hears of it', async () => {
  const { own, id } = await paid()
  await refund(own, id, 2000)
  await runTasks()
  const [before] = await rows(own)
  await forget(own)
  expect((await invoiceOf(own, id)).payments).toMatchObject([{ refundedCents: 2000, returningCents: 2000 }])
  await told(await accountOf(own), before?.providerRefundId ?? '')
  expect(await rows(own)).toEqual([before])
  expect((await invoiceOf(own, id)).payments).toMatchObject([{ refundedCents: 2000, returningCents: 0 }])
})

it.each([2000, 5000])(
  'asked for again after a day, when the provider forgot its key, $%i cents go back once',
  async (cents) => {
    const { own, id } = await paid()
    await refund(own, id, cents)
    await runTasks()
    const [before] = await rows(own)
    await forget(own)
    const later = clock.nowMs() + 30 * 3_600_000
    setClock(() => new Date(later))
    await refundWork.run(systemActor(own.id), { refundId: before?.id ?? '' })
    expect(await rows(own)).toEqual([before])
    expect(await given(own)).toHaveLength(1)
    expect(await own.db(compareBooks)).toEqual([])
  },
)

it('that nobody answered for is told to the office, and asked for again every hour', async () => {
  const { own, id } = await paid()
  await refund(own, id, 2000)
  const [asked] = await rows(own)
  await refundWork.gaveUp?.(systemActor(own.id), { refundId: asked?.id ?? '' })
  expect((await notices(own)).map(([title]) => title)).toContainEqual(
    expect.stringMatching(/^The refund of \$20\.00 to .+ is not through yet$/),
  )
  const later = clock.nowMs() + 3_600_000
  setClock(() => new Date(later))
  await sweepRefunds(systemActor(own.id))
  expect(await rows(own)).toMatchObject([{ status: 'succeeded' }])
})

it('made in the provider’s dashboard it is booked once, credited, told, and fails as any other', async () => {
  const { own, id } = await paid()
  const account = await accountOf(own)
  const elsewhere = await refundInDashboard((await bookedIds(own))[0] ?? '', 5000, account)
  await told(await accountOf(await aBusiness()), elsewhere.id)
  expect(await rows(own)).toEqual([])
  await Promise.all([told(account, elsewhere.id), told(account, elsewhere.id)])
  expect(await rows(own)).toMatchObject([
    { status: 'succeeded', byProvider: true, providerRefundId: elsewhere.id, amountCents: 5000 },
  ])
  // nobody is asked, or charged, for it again
  expect(await invoiceOf(own, id)).toMatchObject({ status: 'paid', balanceCents: 0 })
  const [notice] = (await notices(own)).filter(([title]) => title?.includes('outside Swath'))
  expect(notice?.[0]).toMatch(/^\$50\.00 went back to .+ outside Swath$/)
  expect(notice?.[1]).toMatch(/INV-\d+ is credited/)
  expect(await own.db(compareBooks)).toEqual([])
  await failLocalRefund(elsewhere.id)
  await told(account, elsewhere.id, 'refund.failed')
  expect(await rows(own)).toMatchObject([{ status: 'failed' }])
  expect(await own.db(compareBooks)).toEqual([])
})

it('refunded there before anybody heard, it is not said to be given back another way', async () => {
  const { own, id } = await paid()
  await refundInDashboard((await bookedIds(own))[0] ?? '', 5000, await accountOf(own))
  await refund(own, id, 5000)
  await runTasks()
  const found = (await rows(own)).map(({ status, amountCents }) => [status, Number(amountCents)])
  expect(found.sort()).toEqual([
    ['failed', 5000],
    ['succeeded', 5000],
  ])
  const [notice] = (await notices(own)).filter(([title]) => title?.includes('did not go through'))
  expect(notice?.[1]).toContain('$50.00 of this payment went back in your account at the card provider')
  expect(notice?.[1]).not.toContain('Give it back another way')
  expect(await own.db(compareBooks)).toEqual([])
})

it('a bank payment goes back to the account by who took it, or by hand: the books say which', async () => {
  const at = aCardClock()
  at.begin()
  const own = await aBankBusiness()
  const { id, token } = await anInvoice(own, await aCustomer(own))
  await payByBank(token, accounts.good)
  at.onDay(8)
  await passDays(own)
  const api = await apiFor(own.owner)
  const payment = (await invoiceOf(own, id)).payments[0]?.id ?? ''
  const give = (method: 'provider' | 'ach', amountCents: number) =>
    api.ok(correctionsApi.refundPayment, {
      params: { id: payment },
      body: { amountCents, method, onDay: at.day(8), reason: 'Too much', creditInvoices: true },
    })
  await give('provider', 2000)
  await give('ach', 500)
  await runTasks()
  expect(await rows(own)).toMatchObject([
    { method: 'ach', byProvider: true, status: 'succeeded', providerRefundId: expect.any(String) },
    { method: 'ach', byProvider: false, status: 'succeeded', providerRefundId: null },
  ])
  expect(providerNamed('local')).not.toBeNull()
  const query = `kind=journal&from=${at.day(8)}&to=${at.day(8)}`
  const { text } = await api.raw({ method: 'GET', url: `/api/books/csv?${query}` })
  expect(text).toContain('Undeposited Funds,,20.00')
  expect(text).toContain('Checking,,5.00')
})
