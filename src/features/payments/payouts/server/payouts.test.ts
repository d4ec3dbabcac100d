import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openLocalDispute } from '../../../../local/payments/disputes.ts'
import { setLocalPost } from '../../../../local/payments/events.ts'
import { cardFee } from '../../../../local/payments/moves.ts'
import {
  arriveLocalPayout,
  businessDaysAfter,
  failLocalPayout,
  payOutLocally,
} from '../../../../local/payments/payouts.ts'
import { systemActor } from '../../../../platform/actor.ts'
import { clock, resetClock, setClock } from '../../../../platform/clock.ts'
import { addDays, dayOf, instantAt, weekdayOf } from '../../../../shared/dates.ts'
import { runTasks } from '../../../../test/api.ts'
import { aCustomer, accountOf, anInvoice, office, openPage, payPage, tellOf } from '../../../../test/cards.ts'
import { aBusiness, aPerson, type TestBusiness } from '../../../../test/factories.ts'
import { expensesApi } from '../../../expenses/contract.ts'
import { closingApi } from '../../../invoices/closing/contract.ts'
import { invoicesApi } from '../../../invoices/contract.ts'
import { notificationsApi } from '../../../notifications/contract.ts'
import { correctionsApi } from '../../corrections/contract.ts'
import { compareBooks } from '../../corrections/server/queries.ts'
import { payoutsApi } from '../contract.ts'
import { lookAfterPayouts, syncPayout } from './sync.ts'

/** A Wednesday morning, so that no weekend lies between a payment and its payout. */
const zone = 'America/New_York'
let start = ''
const onDay = (ahead: number) => setClock(() => new Date(instantAt(addDays(start, ahead), 600, zone)))
beforeEach(() => {
  start = dayOf(clock.now(), zone)
  while (weekdayOf(start) !== 3) start = addDays(start, 1)
  onDay(0)
})
let restore: () => void = () => undefined
afterEach(() => {
  restore()
  restore = () => undefined
  resetClock()
})
const deaf = () => {
  restore()
  restore = setLocalPost(async () => 200)
}

const paidInvoice = async (own: TestBusiness, customerId: string, cents: number) => {
  const invoice = await anInvoice(own, customerId, 10, cents)
  await payPage(await openPage(invoice.token))
  await runTasks()
  return invoice
}
const list = async (own: TestBusiness) => (await office(own)).ok(payoutsApi.list, { query: {} })
const linesOf = async (own: TestBusiness, id: string) =>
  (await (await office(own)).ok(payoutsApi.lines, { params: { id }, query: {} })).items
const fees = async (own: TestBusiness) =>
  (await (await office(own)).ok(expensesApi.list, { query: { from: addDays(start, -300), to: addDays(start, 60) } }))
    .items
const payOut = async (own: TestBusiness) => {
  const id = await payOutLocally(await accountOf(own))
  await runTasks()
  return id ?? ''
}
const arrive = async (own: TestBusiness, id: string) => {
  await arriveLocalPayout(await accountOf(own), id)
  await runTasks()
}
const journal = async (own: TestBusiness, from = addDays(start, -30), to = addDays(start, 60)) =>
  (await (await office(own)).raw({ method: 'GET', url: `/api/books/csv?kind=journal&from=${from}&to=${to}` })).text
/** What the journal leaves on an account, in cents. */
const standsOn = async (own: TestBusiness, account: string): Promise<number> =>
  (await journal(own))
    .split('\r\n')
    .map((row) => row.split(','))
    .filter((row) => row[2] === account)
    .reduce((sum, row) => sum + Math.round((Number(row[3] || 0) - Number(row[4] || 0)) * 100), 0)

describe('payouts', () => {
  it('are on their way with the day they come, then arrive; each payment leads to its invoice', async () => {
    const own = await aBusiness()
    const customerId = await aCustomer(own)
    const first = await paidInvoice(own, customerId, 5000)
    await paidInvoice(own, customerId, 12_345)
    const id = await payOut(own)
    const fee = cardFee(5000) + cardFee(12_345)
    const net = 17_345 - fee
    const before = await list(own)
    expect(before.onItsWay).toEqual({ amountCents: net, count: 1, nextOn: businessDaysAfter(start, 2) })
    expect(before.items).toMatchObject([
      { state: 'on_its_way', amountCents: net, feeCents: fee, lineCount: 2, differenceCents: 0 },
    ])
    expect(await fees(own)).toEqual([])
    onDay(2)
    await arrive(own, id)
    const after = await list(own)
    expect(after.onItsWay).toMatchObject({ amountCents: 0, count: 0, nextOn: null })
    const payout = after.items[0]
    expect(payout).toMatchObject({ state: 'paid', amountCents: net })
    const lines = await linesOf(own, payout?.id ?? '')
    expect(lines).toMatchObject([
      {
        kind: 'payment',
        amountCents: 5000,
        feeCents: cardFee(5000),
        customer: { id: customerId },
        invoices: [{ id: first.id }],
      },
      { kind: 'payment', amountCents: 12_345 },
    ])
    const detail = await (await office(own)).ok(payoutsApi.get, { params: { id: payout?.id ?? '' } })
    expect(detail).toMatchObject({
      linesTold: 'all',
      failure: null,
      sums: [{ kind: 'payment', count: 2, amountCents: 17_345 }],
    })
    const csv = await (await office(own)).raw({ method: 'GET', url: `/api/payouts/${payout?.id}/csv` })
    expect(csv.text).toContain(`Together,,,,,173.45,${(fee / 100).toFixed(2)},${(net / 100).toFixed(2)},,`)
  })

  it('the fee is an expense of its own, once: what the customer paid is whole, and nobody changes it by hand', async () => {
    const own = await aBusiness()
    const customerId = await aCustomer(own)
    const { id } = await paidInvoice(own, customerId, 5000)
    const payout = await payOut(own)
    onDay(2)
    await arrive(own, payout)
    const account = await accountOf(own)
    for (let n = 0; n < 3; n++) await Promise.all([syncPayout(payout, account), syncPayout(payout, account)])
    const [fee, ...more] = await fees(own)
    expect(more).toEqual([])
    expect(fee).toMatchObject({
      totalCents: cardFee(5000),
      category: { name: 'Processing fees' },
      source: 'payout',
      day: start,
    })
    const api = await office(own)
    expect(await api.ok(invoicesApi.get, { params: { id } })).toMatchObject({ status: 'paid', paidCents: 5000 })
    const expense = await api.ok(expensesApi.get, { params: { id: fee?.id ?? '' } })
    expect(expense.can).toMatchObject({ update: false, remove: false })
    expect((await list(own)).items[0]?.id).toBe(expense.payoutId)
    const gone = await api.call(expensesApi.remove, { params: { id: expense.id }, body: { version: expense.version } })
    expect([gone.status, await fees(own)]).toMatchObject([409, [{ id: expense.id }]])
  })

  it('with refunds and a dispute of them clear in the journal to the cent', async () => {
    const own = await aBusiness()
    const customerId = await aCustomer(own)
    const { id } = await paidInvoice(own, customerId, 5000)
    await paidInvoice(own, customerId, 20_000)
    const api = await office(own)
    const [payment] = (await api.ok(invoicesApi.get, { params: { id } })).payments
    await api.ok(correctionsApi.refundPayment, {
      params: { id: payment?.id ?? '' },
      body: { amountCents: 1500, method: 'card', onDay: start, reason: 'A bed was left out', creditInvoices: true },
    })
    await runTasks()
    const lines = await own.db((db) =>
      db.selectFrom('payments').select(['providerPaymentId', 'amountCents']).where('businessId', '=', own.id).execute(),
    )
    const big = lines.find(({ amountCents }) => Number(amountCents) === 20_000)?.providerPaymentId ?? ''
    await openLocalDispute(await accountOf(own), big, { kind: 'dispute', reason: 'general', amountCents: 4000 })
    await runTasks()
    const payout = await payOut(own)
    onDay(2)
    await arrive(own, payout)
    const [item] = (await list(own)).items
    const fee = cardFee(5000) + cardFee(20_000) + 1500
    expect(item).toMatchObject({
      amountCents: 25_000 - 1500 - 4000 - fee,
      feeCents: fee,
      lineCount: 4,
      differenceCents: 0,
    })
    const kinds = (await linesOf(own, item?.id ?? '')).map(({ kind, customer }) => [kind, customer?.id])
    expect(kinds.sort()).toEqual([
      ['dispute', customerId],
      ['payment', customerId],
      ['payment', customerId],
      ['refund', customerId],
    ])
    expect([
      await standsOn(own, 'Undeposited Funds'),
      await standsOn(own, 'Checking'),
      await standsOn(own, 'Processing fees'),
    ]).toEqual([0, item?.amountCents, fee])
    expect(await standsOn(own, 'Uncategorized Income')).toBe(0)
    expect(await own.db(compareBooks)).toEqual([])
  })

  it('one that the bank sends back says why and what to do, once, and comes in the next', async () => {
    const own = await aBusiness()
    const customerId = await aCustomer(own)
    await paidInvoice(own, customerId, 5000)
    const first = await payOut(own)
    onDay(2)
    await arrive(own, first)
    onDay(5)
    const account = await accountOf(own)
    await failLocalPayout(account, first)
    await failLocalPayout(account, first)
    await runTasks()
    await syncPayout(first, account)
    const net = 5000 - cardFee(5000)
    const [failed] = (await list(own)).items
    expect(failed).toMatchObject({ state: 'failed', amountCents: net })
    const api = await office(own)
    const detail = await api.ok(payoutsApi.get, { params: { id: failed?.id ?? '' } })
    expect(detail.failure).toBe('The bank account is closed.')
    const told = (await api.ok(notificationsApi.list, { query: {} })).notifications.filter(({ title }) =>
      title.includes('did not reach'),
    )
    expect(told).toHaveLength(1)
    expect(told[0]?.content).toContain('Check the bank account')
    const second = await payOut(own)
    onDay(7)
    await arrive(own, second)
    const [next] = (await list(own)).items
    expect(next).toMatchObject({ state: 'paid', amountCents: net, feeCents: 0, differenceCents: 0 })
    expect((await linesOf(own, next?.id ?? '')).map(({ kind }) => kind)).toEqual(['returned'])
    expect(await fees(own)).toHaveLength(1)
    expect([await standsOn(own, 'Undeposited Funds'), await standsOn(own, 'Checking')]).toEqual([0, net])
  })

  it('one of which no word came is found at night, and a difference is named to the cent', async () => {
    const own = await aBusiness()
    const customerId = await aCustomer(own)
    await paidInvoice(own, customerId, 5000)
    deaf()
    onDay(1)
    await lookAfterPayouts(systemActor(own.id))
    expect((await list(own)).onItsWay.count).toBe(1)
    // the provider tells of a line less than it paid out
    await own.db((db) => db.updateTable('payouts').set({ amountCents: 1 }).where('businessId', '=', own.id).execute())
    expect((await list(own)).items[0]?.differenceCents).toBe(1 - (5000 - cardFee(5000)))
    onDay(5)
    await lookAfterPayouts(systemActor(own.id))
    expect((await list(own)).items).toMatchObject([{ state: 'paid', differenceCents: 0 }])
  })

  it('is dated in the open month where its own is closed', async () => {
    const own = await aBusiness()
    const customerId = await aCustomer(own)
    await paidInvoice(own, customerId, 5000)
    const payout = await payOut(own)
    deaf()
    await arriveLocalPayout(await accountOf(own), payout)
    onDay(40)
    const month = start.slice(0, 7)
    await (await office(own)).ok(closingApi.close, { body: { month, leaveOpen: true } })
    await syncPayout(payout, await accountOf(own))
    const row = await own.db((db) =>
      db.selectFrom('payouts').select(['bookedOn', 'status']).where('businessId', '=', own.id).executeTakeFirst(),
    )
    expect(row?.status).toBe('paid')
    expect((row?.bookedOn ?? '').slice(0, 7) > month).toBe(true)
    expect((await fees(own))[0]?.day.slice(0, 7)).not.toBe(month)
  })

  it('are of one business and for who may see money; another account’s event changes nothing', async () => {
    const [own, other] = [await aBusiness(), await aBusiness()]
    await paidInvoice(other, await aCustomer(other), 5000)
    const payout = await payOut(other)
    const id = (await list(other)).items[0]?.id ?? ''
    const api = await office(own)
    expect((await list(own)).items).toEqual([])
    expect((await api.call(payoutsApi.get, { params: { id } })).status).toBe(404)
    expect((await api.call(payoutsApi.lines, { params: { id }, query: {} })).status).toBe(404)
    expect((await api.raw({ method: 'GET', url: `/api/payouts/${id}/csv` })).status).toBe(404)
    const clerk = await aPerson(other.id, 'Admin', { permissions: ['customers'] })
    expect((await clerk.api.call(payoutsApi.list, { query: {} })).status).toBe(403)
    expect(await tellOf('payout.paid', { id: payout }, await accountOf(own))).toBe(200)
    expect([(await list(own)).items, (await list(other)).items]).toMatchObject([[], [{ state: 'on_its_way' }]])
  })
})
