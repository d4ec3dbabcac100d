import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { addDays, startOfWeek } from '../../../shared/dates.ts'
import { renewTestServer } from '../../../test/api.ts'
import { aBusiness, aPerson, type TestBusiness } from '../../../test/factories.ts'
import { aCrew, aVisit, everyDay, today } from '../../../test/field.ts'
import { rowsRead } from '../../../test/rows-read.ts'
import { routesApi } from '../../routes/contract.ts'
import { visitsApi } from '../../visits/contract.ts'
import { type CrewDay, calendarApi } from '../contract.ts'
import { calendarEventsApi } from '../events/contract.ts'
import { loadPercent } from '../rules.ts'

const aBoard = async () => {
  const business = await aBusiness({ workDays: everyDay })
  const people = [await business.employee({ name: 'Ann Lee' }), await business.employee({ name: 'Bo Kim' })]
  const crewId = await aCrew(business, { name: 'North', members: people, workDays: everyDay })
  const day = addDays(today(), 1)
  const range = (from = day, to = day) => business.api.ok(calendarApi.range, { query: { from, to } })
  return { business, people, crewId, day, range }
}
const move = (business: TestBusiness, body: object) => business.api.call(routesApi.move, { body: body as never })

describe('some days', () => {
  it('show visits in the order of their route, with work and driving of what the crew can do', async () => {
    const { business, crewId, day, range } = await aBoard()
    const second = await aVisit(business, { day, crewId, position: 2, street: '2 Oak St', budgetMinutes: 60 })
    const first = await aVisit(business, { day, crewId, position: 1, street: '1 Oak St', budgetMinutes: 40 })
    const due = await aVisit(business, { day, street: '3 Oak St' })
    await aVisit(business, { day, crewId, status: 'canceled' })
    await aVisit(business, { day: addDays(day, 1), crewId })
    const { visits, crewDays, crews } = await range()
    expect(visits.map((visit) => visit.id).sort()).toEqual([first.visitId, second.visitId, due.visitId].sort())
    expect(visits.filter((visit) => visit.crewId === crewId).map((visit) => visit.street)).toEqual([
      '1 Oak St',
      '2 Oak St',
    ])
    expect(crews.map((crew) => crew.name)).toEqual(['North'])
    expect(crewDays).toEqual([
      expect.objectContaining({
        people: 2,
        capacityMinutes: 1020,
        workMinutes: 100,
        stops: 2,
        undriven: 0,
      }),
    ])
    // Driving counts as the route map has it, also before anybody planned the day: one number in both.
    const asked = async () => (await business.api.ok(routesApi.day, { query: { day } })).crews[0]?.totals
    const [load, totals] = [crewDays[0] as CrewDay, await asked()]
    expect(totals?.driveSeconds).toBeGreaterThan(0)
    expect(load.driveMinutes).toBe(Math.round(((totals?.driveSeconds ?? 0) * 2) / 60))
    expect(loadPercent(load)).toBe(totals?.shiftPercent)
    // Planned, it counts for everybody in the truck and with the way home.
    const moved = await move(business, { visitId: due.visitId, crewId, day, version: 1 })
    expect(moved.status).toBe(200)
    const after = (await range()).crewDays[0]
    const seconds = moved.body.plan.crews[0]?.totals.driveSeconds ?? 0
    expect(seconds).toBeGreaterThan(0)
    expect(after).toMatchObject({ undriven: 0, driveMinutes: Math.round((seconds * 2) / 60) })
    expect(loadPercent(after as CrewDay)).toBe((await asked())?.shiftPercent)
  })

  it('are at most 15, and the last is not before the first', async () => {
    const { business, day } = await aBoard()
    const ask = async (to: string) => (await business.api.call(calendarApi.range, { query: { from: day, to } })).status
    expect(await ask(addDays(day, 14))).toBe(200)
    expect(await ask(addDays(day, 15))).toBe(422)
    expect(await ask(addDays(day, -1))).toBe(422)
  })

  it('hide prices from who sees no money, and no move from who may not', async () => {
    const { business, crewId, day } = await aBoard()
    await aVisit(business, { day, crewId, priceCents: 5500 })
    const { api } = await aPerson(business.id, 'Admin', { permissions: ['schedule'] })
    const seen = await api.ok(calendarApi.range, { query: { from: day, to: day } })
    expect(seen.visits[0]).toMatchObject({ priceCents: null, can: { move: true } })
    const bare = await aPerson(business.id, 'Admin', { permissions: [] })
    expect((await bare.api.call(calendarApi.range, { query: { from: day, to: day } })).status).toBe(403)
  })

  it('say the days around a visit whose service wants a gap', async () => {
    const { business, crewId, day, range } = await aBoard()
    const { jobId, visitId } = await aVisit(business, { day, crewId })
    await business.db(async (db) => {
      await sql`update services set min_gap_days = 5, skills = '{Sprayer}' where business_id = ${business.id}`.execute(
        db,
      )
      await sql`insert into visits (business_id, id, job_id, customer_id, property_id, occurrence_on, day, budget_minutes, price_cents)
        select business_id, gen_random_uuid(), job_id, customer_id, property_id, ${addDays(day, 9)}, ${addDays(day, 9)}, 1, 1
        from visits where id = ${visitId}`.execute(db)
    })
    const [visit] = (await range()).visits
    expect(visit).toMatchObject({
      jobId,
      minGapDays: 5,
      skills: ['Sprayer'],
      previousDay: null,
      nextDay: addDays(day, 9),
    })
    // Nobody came that day: it stands between nothing. Another job with the same service does.
    const other = (await aVisit(business, { day: addDays(day, 3) })).visitId
    await business.db((db) =>
      sql`update visits set property_id = (select property_id from visits where id = ${visitId}) where id = ${other}`.execute(
        db,
      ),
    )
    await business.db((db) =>
      sql`update visits set status = 'scheduled', day = ${addDays(day, -40)} where job_id = ${jobId} and day = ${addDays(day, 9)}`.execute(
        db,
      ),
    )
    const [alone] = (await range()).visits
    expect(alone).toMatchObject({ previousDay: null, nextDay: null, sameWork: [{ day: addDays(day, 3) }] })
    expect((await business.api.ok(visitsApi.get, { params: { visitId } })).needs).toMatchObject({
      previousDay: null,
      sameWork: [{ day: addDays(day, 3) }],
    })
    await business.db((db) =>
      sql`update visits set day = ${addDays(day, 9)} where job_id = ${jobId} and day = ${addDays(day, -40)}`.execute(
        db,
      ),
    )
    // A rule of the job that asks for more is seen on the board and in the visit, too.
    await business.db((db) =>
      sql`update job_lines set once_on = null, recurrence = '{"freq":"week","interval":1,"weekdays":[2],"phaseOn":"2026-04-06","holiday":"next","exceptions":[],"minGapDays":6}'
        where business_id = ${business.id} and job_id = ${jobId}`.execute(db),
    )
    expect((await range()).visits[0]).toMatchObject({ minGapDays: 6 })
    const { needs } = await business.api.ok(visitsApi.get, { params: { visitId } })
    expect(needs).toMatchObject({ minGapDays: 6, nextDay: addDays(day, 9) })
  })
})

describe('a move over a move that was not seen', () => {
  it('is refused, and nothing is lost', async () => {
    const { business, crewId, day, range } = await aBoard()
    const other = await aCrew(business, { name: 'South', workDays: everyDay })
    const { visitId } = await aVisit(business, { day, crewId })
    const [seen] = (await range()).visits
    expect((await move(business, { visitId, crewId: other, day, version: seen?.version })).status).toBe(200)
    const late = await move(business, { visitId, crewId: null, day: addDays(day, 1), version: seen?.version })
    expect([late.status, late.error.code]).toEqual([409, 'version_conflict'])
    expect(await business.api.ok(visitsApi.get, { params: { visitId } })).toMatchObject({ day, crewId: other })
  })
})

describe('a month', () => {
  it('counts its days in whole weeks, narrowed as asked', async () => {
    const { business, crewId, day } = await aBoard()
    await aVisit(business, { day, crewId, budgetMinutes: 51 })
    await aVisit(business, { day, crewId, status: 'completed', budgetMinutes: 51 })
    await aVisit(business, { day })
    const month = (query: object = {}) =>
      business.api.ok(calendarApi.month, { query: { month: day.slice(0, 7), ...query } as never })
    const { days } = await month()
    expect(days.length % 7).toBe(0)
    expect(days[0]?.day).toBe(startOfWeek(`${day.slice(0, 7)}-01`))
    const at = (list: typeof days) => list.find((one) => one.day === day)
    expect(at(days)).toMatchObject({
      visits: 3,
      finished: 1,
      unassigned: 1,
      loadMinutes: 104,
      capacityMinutes: 1020,
      undriven: 2,
    })
    expect(at((await month({ crewId })).days)).toMatchObject({ visits: 2 })
    expect(at((await month({ status: 'completed' })).days)).toMatchObject({ visits: 1 })
  })
})

describe('what is due', () => {
  it('comes with its places and their driving; what has no day waits below', async () => {
    const { business, crewId, day } = await aBoard()
    const due = await aVisit(business, { day, street: '3 Oak St', priceCents: 4200 })
    const waiting = await aVisit(business, { day: null, street: '4 Oak St' })
    const list = await business.api.ok(calendarApi.due, { query: { day } })
    expect(list.total).toBe(2)
    expect(list.items).toEqual([
      expect.objectContaining({
        id: due.visitId,
        priceCents: 4200,
        reason: null,
        places: [expect.objectContaining({ crewId })],
      }),
      expect.objectContaining({
        id: waiting.visitId,
        day: null,
        waiting: expect.objectContaining({ kind: 'other', daysLate: 0 }),
        places: [expect.objectContaining({ crewId })],
        reason: null,
      }),
    ])
    const [place] = list.items[0]?.places ?? []
    await move(business, {
      visitId: due.visitId,
      day,
      crewId,
      position: place?.position,
      version: list.items[0]?.version,
    })
    await move(business, { visitId: waiting.visitId, day, crewId, version: list.items[1]?.version })
    expect(list.undo).toBeNull()
    const now = await business.api.ok(calendarApi.due, { query: { day } })
    expect(now).toMatchObject({ items: [], undo: { label: expect.stringContaining('4 Oak St') } })
    const { plan } = await business.api.ok(routesApi.undo, { body: { day, changeId: now.undo?.id as string } })
    expect((await business.api.ok(calendarApi.due, { query: { day } })).undo?.id).toBe(plan.undo?.id)
  })
})

const draft = (changes: object) =>
  ({ kind: 'shop', title: 'Sharpen blades', firstDay: today(), lastDay: today(), ...changes }) as never

describe('an event of the office', () => {
  it('is made, changed, removed and brought back; over a change not seen nothing is written', async () => {
    const { business, day, range } = await aBoard()
    const { api } = business
    const body = draft({ firstDay: day, lastDay: day, startMinute: 480, endMinute: 540 })
    const made = await api.ok(calendarEventsApi.create, { body })
    expect((await range()).events).toEqual([made])
    const at = { params: { id: made.id } }
    const later = await api.ok(calendarEventsApi.update, {
      ...at,
      body: { ...(body as object), title: 'Oil change', version: made.version } as never,
    })
    expect(later).toMatchObject({ title: 'Oil change', version: 2 })
    expect((await api.call(calendarEventsApi.remove, { ...at, body: { version: 1 } })).status).toBe(409)
    const gone = await api.ok(calendarEventsApi.remove, { ...at, body: { version: 2 } })
    expect((await range()).events).toEqual([])
    expect(gone.can).toEqual({ update: false, remove: false })
    expect(await api.ok(calendarEventsApi.get, at)).toEqual(gone)
    await api.ok(calendarEventsApi.restore, { ...at, body: { version: 3 } })
    expect((await range()).events).toMatchObject([{ id: made.id, can: { update: true, remove: true } }])
  })

  it('is made once by a doubled click', async () => {
    const { business, day, range } = await aBoard()
    const body = draft({ firstDay: day, lastDay: day })
    const key = { 'idempotency-key': 'one-click-of-two' }
    const [one, two] = [
      await business.api.ok(calendarEventsApi.create, { body }, key),
      await business.api.ok(calendarEventsApi.create, { body }, key),
    ]
    expect(two).toEqual(one)
    expect((await range()).events).toHaveLength(1)
  })

  it('lowers what a crew can do while one of its people is off', async () => {
    const { business, people, day, range } = await aBoard()
    const userId = people[0]?.userId
    const off = draft({ kind: 'time_off', title: 'Ann off', userId, firstDay: addDays(day, -1), lastDay: day })
    await business.api.ok(calendarEventsApi.create, { body: off })
    expect((await range()).crewDays).toMatchObject([{ people: 1, away: ['Ann Lee'], capacityMinutes: 510 }])
    expect((await range(addDays(day, 1), addDays(day, 1))).crewDays).toMatchObject([
      { people: 2, capacityMinutes: 1020 },
    ])
    const supplier = draft({ kind: 'supplier', title: 'Seed delivery', firstDay: day, lastDay: day })
    await business.api.ok(calendarEventsApi.create, { body: supplier })
    expect((await range()).crewDays).toMatchObject([{ capacityMinutes: 510 }])
  })

  it('names nobody and no crew of another business', async () => {
    const [{ business }, other] = [await aBoard(), await aBoard()]
    for (const changes of [{ kind: 'time_off', userId: other.people[0]?.userId }, { crewId: other.crewId }])
      expect((await business.api.call(calendarEventsApi.create, { body: draft(changes) })).status).toBe(404)
  })

  it.each([
    ['time off of nobody', { kind: 'time_off' }, 'userId'],
    ['an end before its begin', { startMinute: 600, endMinute: 540 }, 'endMinute'],
    ['half a time', { startMinute: 600 }, 'endMinute'],
    ['a last day before its first', { lastDay: addDays(today(), -1) }, 'lastDay'],
    ['half a year', { lastDay: addDays(today(), 180) }, 'lastDay'],
  ])('is not %s', async (_name, changes, path) => {
    const { business } = await aBoard()
    const answer = await business.api.call(calendarEventsApi.create, { body: draft(changes) })
    expect([answer.status, answer.error.errors?.[0]?.path]).toEqual([422, path])
  })
})

describe('reads', () => {
  it('cost the same after twice the years', async () => {
    await renewTestServer()
    const { business, crewId, day, range } = await aBoard()
    const { visitId } = await aVisit(business, { day, crewId })
    const years = (first: number, last: number) =>
      business.db((db) =>
        sql`insert into visits (business_id, id, job_id, customer_id, property_id, crew_id, occurrence_on, day, status, budget_minutes, price_cents)
          select business_id, gen_random_uuid(), job_id, customer_id, property_id, crew_id, date '2015-01-01' + d, date '2015-01-01' + d, 'completed', 1, 1
          from visits, generate_series(${sql.lit(first)}, ${sql.lit(last)}) d where id = ${visitId}`.execute(db),
      )
    const cost = async () => ({
      range: await rowsRead(business, ['visits', 'calendar_events'], () =>
        range(startOfWeek(day), addDays(startOfWeek(day), 6)),
      ),
      month: await rowsRead(business, ['visits'], () =>
        business.api.ok(calendarApi.month, { query: { month: day.slice(0, 7) } }),
      ),
    })
    await years(1, 1000)
    const before = await cost()
    await years(1001, 2000)
    const after = await cost()
    expect(after.range).toBeLessThan(before.range * 1.5)
    expect(after.month).toBeLessThan(before.month * 1.5)
  }, 60_000)
})
