import { expect, it } from 'vitest'
import { stockShop } from '../demo/materials.ts'
import { ownerOf } from '../demo/team.ts'
import { materialsApi } from '../features/materials/contract.ts'
import { addDays } from '../shared/dates.ts'
import { aProduct } from './chemicals.ts'
import { aBusiness } from './factories.ts'
import { aCrew, aVisit, today } from './field.ts'

it('the demo shows what materials are for: a dozen with counts, one low, one on the purchase list, one on a load list', async () => {
  const business = await aBusiness()
  const crewId = await aCrew(business, { name: 'North' })
  const { propertyId } = await aVisit(business, { crewId, day: addDays(today(), 1) })
  await business.db((db) =>
    db.updateTable('properties').set({ lawnSquareFeet: 6000 }).where('id', '=', propertyId).execute(),
  )
  await aProduct(business.api, { labelLow: 1.1, labelHigh: 1.5 })
  await stockShop(await ownerOf(business.id, 'America/New_York'))
  const { items } = await business.api.ok(materialsApi.list, { query: {} })
  expect(items).toHaveLength(13)
  expect(items.find(({ name }) => name === 'Fertilizer 24-0-11')?.onHand).toBe(50)
  const buys = (await business.api.ok(materialsApi.purchases, {})).items
  expect(buys.map(({ name, isLow }) => [name, isLow])).toEqual([
    ['TifTuf bermuda sod', false],
    ['Turf-type tall fescue', true],
  ])
  const [load] = (await business.api.ok(materialsApi.loads, {})).items
  expect([load?.day, load?.crew?.name, load?.materials[0]?.packages]).toEqual([addDays(today(), 1), 'North', 1])
})
