import { expect, it } from 'vitest'
import { collectReviews } from '../demo/reviews.ts'
import { ownerOf } from '../demo/team.ts'
import { reviewsApi } from '../features/reviews/contract.ts'
import { addDays } from '../shared/dates.ts'
import { aBusiness } from './factories.ts'
import { aVisit, today } from './field.ts'

it('the demo has reviews: answered ones, a low one that waits, one for the office only and one hidden with its reason', async () => {
  const business = await aBusiness()
  for (let n = 0; n < 13; n++) {
    const day = addDays(today(), -1 - (n % 9))
    const { customerId, visitId } = await aVisit(business, { customer: `Rosa Marsh ${n}`, day, status: 'completed' })
    await business.db(async (db) => {
      await db
        .updateTable('customers')
        .set({ email: `rosa${n}@test.swath.test` })
        .where('businessId', '=', business.id)
        .where('id', '=', customerId)
        .execute()
      await db
        .updateTable('visits')
        .set({ finishedAt: `${day}T15:00:00Z` })
        .where('businessId', '=', business.id)
        .where('id', '=', visitId)
        .execute()
    })
  }
  await collectReviews(await ownerOf(business.id, 'America/New_York'))
  const summary = await business.api.ok(reviewsApi.summary, {})
  expect(summary).toMatchObject({ enabled: true, count: 10, average: 4.2, askedCount: 12, answeredCount: 12 })
  const { items } = await business.api.ok(reviewsApi.list, { query: {} })
  expect(items.filter(({ reply }) => reply !== '')).toHaveLength(3)
  expect(items.filter(({ can }) => can.handle)).toHaveLength(1)
  expect(items.filter(({ published }) => !published)).toHaveLength(1)
  expect(items.filter(({ hiddenReason }) => hiddenReason === 'abuse')).toHaveLength(1)
})
