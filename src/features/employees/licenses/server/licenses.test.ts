import { beforeEach, expect, it } from 'vitest'
import { addDays } from '../../../../shared/dates.ts'
import { aBusiness, type Person, type TestBusiness } from '../../../../test/factories.ts'
import { aCrew, aVisit, everyDay, today } from '../../../../test/field.ts'
import { calendarApi } from '../../../calendar/contract.ts'
import { calendarEventsApi } from '../../../calendar/events/contract.ts'
import { routesApi } from '../../../routes/contract.ts'
import { visitsApi } from '../../../visits/contract.ts'
import { employeesApi } from '../../contract.ts'
import { licensesApi } from '../contract.ts'

let business: TestBusiness
let ana: Person
let crewId: string
let visitId: string
const now = today()
const day = (ahead: number) => addDays(now, ahead)

beforeEach(async () => {
  business = await aBusiness()
  await business.db((db) =>
    db.updateTable('businesses').set({ workDays: everyDay }).where('businessId', '=', business.id).execute(),
  )
  ana = await business.employee()
  crewId = await aCrew(business, { name: 'Treatments', members: [ana], workDays: everyDay })
  ;({ visitId } = await aVisit(business, { day: day(1) }))
  await business.db((db) =>
    db
      .updateTable('services')
      .set({ skills: ['Applicator'] })
      .where('businessId', '=', business.id)
      .execute(),
  )
})

const license = (more = {}) =>
  business.api.ok(licensesApi.create, {
    params: { id: ana.userId },
    body: { skill: 'applicator', number: 'GA-1', state: 'ga', expiresOn: day(3), ...more },
  })
const move = (on: string) => business.api.call(routesApi.move, { body: { visitId, day: on, crewId } })

it('a crew has a licensed skill on the days on which somebody with a valid license is at work, and is refused it on others', async () => {
  await license({ validFrom: day(2) })
  const crew = (await business.api.ok(visitsApi.calendar, {})).crews.find((one) => one.id === crewId)
  expect(crew?.licenses).toEqual([{ skill: 'applicator', spans: [{ from: day(2), to: day(3) }] }])
  for (const [on, status] of [
    [day(1), 409],
    [day(4), 409],
    [day(3), 200],
  ] as const)
    expect((await move(on)).status, on).toBe(status)
  const refused = await business.api.call(visitsApi.move, { params: { visitId }, body: { day: day(4), crewId } })
  expect(refused.error.message).toContain('valid license for “applicator”')
  await business.api.ok(calendarEventsApi.create, {
    body: { kind: 'time_off', title: 'Off', firstDay: day(2), lastDay: day(2), userId: ana.userId },
  })
  expect((await move(day(2))).status).toBe(409)
  const range = await business.api.ok(calendarApi.range, { query: { from: day(2), to: day(4) } })
  expect(range.crewDays.filter((one) => one.crewId === crewId).map((one) => one.skills)).toEqual([
    [],
    ['applicator'],
    [],
  ])
})

it('without any license a skill is had by writing it down, and work on the own day stays movable', async () => {
  expect((await move(day(1))).status).toBe(200)
})

it('is added, changed, removed and brought back; who saw an older one is told; a made-up state is refused', async () => {
  const first = await license()
  expect(first).toMatchObject({ state: 'GA', version: 1, expiresOn: day(3) })
  const changed = await business.api.ok(licensesApi.update, {
    params: { id: first.id },
    body: { skill: 'applicator', state: 'GA', expiresOn: day(400), version: 1 },
  })
  expect(changed.expiresOn).toBe(day(400))
  const old = await business.api.call(licensesApi.remove, { params: { id: first.id }, body: { version: 1 } })
  expect([old.status, old.error.code]).toEqual([409, 'version_conflict'])
  const gone = await business.api.ok(licensesApi.remove, { params: { id: first.id }, body: { version: 2 } })
  expect((await business.api.ok(licensesApi.list, { query: { userId: ana.userId } })).items).toEqual([])
  await business.api.ok(licensesApi.restore, { params: { id: first.id }, body: { version: gone.version } })
  expect((await business.api.ok(licensesApi.list, { query: {} })).items).toHaveLength(1)
  const bad = await business.api.call(licensesApi.create, {
    params: { id: ana.userId },
    body: { skill: 'applicator', state: 'ZZ', expiresOn: day(3) },
  })
  expect([bad.status, bad.error.errors?.[0]?.path]).toEqual([422, 'state'])
})

it('of somebody who left is still seen, marked, can be removed, and keeps no crew from its skill', async () => {
  const bob = await business.employee()
  await license({ skill: 'Applicator' })
  const other = await business.api.ok(licensesApi.create, {
    params: { id: bob.userId },
    body: { skill: 'aerator', state: 'GA', expiresOn: day(30) },
  })
  await business.api.ok(employeesApi.deactivate, { params: { id: ana.userId } })
  await business.api.ok(employeesApi.deactivate, { params: { id: bob.userId } })
  const list = async () => (await business.api.ok(licensesApi.list, { query: {} })).items
  expect((await list()).map(({ skill, left }) => [skill, left])).toEqual([
    ['Applicator', true],
    ['aerator', true],
  ])
  expect((await move(day(2))).status).toBe(200)
  const calendar = await business.api.ok(visitsApi.calendar, {})
  expect(calendar.crews.find((one) => one.id === crewId)?.licenses).toEqual([])
  await business.api.ok(licensesApi.remove, { params: { id: other.id }, body: { version: other.version } })
  expect((await list()).map((one) => one.skill)).toEqual(['Applicator'])
})
