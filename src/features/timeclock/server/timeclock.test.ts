import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { clock, resetClock, setClock } from '../../../platform/clock.ts'
import { newId } from '../../../platform/ids.ts'
import { addDays, dayOf, instantAt, weekdayOf } from '../../../shared/dates.ts'
import { runTasks } from '../../../test/api.ts'
import { aBusiness, aPerson, type Person, type TestBusiness } from '../../../test/factories.ts'
import { aCrew, aVisit } from '../../../test/field.ts'
import { crewappApi } from '../../crewapp/contract.ts'
import type { CommandPayload, CommandType } from '../../crewapp/rules.ts'
import { employeesApi } from '../../employees/contract.ts'
import { timeclockApi } from '../contract.ts'
import { closeForgottenEntries } from './tasks.ts'

let business: TestBusiness
beforeAll(async () => {
  business = await aBusiness()
})
afterEach(resetClock)

const zone = 'America/New_York'
const send = async (person: Person, type: CommandType, minutesAgo: number, payload: CommandPayload = {}) => {
  const at = new Date(clock.nowMs() - minutesAgo * 60_000).toISOString()
  const body = { commands: [{ id: newId(), type, at, payload }], sentAt: clock.iso() }
  const reply = await person.api.ok(crewappApi.commands, { body })
  return [reply.results[0]?.result, reply.results[0]?.reason]
}
const myClock = (person: Person) => person.api.ok(timeclockApi.clock, {})

describe('the time clock', () => {
  it('goes in, into a break, back and out, with one open entry a person', async () => {
    // Noon in the zone of the business, so that the whole shift is on one day.
    setClock(() => new Date(instantAt(dayOf(Date.now(), zone), 720, zone)))
    const person = await business.employee()
    expect(await send(person, 'break_start', 400)).toEqual(['refused', 'not_clocked_in'])
    expect(await send(person, 'clock_in', 300)).toEqual(['applied', null])
    expect(await send(person, 'clock_in', 299)).toEqual(['applied', 'already'])
    expect(await send(person, 'break_start', 120)).toEqual(['applied', null])
    expect((await myClock(person)).state).toBe('break')
    expect(await send(person, 'break_end', 90)).toEqual(['applied', null])
    expect(await send(person, 'break_end', 89)).toEqual(['applied', 'already'])
    expect(await send(person, 'clock_out', 30)).toEqual(['applied', null])
    expect(await send(person, 'clock_out', 29)).toEqual(['refused', 'not_clocked_in'])
    const mine = await myClock(person)
    expect(mine.state).toBe('off')
    expect(mine.entries.map((e) => [e.kind, e.endedAt !== null])).toEqual([
      ['work', true],
      ['break', true],
      ['work', true],
    ])
    expect(mine.week.days.find((d) => d.day === mine.today)).toMatchObject({
      workSeconds: 240 * 60,
      breakSeconds: 30 * 60,
      paidSeconds: 240 * 60,
    })
  })

  it('takes two clock-ins at once as one', async () => {
    const person = await business.employee()
    await Promise.all([send(person, 'clock_in', 5), send(person, 'clock_in', 5), send(person, 'clock_in', 5)])
    expect((await myClock(person)).entries).toHaveLength(1)
  })

  it('asks when somebody forgot to clock out, and takes the answer', async () => {
    const person = await business.employee()
    const crewId = await aCrew(business, { members: [person] })
    const yesterday = addDays(dayOf(Date.now(), zone), -1)
    setClock(() => new Date(instantAt(yesterday, 420, zone)))
    const fresh = await aPersonApi(person)
    await send(fresh, 'clock_in', 0)
    resetClock()
    setClock(() => new Date(instantAt(addDays(yesterday, 1), 415, zone)))
    const next = await aPersonApi(person)
    const asked = await myClock(next)
    expect(asked.forgotten?.suggestedEnd).toBe(instantAt(yesterday, 960, zone))
    expect(await send(next, 'clock_out', 0, { endedAt: instantAt(yesterday, 990, zone) })).toEqual(['applied', null])
    const { days } = (await next.api.ok(timeclockApi.clock, { query: { week: yesterday } })).week
    expect(days.reduce((sum, d) => sum + d.workSeconds, 0)).toBe((990 - 420) * 60)
    const rows = await next.api.ok(timeclockApi.entries, { query: { from: yesterday, to: yesterday } })
    expect(rows.items.map((r) => [r.flagged, r.crewId])).toEqual([['adjusted', crewId]])
  })

  it('still asks in the morning when the server has ended it by a guess, and puts the answer in its place', async () => {
    const person = await business.employee()
    await aCrew(business, { members: [person] })
    const yesterday = addDays(dayOf(Date.now(), zone), -1)
    setClock(() => new Date(instantAt(yesterday, 420, zone)))
    await send(await aPersonApi(person), 'clock_in', 0)
    setClock(() => new Date(instantAt(yesterday, 1283, zone)))
    await closeForgottenEntries.run(null)
    setClock(() => new Date(instantAt(addDays(yesterday, 1), 400, zone)))
    const next = await aPersonApi(person)
    await send(next, 'clock_in', 0)
    expect(await myClock(next)).toMatchObject({
      state: 'working',
      forgotten: { suggestedEnd: instantAt(yesterday, 960, zone) },
    })
    expect(await send(next, 'clock_out', 0, { endedAt: instantAt(yesterday, 900, zone) })).toEqual(['applied', null])
    expect(await myClock(next)).toMatchObject({ state: 'working', forgotten: null })
    const rows = await next.api.ok(timeclockApi.entries, { query: { from: yesterday, to: yesterday } })
    expect(rows.items.map((r) => [r.flagged, r.endedAt])).toEqual([['adjusted', instantAt(yesterday, 900, zone)]])
  })

  it('ends when its person is let go, at that moment, and is flagged', async () => {
    const person = await business.employee()
    await send(person, 'clock_in', 60)
    await business.api.ok(employeesApi.deactivate, { params: { id: person.userId } })
    const at = clock.nowMs()
    await runTasks()
    const from = dayOf(at - 86_400_000, zone)
    const { items } = await business.api.ok(timeclockApi.entries, {
      query: { from, to: dayOf(at, zone), userId: person.userId },
    })
    expect(items.map((one) => [one.flagged, one.endedAt !== null])).toEqual([['forgotten', true]])
    expect(Math.abs(Date.parse(items[0]?.endedAt ?? '') - at)).toBeLessThan(60_000)
  })

  it('ends a forgotten clock at the end of the shift of that weekday, and keeps what was worked after midnight', async () => {
    const yesterday = addDays(dayOf(Date.now(), zone), -1)
    const endOf = async (after: (person: Person) => Promise<void>) => {
      const person = await business.employee()
      const crewId = await aCrew(business, { members: [person] })
      const short = [{ weekday: weekdayOf(yesterday), startMinute: 420, endMinute: 720, breakMinutes: 0 }]
      await business.db((db) =>
        db
          .updateTable('crews')
          .set({ weekdayShifts: JSON.stringify(short) })
          .where('businessId', '=', business.id)
          .where('id', '=', crewId)
          .execute(),
      )
      setClock(() => new Date(instantAt(yesterday, 660, zone)))
      await send(await aPersonApi(person), 'clock_in', 0)
      await after(person)
      setClock(() => new Date(instantAt(addDays(yesterday, 1), 400, zone)))
      return (await myClock(await aPersonApi(person))).forgotten?.suggestedEnd
    }
    expect(await endOf(async () => undefined)).toBe(instantAt(yesterday, 720, zone))
    const afterMidnight = instantAt(addDays(yesterday, 1), 30, zone)
    const mowsLong = async (person: Person) => {
      setClock(() => new Date(afterMidnight))
      await send(await aPersonApi(person), 'note', 0, { note: 'Still here' })
    }
    expect(await endOf(mowsLong)).toBe(afterMidnight)
  })

  it.each([
    ['treat', { record: {}, whole: true }],
    ['truck_check', { truckCheck: { readings: [], answers: [] } }],
  ] as const)('goes up to the last work on the phone, also a %s', async (type, payload) => {
    const person = await business.employee()
    const crewId = await aCrew(business, { members: [person] })
    const yesterday = addDays(dayOf(Date.now(), zone), -1)
    const { visitId } = await aVisit(business, { crewId, day: yesterday })
    setClock(() => new Date(instantAt(yesterday, 420, zone)))
    await send(await aPersonApi(person), 'clock_in', 0)
    setClock(() => new Date(instantAt(yesterday, 1150, zone)))
    const command = { id: newId(), type, visitId, at: clock.iso(), payload: payload as never }
    await (await aPersonApi(person)).api.ok(crewappApi.commands, { body: { commands: [command], sentAt: clock.iso() } })
    setClock(() => new Date(instantAt(yesterday, 1283, zone)))
    await closeForgottenEntries.run(null)
    const night = await aPersonApi(person)
    const rows = await night.api.ok(timeclockApi.entries, { query: { from: yesterday, to: yesterday } })
    expect(rows.items.map((r) => r.endedAt)).toEqual([instantAt(yesterday, 1150, zone)])
  })

  it('is not lengthened by what is written in the evening', async () => {
    const person = await business.employee()
    await aCrew(business, { members: [person] })
    const yesterday = addDays(dayOf(Date.now(), zone), -1)
    setClock(() => new Date(instantAt(yesterday, 420, zone)))
    await send(await aPersonApi(person), 'clock_in', 0)
    setClock(() => new Date(instantAt(yesterday, 1230, zone)))
    const evening = await aPersonApi(person)
    expect(await send(evening, 'chat', 0, { threadId: person.userId, text: 'A bit late tomorrow' })).toEqual([
      'applied',
      null,
    ])
    await send(evening, 'ask_week', 0, { week: yesterday, note: 'I left at four.' })
    setClock(() => new Date(instantAt(yesterday, 1283, zone)))
    await closeForgottenEntries.run(null)
    const night = await aPersonApi(person)
    const rows = await night.api.ok(timeclockApi.entries, { query: { from: yesterday, to: yesterday } })
    expect(rows.items.map((r) => r.endedAt)).toEqual([instantAt(yesterday, 960, zone)])
  })

  it.each([
    ['clock_in', '0001-01-01T00:00:00Z', {}],
    ['clock_in', '9999-12-31T00:00:00Z', {}],
    ['clock_in', '1980-01-01T00:00:00Z', {}],
    ['clock_out', '2026-06-12T12:00:00Z', { endedAt: '0001-01-01T00:00:00Z' }],
    ['ask_week', '2026-06-12T12:00:00Z', { week: '9999-12-31', note: 'x' }],
    ['submit_week', '2026-06-12T12:00:00Z', { week: '0001-01-01' }],
  ] as const)('answers a forged %s of %s, so that it holds up nothing behind it', async (type, at, payload) => {
    const person = await business.employee()
    const commands = [
      { id: newId(), type, at, payload },
      { id: newId(), type: 'clock_in' as const, at: clock.iso(), payload: {} },
    ]
    const sentAt = '0001-01-01T00:00:00Z'
    const reply = await person.api.ok(crewappApi.commands, { body: { commands, sentAt } })
    expect(reply.results.map((one) => [one.result, one.reason])).toEqual([
      ['refused', 'invalid'],
      ['applied', null],
    ])
  })

  it('ends by itself what was forgotten, at the end of the shift, and starts anew the next day', async () => {
    const people = [await business.employee(), await business.employee()] as const
    const yesterday = addDays(dayOf(Date.now(), zone), -1)
    setClock(() => new Date(instantAt(yesterday, 430, zone)))
    for (const person of people) await send(await aPersonApi(person), 'clock_in', 0)
    setClock(() => new Date(instantAt(addDays(yesterday, 1), 420, zone)))
    const first = await aPersonApi(people[0])
    expect(await send(first, 'clock_in', 0)).toEqual(['applied', null])
    await closeForgottenEntries.run(null)
    for (const [person, state] of [
      [people[0], 'working'],
      [people[1], 'off'],
    ] as const) {
      const api = await aPersonApi(person)
      expect((await myClock(api)).state).toBe(state)
      const rows = await api.api.ok(timeclockApi.entries, { query: { from: yesterday, to: yesterday } })
      expect(rows.items.map((r) => [r.flagged, r.endedAt])).toEqual([['forgotten', instantAt(yesterday, 1020, zone)]])
    }
  })
})

/** The same person with a token that is good at the time of the test's clock. */
const aPersonApi = async (person: Person): Promise<Person> => {
  const { apiFor } = await import('../../../test/api.ts')
  return { ...person, api: await apiFor(person) }
}

describe('time entries', () => {
  it('are one’s own, but all for whoever does the payroll', async () => {
    const own = await aBusiness()
    const [a, b] = [await own.employee({ name: 'Ana' }), await own.employee({ name: 'Bo' })]
    for (const person of [a, b]) await send(person, 'clock_in', 1)
    const day = dayOf(Date.now(), zone)
    const query = { from: addDays(day, -1), to: day }
    const names = async (person: Person) =>
      (await person.api.ok(timeclockApi.entries, { query })).items.map((e) => e.name)
    expect(await names(a)).toEqual(['Ana'])
    expect((await names(own.owner)).sort()).toEqual(['Ana', 'Bo'])
    expect(await names(await aPerson(own.id, 'Admin', { permissions: ['schedule'] }))).toEqual([])
    const spy = await a.api.ok(timeclockApi.entries, { query: { ...query, userId: b.userId } })
    expect(spy.items.map((e) => e.name)).toEqual(['Ana'])
    const first = await own.api.ok(timeclockApi.entries, { query: { ...query, limit: '1' as never } })
    const rest = await own.api.ok(timeclockApi.entries, { query: { ...query, cursor: first.nextCursor ?? '' } })
    expect([first.total, first.items.length, rest.items.length, rest.nextCursor]).toEqual([2, 1, 1, null])
    const foreign = await aBusiness()
    expect((await foreign.api.ok(timeclockApi.entries, { query })).total).toBe(0)
  })
})
