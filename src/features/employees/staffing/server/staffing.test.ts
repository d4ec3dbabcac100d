import { sql } from 'kysely'
import { beforeEach, expect, it } from 'vitest'
import { resetClock, setClock } from '../../../../platform/clock.ts'
import { ownerPool } from '../../../../platform/db/database.ts'
import { newId } from '../../../../platform/ids.ts'
import { addDays, type Day, instantAt } from '../../../../shared/dates.ts'
import { somebodyWaits } from '../../../../test/database.ts'
import { aBusiness, aPerson, type Person, type TestBusiness } from '../../../../test/factories.ts'
import { aCrew, aVisit, everyDay, today } from '../../../../test/field.ts'
import { calendarApi } from '../../../calendar/contract.ts'
import { calendarEventsApi } from '../../../calendar/events/contract.ts'
import { crewappApi } from '../../../crewapp/contract.ts'
import { dashboardApi } from '../../../dashboard/contract.ts'
import { routesApi } from '../../../routes/contract.ts'
import { employeesApi } from '../../contract.ts'
import { licensesApi } from '../../licenses/contract.ts'
import { staffingApi } from '../contract.ts'

let business: TestBusiness
let ana: Person
let bob: Person
let north: string
let south: string
const now = today()
const tomorrow = addDays(now, 1)

beforeEach(async () => {
  business = await aBusiness()
  await business.db((db) =>
    db.updateTable('businesses').set({ workDays: everyDay }).where('businessId', '=', business.id).execute(),
  )
  ana = await business.employee()
  bob = await business.employee()
  north = await aCrew(business, { name: 'North', members: [ana], workDays: everyDay })
  south = await aCrew(business, { name: 'South', members: [bob], workDays: everyDay })
})

const put = (who: Person, crewId: string | null, from: Day, to: Day | null = null) =>
  business.api.ok(staffingApi.put, { params: { id: who.userId }, body: { crewId, from, to } })
const stretchesOf = async (who: Person) =>
  (await business.api.ok(staffingApi.stretches, { params: { id: who.userId } })).items.map(({ crew, from, to }) => [
    crew.name,
    from,
    to,
  ])
const membersOn = async (day: Day) =>
  Object.fromEntries(
    (await business.api.ok(employeesApi.crews, { query: { day } })).items.map((crew) => [
      crew.name,
      crew.members.map((one) => one.userId),
    ]),
  )
const visitOn = (crewId: string, day: Day) => aVisit(business, { crewId, day })
const timeOff = (who: Person, day: Day) =>
  business.api.ok(calendarEventsApi.create, {
    body: { kind: 'time_off', title: 'Off', firstDay: day, lastDay: day, userId: who.userId },
  })
const staffOf = (crewId: string, day: Day) =>
  business.api.ok(staffingApi.standIns, { params: { id: crewId }, query: { day } })
const standIn = (crewId: string, who: Person, day: Day, seenOn: string | null) =>
  business.api.call(staffingApi.standIn, { params: { id: crewId }, body: { day, userId: who.userId, seenOn } })

it('is on one crew a day, with history: two crews in one week, and the phone shows the crew of its day', async () => {
  const since = addDays(now, -30)
  await put(ana, south, addDays(now, 2), addDays(now, 3))
  expect(await stretchesOf(ana)).toEqual([
    ['North', since, tomorrow],
    ['South', addDays(now, 2), addDays(now, 3)],
    ['North', addDays(now, 4), null],
  ])
  expect(await membersOn(addDays(now, -2))).toEqual({ North: [ana.userId], South: [bob.userId] })
  expect((await membersOn(addDays(now, 2))).North).toEqual([])
  const { visitId } = await visitOn(south, addDays(now, 2))
  const days = (await ana.api.ok(crewappApi.day, { query: { day: now } })).days
  const there = days.find((one) => one.day === addDays(now, 2))
  expect(there?.crew?.name).toBe('South')
  expect(there?.stops.map((stop) => stop.id)).toEqual([visitId])
  expect(days.find((one) => one.day === tomorrow)?.crew?.name).toBe('North')
})

it('refuses days that are over, keeps to one crew under two changes at once, and takes a change back once nothing came after', async () => {
  const late = await business.api.call(staffingApi.put, {
    params: { id: ana.userId },
    body: { crewId: south, from: addDays(now, -1) },
  })
  expect([late.status, late.error.message]).toEqual([409, expect.stringContaining('is over')])
  const first = await put(ana, south, tomorrow, tomorrow)
  await Promise.all([put(ana, south, now), put(ana, null, now), put(ana, north, now)])
  const days = (await stretchesOf(ana)).filter(([, from, to]) => String(from) <= tomorrow && (!to || to >= tomorrow))
  expect(days.length).toBeLessThanOrEqual(1)
  const stale = await business.api.call(staffingApi.undo, {
    params: { id: ana.userId },
    body: { changeId: first.changeId ?? '' },
  })
  expect([stale.status, stale.error.message]).toEqual([409, expect.stringContaining('since')])
  const before = await stretchesOf(bob)
  const { changeId } = await put(bob, north, tomorrow)
  const undo = { params: { id: bob.userId }, body: { changeId: changeId ?? '' } }
  await business.api.ok(staffingApi.undo, undo)
  await business.api.ok(staffingApi.undo, undo)
  expect(await stretchesOf(bob)).toEqual(before)
})

it.each([
  [
    'a change of days',
    () =>
      business.api.call(staffingApi.put, {
        params: { id: bob.userId },
        body: { crewId: north, from: tomorrow, to: null },
      }),
  ],
  ['a stand-in', () => standIn(north, bob, tomorrow, south)],
  [
    'the panel of the person',
    async () => {
      const people = (await business.api.ok(employeesApi.list, {})).items
      const version = people.find((one) => one.id === bob.userId)?.version
      return business.api.call(employeesApi.update, {
        params: { id: bob.userId },
        body: { version, crewId: north } as never,
      })
    },
  ],
])('who changes a crew and who changes its people by %s wait for each other', async (_name, changePerson) => {
  const { version } = (await business.api.ok(employeesApi.crews, { query: { day: now } })).items.find(
    (crew) => crew.id === north,
  ) ?? { version: 0 }
  const other = await ownerPool().connect()
  try {
    await other.query('begin')
    await other.query(`set local app.business_id = '${business.id}'`)
    await other.query('select 1 from crews where id = $1 for update', [north])
    const body = { version, memberUserIds: [ana.userId, bob.userId] } as never
    const crew = business.api.call(employeesApi.updateCrew, { params: { id: north }, body })
    await somebodyWaits()
    const person = changePerson()
    await somebodyWaits(2)
    await other.query('commit')
    expect([(await crew).status, (await person).status]).toEqual([
      200,
      expect.toSatisfy((status) => status === 200 || status === 409),
    ])
  } finally {
    await other.query('rollback')
    other.release()
  }
})

it('says before a change which crews lose people, on how many days, and with how many stops', async () => {
  await visitOn(north, addDays(now, 1))
  await visitOn(north, addDays(now, 5))
  const { effects } = await business.api.ok(staffingApi.preview, {
    params: { id: ana.userId },
    query: { crewId: south, from: now },
  })
  expect(effects).toMatchObject([
    { crew: { name: 'North' }, days: 28, firstDay: now, stops: 2, peopleBefore: 1, peopleAfter: 0, emptyDays: 2 },
    { crew: { name: 'South' }, days: 28, stops: 0, peopleBefore: 1, peopleAfter: 2, emptyDays: 0 },
  ])
  expect(await stretchesOf(ana)).toHaveLength(1)
})

it('time off lowers what the crew can do everywhere, and a stand-in for that day takes it up again, with undo', async () => {
  await visitOn(north, tomorrow)
  await timeOff(ana, tomorrow)
  const peopleOf = async () => {
    const range = await business.api.ok(calendarApi.range, { query: { from: tomorrow, to: tomorrow } })
    const plan = await business.api.ok(routesApi.day, { query: { day: tomorrow } })
    return {
      calendar: range.crewDays.find((one) => one.crewId === north),
      route: plan.crews.find((one) => one.crewId === north),
    }
  }
  const short = await peopleOf()
  expect(short.calendar).toMatchObject({ capacityMinutes: 0, away: [expect.any(String)] })
  expect(short.route).toMatchObject({ members: [], works: false })
  const staff = await staffOf(north, tomorrow)
  expect(staff).toMatchObject({ stops: 1, members: [{ userId: ana.userId, away: true }] })
  expect(staff.people.map((one) => one.userId)).not.toContain(ana.userId)
  expect(staff.people.find((one) => one.userId === bob.userId)).toMatchObject({ home: { id: south }, leaves: 0 })
  const lent = await standIn(north, bob, tomorrow, south)
  expect(lent.status).toBe(200)
  const full = await peopleOf()
  expect(full.calendar?.capacityMinutes).toBeGreaterThan(0)
  expect(full.route).toMatchObject({ members: [{ userId: bob.userId }], works: true })
  expect(await membersOn(addDays(now, 2))).toEqual({ North: [ana.userId], South: [bob.userId] })
  const again = await standIn(north, bob, tomorrow, south)
  expect(again.body.changeId).toBe(lent.body.changeId)
  const back = await business.api.ok(staffingApi.endStandIn, {
    params: { id: north },
    body: { day: tomorrow, userId: bob.userId, changeId: lent.body.changeId ?? '' },
  })
  expect(back.members.map((one) => one.userId)).toEqual([ana.userId])
  expect((await membersOn(tomorrow)).South).toEqual([bob.userId])
  // The routes are told of that day alone: every later day of the crews stays as it is.
  const told = await business.db((db) =>
    db
      .selectFrom('events')
      .select('payload')
      .where('businessId', '=', business.id)
      .where('name', '=', 'crew.staffed')
      .orderBy('id')
      .execute(),
  )
  expect(told.slice(-2).map(({ payload }) => payload)).toEqual([
    expect.objectContaining({ from: tomorrow, to: tomorrow }),
    expect.objectContaining({ from: tomorrow, to: tomorrow }),
  ])
})

it('offers nobody who is off, and tells the second who takes the same person', async () => {
  const third = await aCrew(business, { name: 'Third', workDays: everyDay })
  await timeOff(bob, tomorrow)
  expect((await standIn(third, bob, tomorrow, south)).status).toBe(409)
  const both = await Promise.all([standIn(third, ana, now, north), standIn(south, ana, now, north)])
  expect(both.map((one) => one.status).sort()).toEqual([200, 409])
  expect(both.find((one) => one.status === 409)?.error.message).toContain('Somebody else')
  const gone = await business.api.call(staffingApi.standIn, {
    params: { id: third },
    body: { day: tomorrow, userId: newId(), seenOn: null },
  })
  expect(gone.status).toBe(404)
})

it('a day of the week can have a shift of its own: capacity and plan go by it', async () => {
  const crew = (await business.api.ok(employeesApi.crews, {})).items.find((one) => one.id === north)
  const weekday = new Date(`${tomorrow}T00:00:00Z`).getUTCDay()
  await business.api.ok(employeesApi.updateCrew, {
    params: { id: north },
    body: {
      version: crew?.version ?? 0,
      weekdayShifts: [{ weekday, startMinute: 600, endMinute: 720, breakMinutes: 0 }],
      vehicleName: 'Isuzu NPR',
      vehiclePlate: 'GA 4711',
      vehicleSeats: 3,
    },
  })
  const range = await business.api.ok(calendarApi.range, { query: { from: tomorrow, to: addDays(tomorrow, 1) } })
  expect(range.crewDays.filter((one) => one.crewId === north).map((one) => one.capacityMinutes)).toEqual([120, 510])
  const plan = await business.api.ok(routesApi.day, { query: { day: tomorrow } })
  expect(plan.crews.find((one) => one.crewId === north)).toMatchObject({ shiftStartMinute: 600, shiftEndMinute: 720 })
})

it('what needs you: nobody at work, a day off, work without a license, a license that ends, a plan that was not sent', async () => {
  await visitOn(north, tomorrow)
  await visitOn(south, addDays(now, 2))
  await timeOff(ana, tomorrow)
  await business.db((db) =>
    db
      .updateTable('businesses')
      .set({ holidays: [addDays(now, 2)] })
      .where('businessId', '=', business.id)
      .execute(),
  )
  const license = await business.api.ok(licensesApi.create, {
    params: { id: bob.userId },
    body: { skill: 'applicator', state: 'GA', expiresOn: addDays(now, 30) },
  })
  const needs = async () =>
    (await business.api.ok(dashboardApi.get, {})).needs.map((need) => `${need.title} (${need.detail})`)
  const found = await needs()
  expect(found).toContain('Nobody of North is at work (tomorrow, 1 visit)')
  expect(found).toContainEqual(expect.stringContaining('1 visit on a day off'))
  expect(found).toContainEqual(expect.stringMatching(/license for “applicator” expires .*in 30 days/))
  await business.db((db) =>
    db
      .updateTable('services')
      .set({ skills: ['applicator'] })
      .where('businessId', '=', business.id)
      .execute(),
  )
  expect(await needs()).toContain('North has no valid license for 1 visit (from tomorrow)')
  await standIn(north, bob, tomorrow, south)
  await business.api.ok(licensesApi.update, {
    params: { id: license.id },
    body: { skill: 'applicator', state: 'GA', expiresOn: addDays(now, 31), version: license.version },
  })
  const after = await needs()
  expect(after.filter((one) => /Nobody|license/.test(one))).toEqual([])
  // from noon on what goes out tomorrow is to be sent
  setClock(() => new Date(instantAt(now, 13 * 60, 'America/New_York')))
  try {
    business = { ...business, api: (await aPerson(business.id, 'Admin')).api }
    expect(await needs()).toContainEqual(expect.stringContaining('Tomorrow’s plan was sent to nobody'))
  } finally {
    resetClock()
  }
})

it('a stand-in whose own crew would be left without a license for its stops says so first', async () => {
  await visitOn(north, tomorrow)
  await visitOn(south, tomorrow)
  await business.api.ok(licensesApi.create, {
    params: { id: bob.userId },
    body: { skill: 'applicator', state: 'GA', expiresOn: addDays(now, 30) },
  })
  await business.db((db) =>
    db
      .updateTable('services')
      .set({ skills: ['applicator'] })
      .where('businessId', '=', business.id)
      .execute(),
  )
  const { people } = await business.api.ok(staffingApi.standIns, { params: { id: north }, query: { day: tomorrow } })
  expect(people.find((one) => one.userId === bob.userId)).toMatchObject({ missing: [], homeLoses: ['applicator'] })
})

const takeBack = (crewId: string, who: Person, day: Day, changeId: string) =>
  business.api.call(staffingApi.endStandIn, { params: { id: crewId }, body: { day, userId: who.userId, changeId } })
const lentBy = async (crewId: string, who: Person, day: Day) =>
  (await staffOf(crewId, day)).members.find((one) => one.userId === who.userId)?.lentBy ?? null

it('a stand-in is taken back for its day alone, also beside another one and under a permanent change made later', async () => {
  const third = await aCrew(business, { name: 'Third', workDays: everyDay })
  const [first, second, from] = [addDays(now, 3), addDays(now, 4), addDays(now, 20)]
  const lent = await standIn(south, ana, first, north)
  await standIn(south, ana, second, north)
  const moved = await put(ana, third, from)
  const found = [await lentBy(south, ana, first), await lentBy(south, ana, second), await lentBy(third, ana, from)]
  expect(found).toEqual([lent.body.changeId, expect.any(String), null])
  const refused = [
    await takeBack(south, ana, first, moved.changeId ?? ''),
    await takeBack(third, ana, from, moved.changeId ?? ''),
    await takeBack(south, ana, second, lent.body.changeId ?? ''),
    await takeBack(north, ana, first, lent.body.changeId ?? ''),
  ]
  expect(refused.map((one) => one.status)).toEqual([409, 409, 409, 409])
  expect(refused[0]?.error.message).toContain('Nothing was changed')
  expect((await takeBack(south, ana, first, found[0] ?? '')).status).toBe(200)
  const since = addDays(now, -30)
  const rest = [
    ['North', addDays(now, 5), addDays(from, -1)],
    ['Third', from, null],
  ]
  expect(await stretchesOf(ana)).toEqual([['North', since, first], ['South', second, second], ...rest])
  expect((await takeBack(south, ana, second, found[1] ?? '')).status).toBe(200)
  expect(await stretchesOf(ana)).toEqual([
    ['North', since, addDays(from, -1)],
    ['Third', from, null],
  ])
})

it('no way of changing crews or of taking it back touches a day that is over or a crew that was archived', async () => {
  const yesterday = addDays(now, -1)
  const crewOf = async (id: string) =>
    (await business.api.ok(employeesApi.crews, {})).items.find((one) => one.id === id)
  const person = (await business.api.ok(employeesApi.list, {})).items.find((one) => one.id === ana.userId)
  const byPerson = await business.api.call(employeesApi.update, {
    params: { id: ana.userId },
    body: { version: person?.version ?? 0, crewId: south, crewFrom: yesterday },
  })
  const byCrew = await business.api.call(employeesApi.updateCrew, {
    params: { id: south },
    body: {
      version: (await crewOf(south))?.version ?? 0,
      memberUserIds: [ana.userId, bob.userId],
      membersFrom: yesterday,
    },
  })
  expect([byPerson.status, byCrew.status]).toEqual([409, 409])
  expect(byPerson.error.message).toContain('is over')
  const { changeId } = await put(ana, south, now)
  const undo = () =>
    business.api.call(staffingApi.undo, { params: { id: ana.userId }, body: { changeId: changeId ?? '' } })
  setClock(() => new Date(Date.now() + 86_400_000 * 2))
  try {
    business = { ...business, api: (await aPerson(business.id, 'Admin')).api }
    expect((await undo()).status).toBe(409)
  } finally {
    resetClock()
  }
  business = { ...business, api: (await aPerson(business.id, 'Admin')).api }
  await business.api.ok(employeesApi.archiveCrew, { params: { id: north } })
  const late = await undo()
  expect([late.status, late.error.message]).toEqual([409, expect.stringContaining('North was put away')])
  expect((await stretchesOf(ana)).at(-1)).toEqual(['South', now, null])
})

it('keeps of a change only the days that it changed, however long a history is', async () => {
  for (let ahead = 2; ahead < 24; ahead += 2) await standIn(south, ana, addDays(now, ahead), north)
  const { rows } = await business.db((db) =>
    sql<{ size: number }>`select jsonb_array_length(before) + jsonb_array_length(after) as size from crew_changes
      where business_id = ${business.id} and user_id = ${ana.userId}`.execute(db),
  )
  expect(Math.max(...rows.map((row) => row.size))).toBeLessThanOrEqual(2)
})
