import { expect, it } from 'vitest'
import { runTasks } from '../../../../test/api.ts'
import { withCard } from '../../../../test/cards.ts'
import { aVisit } from '../../../../test/field.ts'
import { invoicesApi } from '../../../invoices/contract.ts'

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
})
