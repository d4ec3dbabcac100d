import { describe, expect, it } from 'vitest'
import { newId } from '../../../../platform/ids.ts'
import { aBusiness } from '../../../../test/factories.ts'
import { aLawn } from '../../../../test/field.ts'
import { customersApi } from '../../contract.ts'
import { areasApi } from '../contract.ts'

const lot: [number, number][] = [
  [32.05, -81.1],
  [32.05, -81.099],
  [32.0506, -81.099],
  [32.0506, -81.1],
]
const house: [number, number][] = [
  [32.0502, -81.0997],
  [32.0502, -81.0993],
  [32.0504, -81.0993],
  [32.0504, -81.0997],
]

const aProperty = async () => {
  const business = await aBusiness()
  const { customerId } = await aLawn(business)
  const record = () => business.api.ok(customersApi.get, { params: { id: customerId } })
  const [property] = (await record()).properties
  const id = property?.id ?? ''
  const list = () => business.api.ok(areasApi.list, { params: { id } })
  const save = async (areas: object[], version?: number) =>
    business.api.call(areasApi.save, {
      params: { id },
      body: { version: version ?? (await list()).version, areas: areas as never },
    })
  return { ...business, id, customerId, record, list, save }
}

describe('the areas of a property', () => {
  it('are measured by the server, and their turf is the lawn that prices read; who and when stands there', async () => {
    const { save, list, record, db } = await aProperty()
    const answer = await save([
      { kind: 'turf', name: 'Front', rings: [lot, house] },
      { kind: 'turf', squareFeet: 1000 },
      { kind: 'bed', squareFeet: 300 },
    ])
    expect(answer.status).toBe(200)
    const { items, lawnSquareFeet, measured } = await list()
    expect(items.map((area) => area.kind)).toEqual(['turf', 'turf', 'bed'])
    const [front] = items
    // the lot of GeographicLib less the house
    expect(Math.abs((front?.squareFeet ?? 0) / (67634.4 - 9017.9) - 1)).toBeLessThan(0.01)
    expect(lawnSquareFeet).toBe((front?.squareFeet ?? 0) + 1000)
    expect((await record()).properties[0]).toMatchObject({ lawnSquareFeet, bedSquareFeet: 300, edgeFeet: null })
    expect(measured).toMatchObject({ how: 'areas', by: expect.any(String) })
    await db(async (tenant) => {
      const logged = await tenant
        .selectFrom('auditLog')
        .select('action')
        .where('businessId', '=', tenant.businessId)
        .where('action', '=', 'property.areas')
        .execute()
      expect(logged).toHaveLength(1)
    })
  })

  it('stand on the property: turf, beds together, and the feet around what is edged', async () => {
    const { save, list, record } = await aProperty()
    await save([
      { kind: 'turf', squareFeet: 4000 },
      { kind: 'bed', squareFeet: 300 },
      { kind: 'bed', rings: [house] },
      { kind: 'edge', rings: [lot] },
    ])
    const { items } = await list()
    expect((await record()).properties[0]).toMatchObject({
      lawnSquareFeet: 4000,
      bedSquareFeet: 300 + (items[2]?.squareFeet ?? 0),
      edgeFeet: items[3]?.feetAround,
    })
    expect(items[3]?.feetAround).toBe(1056)
  })

  it('keep an edge that was typed in square feet as it was, of which no feet are known', async () => {
    const { save, list, record } = await aProperty()
    expect((await save([{ kind: 'edge', squareFeet: 300 }])).status).toBe(200)
    const [edge] = (await list()).items
    expect((await save([{ id: edge?.id, kind: 'edge', name: 'Walk', squareFeet: 300 }])).status).toBe(200)
    expect((await list()).items).toMatchObject([{ id: edge?.id, name: 'Walk', squareFeet: 300, feetAround: null }])
    expect((await record()).properties[0]).toMatchObject({ edgeFeet: null })
  })

  it('that cross themselves are refused in words, and what was there stays', async () => {
    const { save, list } = await aProperty()
    await save([{ kind: 'turf', squareFeet: 4000 }])
    const [a, b, c, d] = lot
    const answer = await save([{ kind: 'turf', name: 'Front', rings: [[a, c, b, d]] }])
    expect(answer.status).toBe(422)
    expect(JSON.stringify(answer.body)).toContain('The outline of Front crosses itself')
    expect((await list()).items.map((area) => area.squareFeet)).toEqual([4000])
  })

  it('keep the picture of whoever saved first, and their ids', async () => {
    const { save, list } = await aProperty()
    const { version } = await list()
    await save([{ kind: 'turf', squareFeet: 4000 }], version)
    expect((await save([{ kind: 'turf', squareFeet: 9000 }], version)).status).toBe(409)
    const [area] = (await list()).items
    await save([
      { id: area?.id, kind: 'turf', squareFeet: 4100 },
      { id: newId(), kind: 'bed', squareFeet: 50 },
    ])
    const after = (await list()).items
    expect(after.map((one) => one.squareFeet)).toEqual([4100, 50])
    expect(after[0]?.id).toBe(area?.id)
  })

  it('go before a typed lawn size, which counts again without turf', async () => {
    const { save, list, api, id } = await aProperty()
    await save([{ kind: 'turf', squareFeet: 4000 }])
    const type = async (lawnSquareFeet: number) =>
      api.call(customersApi.updateProperty, {
        params: { id },
        body: { lawnSquareFeet, version: (await list()).version },
      })
    expect((await type(5000)).status).toBe(422)
    expect((await type(4000)).status).toBe(200)
    await save([{ kind: 'bed', squareFeet: 300 }])
    expect((await type(5000)).status).toBe(200)
    expect(await list()).toMatchObject({ lawnSquareFeet: 5000, measured: { how: 'typed' } })
  })

  it('are either drawn or typed, and bounded', async () => {
    const { save } = await aProperty()
    expect((await save([{ kind: 'turf' }])).status).toBe(422)
    expect((await save([{ kind: 'turf', squareFeet: 1, rings: [lot] }])).status).toBe(422)
    expect((await save(Array.from({ length: 41 }, () => ({ kind: 'bed', squareFeet: 1 })))).status).toBe(422)
  })
})
