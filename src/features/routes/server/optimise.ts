import type { z } from 'zod'
import type { Actor } from '../../../platform/actor.ts'
import { audit } from '../../../platform/audit.ts'
import { withTenant } from '../../../platform/db/tenant.ts'
import { log } from '../../../platform/log.ts'
import type { Day } from '../../../shared/dates.ts'
import { conflict } from '../../../shared/errors.ts'
import type { RouteTotals, routesApi } from '../contract.ts'
import { addTotals } from '../rules.ts'
import { assertCrews, assertOpen, entity, lockDay, recordChange } from './day-guards.ts'
import { type Ground, isOnMap, type Orders, ordersOf } from './policy.ts'
import { bookedOrder, getDayPlan, layOutDay, readGround, totalsOf } from './queries.ts'
import { fetchRoads } from './roads.ts'
import { savePlan } from './save-plan.ts'
import { evenly, isBetter, scoreOf, type Task, taskOf } from './search-task.ts'
import { runSolver } from './solver-pool.ts'

export type Optimise = { day: Day; crewIds?: string[] | undefined; keepAssignments: boolean; placeDue: boolean }

export type Optimised = z.input<typeof routesApi.optimise.response>

/** Two rounds of the search (even days, whole shifts) take about a second together. */
const effort = 4
const roundMs = 900

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
  await fetchRoads(actor, wish.day)
  const ground = await withTenant(actor, (db) => readGround(db, wish.day))
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
    const now = await readGround(db, wish.day)
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
