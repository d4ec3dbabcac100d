import { beforeEach, expect, it } from 'vitest'
import { newId } from '../../../platform/ids.ts'
import { addDays } from '../../../shared/dates.ts'
import { aProduct } from '../../../test/chemicals.ts'
import { aBusiness, type TestBusiness } from '../../../test/factories.ts'
import { aVisit, today } from '../../../test/field.ts'
import { chemicalsApi } from '../../chemicals/contract.ts'
import { materialsApi } from '../contract.ts'

let business: TestBusiness

beforeEach(async () => {
  business = await aBusiness()
})

const add = (more: object = {}) =>
  business.api.ok(materialsApi.create, {
    body: {
      kind: 'fertilizer',
      name: 'Fertilizer 28-3-6',
      package: 'bag',
      packageSize: 50,
      unit: 'lb',
      nitrogenPercent: 28,
      phosphatePercent: 0,
      ...more,
    } as never,
  })
const spread = { kind: 'fertilizer' as const, squareFeet: 6000, targetPounds: 1, state: 'GA', on: today() }
const mulch = { kind: 'mulch' as const, squareFeet: 500, depthInches: 3, wastePercent: 5 }
const sod = { kind: 'sod' as const, squareFeet: 900, wastePercent: 5 }
const plan = (materialId: string, choice: object, visitId: string) =>
  business.api.call(materialsApi.plan, { body: { materialId, choice: choice as never, visitId } })
const loads = async () => (await business.api.ok(materialsApi.loads, {})).items
const setVisit = (id: string, change: object) =>
  business.db((db) => db.updateTable('visits').set(change).where('id', '=', id).execute())

it('what goes by the yard weighs on the load too; a material whose weight nobody knows is named', async () => {
  const yards = await add({ kind: 'mulch', name: 'Hardwood', package: 'yard', packageSize: 1, unit: 'yd' })
  const pallets = await add({ kind: 'sod', name: 'Bermuda', package: 'pallet', packageSize: 450, unit: 'sq ft' })
  const { visitId } = await aVisit(business, {})
  await plan(yards.id, mulch, visitId)
  expect(await loads()).toMatchObject([{ weightPounds: 4000, unweighed: [] }])
  await plan(pallets.id, sod, visitId)
  expect(await loads()).toMatchObject([{ weightPounds: 4000, unweighed: ['Bermuda'] }])
})

it('a visit that is done, past or called off leaves the day’s load, its weight and the limit', async () => {
  const { id } = await add()
  const visits = [
    await aVisit(business, {}),
    await aVisit(business, {}),
    await aVisit(business, {}),
    await aVisit(business, {}),
  ]
  for (const { visitId } of visits) expect((await plan(id, spread, visitId)).status).toBe(200)
  const [canceled, done, past, ahead] = visits.map(({ visitId }) => visitId)
  await setVisit(canceled ?? '', { status: 'canceled' })
  await setVisit(done ?? '', { status: 'completed' })
  await setVisit(past ?? '', { day: addDays(today(), -2) })
  expect(
    (await loads()).map(({ group, day, weightPounds, materials }) => [
      group,
      day,
      weightPounds,
      materials.flatMap(({ stops }) => stops.map(({ visitId }) => visitId)).sort(),
    ]),
  ).toEqual([
    ['ahead', today(), 50, [ahead]],
    ['done', null, 0, [done, past].sort()],
    ['canceled', null, 0, [canceled]],
  ])
  for (const status of ['skipped', 'missed'] as const) {
    await setVisit(canceled ?? '', { status })
    expect((await loads()).map(({ group }) => group)).toEqual(['ahead', 'done', 'canceled'])
  }
  // 299 more of a visit that is over leave room for one that is ahead
  await business.db(async (db) => {
    const row = await db
      .selectFrom('materialPlans')
      .selectAll()
      .where('visitId', '=', done ?? '')
      .executeTakeFirstOrThrow()
    await db
      .insertInto('materialPlans')
      .values(Array.from({ length: 299 }, () => ({ ...row, id: newId(), choice: JSON.stringify(row.choice) })))
      .execute()
  })
  expect((await plan(id, spread, (await aVisit(business, {})).visitId)).status).toBe(200)
})

it('one visit takes one fertilizer, and a product of the library once, also of two people at once', async () => {
  const { id } = await add()
  const other = await add({ name: 'Starter' })
  const { visitId } = await aVisit(business, {})
  const both = await Promise.all([plan(id, spread, visitId), plan(other.id, spread, visitId)])
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
  const refused = await plan(other.id, spread, visitId)
  expect([refused.status, refused.error.message]).toEqual([409, expect.stringContaining('A second fertilizer')])
  const product = await aProduct(business.api, { labelLow: 1.1, labelHigh: 1.5 })
  const jug = { kind: 'herbicide', package: 'jug', packageSize: 320, unit: 'fl oz', productId: product.id }
  const tank = { kind: 'herbicide', squareFeet: 8000, rate: 1.5, carrierGallons: 1.5 }
  const [big, small] = [
    await add({ ...jug, name: 'Big jug' }),
    await add({ ...jug, name: 'Small jug', packageSize: 32 }),
  ]
  expect((await plan(big.id, tank, visitId)).status).toBe(200)
  const again = await plan(small.id, tank, visitId)
  expect([again.status, again.error.message]).toEqual([
    409,
    expect.stringContaining('Big jug is on the load list of this visit'),
  ])
  expect((await plan(small.id, tank, (await aVisit(business, {})).visitId)).status).toBe(200)
})

it('what is planned is tested again by the visit’s day and today’s label', async () => {
  const { id } = await add()
  const lawn = await aVisit(business, {})
  const summer = `${Number(today().slice(0, 4)) + 1}-06-10`
  await business.db((db) =>
    db.updateTable('properties').set({ state: 'MD' }).where('id', '=', lawn.propertyId).execute(),
  )
  await setVisit(lawn.visitId, { day: summer })
  expect((await plan(id, { ...spread, targetPounds: 0.7 }, lawn.visitId)).status).toBe(200)
  const product = await aProduct(business.api, { labelLow: 1.1, labelHigh: 1.5 })
  const jug = { kind: 'herbicide', name: 'Jug', package: 'jug', packageSize: 320, unit: 'fl oz', productId: product.id }
  const tank = { kind: 'herbicide', squareFeet: 8000, rate: 1.5, carrierGallons: 1.5 }
  expect((await plan((await add(jug)).id, tank, lawn.visitId)).status).toBe(200)
  const problems = async () =>
    (await loads()).flatMap(({ materials }) => materials.flatMap(({ stops }) => stops.map(({ problem }) => problem)))
  expect(await problems()).toEqual([null, null])
  await setVisit(lawn.visitId, { day: `${summer.slice(0, 4)}-12-24` })
  await business.api.ok(chemicalsApi.updateProduct, {
    params: { id: product.id },
    body: { labelHigh: 1.2, version: product.version },
  })
  expect(await problems()).toEqual([
    expect.stringContaining('Maryland allows no lawn fertilizer'),
    expect.stringContaining('allows at most 1.2 fl oz'),
  ])
})

it('what a plan was tested by is not changed under it', async () => {
  const { id } = await add()
  const { visitId } = await aVisit(business, {})
  await plan(id, spread, visitId)
  for (const change of [
    { nitrogenPercent: 20 },
    { slowPercent: 50 },
    { phosphatePercent: 3 },
    { kind: 'lime' as const },
  ]) {
    const { status, error } = await business.api.call(materialsApi.update, {
      params: { id },
      body: { ...change, version: 1 },
    })
    expect([status, error.message]).toEqual([409, expect.stringContaining('It is on a load list for')])
  }
  await business.api.ok(materialsApi.update, {
    params: { id },
    body: { name: 'Spring', nitrogenPercent: 28, version: 1 },
  })
})
