import { beforeEach, describe, expect, it } from 'vitest'
import { newId } from '../../../../platform/ids.ts'
import { addDays } from '../../../../shared/dates.ts'
import { aBusiness, type TestBusiness } from '../../../../test/factories.ts'
import { aCrew, aVisit, today } from '../../../../test/field.ts'
import { aWorkday } from '../../../../test/planning.ts'
import { visitsApi } from '../../../visits/contract.ts'
import { routesApi } from '../../contract.ts'

const day = aWorkday(3)
const holiday = aWorkday(10)

let business: TestBusiness
let north: string
let coast: string
const off = (crewId: string, on: string, reason: 'rain' | 'out') =>
  business.db((db) =>
    db.insertInto('crewDaysOff').values({ businessId: business.id, id: newId(), crewId, day: on, reason }).execute(),
  )

beforeEach(async () => {
  business = await aBusiness({ workDays: [1, 2, 3, 4, 5] })
  north = await aCrew(business, { name: 'North' })
  coast = await aCrew(business, { name: 'Coast' })
  await business.db((db) =>
    db
      .updateTable('businesses')
      .set({ holidays: [holiday] })
      .where('businessId', '=', business.id)
      .execute(),
  )
})

const move = (visitId: string, to: { crewId: string | null; day?: string }) =>
  business.api.call(routesApi.move, { body: { visitId, ...to } })
const get = (visitId: string) => business.api.ok(visitsApi.get, { params: { visitId } })

describe('a stop that is moved by hand', () => {
  it.each([
    ['a holiday', holiday, /holiday of yours/],
    [
      'a day on which the business is closed',
      addDays(day, (7 - new Date(`${day}T00:00:00Z`).getUTCDay()) % 7),
      /do not work on Sundays/,
    ],
  ])('does not go to %s, with or without a crew, in the words of the panel', async (_, closed, why) => {
    const { visitId } = await aVisit(business, { day, crewId: north })
    for (const crewId of [null, coast]) {
      const moved = await move(visitId, { crewId, day: closed })
      expect([moved.status, moved.error.message]).toEqual([409, expect.stringMatching(why)])
      const panel = await business.api.call(visitsApi.move, { params: { visitId }, body: { day: closed, crewId } })
      expect(panel.error.message).toBe(moved.error.message)
    }
    expect(await get(visitId)).toMatchObject({ day, crewId: north, version: 1 })
  })

  it('does not go to a crew that is off that day, but stays with one that it has and may be taken off it', async () => {
    await off(coast, day, 'rain')
    const { visitId } = await aVisit(business, { day, crewId: north })
    const refused = await move(visitId, { crewId: coast, day })
    expect([refused.status, refused.error.message]).toEqual([409, expect.stringMatching(/^Coast is off on .*: rain\./)])
    expect((await get(visitId)).crewId).toBe(north)
    const there = await aVisit(business, { day, crewId: coast })
    expect((await move(there.visitId, { crewId: coast })).status).toBe(200)
    expect((await move(there.visitId, { crewId: null })).status).toBe(200)
  })

  it('that is late goes nowhere on a holiday: the day it would come to is closed', async () => {
    await business.db((db) =>
      db
        .updateTable('businesses')
        .set({ holidays: [holiday, today()], workDays: [0, 1, 2, 3, 4, 5, 6] })
        .where('businessId', '=', business.id)
        .execute(),
    )
    const { visitId } = await aVisit(business, { day: addDays(today(), -1) })
    const refused = await move(visitId, { crewId: north, day: today() })
    expect([refused.status, refused.error.message]).toEqual([409, expect.stringMatching(/holiday of yours/)])
  })

  it('goes to a Saturday given to make up for rain, from crew to crew and from another day, where a crew has stops already', async () => {
    const saturday = addDays(day, (6 - new Date(`${day}T00:00:00Z`).getUTCDay() + 7) % 7)
    await aVisit(business, { day: saturday, crewId: north })
    const { visitId: between } = await aVisit(business, { day: saturday, crewId: north })
    const { visitId: added } = await aVisit(business, { day, crewId: coast })
    const toCoast = await move(between, { crewId: coast })
    expect([toCoast.status, toCoast.error.message]).toEqual([
      409,
      expect.stringMatching(/do(es)? not work on Saturdays/),
    ])
    await aVisit(business, { day: saturday, crewId: coast })
    expect((await move(between, { crewId: coast })).status).toBe(200)
    expect((await move(added, { crewId: north, day: saturday })).status).toBe(200)
    const late = await business.api.call(visitsApi.move, {
      params: { visitId: (await aVisit(business, { day, crewId: north })).visitId },
      body: { day: saturday, crewId: coast },
    })
    expect(late.status).toBe(200)
    expect([await get(between), await get(added)]).toMatchObject([
      { day: saturday, crewId: coast },
      { day: saturday, crewId: north },
    ])
  })
})
