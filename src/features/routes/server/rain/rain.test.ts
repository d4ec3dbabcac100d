import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemActor } from '../../../../platform/actor.ts'
import { clock, resetClock, setClock } from '../../../../platform/clock.ts'
import { configureWeather } from '../../../../platform/geo/weather.ts'
import { addDays, type Day, formatDay, instantAt, weekdayOf } from '../../../../shared/dates.ts'
import { type Api, runTasks } from '../../../../test/api.ts'
import { aBusiness, aPerson, type TestBusiness } from '../../../../test/factories.ts'
import { aCrew, aVisit, today, type VisitChanges } from '../../../../test/field.ts'
import { optimized, placeNear, runOver } from '../../../../test/planning.ts'
import { suppress } from '../../../messages/server/commands.ts'
import { sendMessage } from '../../../messages/server/tasks.ts'
import { noteToldTx, tellMoves } from '../../../notices/server/commands.ts'
import { visitsApi } from '../../../visits/contract.ts'
import { weatherApi } from '../../../weather/contract.ts'
import { type RouteRun, routesApi } from '../../contract.ts'
import type { RainFacts } from '../../rain/contract.ts'

const monday: Day = (() => {
  let day = addDays(today(), 2)
  while (weekdayOf(day) !== 1) day = addDays(day, 1)
  return day
})()
const [tuesday, wednesday, thursday, saturday] = [1, 2, 3, 5].map((n) => addDays(monday, n)) as [Day, Day, Day, Day]

let business: TestBusiness
let api: Api
let crewId: string

/** It is that minute of today, and somebody has just signed in. */
const at = async (minute: number) => {
  const offset = Date.parse(instantAt(today(), minute, 'America/New_York')) - Date.now()
  setClock(() => new Date(Date.now() + offset))
  api = (await aPerson(business.id, 'Admin')).api
}

beforeEach(async () => {
  business = await aBusiness()
  api = business.api
  crewId = await aCrew(business, { name: 'North', members: [await business.employee({ wageCents: 2000 })] })
  await at(600)
})
afterEach(() => {
  resetClock()
  configureWeather()
})

const visit = async (i: number, changes: VisitChanges = {}) =>
  aVisit(business, {
    day: monday,
    crewId,
    budgetMinutes: 40,
    street: `${i} Bluff Dr`,
    customer: `Ann ${i}`,
    ...placeNear(i),
    ...changes,
  })
const visits = async (...numbers: number[]) => {
  const made = []
  for (const i of numbers) made.push(await visit(i))
  return made
}
const set = (table: 'visits' | 'customers' | 'services', id: string | null, change: Record<string, unknown>) =>
  business.db((db) => {
    const query = db.updateTable(table).set(change).where('businessId', '=', business.id)
    return (id ? query.where('id', '=', id) : query).execute()
  })
const rows = () =>
  business.db((db) =>
    db
      .selectFrom('visits')
      .select(['id', 'day', 'crewId', 'position', 'plannedStartMinute', 'movedFrom', 'status', 'pinned'])
      .where('businessId', '=', business.id)
      .orderBy('id')
      .execute(),
  )
const messages = () =>
  business.db((db) =>
    db
      .selectFrom('messages')
      .select(['id', 'channel', 'address', 'bodyText', 'status', 'runAfter', 'reason', 'customerId'])
      .where('businessId', '=', business.id)
      .orderBy('address')
      .execute(),
  )
const rain = async (body: object = {}): Promise<RouteRun & { facts: RainFacts }> => {
  const { run } = await api.ok(routesApi.rain, { body: { day: monday, strategy: 'push', ...body } as never })
  const over = await runOver(api, run.id)
  if (!over.result?.rain) throw new Error(`The search ${over.status}: ${over.error}`)
  return { ...over, facts: over.result.rain }
}
const apply = (run: RouteRun, body?: { tell: boolean }) =>
  api.ok(routesApi.applyRun, { params: { id: run.id }, ...(body ? { body } : {}) })
const undo = (day = monday) => api.call(routesApi.undo, { body: { day } })
const leave = async () => {
  for (const message of await messages()) await sendMessage.run(systemActor(business.id), { messageId: message.id })
}
const phone = (i: number) => `+1912555${String(1000 + i)}`

describe('the preview', { timeout: 60_000 }, () => {
  it('says who hears of it and how, quiet hours and closed addresses counted', async () => {
    const people = await visits(0, 1, 2, 3)
    await set('customers', people[0]!.customerId, { phone: phone(0) })
    await set('customers', people[1]!.customerId, { phone: phone(1), email: 'ann1@test.swath.test' })
    await set('customers', people[2]!.customerId, { phone: phone(2) })
    await business.db(async (db) => {
      await suppress(db, 'sms', phone(1), 'all', 'Replied STOP')
      await suppress(db, 'sms', phone(2), 'all', 'Replied STOP')
    })
    const { facts } = await rain()
    expect(facts.tells).toEqual({
      texts: 1,
      emails: 1,
      quietUntil: null,
      nobody: [
        { customerId: people[2]!.customerId, name: 'Ann 2', reason: 'Replied STOP' },
        { customerId: people[3]!.customerId, name: 'Ann 3', reason: 'No mobile number or e-mail on file' },
      ],
      unreached: 2,
    })
    await at(21 * 60 - 3)
    expect((await rain()).facts.tells.quietUntil).toBe(instantAt(addDays(today(), 1), 480, 'America/New_York'))
  })

  it('leaves pinned, hand-placed and promised stops on their day until they are ticked', async () => {
    const [free, pinned, placed, promised] = await visits(0, 1, 2, 3)
    await set('visits', pinned!.visitId, { pinned: true })
    await set('visits', placed!.visitId, { locked: true })
    await set('visits', promised!.visitId, { windowStartMinute: 540, windowEndMinute: 720 })
    const first = await rain()
    expect(first.facts.held.map((h) => [h.street, h.reason, h.ticked]).toSorted()).toEqual([
      ['1 Bluff Dr', 'Pinned by hand.', false],
      ['2 Bluff Dr', 'Was put on its day by hand.', false],
      ['3 Bluff Dr', 'Promised 9:00 AM to 12:00 PM.', false],
    ])
    const moved = (run: RouteRun) =>
      run.result!.changes.flatMap((c) => (c.kind === 'other-day' ? [c.visitId] : [])).toSorted()
    expect(moved(first)).toEqual([free!.visitId])
    const ticked = await rain({ moveIds: [placed!.visitId] })
    expect(moved(ticked)).toEqual([free!.visitId, placed!.visitId].toSorted())
    const before = await rows()
    await apply(ticked)
    const of = (list: typeof before, id: string) => list.find((v) => v.id === id)
    const after = await rows()
    for (const id of [pinned!.visitId, promised!.visitId])
      expect(of(after, id)).toMatchObject({ day: monday, crewId, pinned: of(before, id)!.pinned })
    expect((await undo()).status).toBe(200)
    expect(await rows()).toEqual(before)
    for (const one of [free!, placed!]) await set('visits', one.visitId, { pinned: true })
    const refused = await api.call(routesApi.rain, { body: { day: monday, strategy: 'push' } })
    expect([refused.status, refused.error.message]).toEqual([409, expect.stringContaining('2 Bluff Dr')])
  })

  it('fills days to 105% of a shift, counts the overtime, and names what no day has room for', async () => {
    for (let i = 0; i < 4; i++) await visit(i, { budgetMinutes: 105 })
    await optimized(api, { day: monday, placeDue: false })
    // Monday is nearly full, and so is the one day that is left.
    for (let i = 4; i < 8; i++) await visit(i, { day: tuesday, budgetMinutes: 105 })
    await optimized(api, { day: tuesday, placeDue: false })
    const run = await rain({ onDays: [tuesday] })
    const { result, facts } = run
    expect(result!.left.length).toBeGreaterThan(0)
    expect(result!.left.every((one) => /105%/.test(one.reason))).toBe(true)
    const tuesdayAfter = result!.days.find((d) => d.day === tuesday)!.after
    expect(tuesdayAfter.stops + result!.left.length).toBe(8)
    expect(tuesdayAfter.shiftPercent).toBeLessThanOrEqual(106)
    expect(facts.overtimeAfter).toBe(Math.max(0, tuesdayAfter.endMinute! - 16 * 60))
    await apply(run)
    const waiting = (await rows()).filter((v) => v.crewId === null)
    expect(waiting.map((v) => v.id).toSorted()).toEqual(result!.left.map((one) => one.visitId).toSorted())
    expect(waiting.every((v) => v.day === monday)).toBe(true)
  })

  it('takes only the days that were chosen, a Saturday among them, and refuses those that are none', async () => {
    const ids = (await visits(0, 1, 2)).map((v) => v.visitId)
    const run = await rain({ strategy: 'replan', onDays: [saturday] })
    expect(run.result!.changes.map((c) => [c.visitId, c.to.day]).toSorted()).toEqual(
      ids.map((id) => [id, saturday]).toSorted(),
    )
    for (const onDays of [[monday], [addDays(monday, 14)]])
      expect(
        (await api.call(routesApi.rain, { body: { day: monday, strategy: 'replan', onDays } })).error.errors?.[0]?.path,
      ).toBe('onDays')
    await business.db((db) =>
      db
        .updateTable('businesses')
        .set({ holidays: [thursday] })
        .where('businessId', '=', business.id)
        .execute(),
    )
    const refused = await api.call(routesApi.rain, { body: { day: monday, strategy: 'replan', onDays: [thursday] } })
    expect(refused.error.errors).toMatchObject([{ path: 'onDays', message: expect.stringMatching(/holiday of yours/) }])
  })

  it('warns of treatments where they land in rain, of rain that comes there too, and of a visit that comes too late', async () => {
    configureWeather({ url: null })
    const own = await visit(0)
    await set('services', null, { category: 'treat' })
    await business.db(async (db) => {
      await db
        .updateTable('jobLines')
        .set({ onceOn: null, recurrence: JSON.stringify({ freq: 'week', interval: 1 }) })
        .where('businessId', '=', business.id)
        .execute()
      const { toBill: _computed, ...row } = await db
        .selectFrom('visits')
        .selectAll()
        .where('businessId', '=', business.id)
        .executeTakeFirstOrThrow()
      const before = addDays(monday, -10)
      await db
        .insertInto('visits')
        .values({ ...row, id: crypto.randomUUID(), occurrenceOn: before, day: before, status: 'completed' })
        .execute()
    })
    await api.ok(weatherApi.mark, { body: { day: tuesday, hours: [7, 8], version: 0 } })
    const { result, facts } = await rain()
    const [change] = result!.changes
    expect(change).toMatchObject({ visitId: own.visitId, to: { day: tuesday } })
    expect(change!.warning).toContain('11 days after its last visit, at most 10 are meant.')
    expect(change!.warning).toContain('Treatment with rain around 7:00 AM.')
    expect(facts.days.find((d) => d.day === tuesday)?.rain).toBe('rain 7 AM to 9 AM')
    expect(facts.warnings).toBe(1)
  })
})

const told = () =>
  business.db((db) =>
    db
      .selectFrom('visitTellings')
      .select(['visitId', 'toldDay'])
      .where('businessId', '=', business.id)
      .orderBy('visitId')
      .execute(),
  )
/** What the notices of moves would look at, whenever they come. */
const noticed = async (customerId: string) => {
  await tellMoves(systemActor(business.id), customerId)
  return (await messages()).filter((m) => !m.bodyText.includes('rain'))
}

describe('a push that was made', { timeout: 60_000 }, () => {
  const made = async (count = 3, body?: { tell: boolean }) => {
    const own = await visits(...Array(count).keys())
    for (const [i, one] of own.entries()) await set('customers', one.customerId, { phone: phone(i) })
    const before = await rows()
    const run = await rain()
    await apply(run, body)
    return { own, before, run }
  }

  it('tells each customer once, after five minutes in which Undo recalls all of it', async () => {
    const { before, run } = await made()
    // the doubled click
    await apply(run)
    const waiting = await messages()
    expect(waiting.map((m) => [m.channel, m.address, m.status])).toEqual(
      [0, 1, 2].map((i) => ['sms', phone(i), 'pending']),
    )
    expect(waiting[0]!.bodyText).toMatch(
      /^Green Test Lawns: Because of rain, your visit at 0 Bluff Dr moves from Mon, .* to Tue, /,
    )
    const wait = (Date.parse(waiting[0]!.runAfter!) - clock.nowMs()) / 60_000
    expect(wait).toBeGreaterThan(4.8)
    expect(wait).toBeLessThanOrEqual(5)
    await leave()
    expect((await messages()).every((m) => m.status === 'pending')).toBe(true)
    await at(604)
    const undone = await undo()
    expect(undone.body).toMatchObject({ recalled: 3, told: [], kept: 0 })
    expect(await rows()).toEqual(before)
    await at(630)
    await leave()
    expect((await messages()).map((m) => [m.status, m.reason])).toEqual(
      Array(3).fill(['suppressed', 'The rain push was taken back']),
    )
    // made again, it is told again
    await api.ok(routesApi.redo, { body: { day: monday } })
    expect((await messages()).filter((m) => m.status === 'pending')).toHaveLength(3)
  })

  it('is taken back once by a doubled press and by two tabs, without a word of another day', async () => {
    const { before } = await made()
    const { undo: step } = await api.ok(routesApi.day, { query: { day: monday } })
    const body = { day: monday, changeId: step!.id }
    const key = crypto.randomUUID()
    const [first, second, other] = await Promise.all([
      api.call(routesApi.undo, { body }, { 'idempotency-key': key }),
      api.call(routesApi.undo, { body }, { 'idempotency-key': key }),
      api.call(routesApi.undo, { body }),
    ])
    const all = [first, second, other]
    expect(all.map((one) => one.status).toSorted()).not.toEqual([409, 409, 409])
    for (const one of all.filter((each) => each.status === 409)) expect(one.error.message).not.toContain('several days')
    expect(await rows()).toEqual(before)
    const again = await api.call(routesApi.undo, { body })
    expect([again.status, again.error.message]).toEqual([409, expect.stringContaining('was just undone')])
  })

  it('leaves nothing to push, and offers the day off to nobody', async () => {
    await visit(8, { crewId: null as never })
    const kept = await visit(9)
    await set('visits', kept.visitId, { pinned: true })
    await made()
    const ahead = addDays(monday, -1)
    const offset = Date.parse(instantAt(ahead, 600, 'America/New_York')) - Date.now()
    setClock(() => new Date(Date.now() + offset))
    api = (await aPerson(business.id, 'Admin')).api
    const { days } = await api.ok(weatherApi.get, { query: { from: monday, days: 1 } })
    expect(days[0]).toMatchObject({ soon: true, openVisits: 0, visits: 0 })
    const { unplaced } = await api.ok(routesApi.day, { query: { day: monday } })
    expect(unplaced.map((one) => [one.street, one.places, one.reason])).toEqual([
      ['8 Bluff Dr', [], 'No crew works on this day.'],
    ])
  })

  it('is told once: no notice of the move follows it, and none of a move that was recalled', async () => {
    const { own } = await made(2)
    expect((await told()).map((row) => row.toldDay)).toEqual([tuesday, tuesday])
    await at(606)
    expect(await noticed(own[0]!.customerId)).toEqual([])
    await undo()
    expect(await told(), 'nobody had been told anything before').toEqual([])
    expect(await noticed(own[0]!.customerId)).toEqual([])
    await business.db((db) =>
      db
        .insertInto('customerNotices')
        .values({ businessId: business.id, customerId: own[0]!.customerId, muted: ['moved'] })
        .execute(),
    )
    const { facts } = await rain()
    expect(facts.tells).toMatchObject({ texts: 1, nobody: [{ name: 'Ann 0', reason: 'Wants no word of moves' }] })
  })

  it('leaves who was told a day before it at that day', async () => {
    const [one] = await visits(0)
    await set('customers', one!.customerId, { phone: phone(0) })
    await business.db((db) => noteToldTx(db, [{ visitId: one!.visitId, customerId: one!.customerId, day: monday }]))
    await apply(await rain())
    expect((await told()).map((row) => row.toldDay)).toEqual([tuesday])
    await undo()
    expect((await told()).map((row) => row.toldDay)).toEqual([monday])
    expect(await noticed(one!.customerId)).toEqual([])
  })

  it('tells whom it moved and somebody moved on, when the rest is taken back', async () => {
    const { own } = await made(2)
    const wednesday = addDays(monday, 2)
    await api.ok(visitsApi.move, {
      params: { visitId: own[0]!.visitId },
      body: { day: wednesday, crewId: null } as never,
    })
    await undo()
    expect((await told()).map((row) => [row.visitId, row.toldDay])).toEqual([[own[0]!.visitId, monday]])
    await at(640)
    const [notice, ...others] = await noticed(own[0]!.customerId)
    expect(notice!.bodyText).toContain(formatDay(wednesday))
    expect(others).toEqual([])
    expect(await noticed(own[1]!.customerId)).toHaveLength(1)
  })

  it('says nothing of a visit that is taken back by hand before its message left, and where one went that was moved on', async () => {
    const [back, on, stays] = (await made()).own
    await api.ok(routesApi.crewBack, { body: { day: monday, crewId } })
    await api.ok(routesApi.move, { body: { visitId: back!.visitId, day: monday, crewId } })
    await api.ok(routesApi.move, { body: { visitId: on!.visitId, day: wednesday, crewId } })
    await runTasks()
    const statuses = Object.fromEntries((await messages()).map((m) => [m.customerId, m.status]))
    expect(statuses).toEqual({
      [back!.customerId]: 'suppressed',
      [on!.customerId]: 'suppressed',
      [stays!.customerId]: 'pending',
    })
    await at(640)
    expect(await noticed(back!.customerId)).toEqual([])
    const [word, ...more] = await noticed(on!.customerId)
    expect([word!.customerId, more]).toEqual([on!.customerId, []])
    expect(word!.bodyText).toContain(formatDay(wednesday))
  })

  it('says on Undo who was told already', async () => {
    const { own } = await made()
    await at(606)
    const [first] = await messages()
    await sendMessage.run(systemActor(business.id), { messageId: first!.id })
    const undone = await undo()
    expect(undone.body).toMatchObject({ recalled: 2, told: ['Ann 0'] })
    expect(first!.customerId).toBe(own[0]!.customerId)
  })

  it('is taken back for an hour, and says until when', async () => {
    const { before } = await made()
    const { undo: step } = await api.ok(routesApi.day, { query: { day: monday } })
    expect((Date.parse(step!.until!) - Date.parse(step!.at)) / 60_000).toBe(60)
    const after = await rows()
    await at(661)
    const late = await undo()
    expect([late.status, late.error.message]).toEqual([409, expect.stringContaining('within 60 minutes')])
    expect(await rows()).toEqual(after)
    await at(659)
    expect((await undo(tuesday)).status).toBe(200)
    expect(await rows()).toEqual(before)
  })

  it('is not taken back once one of its visits has begun', async () => {
    const { own } = await made()
    await set('visits', own[1]!.visitId, { status: 'in_progress' })
    const after = await rows()
    const refused = await undo()
    expect([refused.status, refused.error.message]).toEqual([
      409,
      expect.stringContaining('1 Bluff Dr has begun since'),
    ])
    expect(await rows()).toEqual(after)
    expect((await messages()).every((m) => m.status === 'pending')).toBe(true)
  })

  it('tells nobody where that was asked for, and one customer of several lawns once', async () => {
    await made(2, { tell: false })
    expect(await messages()).toEqual([])
    const [a, b] = [await visit(5, { day: wednesday }), await visit(6, { day: wednesday })]
    await set('visits', b.visitId, { customerId: a.customerId })
    await set('customers', a.customerId, { phone: phone(7), language: 'es' })
    await apply(await rain({ day: wednesday, strategy: 'skip' }))
    await business.db((db) => db.selectFrom('visits').select('id').where('businessId', '=', business.id).execute())
    const [text, ...others] = await messages()
    expect(others).toEqual([])
    expect(text!.bodyText).toContain('Por la lluvia')
    expect(text!.bodyText.match(/Bluff Dr/g)).toHaveLength(2)
  })
})
