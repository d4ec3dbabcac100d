import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { aBusiness, type TestBusiness } from '../../../../test/factories.ts'
import { aVisit } from '../../../../test/field.ts'
import { aFullBusiness } from '../../../../test/full-business.ts'
import { aWorkday } from '../../../../test/planning.ts'
import { areasApi } from '../../../customers/areas/contract.ts'
import { customersApi } from '../../../customers/contract.ts'
import { quotesApi } from '../../../quotes/contract.ts'
import { servicesApi } from '../../../services/contract.ts'
import { visitsApi } from '../../../visits/contract.ts'
import { mergesApi } from '../../contract.ts'
import { placeMergesApi } from '../contract.ts'

const city = { city: 'Savannah', state: 'GA', zip: '31401' }

/** One customer whose lawn stands twice, the second time as somebody else typed it. */
const aTwin = async () => {
  const { api } = await aBusiness()
  const { id } = await api.ok(customersApi.create, {
    body: { name: 'Ann', property: { street: '8 Harrow Street', ...city, lawnSquareFeet: 18_892 } },
  })
  const params = { id }
  await api.ok(customersApi.addProperty, {
    params,
    body: { street: '8 Harrow St', ...city, dog: 'Rex', notes: 'Gate sticks.' },
  })
  const [pair] = (await api.ok(placeMergesApi.pairs, { params })).items
  if (!pair) throw new Error('no pair')
  const turned = pair.kept.street === '8 Harrow St' ? { kept: pair.gone, gone: pair.kept } : pair
  const second = await api.ok(areasApi.save, {
    params: { id: turned.gone.id },
    body: { version: turned.gone.version, areas: [{ kind: 'turf', name: 'Front', squareFeet: 9000, rings: null }] },
  })
  const { kept } = turned
  const gone = { ...turned.gone, version: second.property.version }
  const merge = (measures: 'kept' | 'gone', version = kept.version) =>
    api.call(placeMergesApi.merge, {
      params: { id: kept.id },
      body: { goneId: gone.id, version, goneVersion: gone.version, measures },
    })
  const places = async () =>
    (await api.ok(customersApi.get, { params })).properties
      .map((place) => [place.street, place.lawnSquareFeet, place.dog, place.archivedAt !== null])
      .toSorted()
  const areas = async (place: string) => (await api.ok(areasApi.list, { params: { id: place } })).items.length
  return { api, customerId: id, kept, gone, merge, places, areas }
}

describe('one lawn that stands twice', () => {
  it('becomes one with the measurements that a person chose, and two again', async () => {
    const { api, kept, gone, merge, places, areas, customerId } = await aTwin()
    const before = await places()
    const { status, body } = await merge('gone')
    expect(status).toBe(200)
    expect(await places()).toEqual([
      ['8 Harrow St', 18_892, 'Rex', true],
      ['8 Harrow Street', 9000, 'Rex', false],
    ])
    expect([await areas(kept.id), await areas(gone.id)]).toEqual([1, 0])
    expect((await api.ok(placeMergesApi.pairs, { params: { id: customerId } })).items).toEqual([])
    const undo = { params: { id: body.mergeId } }
    expect(await api.ok(placeMergesApi.undo, undo)).toEqual({ fieldsBack: true })
    expect(await places()).toEqual(before)
    expect([await areas(kept.id), await areas(gone.id)]).toEqual([0, 1])
    expect((await api.call(placeMergesApi.undo, undo)).status).toBe(409)
  })

  it('keeps its own measurements where they were chosen, and fills only what it has not', async () => {
    const { merge, places, areas, kept } = await aTwin()
    expect((await merge('kept')).status).toBe(200)
    expect(await places()).toEqual([
      ['8 Harrow St', 9000, 'Rex', true],
      ['8 Harrow Street', 18_892, 'Rex', false],
    ])
    expect(await areas(kept.id)).toBe(0)
  })

  it('leaves what was changed since as it is when it is taken back', async () => {
    const { api, kept, merge, places } = await aTwin()
    const { body } = await merge('kept')
    await api.ok(customersApi.updateProperty, {
      params: { id: kept.id },
      body: { version: kept.version + 1, dog: 'Bella' },
    })
    expect(await api.ok(placeMergesApi.undo, { params: { id: body.mergeId } })).toEqual({ fieldsBack: false })
    expect(await places()).toEqual([
      ['8 Harrow St', 9000, 'Rex', false],
      ['8 Harrow Street', 18_892, 'Bella', false],
    ])
  })

  it('refuses what was not seen, what is not one address, and what is of two customers', async () => {
    const { api, customerId, kept, gone, merge } = await aTwin()
    expect((await merge('kept', kept.version + 5)).status).toBe(409)
    const other = await api.ok(customersApi.addProperty, {
      params: { id: customerId },
      body: { street: '9 Harrow St', ...city },
    })
    const stranger = await api.ok(customersApi.create, {
      body: { name: 'Bob', allowDuplicate: true, property: { street: '8 Harrow St', ...city } },
    })
    const theirs = (await api.ok(customersApi.get, { params: { id: stranger.id } })).properties[0]
    for (const [place, words] of [
      [other, 'are not one address'],
      [theirs, 'belong to two customers'],
      [kept, 'the same property'],
    ] as const) {
      const answer = await api.call(placeMergesApi.merge, {
        params: { id: kept.id },
        body: { goneId: place?.id ?? '', version: kept.version, goneVersion: place?.version ?? 1, measures: 'kept' },
      })
      expect([answer.status, answer.error.message]).toEqual([409, expect.stringContaining(words)])
    }
    expect(gone.street).toBe('8 Harrow St')
  })
})

describe('what happened since a merge', () => {
  it('goes back with the job that it came of', async () => {
    const business = await aBusiness()
    const { api } = business
    const { customerId, propertyId, visitId } = await aVisit(business)
    const { properties } = await api.ok(customersApi.get, { params: { id: customerId } })
    const gone = properties.find((place) => place.id === propertyId)
    const { street, unit, city: town, state, zip } = gone ?? {}
    const kept = await api.ok(customersApi.addProperty, {
      params: { id: customerId },
      body: { street: street ?? '', unit: unit ?? '', city: town ?? '', state: state ?? '', zip: zip ?? '' },
    })
    const { mergeId } = await api.ok(placeMergesApi.merge, {
      params: { id: kept.id },
      body: { goneId: propertyId, version: kept.version, goneVersion: gone?.version ?? 1, measures: 'kept' },
    })
    const placeOf = async (id: string) => (await api.ok(visitsApi.get, { params: { visitId: id } })).propertyId
    await api.ok(visitsApi.skip, { params: { visitId }, body: { reason: 'too_wet' } })
    const added = await api.ok(visitsApi.rebook, { params: { visitId }, body: { day: aWorkday() } })
    expect(await placeOf(added.id)).toBe(kept.id)
    await api.ok(placeMergesApi.undo, { params: { id: mergeId } })
    expect([await placeOf(added.id), await placeOf(visitId)]).toEqual([propertyId, propertyId])
  })

  it('holds the first merge of two in a row until the second is taken back', async () => {
    const { api, customerId, kept, gone, merge } = await aTwin()
    const first = await merge('kept')
    const third = await api.ok(customersApi.addProperty, {
      params: { id: customerId },
      body: { street: '8 HARROW ST.', ...city },
    })
    const { properties } = await api.ok(customersApi.get, { params: { id: customerId } })
    const second = await api.ok(placeMergesApi.merge, {
      params: { id: third.id },
      body: {
        goneId: kept.id,
        version: third.version,
        goneVersion: properties.find(({ id }) => id === kept.id)?.version ?? 0,
        measures: 'kept',
      },
    })
    const undo = (id: string) => api.call(placeMergesApi.undo, { params: { id } })
    const held = await undo(first.body.mergeId)
    expect([held.status, held.error.message]).toEqual([409, expect.stringContaining('Take that back first')])
    expect([(await undo(second.mergeId)).status, (await undo(first.body.mergeId)).status]).toEqual([200, 200])
    expect(gone.street).toBe('8 Harrow St')
  })
})

/** Tables in which a column still names a property. */
const pointing = (business: TestBusiness, propertyId: string): Promise<string[]> =>
  business.db(async (db) => {
    const { rows } = await sql<{ table: string; column: string }>`
      select c.table_name as table, c.column_name as column from information_schema.columns c
      join information_schema.columns b on b.table_schema = c.table_schema and b.table_name = c.table_name and b.column_name = 'business_id'
      join information_schema.tables t on t.table_schema = c.table_schema and t.table_name = c.table_name and t.table_type = 'BASE TABLE'
      where c.table_schema = 'public' and c.data_type = 'uuid' and c.column_name <> 'business_id' order by 1, 2`.execute(
      db,
    )
    const asked = rows.map(
      ({ table, column }) => sql<{ name: string }>`select ${`${table}.${column}`}::text as name where exists
        (select 1 from ${sql.table(table)} where business_id = ${business.id} and ${sql.id(column)} = ${propertyId})`,
    )
    return (await sql<{ name: string }>`${sql.join(asked, sql` union all `)}`.execute(db)).rows.map(({ name }) => name)
  })

/** What stays with the property that went: its own row, its log, papers that were issued, the way back. */
const stays = new Set([
  'audit_log.record_id',
  'custom_values.property_id',
  'custom_values.record_id',
  'gate_code_reveals.property_id',
  'import_rows.property_id',
  'invoice_lines.property_id',
  'properties.id',
  'property_areas.property_id',
  'property_merges.gone_id',
])

it('moves everything of a business with a record of every kind, and brings all of it back', {
  timeout: 90_000,
}, async () => {
  const { business } = await aFullBusiness()
  const { api } = business
  const rows = await business.db((db) =>
    db
      .selectFrom('properties')
      .select(['id', 'customerId', 'street', 'unit', 'city', 'state', 'zip'])
      .where('businessId', '=', business.id)
      .where('archivedAt', 'is', null)
      .execute(),
  )
  const [service] = (await api.ok(servicesApi.catalog, { query: {} })).items
  const content = { lines: [{ id: 'mow', serviceId: service?.id ?? '', name: 'Mowing', unitPriceCents: 5000 }] }
  await api.ok(quotesApi.create, { body: { propertyId: rows[0]?.id ?? '', content } })
  const moved = new Set<string>()
  for (const { id, customerId, ...address } of rows) {
    const before = await pointing(business, id)
    const kept = await api.ok(customersApi.addProperty, { params: { id: customerId }, body: address })
    const { properties } = await api.ok(customersApi.get, { params: { id: customerId } })
    const gone = properties.find((place) => place.id === id)
    const { mergeId } = await api.ok(placeMergesApi.merge, {
      params: { id: kept.id },
      body: { goneId: id, version: kept.version, goneVersion: gone?.version ?? 1, measures: 'gone' },
    })
    const after = await pointing(business, id)
    expect(after.filter((one) => !stays.has(one))).toEqual([])
    for (const one of before) if (!after.includes(one)) moved.add(one)
    await api.ok(placeMergesApi.undo, { params: { id: mergeId } })
    const again = await pointing(business, id)
    expect(before.filter((one) => !again.includes(one))).toEqual([])
  }
  expect([...moved]).toEqual(expect.arrayContaining(['jobs.property_id', 'visits.property_id', 'quotes.property_id']))
})

it('holds a merge of customers that was before it', async () => {
  const { api } = await aBusiness()
  const property = { street: '8 Harrow Street', ...city }
  const one = await api.ok(customersApi.create, { body: { name: 'Ann', property } })
  const two = await api.ok(customersApi.create, {
    body: { name: 'A.', allowDuplicate: true, property: { ...property, street: '8 Harrow St' } },
  })
  const seen = await api.ok(mergesApi.preview, { params: { id: one.id, goneId: two.id } })
  const merged = await api.ok(mergesApi.merge, {
    params: { id: one.id },
    body: { goneId: two.id, version: seen.kept.version, goneVersion: seen.gone.version },
  })
  const [pair] = (await api.ok(placeMergesApi.pairs, { params: { id: one.id } })).items
  const { mergeId } = await api.ok(placeMergesApi.merge, {
    params: { id: pair?.kept.id ?? '' },
    body: {
      goneId: pair?.gone.id ?? '',
      version: pair?.kept.version ?? 0,
      goneVersion: pair?.gone.version ?? 0,
      measures: 'kept',
    },
  })
  const undo = { params: { id: merged.mergeId } }
  expect((await api.call(mergesApi.undo, undo)).status).toBe(409)
  await api.ok(placeMergesApi.undo, { params: { id: mergeId } })
  expect((await api.call(mergesApi.undo, undo)).status).toBe(200)
})
