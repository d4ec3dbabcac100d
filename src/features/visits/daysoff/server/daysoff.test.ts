import { beforeEach, expect, it } from 'vitest'
import { addDays, type Day } from '../../../../shared/dates.ts'
import { aBusiness, type TestBusiness } from '../../../../test/factories.ts'
import { aCrew, aVisit, everyDay, today } from '../../../../test/field.ts'
import { visitsApi } from '../../contract.ts'
import { daysOffApi } from '../contract.ts'

let business: TestBusiness
let crewId: string
const off = addDays(today(), 3)

beforeEach(async () => {
  business = await aBusiness()
  await business.db((db) =>
    db
      .updateTable('businesses')
      .set({ workDays: everyDay, holidays: [off, addDays(off, 1)] })
      .where('businessId', '=', business.id)
      .execute(),
  )
  crewId = await aCrew(business, { workDays: everyDay })
})

const dayOfVisit = async (visitId: string): Promise<Day | null> =>
  (await business.api.ok(visitsApi.get, { params: { visitId } })).day

it('counts what stands on holidays, moves it to the next day that its crew works, and puts it back', async () => {
  const first = await aVisit(business, { day: off, crewId })
  const done = await aVisit(business, { day: off, crewId, status: 'completed' })
  const alone = await aVisit(business, { day: addDays(off, 1) })
  const list = () => business.api.ok(daysOffApi.list, {})
  expect((await list()).days).toEqual([
    { day: off, visits: 1 },
    { day: addDays(off, 1), visits: 1 },
  ])
  const { moved, left } = await business.api.ok(daysOffApi.move, { body: { days: [off, addDays(off, 1)] } })
  expect([moved.length, left]).toEqual([2, 0])
  for (const { visitId } of [first, alone]) expect(await dayOfVisit(visitId)).toBe(addDays(off, 2))
  expect(await dayOfVisit(done.visitId)).toBe(off)
  expect((await list()).days).toEqual([])
  // a second press finds nothing more
  expect((await business.api.ok(daysOffApi.move, { body: { days: [off] } })).moved).toEqual([])
  const { version } = await business.api.ok(visitsApi.get, { params: { visitId: alone.visitId } })
  await business.api.ok(visitsApi.move, {
    params: { visitId: alone.visitId },
    body: { day: addDays(off, 5), crewId, version },
  })
  expect(await business.api.ok(daysOffApi.undo, { body: { moved } })).toEqual({ back: 1, kept: 1 })
  expect(await dayOfVisit(first.visitId)).toBe(off)
  expect(await dayOfVisit(alone.visitId)).toBe(addDays(off, 5))
})

it('leaves days that are no holidays, and what belongs to somebody else', async () => {
  const { visitId } = await aVisit(business, { day: addDays(off, 2), crewId })
  expect((await business.api.ok(daysOffApi.move, { body: { days: [addDays(off, 2)] } })).moved).toEqual([])
  expect(await dayOfVisit(visitId)).toBe(addDays(off, 2))
  const other = await aBusiness()
  const foreign = await other.api.call(daysOffApi.undo, { body: { moved: [{ visitId, version: 1 }] } })
  expect(foreign.status).toBe(404)
})
