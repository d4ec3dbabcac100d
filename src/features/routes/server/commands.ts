import { sql } from 'kysely'
import type { z } from 'zod'
import type { Actor } from '../../../platform/actor.ts'
import { audit } from '../../../platform/audit.ts'
import { clock } from '../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../platform/db/tenant.ts'
import { emit, touch } from '../../../platform/events/events.ts'
import { newId } from '../../../platform/ids.ts'
import { log } from '../../../platform/log.ts'
import type { Day } from '../../../shared/dates.ts'
import { conflict, notFound } from '../../../shared/errors.ts'
import { paths } from '../../../shared/paths.ts'
import { notifyUsers } from '../../notifications/server/commands.ts'
import { nextStatus, statusLabel } from '../../visits/rules.ts'
import { lockVisit } from '../../visits/server/commands.ts'
import type { RouteTotals, routesApi } from '../contract.ts'
import { addTotals, crewsToPublish, publishedTitle } from '../rules.ts'
import {
  evenly,
  type Ground,
  groundOf,
  isBegun,
  isBetter,
  isOnMap,
  type Orders,
  ordersOf,
  scoreOf,
  type Task,
  taskOf,
} from './policy.ts'
import { bestPlace, bookedOrder, getDayPlan, lastChange, layOutDay, readDay, totalsOf } from './queries.ts'
import { type Kept, type PlanRow, restoreRows, savePlan } from './save-plan.ts'
import { runSolver } from './solver-pool.ts'

export type Optimise = { day: Day; crewIds?: string[] | undefined; keepAssignments: boolean; placeDue: boolean }

export type Optimised = z.input<typeof routesApi.optimise.response>

/** Two rounds of the search (even days, whole shifts) take about a second together. */
const effort = 4
const roundMs = 900

const entity = (id: string | null) => ({ type: 'route', id })

const assertOpen = (day: Day, today: Day): void => {
  if (day < today) throw conflict('This day is over. Its routes stay as they were.')
}

const assertCrews = (ground: Ground, crewIds: readonly string[] | undefined): void => {
  const known = new Set(ground.data.crews.map((crew) => crew.id))
  if (crewIds?.some((id) => !known.has(id))) throw notFound('crew')
}

/** What the search depends on; when it changed meanwhile the answer is for another day. */
const fingerprint = (ground: Ground): string =>
  JSON.stringify([
    ground.data.crews.map(({ name: _, colour: __, members: ___, ...crew }) => crew),
    ground.data.visits.map((v) => [
      v.id,
      v.day,
      v.crewId,
      v.position,
      v.pinned,
      v.status,
      v.latitude,
      v.longitude,
      v.budgetMinutes,
      v.windowStartMinute,
      v.windowEndMinute,
    ]),
  ])

const sumOf = (ground: Ground, orders: Orders, crewIds: readonly string[]): RouteTotals =>
  addTotals(
    layOutDay(ground, orders)
      .filter((route) => crewIds.includes(route.crew.id))
      .map((route) => totalsOf(ground, route)),
  )

type Found = { orders: Orders; reasons: Map<string, string>; kept: boolean }

/** The best of what is there and what the search finds; what is there stays when nothing is better. */
const search = async (scope: string, ground: Ground, task: Task): Promise<Found> => {
  const even = evenly(task)
  const { plans } = await runSolver(scope, {
    problems: even ? [even, task.problem] : [task.problem],
    warmStart: task.warmStart,
    effort,
    deadlineMs: roundMs,
  })
  const old = ordersOf(ground)
  const oldScore = scoreOf(ground, task, old)
  const candidates = plans.flatMap(({ plan, unserved, sound }) => {
    if (!sound) {
      log.error({ businessId: scope }, 'the search answered a plan that breaks its own rules; it was left aside')
      return []
    }
    const orders: Orders = new Map(old)
    for (const { crewDayId, visitIds } of plan.routes) {
      const offMap = old.get(crewDayId)!.filter((id) => !isOnMap(ground.byId.get(id)!))
      orders.set(crewDayId, [...visitIds, ...offMap])
    }
    const reasons = new Map(unserved.map((u) => [u.visitId, u.reason]))
    return [{ orders, reasons, score: scoreOf(ground, task, orders) }]
  })
  // Work that is shared out comes first, as long as it does not leave out more.
  const fewest = Math.min(...candidates.map((c) => c.score.unserved))
  const best = candidates.find((c) => c.score.unserved === fewest && isBetter(c.score, oldScore))
  return best ? { ...best, kept: false } : { orders: old, reasons: candidates.at(-1)?.reasons ?? new Map(), kept: true }
}

/** Plans a day: assigns and orders its open visits, keeps what is pinned, under way or over, and is never worse than what was there. */
export const optimiseDay = async (actor: Actor, wish: Optimise, attempt = 1): Promise<Optimised> => {
  const started = performance.now()
  const ground = groundOf(await withTenant(actor, (db) => readDay(db, wish.day)))
  assertOpen(wish.day, ground.data.today)
  assertCrews(ground, wish.crewIds)
  if (ground.data.crews.length === 0)
    throw conflict('There is no crew to plan for yet. Add your first crew, then press Optimise again.')
  const task = taskOf(ground, wish)
  const before = ordersOf(ground)
  const found: Found = task
    ? await search(actor.businessId, ground, task)
    : { orders: before, reasons: new Map(), kept: true }
  const tookMs = Math.round(performance.now() - started)
  const crewIds = task?.crewIds ?? wish.crewIds ?? ground.data.crews.map((crew) => crew.id)
  const mark = fingerprint(ground)
  const saved = await withTenant(actor, async (db) => {
    await lockDay(db, ground)
    const now = groundOf(await readDay(db, wish.day))
    if (fingerprint(now) !== mark) return null
    const { before: was, after } = await savePlan(db, now, found.orders, { tookMs, crewIds })
    if (after.length && !found.kept) await recordChange(db, actor, wish.day, 'optimise', 'Optimise', was, after)
    await audit(db, actor, 'route.optimise', entity(null), {
      after: { day: wish.day, kept: found.kept, visits: after.length },
    })
    return getDayPlan(db, actor, wish.day)
  })
  if (!saved) {
    if (attempt < 3) return optimiseDay(actor, wish, attempt + 1)
    throw conflict(
      'The day changed while it was being planned. Nothing was changed; look at it and press Optimise again.',
    )
  }
  const placed = (orders: Orders) => new Set([...orders.values()].flat())
  const had = placed(before)
  const has = placed(found.orders)
  const left = saved.unplaced.filter((v) => task?.visitIds.includes(v.visitId) || v.latitude === null)
  const hide = saved.totals.labourCents === null
  const seen = (totals: RouteTotals): RouteTotals => (hide ? { ...totals, labourCents: null } : totals)
  return {
    plan: saved,
    result: {
      kept: found.kept,
      tookMs,
      stops: has.size,
      placed: [...has].filter((id) => !had.has(id)).length,
      before: seen(sumOf(ground, before, crewIds)),
      after: seen(sumOf(ground, found.orders, crewIds)),
      booked: seen(
        sumOf(ground, new Map([...found.orders].map(([id, ids]) => [id, bookedOrder(ground, ids)])), crewIds),
      ),
      left: left.map((v) => ({
        visitId: v.visitId,
        street: v.street,
        reason: v.reason ?? found.reasons.get(v.visitId) ?? 'It fits, but was left out of this search.',
      })),
    },
  }
}

/** Holds the visits of a day until the change is written. */
const lockDay = async (db: TenantDb, ground: Ground): Promise<void> => {
  const ids = ground.data.visits.map((v) => v.id)
  if (!ids.length) return
  await db
    .selectFrom('visits')
    .select('id')
    .where('businessId', '=', db.businessId)
    .where('id', 'in', ids)
    .orderBy('id')
    .forUpdate()
    .execute()
}

const recordChange = async (
  db: TenantDb,
  actor: Actor,
  day: Day,
  kind: 'optimise' | 'move' | 'pin',
  label: string,
  before: PlanRow[],
  after: PlanRow[],
): Promise<void> => {
  await db
    .insertInto('routeChanges')
    .values({
      businessId: db.businessId,
      id: newId(),
      day,
      kind,
      label,
      before: JSON.stringify(before),
      after: JSON.stringify(after),
      createdBy: actor.userId,
      createdAt: clock.iso(),
    })
    .execute()
}

export type Move = { visitId: string; crewId: string | null; position?: number | undefined; day?: Day | undefined }

/** Puts a visit exactly where it was dropped. Nothing else is moved; what that breaks is told. */
export const moveStop = (actor: Actor, to: Move) =>
  withTenant(actor, async (db) => {
    const visit = await lockVisit(db, to.visitId)
    const day = to.day ?? visit.day
    if (!day) throw conflict('This visit waits for a day. Give it one, then put it on a route.')
    if (nextStatus('move', visit.status) === null)
      throw conflict(`This visit is ${statusLabel(visit.status)}. It stays where it is.`, { status: visit.status })
    const first = groundOf(await readDay(db, day))
    assertOpen(day, first.data.today)
    if (to.crewId !== null) assertCrews(first, [to.crewId])
    await lockDay(db, first)
    const was = await rowOf(db, to.visitId)
    const elsewhere = visit.day !== day
    // First it leaves its old day and state, so that the plan of the new day sees an open visit.
    await db
      .updateTable('visits')
      .set((eb) => ({
        day,
        status: 'scheduled',
        enRouteAt: null,
        ...(elsewhere ? { movedFrom: visit.movedFrom ?? visit.day, locked: true } : {}),
        ...(elsewhere || to.crewId !== visit.crewId
          ? { crewId: to.crewId, position: null, version: eb('version', '+', 1) }
          : {}),
        updatedAt: clock.iso(),
      }))
      .where('businessId', '=', db.businessId)
      .where('id', '=', to.visitId)
      .execute()
    const ground = groundOf(await readDay(db, day))
    const orders = ordersOf(ground)
    for (const [crewId, ids] of orders)
      orders.set(
        crewId,
        ids.filter((id) => id !== to.visitId),
      )
    const target = to.crewId === null ? null : orders.get(to.crewId)!
    if (target && to.crewId) {
      const behind = ground.begunOf(to.crewId).length
      const at = to.position === undefined ? bestPlace(ground, to.crewId, target, to.visitId) : to.position - behind
      target.splice(Math.max(0, at), 0, to.visitId)
    }
    const crewIds = [to.crewId, visit.crewId].filter((id): id is string => id !== null && orders.has(id))
    const { before, after } = await savePlan(db, ground, orders, { crewIds })
    const changed = before.some((row) => row.id === to.visitId)
    const now = await rowOf(db, to.visitId)
    const rest = <T extends { id: string }>(rows: T[]) => rows.filter((row) => row.id !== to.visitId)
    if (changed || !sameRow(was, now)) {
      const street = ground.byId.get(to.visitId)?.street ?? 'the stop'
      const label = to.crewId === null ? `Take ${street} off its crew` : `Move ${street}`
      await recordChange(db, actor, day, 'move', label, [was, ...rest(before)], [now, ...rest(after)])
      await audit(
        db,
        actor,
        'route.move',
        { type: 'visit', id: to.visitId },
        {
          before: { day: was.day, crewId: was.crewId, position: was.position },
          after: { day, crewId: to.crewId, position: to.position },
        },
      )
    }
    if (elsewhere && visit.day && visit.day >= ground.data.today) await refreshDay(db, visit.day)
    const plan = await getDayPlan(db, actor, day)
    const crew = plan.crews.find((c) => c.crewId === to.crewId)
    return { plan, violations: crew?.violations.map((v) => v.text) ?? [] }
  })

/** A day that lost a visit: its routes are laid out anew. */
const refreshDay = async (db: TenantDb, day: Day): Promise<void> => {
  const ground = groundOf(await readDay(db, day))
  await savePlan(db, ground, ordersOf(ground), {})
}

const rowOf = async (db: TenantDb, visitId: string): Promise<PlanRow> =>
  db
    .selectFrom('visits')
    .select([
      'id',
      'day',
      'crewId',
      'position',
      'pinned',
      'locked',
      'movedFrom',
      'plannedStartMinute',
      'plannedDriveSeconds',
    ])
    .where('businessId', '=', db.businessId)
    .where('id', '=', visitId)
    .executeTakeFirstOrThrow()

const sameRow = (a: PlanRow, b: PlanRow): boolean => JSON.stringify(a) === JSON.stringify(b)

/** Keeps a stop with its crew and in its order when the day is optimised, or lets it go again. */
export const pinStop = (actor: Actor, visitId: string, pinned: boolean) =>
  withTenant(actor, async (db) => {
    const visit = await lockVisit(db, visitId)
    if (!visit.day || isBegun(visit))
      throw conflict(`This visit is ${statusLabel(visit.status)}. There is nothing to pin.`, { status: visit.status })
    if (pinned && !visit.crewId) throw conflict('Give the visit a crew first: a pin keeps it there.')
    const ground = groundOf(await readDay(db, visit.day))
    assertOpen(visit.day, ground.data.today)
    const was = await rowOf(db, visitId)
    if (was.pinned !== pinned) {
      await db
        .updateTable('visits')
        .set({ pinned, updatedAt: clock.iso() })
        .where('businessId', '=', db.businessId)
        .where('id', '=', visitId)
        .execute()
      const label = `${pinned ? 'Pin' : 'Unpin'} ${ground.byId.get(visitId)?.street ?? 'the stop'}`
      await recordChange(db, actor, visit.day, 'pin', label, [was], [{ ...was, pinned }])
      await touch(db, 'routes')
      await touch(db, 'visits', [visitId])
    }
    return { plan: await getDayPlan(db, actor, visit.day) }
  })

/** Takes the last change of a day's plan back, exactly, but for visits that have begun or were changed elsewhere since: they stay. */
export const undoChange = (actor: Actor, day: Day, changeId: string | undefined) =>
  withTenant(actor, async (db) => {
    const ground = groundOf(await readDay(db, day))
    assertOpen(day, ground.data.today)
    await lockDay(db, ground)
    const last = await lastChange(db, day)
    if (!last) throw conflict('There is nothing left to undo on this day.')
    if (changeId && changeId !== last.id) {
      const known = await db
        .selectFrom('routeChanges')
        .select('id')
        .where('businessId', '=', db.businessId)
        .where('id', '=', changeId)
        .executeTakeFirst()
      if (!known) throw notFound('change')
      throw conflict('Somebody changed this day after that. Undo the newer change first.')
    }
    const change = await db
      .selectFrom('routeChanges')
      .selectAll()
      .where('businessId', '=', db.businessId)
      .where('id', '=', last.id)
      .forUpdate()
      .executeTakeFirstOrThrow()
    const { kept, days }: Kept = await restoreRows(db, change.before as PlanRow[], change.after as PlanRow[])
    await db
      .updateTable('routeChanges')
      .set({ undoneAt: clock.iso() })
      .where('businessId', '=', db.businessId)
      .where('id', '=', last.id)
      .execute()
    for (const each of new Set([day, ...days].filter((d) => d >= ground.data.today))) {
      const now = groundOf(await readDay(db, each))
      await savePlan(db, now, ordersOf(now), { totalsOnly: kept === 0 })
    }
    await audit(db, actor, 'route.undo', entity(null), { after: { day, changeId: last.id, label: change.label } })
    return { plan: await getDayPlan(db, actor, day), undone: change.label, kept }
  })

/** Sends crews their day: they see it, and each member is told once for each time that it changed. */
export const publishDay = (actor: Actor, day: Day, crewIds: readonly string[] | undefined) =>
  withTenant(actor, async (db) => {
    const ground = groundOf(await readDay(db, day))
    assertOpen(day, ground.data.today)
    assertCrews(ground, crewIds)
    await lockDay(db, ground)
    const fresh = groundOf(await readDay(db, day))
    await savePlan(db, fresh, ordersOf(fresh), { crewIds: fresh.data.crews.map((c) => c.id) })
    const routes = await db
      .selectFrom('routes')
      .select(['id', 'crewId', 'status', 'dirty', 'version'])
      .where('businessId', '=', db.businessId)
      .where('day', '=', day)
      .orderBy('id')
      .forUpdate()
      .execute()
    const laid = layOutDay(fresh, ordersOf(fresh))
    const waiting = crewsToPublish(
      laid.map(({ crew, stops }) => {
        const row = routes.find((r) => r.crewId === crew.id)
        return { crewId: crew.id, status: row?.status ?? null, dirty: row?.dirty ?? false, ordered: true, stops }
      }),
    ).filter((id) => !crewIds || crewIds.includes(id))
    const published: { crewId: string; stops: number; told: number }[] = []
    for (const { crew, stops } of laid.filter((route) => waiting.includes(route.crew.id))) {
      const row = routes.find((r) => r.crewId === crew.id)
      if (!row) continue
      await copyPlan(db, day, crew.id)
      await db
        .updateTable('routes')
        .set((eb) => ({
          status: stops.some((s) => s.begun) ? (stops.every((s) => s.begun) ? row.status : 'started') : 'published',
          dirty: false,
          publishedAt: clock.iso(),
          publishedBy: actor.userId,
          version: eb('version', '+', 1),
          updatedAt: clock.iso(),
        }))
        .where('businessId', '=', db.businessId)
        .where('id', '=', row.id)
        .execute()
      const first = stops.find((s) => !s.begun)?.startMinute ?? null
      const title = publishedTitle({ day, stops: stops.length, firstMinute: first, again: row.status !== 'planned' })
      await notifyUsers(
        db,
        crew.members.map((m) => m.userId),
        {
          type: 'job',
          title,
          content:
            row.status === 'planned'
              ? ''
              : 'The office changed the order or the stops. Look at your day before you drive on.',
          path: paths.employeeDashboard,
          dedupeKey: `route:${row.id}:${row.version + 1}`,
        },
      )
      await emit(db, 'route.published', { routeId: row.id, crewId: crew.id, day })
      await audit(db, actor, 'route.publish', entity(row.id), { after: { day, crewId: crew.id, stops: stops.length } })
      published.push({ crewId: crew.id, stops: stops.length, told: crew.members.length })
    }
    if (published.length) {
      await touch(
        db,
        'routes',
        routes.map((r) => r.id),
      )
      await touch(db, 'visits')
    }
    return { plan: await getDayPlan(db, actor, day), published }
  })

/** The plan becomes what the crew was sent; a stop that left the route leaves their list. */
const copyPlan = async (db: TenantDb, day: Day, crewId: string): Promise<void> => {
  await sql`
    update visits set published_day = null, published_crew_id = null, published_position = null,
      published_start_minute = null, published_drive_seconds = null
    where business_id = ${db.businessId} and published_day = ${day} and published_crew_id = ${crewId}
      and not (day is not distinct from ${day}::date and crew_id is not distinct from ${crewId}::uuid)`.execute(db)
  await sql`
    update visits set published_day = day, published_crew_id = crew_id, published_position = position,
      published_start_minute = planned_start_minute, published_drive_seconds = planned_drive_seconds
    where business_id = ${db.businessId} and day = ${day} and crew_id = ${crewId}
      and status not in ('cancelled', 'unscheduled')`.execute(db)
}
