import { afterEach, beforeEach, expect, it } from 'vitest'
import { addThere } from '../../../../local/books/play.ts'
import { resetClock, setClock } from '../../../../platform/clock.ts'
import { withBooks } from '../../../../test/books.ts'
import { aBusiness, type TestBusiness } from '../../../../test/factories.ts'
import { aLawn, today } from '../../../../test/field.ts'
import { categoriesApi } from '../../../expenses/categories/contract.ts'
import { expensesApi } from '../../../expenses/contract.ts'
import { invoicesApi } from '../../../invoices/contract.ts'
import { paymentsApi } from '../../../payments/contract.ts'
import { correctionsApi } from '../../../payments/corrections/contract.ts'
import { quickbooksApi } from '../../contract.ts'
import type { BooksKind } from '../../rules.ts'

beforeEach(() => setClock(() => new Date('2026-06-10T16:00:00Z')))
afterEach(resetClock)
const month = '2026-06'

const anInvoice = async (own: TestBusiness, customerId: string, unitPriceCents: number) => {
  const lines = [{ description: 'Mowing', quantity: 1, unitPriceCents }]
  const { id } = await own.api.ok(invoicesApi.create, { body: { customerId, lines } })
  await own.api.ok(invoicesApi.issue, { params: { id } })
  return id
}
const pay = (own: TestBusiness, id: string, amountCents: number) =>
  own.api.ok(paymentsApi.recordPayment, {
    params: { id },
    body: { method: 'check', amountCents, receivedOn: today() },
  })
const records = (own: TestBusiness, kind: BooksKind, more = {}) =>
  own.api.ok(quickbooksApi.records, { query: { month, kind, ...more } })

it('every sum of a month opens the records it is made of, without what was taken back', async () => {
  const own = await aBusiness()
  const books = await withBooks(own)
  const { customerId } = await aLawn(own, { customer: `Anna ${own.id.slice(-6)}` })
  const ids = []
  for (const cents of [5000, 3001, 700, 1200]) ids.push(await anInvoice(own, customerId, cents))
  const [first = '', second = '', third = '', fourth = ''] = ids
  const { id: paid } = await pay(own, first, 5000)
  await own.api.ok(correctionsApi.refundPayment, {
    params: { id: paid },
    body: { amountCents: 900, method: 'check', reason: 'Gate', onDay: today() },
  })
  const { id: bounced } = await pay(own, second, 1030)
  await own.api.ok(correctionsApi.reversePayment, { params: { id: bounced }, body: { reason: 'Bounced' } })
  await own.api.ok(correctionsApi.creditInvoice, { params: { id: second }, body: { amountCents: 1001, reason: 'x' } })
  await own.api.ok(invoicesApi.voidInvoice, { params: { id: third } })
  await own.api.ok(invoicesApi.writeOff, { params: { id: fourth }, body: { reason: 'Moved away' } })
  const { items: categories } = await own.api.ok(categoriesApi.list, {})
  for (const [method, totalCents] of [
    ['card', 4200],
    ['account', 3100],
  ] as const)
    await own.api.ok(expensesApi.create, {
      body: { day: today(), categoryId: categories[0]?.id ?? '', method, totalCents, vendor: 'Feed & Seed' },
    })
  await books.send()
  const { sums } = await own.api.ok(quickbooksApi.checkMonth, { body: { month } })
  const counted = sums.filter(({ count }) => count > 0)
  expect(counted.map(({ kind }) => kind)).toEqual(['invoice', 'payment', 'credit', 'write_off', 'refund', 'expense'])
  for (const { kind, count, oursCents } of sums) {
    const list = await records(own, kind)
    expect([kind, list.count, list.totalCents]).toEqual([kind, count, oursCents])
    expect(list.items).toHaveLength(count)
    expect(list.items.reduce((sum, { cents }) => sum + cents, 0)).toBe(oursCents)
    expect(list.items.every(({ href, day }) => href !== null && day === today())).toBe(true)
  }
  const [payment] = (await records(own, 'payment')).items
  expect(payment).toMatchObject({ label: 'Payment R-1001', about: expect.stringMatching(/^Anna .*, INV-\d+$/) })
  // page by page none is left out and none comes twice
  const one = await records(own, 'invoice', { limit: 2 })
  const two = await records(own, 'invoice', { limit: 2, cursor: one.nextCursor })
  expect([one.count, one.items.length, two.items.length, two.nextCursor]).toEqual([3, 2, 1, null])
  expect(new Set([...one.items, ...two.items].map(({ id }) => id))).toEqual(new Set([first, second, fourth]))
  // nobody sees another's, and a business without books has none
  expect(await records(await aBusiness(), 'invoice')).toMatchObject({ items: [], count: 0 })
  const wrong = await own.api.call(quickbooksApi.records, { query: { month: '2026-13', kind: 'invoice' } })
  expect(wrong.status).toBe(422)
})

it('what waits behind a customer whose name is taken says for whom it waits', async () => {
  const own = await aBusiness()
  const books = await withBooks(own)
  const name = `Alvin ${own.id.slice(-6)}`
  const { customerId } = await aLawn(own, { customer: name })
  const id = await anInvoice(own, customerId, 5400)
  await pay(own, id, 5400)
  const check = async () =>
    (await own.api.ok(quickbooksApi.checkMonth, { body: { month } })).differences.map(({ kind, why, waitsFor }) => [
      kind,
      why,
      waitsFor,
    ])
  // nothing was tried yet: it goes by itself
  expect(await check()).toEqual([
    ['invoice', 'waiting', null],
    ['payment', 'waiting', null],
  ])
  await addThere(books.realm, { DisplayName: name })
  await books.send()
  expect(await check()).toEqual([
    ['invoice', 'waiting', `Customer ${name}`],
    ['payment', 'waiting', `Customer ${name}`],
  ])
  const [row] = await books.failed()
  await own.api.ok(quickbooksApi.fix, { params: { id: row?.id ?? '' }, body: { how: 'link' } })
  await books.send()
  expect(await check()).toEqual([])
})
