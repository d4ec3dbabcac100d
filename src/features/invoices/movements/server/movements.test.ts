import { expect, it } from 'vitest'
import { addDays } from '../../../../shared/dates.ts'
import { apiFor } from '../../../../test/api.ts'
import { aBusiness, aPerson, type TestBusiness } from '../../../../test/factories.ts'
import { aLawn, today } from '../../../../test/field.ts'
import { paymentsApi } from '../../../payments/contract.ts'
import { correctionsApi } from '../../../payments/corrections/contract.ts'
import { checkMonth } from '../../closing/server/queries.ts'
import { invoicesApi } from '../../contract.ts'
import { movementsApi } from '../contract.ts'
import { type MovementView, movementViews } from '../rules.ts'

const period = { from: addDays(today(), -30), to: today() }
const read = (own: Pick<TestBusiness, 'api'>, view: MovementView, more = {}) =>
  own.api.ok(movementsApi.list, { query: { view, ...period, ...more } })

const anIssued = async (own: TestBusiness, unitPriceCents = 10_000) => {
  const { customerId } = await aLawn(own)
  const lines = [{ description: 'Mulch', quantity: 1, unitPriceCents }]
  const { id } = await own.api.ok(invoicesApi.create, { body: { customerId, lines } })
  await own.api.ok(invoicesApi.issue, { params: { id } })
  return id
}
const pay = (own: TestBusiness, id: string, method: 'check' | 'cash', amountCents: number, note = '') =>
  own.api.ok(paymentsApi.recordPayment, { params: { id }, body: { method, amountCents, receivedOn: today(), note } })

it('names what came with its receipt, its note and its invoice, and by which way', async () => {
  const own = await aBusiness()
  const [a, b] = [await anIssued(own), await anIssued(own)]
  await pay(own, a, 'check', 4000, 'No. 1204')
  await pay(own, b, 'cash', 10_000)
  const { items, count, totalCents, ways } = await read(own, 'received')
  expect([count, totalCents, ways]).toEqual([
    2,
    -14_000,
    [
      { method: 'Cash', count: 1, cents: 10_000 },
      { method: 'Check', count: 1, cents: 4000 },
    ],
  ])
  expect(items.map(({ label, note, amountCents, invoiceId }) => [label, note, amountCents, invoiceId])).toEqual([
    ['Payment by cash, R-1002', '', -10_000, b],
    ['Payment by check, R-1001', 'No. 1204', -4000, a],
  ])
})

it('each list is the sum of its month, whatever moved, and leads to the invoice', async () => {
  const own = await aBusiness()
  const [a, b, c, d] = [await anIssued(own), await anIssued(own), await anIssued(own), await anIssued(own)]
  const { id: first } = await pay(own, a, 'check', 10_000)
  await own.api.ok(correctionsApi.refundPayment, {
    params: { id: first },
    body: { amountCents: 2500, method: 'check', reason: 'Gate left open', onDay: today() },
  })
  const { id: wrong } = await pay(own, b, 'cash', 3000)
  await own.api.ok(correctionsApi.reversePayment, { params: { id: wrong }, body: { reason: 'Typed twice' } })
  await own.api.ok(correctionsApi.creditInvoice, {
    params: { id: b },
    body: { amountCents: 1000, reason: 'Back yard' },
  })
  await own.api.ok(invoicesApi.voidInvoice, { params: { id: c } })
  await own.api.ok(invoicesApi.writeOff, { params: { id: d }, body: { reason: 'Moved away' } })
  const { sums } = await own.db((db) => checkMonth(db, today().slice(0, 7)))
  const month = { from: `${today().slice(0, 7)}-01`, to: today() }
  const of = Object.fromEntries(
    await Promise.all(movementViews.map(async (view) => [view, await read(own, view, month)] as const)),
  )
  expect(Object.fromEntries(movementViews.map((view) => [view, of[view]?.totalCents]))).toEqual({
    received: sums.paidCents,
    invoiced: sums.invoicedCents,
    credited: sums.creditedCents,
    refunded: sums.refundedCents,
    disputed: sums.disputedCents,
    tips: sums.tipsCents,
    other: sums.otherCents,
    all: sums.togetherCents,
  })
  for (const view of movementViews)
    expect(of[view]?.items.reduce((sum, { amountCents }) => sum + amountCents, 0)).toBe(of[view]?.totalCents)
  expect(of.received?.items.map(({ takenBack }) => takenBack)).toEqual([true, false])
  expect(of.refunded?.items.map(({ invoiceId, note }) => [invoiceId, note])).toEqual([[a, 'Gate left open']])
  expect(of.all?.items.every(({ invoiceId }) => invoiceId !== null)).toBe(true)
})

it('goes on page by page, takes a year at most, and is for who sees money', async () => {
  const own = await aBusiness()
  const id = await anIssued(own)
  for (let n = 1; n <= 3; n++) await pay(own, id, 'cash', 100 * n)
  const first = await read(own, 'received', { limit: 2 })
  const second = await read(own, 'received', { limit: 2, cursor: first.nextCursor })
  expect([...first.items, ...second.items].map(({ amountCents }) => amountCents)).toEqual([-300, -200, -100])
  expect([first.count, second.nextCursor]).toEqual([3, null])
  const long = { view: 'all' as const, from: '2020-01-01', to: today() }
  expect((await own.api.call(movementsApi.list, { query: long })).status).toBe(422)
  const crew = await apiFor(await aPerson(own.id, 'Employee'))
  expect((await crew.call(movementsApi.list, { query: { ...period, view: 'all' } })).status).toBe(403)
  expect((await read(await aBusiness(), 'all')).items).toEqual([])
})
