import { expect, it } from 'vitest'
import { writeByItself } from '../demo/automations.ts'
import { ownerOf } from '../demo/team.ts'
import { automationRunsApi, automationsApi } from '../features/automations/contract.ts'
import { aBusiness } from './factories.ts'
import { aVisit, today } from './field.ts'

it('the demo has automations that are on, with a history, and three messages that wait for a yes', async () => {
  const business = await aBusiness()
  await business.db((db) =>
    db
      .updateTable('businesses')
      .set({ street: '1 Marsh Rd', zip: '31401' })
      .where('businessId', '=', business.id)
      .execute(),
  )
  for (let n = 0; n < 8; n++) {
    const { customerId, visitId, propertyId } = await aVisit(business, { day: today(), status: 'completed' })
    await business.db(async (db) => {
      await db
        .updateTable('customers')
        .set({ email: `rosa${n}@test.swath.test`, createdAt: '2025-01-01T00:00:00Z' })
        .where('businessId', '=', business.id)
        .where('id', '=', customerId)
        .execute()
      await db
        .updateTable('properties')
        .set({ lawnSquareFeet: 4000 + n * 100 })
        .where('businessId', '=', business.id)
        .where('id', '=', propertyId)
        .execute()
      await db
        .updateTable('visits')
        .set({ finishedAt: new Date(Date.now() - (3 + n / 10) * 3_600_000).toISOString() })
        .where('businessId', '=', business.id)
        .where('id', '=', visitId)
        .execute()
      await db.updateTable('services').set({ category: 'treat' }).where('businessId', '=', business.id).execute()
    })
  }
  // what they had is a treatment; aeration is another service
  await business.db((db) =>
    db
      .insertInto('services')
      .values({
        businessId: business.id,
        id: '0190aaaa-0000-7000-8000-000000000001',
        code: 'AERATE',
        name: 'Core aeration',
        category: 'install',
        priceRule: '{}',
        timeRule: '{}',
      })
      .execute(),
  )
  await writeByItself(await ownerOf(business.id, 'America/New_York'))
  const { items, waitingCount } = await business.api.ok(automationsApi.list, {})
  expect(items.filter(({ enabled }) => enabled)).toHaveLength(3)
  expect(waitingCount).toBe(3)
  const [done] = items
  expect(done?.sentCount).toBe(8)
  const history = await business.api.ok(automationRunsApi.list, { query: { automationId: done?.id ?? '' } })
  expect(history.items.every(({ message }) => message?.status === 'delivered')).toBe(true)
})
