import { afterEach, beforeAll, expect, it } from 'vitest'
import { clock, resetClock, setClock } from '../../../platform/clock.ts'
import { newId } from '../../../platform/ids.ts'
import { addDays, instantAt } from '../../../shared/dates.ts'
import { apiFor } from '../../../test/api.ts'
import { aBusiness, type Person, type TestBusiness } from '../../../test/factories.ts'
import { aCrew, aVisit, everyDay, today } from '../../../test/field.ts'
import { timeclockApi } from '../../timeclock/contract.ts'
import { visitsApi } from '../../visits/contract.ts'
import { crewappApi } from '../contract.ts'
import type { CommandPayload, CommandType } from '../rules.ts'

/** Work that does not end at midnight. */

const zone = 'America/New_York'
let business: TestBusiness
let luis: Person
let ana: Person
let crewId: string
beforeAll(async () => {
  business = await aBusiness({ workDays: everyDay })
  luis = await business.employee({ name: 'Luis Ortega' })
  ana = await business.employee({ name: 'Ana Reyes' })
  crewId = await aCrew(business, { name: 'North', members: [luis, ana], workDays: everyDay })
})
afterEach(resetClock)

const day = today()
const next = addDays(day, 1)
/** Twenty past midnight. */
const goOn = (): void => setClock(() => new Date(instantAt(next, 20, zone)))
const evening = (minute: number): void => setClock(() => new Date(instantAt(day, minute, zone)))
const send = async (who: Person, type: CommandType, visitId?: string, payload: CommandPayload = {}) => {
  const command = { id: newId(), type, ...(visitId ? { visitId } : {}), at: clock.iso(), payload }
  const api = await apiFor(who)
  const { results } = await api.ok(crewappApi.commands, { body: { commands: [command], sentAt: clock.iso() } })
  return [results[0]?.result, results[0]?.reason]
}
const bundleOf = async (who: Person) => (await apiFor(who)).ok(crewappApi.day, { query: {} })

it('a stop that is under way at midnight stands at the head of the new day until it is over', async () => {
  const begun = await aVisit(business, { crewId, street: '7 Bay St' })
  const open = await aVisit(business, { crewId, street: '9 Bay St' })
  const later = await aVisit(business, { crewId, day: next, street: '11 Bay St' })
  evening(1430)
  expect(await send(luis, 'start', begun.visitId)).toEqual(['applied', null])
  goOn()
  const plan = (await bundleOf(ana)).days[0]
  expect([plan?.day, plan?.stops.map((stop) => [stop.street, stop.order, stop.begunOn])]).toEqual([
    next,
    [
      ['7 Bay St', 1, day],
      ['11 Bay St', 2, undefined],
    ],
  ])
  expect(plan?.stops.map(({ id }) => id)).not.toContain(open.visitId)
  expect(await send(ana, 'finish', begun.visitId)).toEqual(['applied', null])
  expect((await bundleOf(ana)).days[0]?.stops.map(({ id }) => id)).toEqual([later.visitId])
  const api = await apiFor(business.owner)
  expect(await api.ok(visitsApi.get, { params: { visitId: begun.visitId } })).toMatchObject({
    day,
    finishedAt: instantAt(next, 20, zone),
    workedSeconds: 30 * 60,
  })
})

it('the gate of a stop that is under way at midnight opens after it, for its crew and until it is over', async () => {
  const gate = { crewId, gateCode: '4711#' }
  const begun = await aVisit(business, { ...gate, street: '7 Gate St' })
  const open = await aVisit(business, { ...gate, street: '9 Gate St' })
  const code = async (who: Person, visitId: string) =>
    (await (await apiFor(who)).call(crewappApi.gateCode, { params: { visitId } })).status
  evening(1430)
  await send(luis, 'start', begun.visitId)
  goOn()
  expect([await code(ana, begun.visitId), await code(ana, open.visitId)]).toEqual([200, 403])
  const zoe = await business.employee({ name: 'Zoe' })
  expect(await code(zoe, begun.visitId)).toBe(404)
  await send(luis, 'finish', begun.visitId)
  expect(await code(ana, begun.visitId)).toBe(403)
})

it('the leader clocks out after midnight those who worked with them, also where the new day has another crew', async () => {
  const bo = await business.employee({ name: 'Bo Diaz' })
  const cy = await business.employee({ name: 'Cy Lane' })
  const night = await aCrew(business, { name: 'Night', workDays: everyDay })
  const other = await aCrew(business, { name: 'Day', workDays: everyDay })
  await business.db(async (db) => {
    const put = (userId: string, crew: string, validFrom: string, validTo: string | null) =>
      db
        .insertInto('crewMembers')
        .values({ businessId: business.id, id: newId(), crewId: crew, userId, validFrom, validTo })
        .execute()
    for (const { userId } of [bo, cy]) {
      await put(userId, night, addDays(day, -30), day)
      await put(userId, other, next, null)
    }
    await db
      .updateTable('crews')
      .set({ leaderUserId: bo.userId })
      .where('businessId', '=', business.id)
      .where('id', '=', night)
      .execute()
  })
  evening(1200)
  expect(await send(bo, 'clock_in', undefined, { crew: true })).toEqual(['applied', null])
  goOn()
  expect(await send(bo, 'clock_out', undefined, { crew: true })).toEqual(['applied', null])
  const stateOf = async (who: Person) => (await (await apiFor(who)).ok(timeclockApi.clock, { query: {} })).state
  expect([await stateOf(bo), await stateOf(cy)]).toEqual(['off', 'off'])
})

it('who leads nobody clocks out alone and is told that the others were not', async () => {
  evening(1200)
  await send(luis, 'clock_in')
  await send(ana, 'clock_in')
  goOn()
  expect(await send(luis, 'clock_out', undefined, { crew: true })).toEqual(['applied', 'own_only'])
  const stateOf = async (who: Person) => (await (await apiFor(who)).ok(timeclockApi.clock, { query: {} })).state
  expect([await stateOf(luis), await stateOf(ana)]).toEqual(['off', 'working'])
})
