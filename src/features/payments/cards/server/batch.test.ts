import { expect, it } from 'vitest'
import { runTasks } from '../../../../test/api.ts'
import { withCard } from '../../../../test/cards.ts'
import { aVisit } from '../../../../test/field.ts'
import { invoicesApi } from '../../../invoices/contract.ts'
import { connectApi } from '../../connect/contract.ts'

it('a batch says what of it autopay charges by itself', async () => {
  const { own, customerId } = await withCard()
  const [one, other] = [
    await aVisit(own, { status: 'completed', priceCents: 6000 }),
    await aVisit(own, { status: 'completed', priceCents: 4000, customer: 'Ben Bell' }),
  ]
  await own.db((db) =>
    db
      .updateTable('visits')
      .set({ customerId })
      .where('businessId', '=', own.id)
      .where('id', '=', one.visitId)
      .execute(),
  )
  await own.db((db) =>
    db.updateTable('jobs').set({ customerId }).where('businessId', '=', own.id).where('id', '=', one.jobId).execute(),
  )
  expect(other.customerId).not.toBe(customerId)
  const made = await own.api.ok(invoicesApi.createBatch, { body: { send: true } })
  await runTasks()
  const batch = await own.api.ok(invoicesApi.getBatch, { params: { id: made.batchId } })
  expect(batch).toMatchObject({ invoiceCount: 2, totalCents: 10_000, autopay: { count: 1, cents: 6000 } })
  const charged = () =>
    own.api.ok(invoicesApi.list, { query: { batchId: made.batchId, view: 'autopay' } }).then(({ items, counts }) => ({
      customers: items.map(({ customer }) => customer.id),
      count: counts.autopay,
    }))
  // the count is of all batches: the customer has an invoice from before
  expect(await charged()).toEqual({ customers: [customerId], count: 2 })
  // each says the day that its own page says, and what is charged
  const { items: open } = await own.api.ok(invoicesApi.list, { query: { batchId: made.batchId, view: 'open' } })
  for (const { id, customer, autopay: planned } of open) {
    const { reminders } = await own.api.ok(invoicesApi.get, { params: { id } })
    const day = customer.id === customerId ? expect.any(String) : null
    expect(reminders.autopay).toEqual(day)
    expect(planned).toEqual(day && { chargeOn: reminders.autopay, from: expect.stringMatching(/ ending in \d{4}$/) })
  }
  const autopay = async () => (await own.api.ok(invoicesApi.getBatch, { params: { id: made.batchId } })).autopay
  // from a bank account it is less where the business gives a discount for paying without a card
  await own.db(async (db) => {
    await db.updateTable('businesses').set({ cashDiscountBps: 300 }).where('businessId', '=', own.id).execute()
    await db.updateTable('paymentMethods').set({ kind: 'bank' }).where('businessId', '=', own.id).execute()
  })
  expect(await autopay()).toEqual({ count: 1, cents: 5820 })
  await own.api.ok(connectApi.disconnectAccount, {})
  expect(await autopay()).toEqual({ count: 0, cents: 0 })
  expect(await charged()).toEqual({ customers: [], count: 0 })
})
