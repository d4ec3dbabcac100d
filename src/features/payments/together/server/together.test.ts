import { expect, it } from 'vitest'
import { addDays } from '../../../../shared/dates.ts'
import { runTasks } from '../../../../test/api.ts'
import { aBusiness, type TestBusiness } from '../../../../test/factories.ts'
import { aLawn, today } from '../../../../test/field.ts'
import { businessesApi } from '../../../businesses/contract.ts'
import { invoicesApi } from '../../../invoices/contract.ts'
import { messagesApi } from '../../../messages/contract.ts'
import { paymentsApi } from '../../contract.ts'
import { correctionsApi } from '../../corrections/contract.ts'
import { compareBooks } from '../../corrections/server/queries.ts'

const mailed = 'anna@test.swath.test'

/** Open invoices of one customer, the first the oldest. */
const withOpen = async (sums: readonly number[]) => {
  const own = await aBusiness()
  const { customerId } = await aLawn(own)
  const ids: string[] = []
  for (const [at, unitPriceCents] of sums.entries()) {
    const lines = [{ description: 'Mulch', quantity: 1, unitPriceCents }]
    const { id } = await own.api.ok(invoicesApi.create, { body: { customerId, lines } })
    await own.api.ok(invoicesApi.issue, { params: { id } })
    const dueOn = addDays(today(), at + 1)
    await own.db((db) => db.updateTable('invoices').set({ dueOn }).where('id', '=', id).execute())
    ids.push(id)
  }
  await own.db((db) =>
    db
      .updateTable('customers')
      .set({ email: mailed })
      .where('businessId', '=', own.id)
      .where('id', '=', customerId)
      .execute(),
  )
  return { own, ids, customerId }
}
const stateOf = async (own: TestBusiness, ids: readonly string[]) =>
  Promise.all(
    ids.map(async (id) => {
      const { status, paidCents, creditedCents } = await own.api.ok(invoicesApi.get, { params: { id } })
      return [status, paidCents - creditedCents, creditedCents]
    }),
  )
const record = (own: TestBusiness, id: string, amountCents: number, more = {}) =>
  own.api.ok(paymentsApi.recordPayment, {
    params: { id },
    body: { amountCents, method: 'check', receivedOn: today(), others: true, ...more },
  })

it('one check pays its invoice, then the oldest others, with one receipt and one line for the office', async () => {
  const { own, ids } = await withOpen([4000, 5000, 6000])
  const [, second = ''] = ids
  expect((await own.api.ok(invoicesApi.get, { params: { id: second } })).alsoOpen).toEqual({
    count: 2,
    cents: 10_000,
    discountCents: 0,
  })
  expect(await record(own, second, 12_000)).toMatchObject({ invoiceCount: 3, balanceCents: 0, overpaymentCents: 0 })
  await runTasks()
  expect(await stateOf(own, ids)).toEqual([
    ['paid', 4000, 0],
    ['paid', 5000, 0],
    ['partially_paid', 3000, 0],
  ])
  const { items } = await own.api.ok(messagesApi.list, { query: { channel: 'email' } })
  expect(items.filter(({ address }) => address === mailed).map(({ subject }) => subject)).toEqual([
    expect.stringContaining('Received: $120.00'),
  ])
  expect(await own.db((db) => compareBooks(db))).toEqual([])
})

it('what comes off for paying without a card comes off all of them, to the cent, and only where all is paid', async () => {
  const { own, ids } = await withOpen([4001, 5003])
  const { version } = await own.api.ok(businessesApi.get, {})
  await own.api.ok(businessesApi.update, { body: { cashDiscountBps: 300, version } })
  const { alsoOpen } = await own.api.ok(invoicesApi.get, { params: { id: ids[0] ?? '' } })
  expect(alsoOpen).toEqual({ count: 1, cents: 5003, discountCents: 150 })
  await record(own, ids[0] ?? '', 9004 - 120 - 150)
  expect(await stateOf(own, ids)).toEqual([
    ['paid', 3881, 120],
    ['paid', 4853, 150],
  ])
})

it('without the wish, and for no more than its invoice, others are left alone; what is too much for all is credit', async () => {
  const { own, ids } = await withOpen([4000, 5000])
  const [first = ''] = ids
  await record(own, first, 4500, { others: false })
  expect(await stateOf(own, ids)).toEqual([
    ['paid', 4000, 0],
    ['issued', 0, 0],
  ])
  const { own: again, ids: both } = await withOpen([4000, 5000])
  expect(await record(again, both[0] ?? '', 4000)).toMatchObject({ invoiceCount: 1 })
  expect(await record(again, both[1] ?? '', 5700)).toMatchObject({ invoiceCount: 1, overpaymentCents: 700 })
})

it('what is on its way from a bank, disputed or of somebody else is not paid by it', async () => {
  const { own, ids, customerId } = await withOpen([4000, 5000, 6000])
  const [first = '', second = '', third = ''] = ids
  const { customerId: other } = await aLawn(own)
  const lines = [{ description: 'Mulch', quantity: 1, unitPriceCents: 7000 }]
  const { id: theirs } = await own.api.ok(invoicesApi.create, { body: { customerId: other, lines } })
  await own.api.ok(invoicesApi.issue, { params: { id: theirs } })
  await own.db((db) => db.updateTable('invoices').set({ disputed: true }).where('id', '=', second).execute())
  await own.db((db) => db.updateTable('invoices').set({ pendingCents: 6000 }).where('id', '=', third).execute())
  expect(other).not.toBe(customerId)
  expect(await record(own, first, 9000)).toMatchObject({ invoiceCount: 1, overpaymentCents: 5000 })
  expect(await stateOf(own, [second, third, theirs])).toEqual([
    ['issued', 0, 0],
    ['issued', 0, 0],
    ['issued', 0, 0],
  ])
})

it('less than its own balance still pays all of it where only the discount is missing, as the statement says', async () => {
  const { own, ids } = await withOpen([10_000, 100])
  const { version } = await own.api.ok(businessesApi.get, {})
  await own.api.ok(businessesApi.update, { body: { cashDiscountBps: 300, version } })
  expect(await record(own, ids[0] ?? '', 10_100 - 300 - 3)).toMatchObject({ invoiceCount: 2, balanceCents: 0 })
  expect(await stateOf(own, ids)).toEqual([
    ['paid', 9700, 300],
    ['paid', 97, 3],
  ])
  // what pays its invoice alone, less its discount or in full, is for it alone
  const { own: again, ids: both } = await withOpen([10_000, 100])
  const { version: now } = await again.api.ok(businessesApi.get, {})
  await again.api.ok(businessesApi.update, { body: { cashDiscountBps: 300, version: now } })
  expect(await record(again, both[0] ?? '', 10_000)).toMatchObject({ invoiceCount: 1, balanceCents: 0 })
  expect(await stateOf(again, both)).toEqual([
    ['paid', 10_000, 0],
    ['issued', 0, 0],
  ])
})

it('a draft that credit pays as it is issued leaves the check to the others', async () => {
  const { own, ids, customerId } = await withOpen([5000])
  await own.db((db) => db.updateTable('businesses').set({ useCredit: true }).execute())
  await own.api.ok(correctionsApi.giveCredit, {
    params: { id: customerId },
    body: { amountCents: 4000, reason: 'A flower bed' },
  })
  const lines = [{ description: 'Edging', quantity: 1, unitPriceCents: 4000 }]
  const { id } = await own.api.ok(invoicesApi.create, { body: { customerId, lines } })
  await own.db((db) => db.updateTable('invoices').set({ dueOn: today() }).where('id', '=', id).execute())
  expect(await record(own, id, 5000)).toMatchObject({ invoiceCount: 1, invoiceStatus: 'paid', overpaymentCents: 0 })
  expect(await stateOf(own, ids)).toEqual([['paid', 5000, 0]])
  expect(await own.db((db) => compareBooks(db))).toEqual([])
})
