import { afterAll, beforeAll, expect, it } from 'vitest'
import { clock, resetClock } from '../../../../platform/clock.ts'
import { newId } from '../../../../platform/ids.ts'
import { addDays } from '../../../../shared/dates.ts'
import { aBusiness, type Person, type TestBusiness } from '../../../../test/factories.ts'
import { aCrew, aVisit, everyDay, setClockToNoon, today } from '../../../../test/field.ts'
import { routesApi } from '../../../routes/contract.ts'
import { payrollApi } from '../../../timeclock/payroll/contract.ts'
import { visitsApi } from '../../../visits/contract.ts'
import { crewappApi } from '../../contract.ts'
import type { CommandType } from '../../rules.ts'
import { conflictsApi } from '../contract.ts'

/** Work of a crew whose stop the office had given away meanwhile belongs, once it counts, wholly to those who worked. */

let business: TestBusiness
let luis: Person
let ben: Person
let norte: string
let sur: string
let eva: Person
let oeste: string
beforeAll(async () => {
  setClockToNoon()
  business = await aBusiness({ workDays: everyDay })
  luis = await business.employee({ name: 'Luis Ortega', wageCents: 2400 })
  ben = await business.employee({ name: 'Ben Cole', wageCents: 2000 })
  norte = await aCrew(business, { name: 'Norte', members: [luis], workDays: everyDay })
  eva = await business.employee({ name: 'Eva Ruiz' })
  oeste = await aCrew(business, { name: 'Oeste', members: [eva], workDays: everyDay })
  sur = await aCrew(business, { name: 'Sur', members: [ben], workDays: everyDay })
})
afterAll(resetClock)

const ago = (minutes: number): string => new Date(clock.nowMs() - minutes * 60_000).toISOString()
const tap = (type: CommandType, minutesAgo: number, visitId?: string) => ({
  id: newId(),
  type,
  ...(visitId ? { visitId } : {}),
  at: ago(minutesAgo),
  payload: {},
})
const send = async (who: Person, ...commands: ReturnType<typeof tap>[]) =>
  (await who.api.ok(crewappApi.commands, { body: { commands, sentAt: clock.iso() } })).results.map((r) => r.result)
const publish = async (day = today()) =>
  (await business.api.ok(routesApi.publish, { body: { day } })).published.map(({ crewId }) => crewId)
const give = async (visitId: string, crewId: string, day = today()) => {
  const { version } = await visitOf(visitId)
  await business.api.ok(visitsApi.move, { params: { visitId }, body: { version, day, crewId } })
}
const visitOf = (visitId: string) => business.api.ok(visitsApi.get, { params: { visitId } })
const stopsOn = async (who: Person) =>
  ((await who.api.ok(crewappApi.day, {})).days.find(({ day }) => day === today())?.stops ?? []).map(({ id }) => id)
const planOf = async (visitId: string) =>
  (await business.api.ok(routesApi.day, { query: { day: today() } })).crews.find(({ stops }) =>
    stops.some((stop) => stop.visitId === visitId),
  )?.crewId
const laborOf = async (visitId: string) =>
  (await business.api.ok(payrollApi.visitLabor, { params: { visitId } })).people.map(({ name }) => name)

it('work that counts moves with its crew, place, phones and labor, and publishing changes nothing of it', async () => {
  const other = await aVisit(business, { crewId: norte, street: '1 Elm St' })
  const { visitId } = await aVisit(business, { crewId: norte, street: '1200 E Olive Ave' })
  const rest = await aVisit(business, { crewId: sur, street: '2 Elm St' })
  await publish()
  await give(visitId, sur)
  await publish()
  expect(await stopsOn(ben)).toContain(visitId)
  const [start, finish] = [tap('start', 30, visitId), tap('finish', 10, visitId)]
  expect(await send(luis, tap('clock_in', 40), start, finish)).toEqual(['applied', 'conflict', 'conflict'])
  expect(await send(ben, tap('clock_in', 40))).toEqual(['applied'])
  await business.api.ok(conflictsApi.decide, { params: { id: finish.id }, body: { decision: 'counts', note: '' } })
  const holds = async () => {
    expect(await visitOf(visitId)).toMatchObject({ status: 'completed', crewId: norte, finishedByName: 'Luis Ortega' })
    expect(await planOf(visitId)).toBe(norte)
    expect((await stopsOn(luis)).sort()).toEqual([visitId, other.visitId].sort())
    expect(await stopsOn(ben)).toEqual([rest.visitId])
    expect(await laborOf(visitId)).toEqual(['Luis Ortega'])
  }
  await holds()
  const { version } = await visitOf(visitId)
  expect(await publish()).toEqual([])
  await business.api.ok(routesApi.publish, { body: { day: today(), crewIds: [norte, sur] } })
  await holds()
  expect((await visitOf(visitId)).version).toBe(version)
})

it('a stop that the office put on another day while it was worked stays on the phone that worked it', async () => {
  const { visitId } = await aVisit(business, { crewId: sur, street: '1700 S Cedar Ave' })
  await publish()
  const monday = addDays(today(), 2)
  await give(visitId, sur, monday)
  await publish(monday)
  await publish()
  expect(await stopsOn(ben)).not.toContain(visitId)
  expect(await send(ben, tap('start', 8, visitId), tap('finish', 4, visitId))).toEqual(['applied', 'applied'])
  expect(await visitOf(visitId)).toMatchObject({ status: 'completed', day: today(), crewId: sur })
  expect(await stopsOn(ben)).toContain(visitId)
  expect(await publish()).toEqual([])
  expect(await planOf(visitId)).toBe(sur)
})

it('a stop that the office gave away after it was sent keeps its place and its time with the crew that works it', async () => {
  const crewId = await aCrew(business, { name: 'Este', members: [], workDays: everyDay })
  const streets = ['1 Ash St', '2 Ash St', '3 Ash St']
  const visits: string[] = []
  for (const [at, street] of streets.entries())
    visits.push(
      (await aVisit(business, { crewId: oeste, street, position: at + 1, startMinute: 480 + at * 60 })).visitId,
    )
  const [, second = ''] = visits
  await publish()
  const sent = () =>
    business.db((db) =>
      db
        .selectFrom('visits')
        .select(['publishedCrewId', 'publishedPosition', 'publishedStartMinute', 'publishedDriveSeconds'])
        .where('businessId', '=', business.id)
        .where('id', 'in', visits)
        .orderBy('publishedPosition')
        .execute(),
    )
  const before = await sent()
  expect(await stopsOn(eva)).toEqual(visits)
  await give(second, crewId)
  expect(await send(eva, tap('clock_in', 20), tap('start', 10, second))).toEqual(['applied', 'applied'])
  expect(await visitOf(second)).toMatchObject({ status: 'in_progress', crewId: oeste })
  expect([await stopsOn(eva), await sent()]).toEqual([visits, before])
})
