import { afterEach, beforeEach, expect, it } from 'vitest'
import { clock, resetClock } from '../../../platform/clock.ts'
import { newId } from '../../../platform/ids.ts'
import { aBusiness, type Person, type TestBusiness } from '../../../test/factories.ts'
import { aCrew, aVisit, everyDay, setClockToNoon, today } from '../../../test/field.ts'
import { timeclockApi } from '../../timeclock/contract.ts'
import { crewappApi } from '../contract.ts'
import type { CommandPayload, CommandType } from '../rules.ts'

/** Who may lead a crew runs it on a day on which its leader is off. */

let business: TestBusiness
let rosa: Person
let luis: Person
let ana: Person
let crewId: string
beforeEach(async () => {
  setClockToNoon()
  business = await aBusiness({ workDays: everyDay })
  rosa = await business.employee({ name: 'Rosa Delgado' })
  luis = await business.employee({ name: 'Luis Ortega', permissions: ['crewLead'] })
  ana = await business.employee({ name: 'Ana Reyes' })
  crewId = await aCrew(business, { name: 'North', members: [rosa, luis, ana], workDays: everyDay })
  await business.db((db) =>
    db
      .updateTable('crews')
      .set({ leaderUserId: rosa.userId })
      .where('businessId', '=', business.id)
      .where('id', '=', crewId)
      .execute(),
  )
})
afterEach(resetClock)

const leaderOff = () =>
  business.db((db) =>
    db
      .insertInto('calendarEvents')
      .values({
        businessId: business.id,
        id: newId(),
        kind: 'time_off',
        userId: rosa.userId,
        firstDay: today(),
        lastDay: today(),
        title: 'Time off',
      } as never)
      .execute(),
  )
const send = async (who: Person, type: CommandType, visitId?: string, payload: CommandPayload = {}) => {
  const command = { id: newId(), type, ...(visitId ? { visitId } : {}), at: clock.iso(), payload }
  const { results } = await who.api.ok(crewappApi.commands, { body: { commands: [command], sentAt: clock.iso() } })
  return [results[0]?.result, results[0]?.reason]
}
const stateOf = async (who: Person) => (await who.api.ok(timeclockApi.clock, { query: {} })).state
const shown = async (who: Person) => {
  const crew = (await who.api.ok(crewappApi.day, {})).days[0]?.crew
  return [crew?.leads, crew?.clocksCrew]
}
const without = { without: 'Gate was locked' }

it('while the leader is there, only the leader', async () => {
  const { visitId } = await aVisit(business, { crewId })
  expect([await shown(rosa), await shown(luis), await shown(ana)]).toEqual([
    [true, true],
    [false, false],
    [false, false],
  ])
  expect(await send(luis, 'clock_in', undefined, { crew: true })).toEqual(['applied', 'own_only'])
  expect(await stateOf(ana)).toBe('off')
  await send(luis, 'start', visitId)
  expect(await send(luis, 'finish', visitId, without)).toEqual(['refused', 'not_leader'])
})

it('when the leader is off, who may lead clocks the crew and finishes without a required item; nobody else, and the leader is not clocked', async () => {
  await leaderOff()
  const { visitId } = await aVisit(business, { crewId })
  expect([await shown(luis), await shown(ana)]).toEqual([
    [true, true],
    [false, false],
  ])
  expect(await send(ana, 'clock_in', undefined, { crew: true })).toEqual(['applied', 'own_only'])
  expect(await send(ana, 'clock_out')).toEqual(['applied', null])
  expect(await send(luis, 'clock_in', undefined, { crew: true })).toEqual(['applied', null])
  expect([await stateOf(luis), await stateOf(ana), await stateOf(rosa)]).toEqual(['working', 'working', 'off'])
  await send(ana, 'start', visitId)
  expect(await send(ana, 'finish', visitId, without)).toEqual(['refused', 'not_leader'])
  expect(await send(luis, 'finish', visitId, without)).toEqual(['applied', null])
})

it('who may lead and is with another crew that day leads nothing there', async () => {
  await leaderOff()
  const tom = await business.employee({ name: 'Tom', permissions: ['crewLead'] })
  await aCrew(business, { name: 'South', members: [tom], workDays: everyDay })
  await send(tom, 'clock_in', undefined, { crew: true })
  expect([await stateOf(tom), await stateOf(ana)]).toEqual(['working', 'off'])
})

it('a leader whose late word ends the day of the whole crew takes nothing from who went on working; their sheet says so', async () => {
  const { visitId } = await aVisit(business, { crewId, street: '5 Elm St' })
  const ago = (minutes: number) => new Date(clock.nowMs() - minutes * 60_000).toISOString()
  const at = async (who: Person, type: CommandType, minutes: number, visit?: string, payload: CommandPayload = {}) => {
    const command = { id: newId(), type, ...(visit ? { visitId: visit } : {}), at: ago(minutes), payload }
    return (await who.api.ok(crewappApi.commands, { body: { commands: [command], sentAt: clock.iso() } })).results[0]
      ?.result
  }
  await at(rosa, 'clock_in', 200, undefined, { crew: true })
  await at(ana, 'start', 90, visitId)
  await at(ana, 'finish', 40, visitId)
  // Rosa had pressed it without a signal, before Ana went on
  expect(await at(rosa, 'clock_out', 120, undefined, { crew: true })).toBe('applied')
  expect([await stateOf(rosa), await stateOf(luis), await stateOf(ana)]).toEqual(['off', 'off', 'working'])
  const entries = (await ana.api.ok(timeclockApi.clock, { query: {} })).entries
  expect(entries.map(({ endedAt, flagged }) => [endedAt, flagged])).toEqual([[null, 'late']])
})

it('a phone knows how long the break of its crew is, on a weekday of its own too', async () => {
  const told = async () => (await luis.api.ok(crewappApi.day, {})).days.map(({ crew }) => crew?.breakMinutes)
  const [usual] = await told()
  expect(usual).toBeGreaterThan(0)
  const weekday = new Date(`${today()}T12:00:00Z`).getUTCDay()
  const own = [{ weekday, startMinute: 420, endMinute: 900, breakMinutes: 55 }]
  await business.db((db) =>
    db
      .updateTable('crews')
      .set({ weekdayShifts: JSON.stringify(own) })
      .where('businessId', '=', business.id)
      .where('id', '=', crewId)
      .execute(),
  )
  expect(await told()).toEqual([55, usual, usual])
})
