import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { systemActor } from '../../../platform/actor.ts'
import { resetClock, setClock } from '../../../platform/clock.ts'
import { newId } from '../../../platform/ids.ts'
import { addDays, type Day, instantAt } from '../../../shared/dates.ts'
import { runTasks } from '../../../test/api.ts'
import { aBusiness, aPerson, type Person, type TestBusiness } from '../../../test/factories.ts'
import { aCrew, aVisit, today, type VisitChanges } from '../../../test/field.ts'
import { optimized } from '../../../test/planning.ts'
import { visitsApi } from '../../visits/contract.ts'
import { finishVisitTx, startVisitTx } from '../../visits/server/commands.ts'
import { type DayPlan, routesApi } from '../contract.ts'
import { listWeek } from './queries.ts'

/** A Monday to Saturday in the future on which every crew works. */
const day: Day = (() => {
  let d = addDays(today(), 3)
  while ([0, 6].includes(new Date(`${d}T00:00:00Z`).getUTCDay())) d = addDays(d, 1)
  return d
})()

let business: TestBusiness
let members: Person[]
let crews: string[]

const place = (i: number, spread = 0.05) => ({
  latitude: 32.05 + Math.sin((i + 1) * 12.9898) * spread,
  longitude: -81.1 + Math.sin((i + 1) * 78.233) * spread,
})

const field = async (visits: number, changes: (i: number) => VisitChanges = () => ({})) => {
  business = await aBusiness()
  members = []
  crews = []
  for (let i = 0; i < 3; i++) {
    const pair = [await business.employee({ wageCents: 2000 }), await business.employee({ wageCents: 1600 })]
    members.push(...pair)
    crews.push(await aCrew(business, { name: `Crew ${i + 1}`, members: pair }))
  }
  const ids: string[] = []
  for (let i = 0; i < visits; i++)
    ids.push(
      (await aVisit(business, { day, budgetMinutes: 60, street: `${i} Bluff Dr`, ...place(i), ...changes(i) })).visitId,
    )
  return ids
}

const read = (on = day): Promise<DayPlan> => business.api.ok(routesApi.day, { query: { day: on } })
const optimize = (
  body: Partial<{ crewIds: string[]; keepAssignments: boolean; placeDue: boolean; day: Day; evenness: 'even' }> = {},
) => optimized(business.api, { day, ...body })
const rows = () =>
  business.db((db) =>
    db
      .selectFrom('visits')
      .select([
        'id',
        'day',
        'crewId',
        'position',
        'pinned',
        'plannedStartMinute',
        'plannedDriveSeconds',
        'status',
        'movedFrom',
      ])
      .where('businessId', '=', business.id)
      .orderBy('id')
      .execute(),
  )
const set = (id: string, change: Record<string, unknown>) =>
  business.db((db) =>
    db.updateTable('visits').set(change).where('businessId', '=', business.id).where('id', '=', id).execute(),
  )
const crewOf = (plan: DayPlan, visitId: string) =>
  plan.crews.find((c) => c.stops.some((s) => s.visitId === visitId))?.crewId ?? null
const idsOf = (plan: DayPlan, crewId: string) =>
  plan.crews.find((c) => c.crewId === crewId)!.stops.map((s) => s.visitId)

afterEach(resetClock)

describe('a day is planned', () => {
  beforeAll(async () => {
    await field(30)
  })

  it('shows what has no crew, with the best place and what it adds', async () => {
    const plan = await read()
    expect(plan.unplaced).toHaveLength(30)
    expect(plan.crews.map((c) => c.totals.stops)).toEqual([0, 0, 0])
    const [first] = plan.unplaced
    expect(first?.places[0]?.addedDriveSeconds).toBeGreaterThan(0)
    expect(crews).toContain(first?.places[0]?.crewId)
  })

  it('assigns and orders 30 visits over 3 crews, and drives less than in booked order', async () => {
    const { plan, result } = await optimize()
    expect(result).toMatchObject({ kept: false, stops: 30, placed: 30, left: [] })
    expect(result.after.driveSeconds).toBeLessThan(result.booked.driveSeconds * 0.85)
    expect(result.after.laborCents).toBe(
      plan.crews.reduce((sum, c) => sum + Math.round((c.totals.driveSeconds * 4032) / 3600), 0),
    )
    for (const crew of plan.crews) {
      expect(crew.totals.shiftPercent).toBeLessThanOrEqual(100)
      expect(crew.violations).toEqual([])
      const starts = crew.stops.map((s) => s.startMinute ?? 0)
      expect(starts).toEqual([...starts].sort((a, b) => a - b))
    }
    const stored = await rows()
    expect(stored.every((v) => v.crewId && v.position && v.plannedStartMinute && v.plannedDriveSeconds !== null)).toBe(
      true,
    )
  })

  it('is never worse when it is pressed again', async () => {
    const before = await read()
    const { plan, result } = await optimize()
    expect(result.after.driveSeconds).toBeLessThanOrEqual(before.totals.driveSeconds)
    if (result.kept)
      expect(plan.crews.map((c) => idsOf(plan, c.crewId))).toEqual(before.crews.map((c) => idsOf(before, c.crewId)))
  })

  it('tells the week', async () => {
    const { items } = await business.api.ok(routesApi.week, { query: { day } })
    expect(items).toHaveLength(7)
    expect(items.find((d) => d.day === day)).toMatchObject({ stops: 30, unplaced: 0, crews: 3, published: 0 })
    expect(items.find((d) => d.day === day)?.driveSeconds).toBe((await read()).totals.driveSeconds)
  })

  it('tells of today the driving that the day has now, not what was planned in the morning', async () => {
    const plan = await read()
    await set(plan.crews[0]?.stops[0]?.visitId ?? '', { crewId: null, position: null })
    const items = await business.db((db) => listWeek(db, day, day))
    const { totals } = await read()
    expect(totals.driveSeconds).not.toBe(plan.totals.driveSeconds)
    expect(items.find((d) => d.day === day)?.driveSeconds).toBe(totals.driveSeconds)
  })
})

describe('what is fixed', () => {
  it('keeps windows and the shift, and says why something does not fit', async () => {
    const ids = await field(12, (i) => ({ budgetMinutes: i === 5 ? 60 * 2 * 11 : 60 }))
    await set(ids[0]!, { windowStartMinute: 840, windowEndMinute: 870 })
    await set(ids[1]!, { windowStartMinute: 420, windowEndMinute: 450 })
    const { plan, result } = await optimize()
    const stops = plan.crews.flatMap((c) => c.stops)
    expect(stops.find((s) => s.visitId === ids[0])?.startMinute).toBeGreaterThanOrEqual(840)
    expect(stops.find((s) => s.visitId === ids[0])?.startMinute).toBeLessThanOrEqual(870)
    expect(stops.find((s) => s.visitId === ids[1])?.startMinute).toBeLessThanOrEqual(450)
    expect(result.left).toEqual([
      {
        visitId: ids[5],
        street: '5 Bluff Dr',
        reason: expect.stringContaining('longer than any shift'),
        advice: expect.stringContaining('Split the work'),
      },
    ])
    expect((await rows()).find((v) => v.id === ids[5])).toMatchObject({ crewId: null, position: null })
  })

  it('leaves a visit without coordinates where it is, with a reason', async () => {
    const ids = await field(6, (i) => (i === 2 ? { latitude: null, longitude: null } : {}))
    const { result } = await optimize()
    expect(result.left).toEqual([
      {
        visitId: ids[2],
        street: '2 Bluff Dr',
        reason: expect.stringContaining('No place on the map'),
        advice: expect.stringContaining('drag the pin'),
      },
    ])
    // by hand it can be given to a crew, and that is said
    const moved = await business.api.ok(routesApi.move, { body: { visitId: ids[2]!, crewId: crews[0]!, position: 0 } })
    expect(crewOf(moved.plan, ids[2]!)).toBe(crews[0])
    expect(moved.violations).toContain('2 Bluff Dr has no place on the map: its drive is not counted.')
    expect(crewOf((await optimize()).plan, ids[2]!)).toBe(crews[0])
  })

  it('keeps pinned stops with their crew and in their order', async () => {
    const ids = await field(15)
    for (const [position, id] of [ids[7], ids[2], ids[11]].entries()) {
      await business.api.ok(routesApi.move, { body: { visitId: id!, crewId: crews[1]!, position } })
      await business.api.ok(routesApi.pin, { body: { visitId: id!, pinned: true } })
    }
    const { plan } = await optimize()
    const order = idsOf(plan, crews[1]!).filter((id) => [ids[7], ids[2], ids[11]].includes(id))
    expect(order).toEqual([ids[7], ids[2], ids[11]])
    expect(plan.crews.flatMap((c) => c.stops).filter((s) => s.pinned)).toHaveLength(3)
  })

  it('keeps what has begun in front and plans the rest from there', async () => {
    const now = instantAt(day, 600, 'America/New_York')
    setClock(() => new Date(now))
    const ids = await field(9)
    await optimize()
    const plan = await read()
    const mine = idsOf(plan, crews[0]!)
    const who = systemActor(business.id)
    await business.db(async (db) => {
      await startVisitTx(db, who, mine[1]!, { at: instantAt(day, 450, 'America/New_York') })
      await finishVisitTx(db, who, mine[1]!, { at: instantAt(day, 480, 'America/New_York') })
      await startVisitTx(db, who, mine[0]!, { at: instantAt(day, 590, 'America/New_York') })
    })
    const { plan: after } = await optimize()
    const order = idsOf(after, crews[0]!)
    expect(order.slice(0, 2)).toEqual([mine[1], mine[0]])
    const stops = after.crews.find((c) => c.crewId === crews[0])!.stops
    expect(stops.slice(0, 2).map((s) => [s.begun, s.status])).toEqual([
      [true, 'completed'],
      [true, 'in_progress'],
    ])
    for (const stop of stops.slice(2)) expect(stop.startMinute).toBeGreaterThan(600)
    expect(after.crews.flatMap((c) => c.stops)).toHaveLength(ids.length)
    const refused = await business.api.call(routesApi.move, { body: { visitId: mine[0]!, crewId: crews[2]! } })
    expect(refused.status).toBe(409)
  })

  it('changes only the crews it was asked for, and only their order when told so', async () => {
    await field(12, () => ({ budgetMinutes: 30 }))
    for (const [i, v] of (await rows()).entries()) await set(v.id, { crewId: crews[i % 3] })
    const before = await read()
    const { plan } = await optimize({ crewIds: [crews[0]!], keepAssignments: true, placeDue: false })
    for (const crew of plan.crews)
      expect([...idsOf(plan, crew.crewId)].sort()).toEqual([...idsOf(before, crew.crewId)].sort())
    expect(idsOf(plan, crews[1]!)).toEqual(idsOf(before, crews[1]!))
    expect(plan.crews[0]!.totals.driveSeconds).toBeLessThanOrEqual(before.crews[0]!.totals.driveSeconds)
  })

  it('brings what is overdue and says how late it is', async () => {
    const ids = await field(3)
    await set(ids[0]!, { day: addDays(today(), -2), occurrenceOn: addDays(today(), -2) })
    const late = (await read()).unplaced.find((v) => v.visitId === ids[0])
    expect(late?.daysLate).toBe(Math.round((Date.parse(day) - Date.parse(addDays(today(), -2))) / 86_400_000))
    const { plan } = await optimize()
    expect(plan.unplaced).toEqual([])
    expect((await rows()).find((v) => v.id === ids[0])).toMatchObject({ day, movedFrom: addDays(today(), -2) })
    await business.api.ok(routesApi.undo, { body: { day } })
    expect((await rows()).find((v) => v.id === ids[0])).toMatchObject({
      day: addDays(today(), -2),
      movedFrom: null,
      crewId: null,
    })
  })
})

describe('by hand', () => {
  it('puts a stop exactly where it was dropped, tells what breaks, and takes it back', async () => {
    const ids = await field(9)
    await optimize()
    const before = await rows()
    const plan = await read()
    const from = idsOf(plan, crews[0]!)
    const to = idsOf(plan, crews[1]!)
    await set(from[0]!, { windowStartMinute: 420, windowEndMinute: 425 })
    const { plan: moved, violations } = await business.api.ok(routesApi.move, {
      body: { visitId: from[0]!, crewId: crews[1]!, position: 2 },
    })
    expect(idsOf(moved, crews[1]!)).toEqual([...to.slice(0, 2), from[0], ...to.slice(2)])
    expect(idsOf(moved, crews[0]!)).toEqual(from.slice(1))
    expect(violations.join()).toMatch(/Bluff Dr starts (\d+ h )?\d+ min after its window/)
    expect(moved.undo?.label).toMatch(/^Move \d+ Bluff Dr$/)
    await business.api.ok(routesApi.undo, { body: { day } })
    expect(await rows()).toEqual(before)
    // and the optimize before it
    const undone = await business.api.ok(routesApi.undo, { body: { day } })
    expect(undone.undone).toBe('Optimize')
    expect((await rows()).every((v) => v.crewId === null && v.position === null && v.plannedStartMinute === null)).toBe(
      true,
    )
    expect((await business.api.call(routesApi.undo, { body: { day } })).status).toBe(409)
    expect(ids).toHaveLength(9)
  })

  it('moves a visit to another day and back', async () => {
    const ids = await field(4)
    await optimize()
    const before = await rows()
    const from = crewOf(await read(), ids[1]!)
    const next = addDays(day, 7)
    const { plan } = await business.api.ok(routesApi.move, { body: { visitId: ids[1]!, crewId: null, day: next } })
    expect(plan.day).toBe(next)
    expect(plan.unplaced.map((v) => v.visitId)).toEqual([ids[1]])
    expect((await rows()).find((v) => v.id === ids[1])).toMatchObject({
      day: next,
      crewId: null,
      movedFrom: day,
      position: null,
    })
    expect((await read()).totals.stops).toBe(3)
    const undone = await business.api.ok(routesApi.undo, { body: { day: next } })
    expect(undone.kept).toBe(0)
    expect(crewOf(await read(), ids[1]!)).toBe(from)
    expect((await rows()).find((v) => v.id === ids[1])).toEqual(before.find((v) => v.id === ids[1]))
  })

  it('leaves a visit that has begun since where it is', async () => {
    await field(6)
    await optimize()
    const [first] = idsOf(await read(), crews[0]!)
    await business.db((db) => startVisitTx(db, systemActor(business.id), first!, {}))
    const { kept } = await business.api.ok(routesApi.undo, { body: { day } })
    expect(kept).toBe(1)
    expect((await rows()).filter((v) => v.crewId !== null).map((v) => v.id)).toEqual([first])
  })

  it('refuses what is over, what is not ours and what is not allowed, and changes nothing', async () => {
    const ids = await field(3)
    const mine = business
    const other = await aBusiness()
    const strange = { visitId: (await aVisit(other, { day })).visitId, crewId: await aCrew(other) }
    const status = async (path: keyof typeof routesApi, body: unknown, api = mine.api) =>
      (await api.raw({ method: 'POST', url: routesApi[path].path, payload: body as object })).status
    const before = await rows()
    expect(await status('move', { visitId: strange.visitId, crewId: crews[0] })).toBe(404)
    expect(await status('move', { visitId: ids[0], crewId: strange.crewId })).toBe(404)
    expect(await status('move', { visitId: newId(), crewId: null })).toBe(404)
    expect(await status('pin', { visitId: strange.visitId, pinned: true })).toBe(404)
    expect(await status('optimize', { day, crewIds: [strange.crewId] })).toBe(404)
    expect(await status('publish', { day, crewIds: [strange.crewId] })).toBe(404)
    expect(await status('optimize', { day: '2026-02-30' })).toBe(422)
    expect(await status('move', { visitId: ids[0], crewId: crews[0], position: -1 })).toBe(422)
    expect(await status('optimize', { day: addDays(today(), -3) })).toBe(409)
    expect(await status('pin', { visitId: ids[0], pinned: true })).toBe(409)
    for (const path of ['optimize', 'publish', 'undo'] as const)
      expect(await status(path, { day }, members[0]!.api)).toBe(403)
    expect((await members[0]!.api.call(routesApi.day, { query: { day } })).status).toBe(403)
    expect(await rows()).toEqual(before)
  })

  it('shows labor dollars only to who may see wages', async () => {
    await field(4)
    const dispatcher = await aPerson(business.id, 'Admin', { permissions: ['schedule'] })
    const { plan, result } = await optimized(dispatcher.api, { day })
    expect([plan.totals.laborCents, plan.crews[0]!.booked.laborCents, result.after.laborCents]).toEqual([
      null,
      null,
      null,
    ])
    expect((await read()).totals.laborCents).toBeGreaterThan(0)
  })

  it('asks for a subscription before it changes anything', async () => {
    const lapsed = await aBusiness({ tier: null })
    expect((await lapsed.api.call(routesApi.optimize, { body: { day } })).status).toBe(402)
    expect((await lapsed.api.call(routesApi.day, { query: { day } })).status).toBe(200)
  })
})

describe('a day is sent', () => {
  const notes = (userId: string) =>
    business.db((db) =>
      db
        .selectFrom('notifications')
        .select(['title', 'type'])
        .where('businessId', '=', business.id)
        .where('userId', '=', userId)
        .orderBy('createdAt')
        .execute(),
    )

  it('tells each member once, also when it is pressed twice, and again after a change', async () => {
    await field(9)
    await optimize({ evenness: 'even' })
    const key = { 'idempotency-key': newId() }
    const first = await business.api.ok(routesApi.publish, { body: { day } }, key)
    expect(first.published.map((p) => p.notified)).toEqual([2, 2, 2])
    await business.api.ok(routesApi.publish, { body: { day } }, key)
    const second = await business.api.ok(routesApi.publish, { body: { day } }, { 'idempotency-key': newId() })
    expect(second.published).toEqual([])
    await runTasks()
    for (const member of members) expect(await notes(member.userId)).toHaveLength(1)
    const crew = second.plan.crews[0]!
    expect(crew).toMatchObject({ status: 'published', dirty: false })
    expect((await notes(members[0]!.userId))[0]).toEqual({
      type: 'job',
      title: expect.stringMatching(/^Your route for \w+, \w+ \d+: \d+ stops?, first at \d+:\d\d AM$/),
    })
    const board = await business.api.ok(visitsApi.dayBoard, { query: { day } })
    expect(board.crews.find((c) => c.crewId === crew.crewId)?.stops.map((s) => s.visitId)).toEqual(
      idsOf(second.plan, crew.crewId),
    )

    // the crew keeps what it was sent until it is sent again
    const [gone] = idsOf(second.plan, crews[0]!)
    const moved = await business.api.ok(routesApi.move, { body: { visitId: gone!, crewId: crews[1]! } })
    expect(moved.plan.crews.map((c) => c.dirty)).toEqual([true, true, false])
    const still = await business.api.ok(visitsApi.dayBoard, { query: { day } })
    expect(still.crews.find((c) => c.crewId === crews[0])?.stops.map((s) => s.visitId)).toContain(gone)
    const again = await business.api.ok(routesApi.publish, { body: { day } }, { 'idempotency-key': newId() })
    expect(again.published.map((p) => p.crewId).sort()).toEqual([crews[0], crews[1]].sort())
    expect(await notes(members[0]!.userId)).toHaveLength(2)
    expect(await notes(members[4]!.userId)).toHaveLength(1)
    const { items } = await business.api.ok(routesApi.saved, { query: {} })
    expect(items).toHaveLength(3)
    expect(items.find((r) => r.crewId === crews[1])?.stops.map((s) => s.visitId)).toContain(gone)
  })

  it('is clean again when the change after it is undone', async () => {
    await field(6)
    await optimize()
    await business.api.ok(routesApi.publish, { body: { day } })
    const [id] = idsOf(await read(), crews[0]!)
    await business.api.ok(routesApi.move, { body: { visitId: id!, crewId: null } })
    expect((await read()).crews[0]!.dirty).toBe(true)
    const { plan } = await business.api.ok(routesApi.undo, { body: { day } })
    expect(plan.crews.map((c) => c.dirty)).toEqual([false, false, false])
  })

  it('pages what was sent', async () => {
    await field(6)
    await optimize({ evenness: 'even' })
    await business.api.ok(routesApi.publish, { body: { day } })
    const first = await business.api.ok(routesApi.saved, { query: { limit: 2 } })
    const rest = await business.api.ok(routesApi.saved, { query: { limit: 2, cursor: first.nextCursor! } })
    expect([first.items.length, rest.items.length, first.total, rest.nextCursor]).toEqual([2, 1, 3, null])
    expect(new Set([...first.items, ...rest.items].map((r) => r.id)).size).toBe(3)
    expect((await business.api.call(routesApi.saved, { query: { cursor: 'x' } })).status).toBe(422)
  })
})
