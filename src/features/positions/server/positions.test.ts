import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { clock, resetClock, setClock } from '../../../platform/clock.ts'
import { newId } from '../../../platform/ids.ts'
import { applyRetention } from '../../../platform/retention.ts'
import { dayOf, startOfWeek } from '../../../shared/dates.ts'
import { aBusiness, aPerson, type Person, type TestBusiness } from '../../../test/factories.ts'
import { aCrew, aVisit } from '../../../test/field.ts'
import { crewappApi } from '../../crewapp/contract.ts'
import type { CommandType } from '../../crewapp/rules.ts'
import { employeesApi } from '../../employees/contract.ts'
import { retentionRules } from '../../system/server/retention.ts'
import { sheetsApi } from '../../timeclock/sheets/contract.ts'
import { positionsApi } from '../contract.ts'

let business: TestBusiness
beforeAll(async () => {
  business = await aBusiness()
})
afterEach(resetClock)

const agoIso = (minutes: number) => new Date(clock.nowMs() - minutes * 60_000).toISOString()
const press = (person: Person, type: CommandType, minutesAgo: number) =>
  person.api.ok(crewappApi.commands, {
    body: { commands: [{ id: newId(), type, at: agoIso(minutesAgo), payload: {} }], sentAt: clock.iso() },
  })
const place = (minutesAgo: number, latitude = 32.08) => ({
  id: newId(),
  at: agoIso(minutesAgo),
  latitude,
  longitude: -81.1,
  accuracyMeters: 12,
})
const share = (person: Person, on: boolean) => person.api.ok(positionsApi.share, { body: { on } })
const add = (person: Person, ...positions: ReturnType<typeof place>[]) =>
  person.api.ok(positionsApi.add, { body: { positions } })
const keptOf = (person: Person) =>
  business.db((db) =>
    db
      .selectFrom('positions')
      .select(['at', 'latitude'])
      .where('businessId', '=', business.id)
      .where('userId', '=', person.userId)
      .orderBy('at')
      .execute(),
  )
/** Somebody who has been on the clock for three hours and said yes two hours ago. */
const aSharer = async () => {
  const person = await business.employee()
  await press(person, 'clock_in', 180)
  const now = clock.nowMs()
  setClock(() => new Date(now - 120 * 60_000))
  await share(person, true)
  resetClock()
  return person
}

describe('positions of a crew', () => {
  it('are kept of who said yes, on the clock, and each once', async () => {
    const person = await aSharer()
    const [early, mine, later] = [place(170), place(60), place(10, 32.09)]
    expect(await add(person, early, mine, later)).toMatchObject({ lastAt: later.at })
    await add(person, mine, later)
    expect(await keptOf(person)).toEqual([
      { at: mine.at, latitude: 32.08 },
      { at: later.at, latitude: 32.09 },
    ])
  })

  it('of a phone whose clock is an hour behind count by our time, as its clock-in does', async () => {
    const person = await aSharer()
    const late = place(63)
    await person.api.ok(positionsApi.add, { body: { positions: [late], sentAt: agoIso(60) } })
    const [{ at } = { at: '' }] = await keptOf(person)
    expect(Math.abs(Date.parse(at) - (clock.nowMs() - 3 * 60_000))).toBeLessThan(30_000)
  })

  it('are dropped on a break and off the clock', async () => {
    const person = await aSharer()
    await press(person, 'break_start', 60)
    await press(person, 'break_end', 50)
    await press(person, 'clock_out', 20)
    await add(person, place(55), place(10))
    expect(await keptOf(person)).toEqual([])
    await add(person, place(40))
    expect(await keptOf(person)).toHaveLength(1)
  })

  it('are not taken from who never said yes, and go with the yes', async () => {
    const silent = await business.employee()
    await press(silent, 'clock_in', 60)
    expect(await add(silent, place(5))).toEqual({ since: null, lastAt: null })
    expect(await keptOf(silent)).toEqual([])

    const person = await aSharer()
    await add(person, place(5))
    const again = await share(person, true)
    expect(again).toEqual(await person.api.ok(positionsApi.own, {}))
    expect(again.lastAt).not.toBeNull()
    expect(await share(person, false)).toEqual({ since: null, lastAt: null })
    expect(await keptOf(person)).toEqual([])
    expect(await add(person, place(1))).toEqual({ since: null, lastAt: null })
  })

  it('are read by who manages the team, and by nobody else; the last one of everybody who shares', async () => {
    const person = await aSharer()
    await add(person, place(30), place(3, 32.11))
    const { items } = await business.api.ok(positionsApi.list, {})
    expect(items.find(({ userId }) => userId === person.userId)).toMatchObject({
      name: expect.any(String),
      onClock: true,
      last: { latitude: 32.11, longitude: -81.1, accuracyMeters: 12 },
    })
    const dispatcher = await aPerson(business.id, 'Admin', { permissions: ['schedule'] })
    expect((await dispatcher.api.raw({ method: 'GET', url: positionsApi.list.path })).status).toBe(403)
    expect((await person.api.raw({ method: 'GET', url: positionsApi.list.path })).status).toBe(403)
    const other = await aBusiness()
    expect(await other.api.ok(positionsApi.list, {})).toEqual({ items: [] })

    await press(person, 'clock_out', 1)
    const after = await business.api.ok(positionsApi.list, {})
    expect(after.items.find(({ userId }) => userId === person.userId)?.onClock).toBe(false)
  })

  it('are gone after two weeks, and are not taken later than that', async () => {
    const person = await aSharer()
    await add(person, place(5))
    const rule = retentionRules.find(({ table }) => table === 'positions')
    if (!rule) throw new Error('There is no rule.')
    const now = clock.nowMs()
    setClock(() => new Date(now + 13.9 * 86_400_000))
    await applyRetention(rule, business.id)
    expect(await keptOf(person)).toHaveLength(1)
    setClock(() => new Date(now + 14.1 * 86_400_000))
    await applyRetention(rule, business.id)
    expect(await keptOf(person)).toEqual([])
  })

  it('refuses what is no place, and more than a hundred at once', async () => {
    const person = await aSharer()
    const ask = (positions: unknown[]) =>
      person.api.raw({ method: 'POST', url: positionsApi.add.path, payload: { positions } as never })
    expect((await ask([])).status).toBe(422)
    expect((await ask([{ ...place(1), latitude: 91 }])).status).toBe(422)
    expect((await ask(Array.from({ length: 101 }, () => place(1)))).status).toBe(422)
    expect(await keptOf(person)).toEqual([])
  })
})

describe('what a position hangs on', () => {
  const out = async (person: Person, minutesAgo: number, payload = {}) =>
    person.api.ok(crewappApi.commands, {
      body: {
        commands: [{ id: newId(), type: 'clock_out', at: agoIso(minutesAgo), payload }],
        sentAt: clock.iso(),
      },
    })

  it('a clock-out that comes late takes along what was kept after it, and nothing before it', async () => {
    const person = await aSharer()
    const [before, after] = [place(60), place(20)]
    await add(person, before, after)
    await out(person, 40)
    expect((await keptOf(person)).map(({ at }) => at)).toEqual([before.at])
  })

  it('a break that comes late takes along only what was kept in it', async () => {
    const person = await aSharer()
    const [before, within, after] = [place(60), place(40), place(10)]
    await add(person, before, within, after)
    await press(person, 'break_start', 50)
    await press(person, 'break_end', 30)
    expect((await keptOf(person)).map(({ at }) => at)).toEqual([before.at])
    await add(person, after)
    expect((await keptOf(person)).map(({ at }) => at)).toEqual([before.at, after.at])
  })

  it('a change from one kind of work to another takes nothing along', async () => {
    const person = await aSharer()
    const places = [place(60), place(20)]
    await add(person, ...places)
    await person.api.ok(crewappApi.commands, {
      body: {
        commands: [{ id: newId(), type: 'switch', at: agoIso(40), payload: { kind: 'shop' } }],
        sentAt: clock.iso(),
      },
    })
    expect((await keptOf(person)).map(({ at }) => at)).toEqual(places.map(({ at }) => at))
  })

  it('who is deactivated shares no more, also when they are let in again', async () => {
    const person = await aSharer()
    await add(person, place(60))
    const params = { id: person.userId }
    await business.api.ok(employeesApi.deactivate, { params })
    expect(await keptOf(person)).toEqual([])
    await business.api.ok(employeesApi.reactivate, { params })
    const { items } = await business.api.ok(positionsApi.list, {})
    expect(items.map(({ userId }) => userId)).not.toContain(person.userId)
  })
})

it('the review of a timesheet shows where a start and a phone disagree, to who may see positions, as long as they are kept', async () => {
  const own = await aBusiness()
  const luis = await own.employee({ name: 'Luis' })
  const crewId = await aCrew(own, { members: [luis] })
  const at = (minutes: number) => new Date(clock.nowMs() - minutes * 60_000).toISOString()
  const { visitId } = await aVisit(own, { crewId, street: '7 Bay St', latitude: 32.06, longitude: -81.11 })
  await own.db(async (db) => {
    const of = { businessId: own.id, userId: luis.userId }
    await db
      .insertInto('timeEntries')
      .values({ ...of, id: newId(), kind: 'work', crewId, startedAt: at(8), endedAt: at(0) })
      .execute()
    await db
      .updateTable('visits')
      .set({ status: 'completed', startedAt: at(4), finishedAt: at(0.5) })
      .where('businessId', '=', own.id)
      .where('id', '=', visitId)
      .execute()
    await db
      .insertInto('positionConsents')
      .values({ ...of, since: at(600) })
      .execute()
    for (const minutes of [3, 2, 1])
      await db
        .insertInto('positions')
        .values({ ...of, id: newId(), at: at(minutes), latitude: 32.2, longitude: -81.11, accuracyMeters: 10 })
        .execute()
  })
  const week = startOfWeek(dayOf(Date.parse(at(8)), 'America/New_York'))
  const asked = { params: { id: luis.userId }, query: { week } }
  const { mismatches } = await own.api.ok(sheetsApi.get, asked)
  expect(mismatches).toMatchObject([{ street: '7 Bay St', what: 'away', seenAt: null }])
  const clerk = await aPerson(own.id, 'Admin', { permissions: ['payroll'] })
  expect((await clerk.api.ok(sheetsApi.get, asked)).mismatches).toEqual([])
  await share(luis, false)
  expect((await own.api.ok(sheetsApi.get, asked)).mismatches).toEqual([])
})
