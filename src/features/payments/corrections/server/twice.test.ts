import { expect, it } from 'vitest'
import { aBusiness, type TestBusiness } from '../../../../test/factories.ts'
import { aLawn, today } from '../../../../test/field.ts'
import { invoicesApi } from '../../../invoices/contract.ts'
import { paymentsApi } from '../../contract.ts'
import { correctionsApi } from '../contract.ts'
import { compareBooks } from './queries.ts'

/** Nothing of an invoice is given back twice: as credit and as money, its work or its tax. */

const taxed = async (own: TestBusiness, customerId: string, cents: number, ratePercent = 0) => {
  const line = { description: 'Mowing', quantity: 1, unitPriceCents: cents }
  const { id } = await own.api.ok(invoicesApi.create, { body: { customerId, lines: [line] } })
  if (ratePercent > 0)
    await own.db(async (db) => {
      const taxCents = Math.round((cents * ratePercent) / 100)
      await db
        .updateTable('invoices')
        .set({ taxCents, totalCents: cents + taxCents })
        .where('businessId', '=', own.id)
        .where('id', '=', id)
        .execute()
    })
  await own.api.ok(invoicesApi.issue, { params: { id } })
  return id
}
const pay = (own: TestBusiness, id: string, amountCents: number) =>
  own.api.ok(paymentsApi.recordPayment, {
    params: { id },
    body: { method: 'check', amountCents, receivedOn: today() },
  })
const credit = (own: TestBusiness, id: string, amountCents: number) =>
  own.api.call(correctionsApi.creditInvoice, { params: { id }, body: { amountCents, reason: 'Not mowed' } })
const refund = (own: TestBusiness, payment: string, amountCents: number, more: object = {}) =>
  own.api.call(correctionsApi.refundPayment, {
    params: { id: payment },
    body: { amountCents, method: 'check', onDay: today(), reason: 'Not mowed', creditInvoices: true, ...more },
  })
const invoiceOf = (own: TestBusiness, id: string) => own.api.ok(invoicesApi.get, { params: { id } })
const creditOf = async (own: TestBusiness, id: string) =>
  (await own.api.ok(correctionsApi.listCredits, { params: { id } })).creditCents
const notesOf = (own: TestBusiness) =>
  own.db((db) =>
    db
      .selectFrom('creditNotes')
      .select(['invoiceId', 'totalCents', 'taxCents'])
      .where('businessId', '=', own.id)
      .orderBy('number')
      .execute(),
  )
const books = (own: TestBusiness) => own.db((db) => compareBooks(db))

it('credited, then wanted as money: the refund uses that credit up and writes no second note', async () => {
  const own = await aBusiness()
  const { customerId } = await aLawn(own)
  const id = await taxed(own, customerId, 5500)
  const payment = await pay(own, id, 5500)
  expect((await credit(own, id, 5500)).body).toMatchObject({ creditCents: 5500 })
  expect((await refund(own, payment.id, 5500)).body).toMatchObject({
    creditCents: 0,
    invoices: [{ status: 'paid', balanceCents: 0 }],
  })
  expect((await notesOf(own)).map(({ totalCents }) => totalCents)).toEqual([5500])
  expect(await creditOf(own, customerId)).toBe(0)
  expect(await books(own)).toEqual([])
})

it('a part that was credited stands in for as much of the money, a new note is over the rest', async () => {
  const own = await aBusiness()
  const { customerId } = await aLawn(own)
  const id = await taxed(own, customerId, 10_000)
  const payment = await pay(own, id, 10_000)
  await credit(own, id, 4000)
  expect((await refund(own, payment.id, 10_000)).body).toMatchObject({ creditCents: 0 })
  expect((await notesOf(own)).map(({ totalCents }) => totalCents)).toEqual([4000, 6000])
  expect((await credit(own, id, 1)).status).toBe(422)
  expect(await books(own)).toEqual([])
})

it('where the credit paid another invoice, the money goes back only as something that is owed again', async () => {
  const own = await aBusiness()
  const { customerId } = await aLawn(own)
  const id = await taxed(own, customerId, 5500)
  const payment = await pay(own, id, 5500)
  await credit(own, id, 5500)
  const next = await taxed(own, customerId, 5500)
  await own.api.ok(correctionsApi.useCredit, { params: { id: next }, body: { amountCents: 5500 } })
  const refused = await refund(own, payment.id, 5500)
  expect([refused.status, refused.error.message]).toEqual([
    409,
    expect.stringMatching(/^\$55\.00 of INV-\d+ was credited before, and that credit paid something else/),
  ])
  expect(await invoiceOf(own, id)).toMatchObject({ status: 'paid', balanceCents: 0 })
  expect((await refund(own, payment.id, 5500, { creditInvoices: false })).body).toMatchObject({
    invoices: [{ balanceCents: 5500 }],
  })
  expect(await books(own)).toEqual([])
})

it('a payment of several invoices is refunded from the invoice beside which it was pressed', async () => {
  const own = await aBusiness()
  const { customerId } = await aLawn(own)
  const first = await taxed(own, customerId, 10_000, 8.25)
  const second = await taxed(own, customerId, 8000)
  const payment = await pay(own, first, 18_825)
  await own.api.ok(correctionsApi.useCredit, { params: { id: second }, body: { amountCents: 8000 } })
  await refund(own, payment.id, 10_825, { invoiceId: first })
  expect(await notesOf(own)).toEqual([{ invoiceId: first, totalCents: 10_825, taxCents: 825 }])
  expect(await invoiceOf(own, second)).toMatchObject({ status: 'paid' })
  expect((await invoiceOf(own, second)).payments.map(({ id }) => id)).toEqual([payment.id])
  expect(await books(own)).toEqual([])
})

it.each([
  { net: 10_000, rate: 8.25, parts: [2707, 2706, 2706, 2706] },
  { net: 1000, rate: 8.3, parts: [...Array<number>(10).fill(100), 83] },
])('the notes of an invoice credit its tax to the cent: $net in $parts.length parts', async ({ net, rate, parts }) => {
  const own = await aBusiness()
  const { customerId } = await aLawn(own)
  const id = await taxed(own, customerId, net, rate)
  const { totalCents } = await invoiceOf(own, id)
  await pay(own, id, totalCents)
  for (const cents of parts) expect((await credit(own, id, cents)).status).toBe(200)
  const notes = await notesOf(own)
  const taxCents = notes.reduce((sum, note) => sum + Number(note.taxCents), 0)
  expect([notes.reduce((sum, note) => sum + Number(note.totalCents), 0), taxCents]).toEqual([
    totalCents,
    totalCents - net,
  ])
})
