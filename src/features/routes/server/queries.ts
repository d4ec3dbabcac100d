import type { Actor } from '../../../platform/actor.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import type { Day } from '../../../shared/dates.ts'
import { notFound } from '../../../shared/errors.ts'
import { estimatedShare } from '../../travel/rules.ts'
import type { DayPlan, RouteCrew } from '../contract.ts'
import { addTotals } from '../rules.ts'
import { lastSteps } from './changes/steps.ts'
import { type Ground, ordersOf } from './day/planning-context.ts'
import { readGrounds } from './day/read-day.ts'
import { type LaidRoute, layOut, layOutDay } from './plan/lay-out.ts'
import { bookedOrder, totalsFor, totalsOf } from './plan/totals.ts'
import { unplacedOf } from './plan/unplaced.ts'
import { daysOf, getRunRow, proposedOrders } from './runs/run-rows.ts'

type RouteRow = { crewId: string; status: string; dirty: boolean; publishedAt: string | null; planned: unknown }

const crewOf = (
  ground: Ground,
  laid: LaidRoute,
  booked: LaidRoute,
  row: RouteRow | undefined,
  actor: Actor,
): RouteCrew => {
  const { crew } = laid
  return {
    crewId: crew.id,
    name: crew.name,
    colour: crew.colour,
    members: crew.members,
    depot: crew.depot && { street: crew.depotStreet, ...crew.depot },
    shiftStartMinute: crew.shiftStartMinute,
    shiftEndMinute: crew.shiftEndMinute,
    works: crew.works,
    off: crew.off,
    skills: crew.skills,
    status: (row?.status as RouteCrew['status']) ?? null,
    dirty: row?.dirty ?? false,
    publishedAt: row?.publishedAt ?? null,
    ordered: laid.stops.every(({ visit, begun }) => begun || visit.position !== null),
    stops: laid.stops.map(({ visit, ...stop }) => ({
      visitId: visit.id,
      jobNumber: visit.jobNumber,
      street: visit.street,
      city: visit.city,
      customerName: visit.customerName,
      title: visit.title,
      latitude: visit.latitude,
      longitude: visit.longitude,
      approximate: visit.approximate,
      minutes: stop.minutes,
      startMinute: stop.startMinute,
      driveSecondsBefore: stop.driveSeconds,
      driveMetresBefore: stop.driveMetres,
      windowStartMinute: visit.windowStartMinute,
      windowEndMinute: visit.windowEndMinute,
      pinned: visit.pinned,
      begun: stop.begun,
      status: visit.status,
      lateMinutes: stop.lateMinutes,
      overShift: stop.overShift,
    })),
    homeDriveSeconds: laid.homeDriveSeconds,
    totals: totalsFor(actor, totalsOf(ground, laid)),
    booked: totalsFor(actor, totalsOf(ground, booked)),
    violations: laid.violations,
  }
}

const sumBy = <T>(list: readonly T[], pick: (one: T) => number): number => list.reduce((sum, one) => sum + pick(one), 0)

/** A day as the route map shows it: the plan, or what a proposal would make of it. */
export const getDayPlan = async (db: TenantDb, actor: Actor, day: Day, runId?: string): Promise<DayPlan> => {
  const run = runId === undefined ? null : await getRunRow(db, runId)
  const grounds = await readGrounds(db, run ? daysOf(run.firstDay, run.lastDay) : [day])
  const ground = grounds.find((g) => g.data.day === day)
  if (!ground) throw notFound('plan')
  const orders = (run?.plan && proposedOrders(grounds, run.plan).get(day)) ?? ordersOf(ground)
  const rows: RouteRow[] = await db
    .selectFrom('routes')
    .select(['crewId', 'status', 'dirty', 'publishedAt', 'planned'])
    .where('businessId', '=', db.businessId)
    .where('day', '=', day)
    .execute()
  const laidOut = layOutDay(ground, orders)
  const crews = laidOut.map((laid) =>
    crewOf(
      ground,
      laid,
      layOut(ground, laid.crew, bookedOrder(ground, orders.get(laid.crew.id) ?? [])),
      rows.find((row) => row.crewId === laid.crew.id),
      actor,
    ),
  )
  const times = rows.flatMap((row) => (row.planned as { tookMs?: number } | null)?.tookMs ?? [])
  const { undo, redo } = await lastSteps(db, day)
  const elsewhere = new Set(
    run?.plan
      ? [...proposedOrders(grounds, run.plan)].flatMap(([d, o]) => (d === day ? [] : [...o.values()].flat()))
      : [],
  )
  const skipped = new Set(run?.plan?.skipped ?? [])
  return {
    day,
    today: ground.data.today,
    editable: day >= ground.data.today && run === null,
    estimated: estimatedShare(
      sumBy(laidOut, (l) => l.estimatedDrives),
      sumBy(laidOut, (l) => l.drives),
    ),
    crews,
    unplaced: (await unplacedOf(ground, orders)).filter((v) => !elsewhere.has(v.visitId) && !skipped.has(v.visitId)),
    totals: addTotals(crews.map((c) => c.totals)),
    booked: addTotals(crews.map((c) => c.booked)),
    overCapacity: crews.reduce((sum, c) => sum + c.stops.filter((s) => s.overShift && !s.begun).length, 0),
    plannedMs: times.length ? Math.max(...times) : null,
    undo,
    redo,
    proposalId: run?.id ?? null,
  }
}

export { listSaved, listWeek } from './published/sent-routes.ts'
export { compareDays } from './runs/compare.ts'
export { currentRun, getRun } from './runs/run-rows.ts'
