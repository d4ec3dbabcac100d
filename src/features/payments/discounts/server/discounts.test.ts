import { beforeEach, describe, expect, it } from 'vitest'
import { systemActor } from '../../../../platform/actor.ts'
import { resetClock } from '../../../../platform/clock.ts'
import { runTasks, stranger } from '../../../../test/api.ts'
import { aBankBusiness, accounts, passDays, payFromBank, publicPage, setBank } from '../../../../test/bank.ts'
import {
  aCardClock,
  aCustomer,
  anInvoice,
  cards,
  invoiceOf,
  office,
  openPage,
  payPage,
} from '../../../../test/cards.ts'
import { aBusiness, type TestBusiness } from '../../../../test/factories.ts'
import { businessesApi } from '../../../businesses/contract.ts'
import { invoicesApi } from '../../../invoices/contract.ts'
import { paymentsApi } from '../../contract.ts'
import { correctionsApi } from '../../corrections/contract.ts'
import { failRefund } from '../../corrections/server/outcomes.ts'
import { compareBooks } from '../../corrections/server/queries.ts'

const at = aCardClock()
beforeEach(() => {
  resetClock()
  at.begin()
  return resetClock
})

const setDiscount = async (own: TestBusiness, cashDiscountBps: number) => {
  const api = await office(own)
  const { version } = await api.ok(businessesApi.get, {})
  return api.call(businessesApi.update, { body: { cashDiscountBps, version } })
}
const balanced = async (own: TestBusiness) => expect(await own.db(compareBooks)).toEqual([])
const standing = (own: TestBusiness) =>
  own.db((db) =>
    db
      .selectFrom('creditNotes')
      .innerJoin('payments', (join) =>
        join
          .onRef('payments.businessId', '=', 'creditNotes.businessId')
          .onRef('payments.id', '=', 'creditNotes.paymentId'),
      )
      .where('creditNotes.businessId', '=', own.id)
      .where('payments.status', '=', 'succeeded')
      .select(['creditNotes.totalCents', 'creditNotes.taxCents', 'creditNotes.reason'])
      .orderBy('creditNotes.number')
      .execute(),
  )
const owed = (own: TestBusiness, customerId: string) =>
  own.db(async (db) => {
    const row = await db
      .selectFrom('customerBalances')
      .select('balanceCents')
      .where('businessId', '=', own.id)
      .where('customerId', '=', customerId)
      .executeTakeFirst()
    return Number(row?.balanceCents ?? 0)
  })
/** A business that takes 3 % off, and a customer's invoice over $100. */
const discounted = async (bank = false) => {
  const own = bank ? await aBankBusiness() : await aBusiness()
  await setDiscount(own, 300)
  const customerId = await aCustomer(own)
  return { own, customerId, ...(await anInvoice(own, customerId, 10, 10_000)) }
}
const record = async (own: TestBusiness, id: string, amountCents: number, more: object = {}) =>
  (await office(own)).ok(paymentsApi.recordPayment, {
    params: { id },
    body: { method: 'check', amountCents, receivedOn: at.day(), ...more },
  })
const refund = async (own: TestBusiness, id: string, amountCents: number, creditInvoices = false) =>
  (await office(own)).ok(correctionsApi.refundPayment, {
    params: { id },
    body: { amountCents, method: 'check', onDay: at.day(), reason: 'Not mowed', creditInvoices },
  })

describe('a discount for paying without a card', () => {
  it('is off until the owner wants it, at most 10 %, and the page says what it comes to', async () => {
    const own = await aBusiness()
    const { id, token } = await anInvoice(own, await aCustomer(own), 10, 10_000)
    expect((await publicPage(token)).cashDiscount).toBe(null)
    expect((await invoiceOf(own, id)).cashDiscount).toBe(null)
    expect((await setDiscount(own, 1001)).status).toBe(422)
    expect((await setDiscount(own, 275)).status).toBe(200)
    expect((await publicPage(token)).cashDiscount).toMatchObject({ percent: '2.75%', cents: 275, payCents: 9725 })
    expect((await invoiceOf(own, id)).cashDiscount).toEqual({ percent: '2.75%', cents: 275 })
  })

  it('comes with a check that pays all but it, as a credit note with its tax; not with a card, a part or without being meant', async () => {
    const { own, customerId, id } = await discounted()
    expect(await record(own, id, 9700)).toMatchObject({ invoiceStatus: 'paid', balanceCents: 0, overpaymentCents: 0 })
    expect(await standing(own)).toEqual([
      { totalCents: 300, taxCents: 0, reason: 'Discount for paying without a card' },
    ])
    expect(await owed(own, customerId)).toBe(0)
    const api = await office(own)
    for (const [amountCents, more, open] of [
      [9700, { method: 'card' }, 300],
      [9699, {}, 301],
      [9700, { cashDiscount: false }, 300],
    ] as const) {
      const next = await anInvoice(own, customerId, 10, 10_000)
      expect((await record(own, next.id, amountCents, more)).balanceCents).toBeGreaterThanOrEqual(open)
      await api.ok(invoicesApi.get, { params: { id: next.id } })
    }
    expect(await standing(own)).toHaveLength(1)
    await balanced(own)
  })

  it('takes its tax off in proportion', async () => {
    const { own, customerId } = await discounted()
    const api = await office(own)
    const lines = [{ description: 'Fertilizer', quantity: 1, unitPriceCents: 10_000 }]
    const { id } = await api.ok(invoicesApi.create, { body: { customerId, lines } })
    await own.db((db) =>
      db
        .updateTable('invoices')
        .set({ taxCents: 700, totalCents: 10_700 })
        .where('businessId', '=', own.id)
        .where('id', '=', id)
        .execute(),
    )
    await api.ok(invoicesApi.issue, { params: { id } })
    expect(await record(own, id, 10_379)).toMatchObject({ invoiceStatus: 'paid' })
    expect(await standing(own)).toMatchObject([{ totalCents: 321, taxCents: 21 }])
    await balanced(own)
  })

  it('goes in proportion with what is owed again, stays with what is credited, and goes whole with a check that bounced', async () => {
    const { own, customerId, id } = await discounted()
    const { id: paymentId } = await record(own, id, 9700)
    await refund(own, paymentId, 4850)
    expect((await invoiceOf(own, id)).balanceCents).toBe(5000)
    expect(await standing(own)).toMatchObject([{ totalCents: 150 }])
    await refund(own, paymentId, 970, true)
    expect((await invoiceOf(own, id)).balanceCents).toBe(5000)
    expect((await standing(own)).map(({ totalCents }) => totalCents)).toEqual([150, 970])
    expect(await owed(own, customerId)).toBe(5000)
    const other = await anInvoice(own, customerId, 10, 10_000)
    const bounced = await record(own, other.id, 9700)
    const body = { reason: 'The check bounced' }
    await (await office(own)).ok(correctionsApi.reversePayment, { params: { id: bounced.id }, body })
    expect((await invoiceOf(own, other.id)).balanceCents).toBe(10_000)
    expect(await owed(own, customerId)).toBe(15_000)
    await balanced(own)
  })

  it('comes back with a refund that did not go, once', async () => {
    const { own, customerId, id } = await discounted()
    const { id: paymentId } = await record(own, id, 9700)
    await refund(own, paymentId, 9700)
    expect((await invoiceOf(own, id)).balanceCents).toBe(10_000)
    const row = await own.db((db) =>
      db.selectFrom('refunds').select('id').where('businessId', '=', own.id).executeTakeFirstOrThrow(),
    )
    await failRefund(systemActor(own.id), row.id, 'The check was not cashed.')
    await failRefund(systemActor(own.id), row.id, 'The check was not cashed.')
    expect(await invoiceOf(own, id)).toMatchObject({ status: 'paid', balanceCents: 0 })
    expect(await standing(own)).toMatchObject([{ totalCents: 300 }])
    expect(await owed(own, customerId)).toBe(0)
    await balanced(own)
  })

  it('from a bank account it is a page of its own that takes no card; nothing is open while the bank has not answered', async () => {
    const { own, customerId, id, token } = await discounted(true)
    const { url } = await stranger.ok(paymentsApi.payByBank, { params: { token }, body: {} })
    expect((await stranger.ok(paymentsApi.payByBank, { params: { token }, body: {} })).url).toBe(url)
    expect((await payPage(url, cards.good)).status).toBe(422)
    expect((await payFromBank(url)).body.result).toBe('paid')
    await runTasks()
    expect(await publicPage(token)).toMatchObject({ payableCents: 0, pending: { cents: 9700 }, cashDiscount: null })
    // what leaves the bank is less than what it settles
    expect((await invoiceOf(own, id)).pending).toMatchObject({ cents: 9700, coversCents: 10_000 })
    await passDays(own)
    expect(await invoiceOf(own, id)).toMatchObject({ status: 'paid', balanceCents: 0, pendingCents: 0 })
    expect(await standing(own)).toMatchObject([{ totalCents: 300 }])
    expect(await owed(own, customerId)).toBe(0)
    await balanced(own)
  })

  it('a debit that its bank takes back is owed again with the discount; the card page takes no bank beside it', async () => {
    const { own, customerId, id, token } = await discounted(true)
    expect((await payFromBank(await openPage(token))).status).toBe(422)
    const { url } = await stranger.ok(paymentsApi.payByBank, { params: { token }, body: {} })
    await payFromBank(url, accounts.takenBack)
    await runTasks()
    await passDays(own)
    expect(await invoiceOf(own, id)).toMatchObject({ status: 'paid' })
    await passDays(own)
    expect(await invoiceOf(own, id)).toMatchObject({ balanceCents: 10_000 })
    expect(await owed(own, customerId)).toBe(10_000)
    await balanced(own)
  })

  it('ended while the page was open it is not given, and other money leaves none', async () => {
    const { own, token } = await discounted(true)
    await setDiscount(own, 0)
    expect((await stranger.call(paymentsApi.payByBank, { params: { token }, body: {} })).status).toBe(409)
    await setDiscount(own, 300)
    await setBank(own, false)
    expect((await stranger.call(paymentsApi.payByBank, { params: { token }, body: {} })).status).toBe(409)
    await balanced(own)
  })
})
