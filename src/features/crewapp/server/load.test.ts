import { beforeEach, expect, it } from 'vitest'
import { newId } from '../../../platform/ids.ts'
import { aMix, aProduct, treatLawns } from '../../../test/chemicals.ts'
import { aBusiness, type Person, type TestBusiness } from '../../../test/factories.ts'
import { aCrew, aVisit, publishDay } from '../../../test/field.ts'
import { chemicalsApi } from '../../chemicals/contract.ts'
import { crewappApi } from '../contract.ts'
import { loadApi } from '../load/contract.ts'
import { loadOf } from '../load/rules.ts'

let business: TestBusiness
let luis: Person
let visitId: string
let serviceId: string
let productId: string

const serviceOf = (visit: string) =>
  business.db((db) =>
    db.selectFrom('visitLines').select('serviceId').where('visitId', '=', visit).executeTakeFirstOrThrow(),
  )

beforeEach(async () => {
  business = await aBusiness()
  luis = await business.employee({ name: 'Luis Ortega' })
  const crewId = await aCrew(business, { name: 'North', members: [luis] })
  ;({ visitId } = await aVisit(business, { crewId, street: '7 Bay St', position: 1 }))
  await aVisit(business, { crewId, street: '9 Bay St', position: 2 })
  await publishDay(business, crewId)
  await treatLawns(business)
  ;({ serviceId } = await serviceOf(visitId))
  productId = (await aProduct(business.api)).id
})

const dayOf = async () => {
  const [day] = (await luis.api.ok(crewappApi.day, { query: {} })).days
  if (!day) throw new Error('There is no day.')
  return day
}
const stopOf = async (id: string) => (await dayOf()).stops.find((stop) => stop.id === id)

it('the load of a day is the usual mix of its services, times its measured lawns', async () => {
  const mix = await aMix(business.api, productId, { serviceIds: [serviceId] })
  expect(mix.serviceIds).toEqual([serviceId])
  const load = loadOf(await dayOf())
  expect(load.work.map(({ withoutMix }) => withoutMix)).toEqual([false])
  // 1.5 fl oz and 1.5 gal for 1,000 sq ft, two lawns of 8,000
  expect(load.products).toEqual([{ name: 'Trimec Classic', unit: 'fl oz', amount: 24, stops: 2 }])
  expect(load.waterGallons).toBe(24)
  expect((await stopOf(visitId))?.treatment?.mixIds).toEqual([mix.id])
})

it('a service without a usual mix, a mix put away and a lawn without a size are named, never left out', async () => {
  expect(loadOf(await dayOf()).work).toMatchObject([{ stops: 2, withoutMix: true }])
  const mix = await aMix(business.api, productId, { serviceIds: [serviceId] })
  await treatLawns(business, null)
  const unmeasured = loadOf(await dayOf())
  expect([unmeasured.products, unmeasured.waterGallons]).toEqual([[], 0])
  expect(unmeasured.unmeasured).toContainEqual({ street: '7 Bay St', names: ['Trimec Classic'] })
  const put = await business.api.ok(chemicalsApi.updateMix, {
    params: { id: mix.id },
    body: { archived: true, version: mix.version },
  })
  expect(put.serviceIds).toEqual([serviceId])
  expect(loadOf(await dayOf()).work).toMatchObject([{ stops: 2, withoutMix: true }])
  expect((await stopOf(visitId))?.treatment?.mixIds).toBeUndefined()
})

it('what is sold by the yard is on the list with its quantity', async () => {
  await business.db(async (db) => {
    await db.updateTable('services').set({ category: 'install', unit: 'yard' }).where('id', '=', serviceId).execute()
    await db
      .updateTable('visitLines')
      .set({ quantity: '2.5' as never })
      .where('visitId', '=', visitId)
      .execute()
  })
  expect((await stopOf(visitId))?.load).toEqual([
    { kind: 'material', name: expect.any(String), unit: 'yard', amount: 2.5 },
  ])
})

it('a mix serves services of its own business only, and a change that says nothing of them leaves them', async () => {
  const other = await aBusiness()
  const theirs = await aMix(other.api, (await aProduct(other.api)).id)
  const refused = await other.api.call(chemicalsApi.updateMix, {
    params: { id: theirs.id },
    body: { serviceIds: [serviceId], version: theirs.version },
  })
  expect(refused.status).toBe(404)
  const unknown = { ...(await mixBody()), serviceIds: [newId()] }
  expect((await business.api.call(chemicalsApi.addMix, { body: unknown })).status).toBe(404)
  const mix = await aMix(business.api, productId, { serviceIds: [serviceId, serviceId] })
  const renamed = await business.api.ok(chemicalsApi.updateMix, {
    params: { id: mix.id },
    body: { name: 'Weeds', version: mix.version },
  })
  expect([renamed.name, renamed.serviceIds]).toEqual(['Weeds', [serviceId]])
  const taken = await business.api.ok(chemicalsApi.updateMix, {
    params: { id: mix.id },
    body: { serviceIds: [], version: renamed.version },
  })
  expect(taken.serviceIds).toEqual([])
})

const mixBody = async () => ({ name: 'Another', products: [{ productId, rate: 1 }] })

it('the office has the list of every crew of a day, each the one that its phone has, without what another business loads', async () => {
  await aMix(business.api, productId, { serviceIds: [serviceId] })
  const south = await aCrew(business, { name: 'South', members: [] })
  const empty = await aCrew(business, { name: 'East', members: [] })
  await aVisit(business, { crewId: south, street: '11 Bay St', position: 1 })
  const { day } = await dayOf()
  const lists = await business.api.ok(loadApi.day, { query: { day } })
  expect(lists.crews.map(({ name, people, stops, published }) => [name, people, stops, published])).toEqual([
    ['North', ['Luis'], 2, true],
    ['South', [], 1, false],
  ])
  expect(lists.crews.map(({ crewId }) => crewId)).not.toContain(empty)
  expect(lists.crews[0]?.load).toEqual(loadOf(await dayOf()))
  expect(lists.crews.map(({ changed }) => changed)).toEqual([false, false])
  await business.db((db) =>
    db.updateTable('routes').set({ dirty: true }).where('businessId', '=', business.id).execute(),
  )
  const later = (await business.api.ok(loadApi.day, { query: { day } })).crews
  expect(later.map(({ changed }) => changed)).toEqual([true, false])
  const foreign = await aBusiness()
  expect((await foreign.api.ok(loadApi.day, { query: { day } })).crews).toEqual([])
  expect((await luis.api.call(loadApi.day, { query: { day } })).status).toBe(403)
  expect((await business.api.call(loadApi.day, { query: { day: 'tomorrow' } })).status).toBe(422)
})
