import { beforeEach, expect, it } from 'vitest'
import { aProduct } from '../../../test/chemicals.ts'
import { aBusiness, aPerson, type TestBusiness } from '../../../test/factories.ts'
import { aCrew, aLawn, aVisit, publishDay, today } from '../../../test/field.ts'
import { chemicalsApi } from '../../chemicals/contract.ts'
import { crewappApi } from '../../crewapp/contract.ts'
import { loadApi } from '../../crewapp/load/contract.ts'
import { dashboardApi } from '../../dashboard/contract.ts'
import { quotesApi } from '../../quotes/contract.ts'
import { servicesApi } from '../../services/contract.ts'
import { materialsApi } from '../contract.ts'

let business: TestBusiness

beforeEach(async () => {
  business = await aBusiness()
})

const add = (more: object = {}, api = business.api) =>
  api.ok(materialsApi.create, {
    body: {
      kind: 'fertilizer',
      name: 'Fertilizer 28-3-6',
      package: 'bag',
      packageSize: 50,
      unit: 'lb',
      nitrogenPercent: 28,
      phosphatePercent: 3,
      potashPercent: 6,
      costCents: 4200,
      onHand: 10,
      reorderAt: 4,
      ...more,
    } as never,
  })
const spread = { kind: 'fertilizer' as const, squareFeet: 6000, targetPounds: 1, state: 'GA', on: today() }
const onHandOf = async (id: string) => (await business.api.ok(materialsApi.get, { params: { id } })).onHand
const movesOf = async (id: string) =>
  (await business.api.ok(materialsApi.moves, { params: { id }, query: {} })).items.map(
    ({ kind, packages, onHandAfter, note }) => [kind, packages, onHandAfter, note],
  )

it('is added with its first count, changed, put away and brought back; who saw an older one is told', async () => {
  const made = await add()
  expect(made).toMatchObject({ onHand: 10, costCents: 4200, can: { count: true, restore: false } })
  const params = { id: made.id }
  const changed = await business.api.ok(materialsApi.update, { params, body: { reorderAt: 6, version: 1 } })
  expect([changed.reorderAt, changed.onHand, changed.version]).toEqual([6, 10, 2])
  const old = await business.api.call(materialsApi.update, { params, body: { reorderAt: 7, version: 1 } })
  expect(old.error.code).toBe('version_conflict')
  const twin = await business.api.call(materialsApi.create, {
    body: { kind: 'lime', name: 'fertilizer 28-3-6', package: 'bag', packageSize: 50, unit: 'lb' },
  })
  expect([twin.status, twin.error.errors?.[0]?.path]).toEqual([422, 'name'])
  const gone = await business.api.ok(materialsApi.archive, { params, body: { version: 2 } })
  expect([gone.archived, gone.can.count]).toEqual([true, false])
  expect((await business.api.ok(materialsApi.list, { query: {} })).items).toEqual([])
  const counted = await business.api.call(materialsApi.count, { params, body: { onHand: 3 } })
  expect([counted.status, counted.error.message]).toEqual([409, expect.stringContaining('put away')])
  await business.api.ok(materialsApi.restore, { params, body: { version: gone.version } })
  expect((await business.api.ok(materialsApi.list, { query: {} })).items).toHaveLength(1)
})

it('what it is measured in follows its kind; a fertilizer needs its first number', async () => {
  const pathOf = async (more: object) => {
    const { status, error } = await business.api.call(materialsApi.create, {
      body: {
        kind: 'fertilizer',
        name: 'X',
        package: 'bag',
        packageSize: 50,
        unit: 'lb',
        nitrogenPercent: 0,
        phosphatePercent: 0,
        ...more,
      } as never,
    })
    return [status, error.errors?.[0]?.path]
  }
  expect(await pathOf({ unit: 'sq ft' })).toEqual([422, 'unit'])
  expect(await pathOf({ nitrogenPercent: null })).toEqual([422, 'nitrogenPercent'])
  expect(await pathOf({ phosphatePercent: null })).toEqual([422, 'phosphatePercent'])
  expect(await pathOf({ kind: 'herbicide', unit: 'fl oz' })).toEqual([422, 'productId'])
  expect(await pathOf({ kind: 'seed', purityPercent: 0 })).toEqual([422, 'purityPercent'])
  expect(await pathOf({ packageSize: 0 })).toEqual([422, 'packageSize'])
  const negative = await business.api.call(materialsApi.update, {
    params: { id: (await add({ name: 'Priced' })).id },
    body: { costCents: -500, version: 1 },
  })
  expect([negative.status, negative.error.errors]).toEqual([
    422,
    [{ path: 'costCents', message: 'A price is $0.00 or more.' }],
  ])
  const product = await aProduct(business.api)
  expect(await pathOf({ kind: 'herbicide', unit: 'gal', productId: product.id })).toEqual([422, 'unit'])
  expect(await pathOf({ kind: 'lime', productId: product.id })).toEqual([422, 'productId'])
})

it('what there is is the sum of its moves, each kept with who and how many were left; nobody uses more than there is', async () => {
  const { id } = await add()
  const params = { id }
  await business.api.ok(materialsApi.receive, { params, body: { packages: 5, note: 'SiteOne' } })
  await business.api.ok(materialsApi.use, { params, body: { packages: 2.5 } })
  await business.api.ok(materialsApi.count, { params, body: { onHand: 12, note: 'One was torn' } })
  const tooMany = await business.api.call(materialsApi.use, { params, body: { packages: 12.01 } })
  expect([tooMany.status, tooMany.error.message]).toEqual([409, expect.stringContaining('Only 12 on hand')])
  expect(await movesOf(id)).toEqual([
    ['count', -0.5, 12, 'One was torn'],
    ['used', -2.5, 12.5, ''],
    ['received', 5, 15, 'SiteOne'],
    ['count', 10, 10, 'First count'],
  ])
  expect(await onHandOf(id)).toBe(12)
  const [last] = (await business.api.ok(materialsApi.moves, { params, query: { limit: 1 } })).items
  expect(last?.by).not.toBeNull()
  const rest = await business.api.ok(materialsApi.moves, { params, query: { limit: 3 } })
  const more = await business.api.ok(materialsApi.moves, { params, query: { limit: 3, cursor: rest.nextCursor ?? '' } })
  expect([rest.items.length, more.items.length, more.nextCursor]).toEqual([3, 1, null])
})

it('a move is never changed or taken away, not even by the program', async () => {
  const { id } = await add()
  const change = business.db((db) =>
    db.updateTable('materialMoves').set({ note: 'x' }).where('materialId', '=', id).execute(),
  )
  await expect(change).rejects.toThrow(/permission denied/)
  const removal = business.db((db) => db.deleteFrom('materialMoves').where('materialId', '=', id).execute())
  await expect(removal).rejects.toThrow(/permission denied/)
})

it('two people who use the last bag at once: one of them is told that it is gone', async () => {
  const { id } = await add({ onHand: 1 })
  const answers = await Promise.all(
    [0, 1].map(() => business.api.call(materialsApi.use, { params: { id }, body: { packages: 1 } })),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  expect(await onHandOf(id)).toBe(0)
})

it('who counts or receives by a number that somebody else moved meanwhile is told, and nothing changes', async () => {
  const { id } = await add()
  const params = { id }
  await business.api.ok(materialsApi.use, { params, body: { packages: 1 } })
  const counted = await business.api.call(materialsApi.count, { params, body: { onHand: 12, seenOnHand: 10 } })
  const received = await business.api.call(materialsApi.receive, { params, body: { packages: 5, seenOnHand: 10 } })
  for (const { status, error } of [counted, received])
    expect([status, error.message]).toEqual([409, 'It is 9 by now. Nothing was changed.'])
  expect(await onHandOf(id)).toBe(9)
  await business.api.ok(materialsApi.receive, { params, body: { packages: 5, seenOnHand: 9 } })
  await business.api.ok(materialsApi.count, { params, body: { onHand: 12, seenOnHand: 14 } })
  expect(await onHandOf(id)).toBe(12)
})

it('what is low is on the purchase list and in what needs somebody; what comes in settles what was asked for, the oldest first', async () => {
  const { id } = await add({ onHand: 4 })
  await add({ name: 'Plenty', onHand: 40 })
  const list = async () =>
    (await business.api.ok(materialsApi.purchases, {})).items.map(({ name, isLow, packages, costCents, wants }) => [
      name,
      isLow,
      packages,
      costCents,
      wants.map((one) => one.packages),
    ])
  expect(await list()).toEqual([['Fertilizer 28-3-6', true, 4, 16_800, []]])
  const { needs } = await business.api.ok(dashboardApi.get, {})
  expect(needs.find(({ kind }) => kind === 'stock')).toMatchObject({ title: 'Fertilizer 28-3-6 is low' })
  await business.api.ok(materialsApi.want, { body: { materialId: id, packages: 3, note: 'Oak St' } })
  const second = await business.api.ok(materialsApi.want, { body: { materialId: id, packages: 6 } })
  expect(await list()).toEqual([['Fertilizer 28-3-6', true, 9, 37_800, [3, 6]]])
  await business.api.ok(materialsApi.receive, { params: { id }, body: { packages: 4 } })
  expect(await list()).toEqual([['Fertilizer 28-3-6', false, 5, 21_000, [5]]])
  await business.api.ok(materialsApi.unwant, { params: { id: second.id } })
  expect(await list()).toEqual([])
})

it('a calculation goes on the load list of a visit: on the office’s list, on the crew’s phone, and gone once it is used', async () => {
  const luis = await business.employee({ name: 'Luis Ortega' })
  const crewId = await aCrew(business, { name: 'North', members: [luis] })
  const first = await aVisit(business, { crewId, street: '7 Bay St', position: 1 })
  const second = await aVisit(business, { crewId, street: '9 Bay St', position: 2 })
  await publishDay(business, crewId)
  const { id } = await add()
  const { items } = await business.api.ok(materialsApi.visits, { query: { propertyId: first.propertyId } })
  expect(items.map((one) => [one.id, one.day, one.crewName])).toEqual([[first.visitId, today(), 'North']])
  expect(items[0]?.services).toEqual([{ name: expect.stringMatching(/^Mow/), category: 'mow' }])
  const planned = await business.api.ok(materialsApi.plan, {
    body: { materialId: id, choice: spread, visitId: first.visitId },
  })
  expect(planned.amount).toBe(21.429)
  await business.api.ok(materialsApi.plan, {
    body: { materialId: id, choice: { ...spread, squareFeet: 9000 }, visitId: second.visitId },
  })
  const [load] = (await business.api.ok(materialsApi.loads, {})).items
  // 21.43 and 32.14 lb are two bags together, not one and one more for each
  expect(load).toMatchObject({
    day: today(),
    crew: { name: 'North' },
    weightPounds: 100,
    materials: [{ name: 'Fertilizer 28-3-6', amount: 53.572, packages: 2, onHand: 10 }],
  })
  const lists = await business.api.ok(loadApi.day, { query: { day: today() } })
  expect(lists.crews[0]?.load.materials).toEqual([
    { name: 'Fertilizer 28-3-6', unit: 'lb', amount: 53.57, stops: 2, pack: { of: 'bag', pounds: 50, size: 50 } },
  ])
  const stopLoad = async () =>
    (await luis.api.ok(crewappApi.day, { query: {} })).days[0]?.stops.map((stop) => stop.load?.map((one) => one.amount))
  expect(await stopLoad()).toEqual([[21.43], [32.14]])
  const used = await business.api.ok(materialsApi.usePlan, { params: { id: planned.id }, body: { packages: 0.5 } })
  expect(used.onHand).toBe(9.5)
  expect(await stopLoad()).toEqual([undefined, [32.14]])
  const again = await business.api.call(materialsApi.usePlan, { params: { id: planned.id }, body: { packages: 0.5 } })
  expect([again.status, await onHandOf(id)]).toEqual([409, 9.5])
  const [move] = (await business.api.ok(materialsApi.moves, { params: { id }, query: {} })).items
  expect([move?.kind, move?.visitId, move?.jobId]).toEqual(['used', first.visitId, first.jobId])
  expect(move?.note).toContain('7 Bay St')
})

it('a visit that is gone leaves what was calculated for it, named; one that is over takes nothing', async () => {
  const { id } = await add()
  const visit = await aVisit(business, { street: '7 Bay St' })
  const { id: planId } = await business.api.ok(materialsApi.plan, {
    body: { materialId: id, choice: spread, visitId: visit.visitId },
  })
  await business.db((db) =>
    db.updateTable('visits').set({ status: 'completed' }).where('id', '=', visit.visitId).execute(),
  )
  const over = await business.api.call(materialsApi.plan, {
    body: { materialId: id, choice: spread, visitId: visit.visitId },
  })
  expect([over.status, over.error.message]).toEqual([409, expect.stringContaining('is over')])
  await business.db(async (db) => {
    await db.deleteFrom('visitLines').where('visitId', '=', visit.visitId).execute()
    await db.deleteFrom('visits').where('id', '=', visit.visitId).execute()
  })
  const [load] = (await business.api.ok(materialsApi.loads, {})).items
  expect([load?.day, load?.materials[0]?.stops[0]?.visitId]).toEqual([null, null])
  expect(load?.materials[0]?.stops[0]?.place).toContain('7 Bay St')
  await business.api.ok(materialsApi.unplan, { params: { id: planId } })
  expect((await business.api.ok(materialsApi.loads, {})).items).toEqual([])
})

it('Maryland’s limit stops what the browser says is elsewhere, until the business switches it off with why', async () => {
  const { id } = await add({ slowPercent: 50 })
  const visit = await aVisit(business, {})
  await business.db((db) =>
    db.updateTable('properties').set({ state: 'MD' }).where('id', '=', visit.propertyId).execute(),
  )
  const day = '2026-06-12'
  await business.db((db) => db.updateTable('visits').set({ day }).where('id', '=', visit.visitId).execute())
  const body = { materialId: id, choice: spread, visitId: visit.visitId }
  const stopped = await business.api.call(materialsApi.plan, { body })
  expect([stopped.status, stopped.error.errors?.[0]]).toEqual([
    422,
    { path: 'choice.targetPounds', message: expect.stringContaining('Maryland allows at most 0.9 lb') },
  ])
  expect((await business.api.ok(materialsApi.loads, {})).items).toEqual([])
  const noWhy = await business.api.call(materialsApi.setLaw, { body: { state: 'MD', reason: '' } })
  expect(noWhy.status).toBe(422)
  const off = await business.api.ok(materialsApi.setLaw, { body: { state: 'MD', reason: 'Sod farm, not turf' } })
  expect(off.lawsOff).toMatchObject([{ state: 'MD', reason: 'Sod farm, not turf' }])
  expect(off.lawsOff[0]?.by).not.toBeNull()
  await business.api.ok(materialsApi.plan, { body })
  const on = await business.api.ok(materialsApi.setLaw, { body: { state: 'MD', reason: null } })
  expect(on.lawsOff).toEqual([])
  expect((await business.api.call(materialsApi.plan, { body })).status).toBe(422)
})

it('a tank mix takes no more than its label allows; the mixes of the business neither', async () => {
  const product = await aProduct(business.api, { labelLow: 1.1, labelHigh: 1.5 })
  const jug = { package: 'jug', packageSize: 320, unit: 'fl oz', nitrogenPercent: null, productId: product.id }
  const { id } = await add({ kind: 'herbicide', name: 'Trimec jug', ...jug })
  const visit = await aVisit(business, {})
  const tank = { kind: 'herbicide' as const, squareFeet: 8000, rate: 1.6, carrierGallons: 1.5 }
  const body = { materialId: id, choice: tank, visitId: visit.visitId }
  const refused = await business.api.call(materialsApi.plan, { body })
  expect([refused.status, refused.error.errors?.[0]?.path]).toEqual([422, 'choice.rate'])
  const planned = await business.api.ok(materialsApi.plan, { body: { ...body, choice: { ...tank, rate: 1.5 } } })
  expect(planned.amount).toBe(12)
  const mix = { name: 'Weeds', products: [{ productId: product.id, rate: 1.6 }] }
  const refusedMix = await business.api.call(chemicalsApi.addMix, { body: mix })
  expect([refusedMix.status, refusedMix.error.errors?.[0]?.path]).toEqual([422, 'products.0.rate'])
  const swapped = await business.api.call(chemicalsApi.updateProduct, {
    params: { id: product.id },
    body: { labelHigh: 1, version: product.version },
  })
  expect([swapped.status, swapped.error.errors?.[0]?.path]).toEqual([422, 'labelHigh'])
})

it('a quote has the material as a line: on a draft of the property or a new one, never on what was sent or another place’s', async () => {
  const { id } = await add()
  const { propertyId } = await aLawn(business)
  const other = await aLawn(business, { street: '9 Bay St' })
  const { items: services } = await business.api.ok(servicesApi.addDefaults, {})
  const service = services.find(({ unit }) => unit === 'visit')
  if (!service) throw new Error('There is no service.')
  const body = { materialId: id, choice: spread, propertyId, quoteId: null, serviceId: service.id, priceCents: 8500 }
  const made = await business.api.ok(materialsApi.quoteLine, { body })
  const again = await business.api.ok(materialsApi.quoteLine, { body: { ...body, quoteId: made.quoteId } })
  expect(again).toEqual(made)
  const quote = await business.api.ok(quotesApi.get, { params: { id: made.quoteId } })
  expect(
    quote.content.lines.map(({ unitPriceCents, costCents, description }) => [unitPriceCents, costCents, description]),
  ).toEqual([
    [8500, 4200, '1 bag for 6,000 sq ft'],
    [8500, 4200, '1 bag for 6,000 sq ft'],
  ])
  expect(quote.totalCents).toBe(17_000)
  const elsewhere = await business.api.call(materialsApi.quoteLine, {
    body: { ...body, propertyId: other.propertyId, quoteId: made.quoteId },
  })
  expect(elsewhere.status).toBe(404)
  await business.db((db) => db.updateTable('quotes').set({ status: 'sent' }).where('id', '=', made.quoteId).execute())
  const sent = await business.api.call(materialsApi.quoteLine, { body: { ...body, quoteId: made.quoteId } })
  expect(sent.status).toBe(409)
})

it('who works without money sees no cost and says none; crews see nothing of it; another business has its own', async () => {
  const { id } = await add({ onHand: 1 })
  const office = await aPerson(business.id, 'Admin', { permissions: ['schedule'] })
  const seen = await office.api.ok(materialsApi.list, { query: {} })
  expect(seen.items.map(({ costCents, onHand }) => [costCents, onHand])).toEqual([[null, 1]])
  expect((await office.api.ok(materialsApi.purchases, {})).items[0]?.costCents).toBeNull()
  const priced = await office.api.call(materialsApi.update, { params: { id }, body: { costCents: 4200, version: 1 } })
  expect(priced.status).toBe(403)
  const renamed = await office.api.ok(materialsApi.update, { params: { id }, body: { name: 'Spring', version: 1 } })
  expect(renamed.name).toBe('Spring')
  expect((await business.api.ok(materialsApi.get, { params: { id } })).costCents).toBe(4200)
  const looker = await aPerson(business.id, 'Admin', { permissions: ['customers'] })
  expect((await looker.api.call(materialsApi.use, { params: { id }, body: { packages: 1 } })).status).toBe(403)
  expect((await looker.api.ok(materialsApi.get, { params: { id } })).can).toMatchObject({ count: false, use: false })
  const crew = await business.employee({})
  expect((await crew.api.call(materialsApi.list, { query: {} })).status).toBe(403)
  const other = await aBusiness()
  expect((await other.api.ok(materialsApi.list, { query: {} })).items).toEqual([])
  expect((await other.api.call(materialsApi.get, { params: { id } })).status).toBe(404)
  const theirs = await aVisit(other, {})
  const mixed = await business.api.call(materialsApi.plan, {
    body: { materialId: id, choice: spread, visitId: theirs.visitId },
  })
  expect(mixed.status).toBe(404)
})

it('bad input changes nothing and says where', async () => {
  const { id } = await add()
  const visit = await aVisit(business, {})
  for (const [choice, path] of [
    [{ ...spread, squareFeet: 0 }, 'choice.squareFeet'],
    [{ ...spread, targetPounds: 6 }, 'choice.targetPounds'],
    [{ kind: 'lime', squareFeet: 1000, poundsPerThousand: 50 }, 'choice.materialId'],
  ] as const) {
    const { status, error } = await business.api.call(materialsApi.plan, {
      body: { materialId: id, choice: choice as never, visitId: visit.visitId },
    })
    expect([status, error.errors?.[0]?.path]).toEqual([422, path])
  }
  for (const packages of [0, -1, 1.005])
    expect((await business.api.call(materialsApi.receive, { params: { id }, body: { packages } })).status).toBe(422)
  expect(await onHandOf(id)).toBe(10)
})
