import { sql } from 'kysely'
import { afterEach, expect, it } from 'vitest'
import { resetClock } from '../../../platform/clock.ts'
import { apiNow, begin } from '../../../test/campaigns.ts'
import { aBusiness, type TestBusiness } from '../../../test/factories.ts'
import { setClockToNoon } from '../../../test/field.ts'
import { campaignsApi } from '../contract.ts'
import { campaignStepTx } from './sending.ts'

afterEach(resetClock)

const [all, reached] = [11_000, 1_250]

/** A business with thousands of customers. Some agreed to offers by mail, and two of them have one address. */
const aLargeAudience = async () => {
  setClockToNoon()
  const business = await aBusiness({ name: 'Oak Lawn' })
  await business.db(async (db) => {
    await db
      .updateTable('businesses')
      .set({ street: '4 Mill Ln', city: 'Savannah', state: 'GA', zip: '31401' })
      .where('businessId', '=', business.id)
      .execute()
    await sql`
      insert into customers (business_id, id, name, email, created_at)
      select ${business.id}, gen_random_uuid(), 'Customer ' || n,
        case when n <= ${reached} then 'large' || greatest(n, 2) || '@oak.test' end, now() - interval '1 day'
      from generate_series(1, ${all}::int) n`.execute(db)
    await sql`
      insert into consent_events (business_id, id, channel, address, purpose, action, source)
      select ${business.id}, gen_random_uuid(), 'email', 'large' || n || '@oak.test', 'marketing', 'grant', 'test'
      from generate_series(2, ${reached}::int) n`.execute(db)
  })
  return business
}

const rowsOf = (business: TestBusiness, id: string) =>
  business.db((db) =>
    db
      .selectFrom('campaignRecipients')
      .select(['customerId', 'state', 'place', 'reason', 'rank'])
      .where('businessId', '=', business.id)
      .where('campaignId', '=', id)
      .orderBy('rank')
      .execute(),
  )

it('an audience of thousands is frozen, looked at and put in order in steps that can be cut off, and says how many it is from the press on', async () => {
  const business = await aLargeAudience()
  const made = await begin(business, { holdoutPercent: 10 })
  expect(made).toMatchObject({ status: 'running', chosen: all, isSorted: false })
  expect((await rowsOf(business, made.id)).length).toBeLessThan(all)
  // who becomes a customer after the press is not in it, wherever their id stands in the order
  await business.db((db) =>
    db
      .insertInto('customers')
      .values({
        businessId: business.id,
        id: 'ffffffff-0000-4000-8000-000000000001',
        name: 'Too late',
        email: 'late@oak.test',
        createdAt: new Date(Date.parse(made.startedAt ?? '') + 60_000).toISOString(),
      })
      .execute(),
  )
  const step = () => business.db((db) => campaignStepTx(db, made.id))
  await expect(
    business.db(async (db) => {
      await campaignStepTx(db, made.id)
      throw new Error('killed')
    }),
  ).rejects.toThrow('killed')
  // two workers at once, and somebody who stops it and changes their mind
  await Promise.all([step(), step()])
  const api = await apiNow(business)
  await api.ok(campaignsApi.pause, { params: { id: made.id } })
  expect(await step()).toBe(false)
  await api.ok(campaignsApi.resume, { params: { id: made.id } })
  for (let steps = 0; !(await api.ok(campaignsApi.get, { params: { id: made.id } })).isSorted; steps++) {
    expect(steps).toBeLessThan(30)
    await step()
  }
  const rows = await rowsOf(business, made.id)
  expect(rows).toHaveLength(all)
  const placed = rows.filter(({ place }) => place !== null)
  expect(placed.map(({ place }) => place)).toEqual(Array.from({ length: reached - 1 }, (_, at) => at + 1))
  expect(placed.filter(({ state }) => state === 'held_out')).toHaveLength(125)
  expect(rows.filter(({ reason }) => reason === 'Same address as another customer')).toHaveLength(1)
  expect(await api.ok(campaignsApi.get, { params: { id: made.id } })).toMatchObject({
    chosen: all,
    heldOut: 125,
    leftOut: all - (reached - 1),
  })
})

it('is canceled while its audience is still being frozen, and nobody of it waits any more', async () => {
  const business = await aLargeAudience()
  const made = await begin(business)
  const api = await apiNow(business)
  const canceled = await api.ok(campaignsApi.cancel, { params: { id: made.id } })
  const rows = await rowsOf(business, made.id)
  expect(new Set(rows.map(({ state }) => state))).toEqual(new Set(['left_out']))
  expect(canceled).toMatchObject({ status: 'canceled', chosen: rows.length, leftOut: rows.length, queued: 0 })
  expect(await business.db((db) => campaignStepTx(db, made.id))).toBe(false)
})
