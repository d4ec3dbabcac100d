import type { Actor } from '../../../platform/actor.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { canOf } from '../../../shared/can.ts'
import type { Day } from '../../../shared/dates.ts'
import { notFound } from '../../../shared/errors.ts'
import { estimatedShare } from '../../travel/rules.ts'
import type { CrewBoard } from '../../visits/contract.ts'
import { listDayBoardTx } from '../../visits/server/queries.ts'
import { type DayPlan, type RouteCrew, routesApi } from '../contract.ts'
import { addTotals, planRefusals, stopRefusals } from '../rules.ts'
import { lastSteps } from './changes/steps.ts'
import { ordersOf, type PlanningContext } from './day/planning-context.ts'
import { readPlanningContexts } from './day/read-day.ts'
import { type SequencedRoute, sequenceDay, sequenceRoute } from './plan/sequence.ts'
import { bookedOrder, totalsFor, totalsOf } from './plan/totals.ts'
import { unplacedOf } from './plan/unplaced.ts'
import { listPlannedWeek, type WeekRow } from './published/sent-routes.ts'
import { daysOf, getRunRow, proposedOrders } from './runs/run-rows.ts'

type RouteRow = { crewId: string; status: string; dirty: boolean; publishedAt: string | null; planned: unknown }

const planNeeds = { change: routesApi.optimize }
const stopNeeds = { move: routesApi.move, pin: routesApi.pin }

const crewOf = (
  context: PlanningContext,
  sequenced: SequencedRoute,
  booked: SequencedRoute,
  row: RouteRow | undefined,
  backAtMinute: number | null | undefined,
  actor: Actor,
): RouteCrew => {
  const { crew } = sequenced
  return {
    crewId: crew.id,
    name: crew.name,
    color: crew.color,
    members: crew.members,
    away: crew.away,
    depot: crew.depot && { street: crew.depotStreet, ...crew.depot },
    shiftStartMinute: crew.shiftStartMinute,
    shiftEndMinute: crew.shiftEndMinute,
    works: crew.works,
    off: crew.off,
    skills: crew.skills,
    status: (row?.status as RouteCrew['status']) ?? null,
    dirty: row?.dirty ?? false,
    publishedAt: row?.publishedAt ?? null,
    ordered: sequenced.stops.every(({ visit, begun }) => begun || visit.position !== null),
    stops: sequenced.stops.map(({ visit, ...stop }) => ({
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
      driveMetersBefore: stop.driveMeters,
      windowStartMinute: visit.windowStartMinute,
      windowEndMinute: visit.windowEndMinute,
      pinned: visit.pinned,
      begun: stop.begun,
      status: visit.status,
      can: canOf(actor, stopNeeds, stopRefusals, visit),
      lateMinutes: stop.lateMinutes,
      overShift: stop.overShift,
    })),
    homeDriveSeconds: sequenced.homeDriveSeconds,
    backAtMinute: backAtMinute ?? sequenced.endMinute,
    totals: totalsFor(actor, totalsOf(context, sequenced)),
    booked: totalsFor(actor, totalsOf(context, booked)),
    violations: sequenced.violations,
  }
}

const isAtWork = ({ stops }: CrewBoard): boolean =>
  stops.some((stop) => stop.state !== 'scheduled' && stop.state !== 'canceled')

const sumBy = <T>(list: readonly T[], pick: (one: T) => number): number => list.reduce((sum, one) => sum + pick(one), 0)

/**
 * A day as the route map shows it: the plan, or what a proposal would make of it.
 * @param waitingIds visits without a day for which places are looked for, too
 */
export const getDayPlan = async (
  db: TenantDb,
  actor: Actor,
  day: Day,
  runId?: string,
  waitingIds: readonly string[] = [],
): Promise<DayPlan> => {
  const run = runId === undefined ? null : await getRunRow(db, runId)
  const contexts = await readPlanningContexts(db, run ? daysOf(run.firstDay, run.lastDay) : [day], waitingIds)
  const context = contexts.find((g) => g.data.day === day)
  if (!context) throw notFound('plan')
  const orders = (run?.plan && proposedOrders(contexts, run.plan).get(day)) ?? ordersOf(context)
  const rows: RouteRow[] = await db
    .selectFrom('routes')
    .select(['crewId', 'status', 'dirty', 'publishedAt', 'planned'])
    .where('businessId', '=', db.businessId)
    .where('day', '=', day)
    .execute()
  // A crew that is at work is back when the dashboard says so, at its pace; one that is not, or a proposal, as it is planned.
  const board = day === context.data.today && !run ? await listDayBoardTx(db, day) : []
  const backs = new Map(board.filter(isAtWork).map((crew) => [crew.crewId, crew.backAtMinute]))
  const sequencedDay = sequenceDay(context, orders)
  const crews = sequencedDay.map((sequenced) =>
    crewOf(
      context,
      sequenced,
      sequenceRoute(context, sequenced.crew, bookedOrder(context, orders.get(sequenced.crew.id) ?? [])),
      rows.find((row) => row.crewId === sequenced.crew.id),
      backs.get(sequenced.crew.id),
      actor,
    ),
  )
  const times = rows.flatMap((row) => (row.planned as { tookMs?: number } | null)?.tookMs ?? [])
  const { undo, redo } = await lastSteps(db, day)
  const elsewhere = new Set(
    run?.plan
      ? [...proposedOrders(contexts, run.plan)].flatMap(([d, o]) => (d === day ? [] : [...o.values()].flat()))
      : [],
  )
  const skipped = new Set(run?.plan?.skipped ?? [])
  return {
    day,
    today: context.data.today,
    can: canOf(actor, planNeeds, planRefusals, { day, today: context.data.today, isProposal: run !== null }),
    estimated: estimatedShare(
      sumBy(sequencedDay, (l) => l.estimatedTravelTimes),
      sumBy(sequencedDay, (l) => l.travelTimes),
    ),
    crews,
    unplaced: (await unplacedOf(context, orders)).filter((v) => !elsewhere.has(v.visitId) && !skipped.has(v.visitId)),
    totals: addTotals(crews.map((c) => c.totals)),
    booked: addTotals(crews.map((c) => c.booked)),
    overCapacity: crews.reduce((sum, c) => sum + c.stops.filter((s) => s.overShift && !s.begun).length, 0),
    plannedMs: times.length ? Math.max(...times) : null,
    undo,
    redo,
    proposalId: run?.id ?? null,
  }
}

/** Work and driving of each crew as the route map shows them, in seconds of the clock and with the people that they are counted by: also where nothing was planned yet, and of today as it is. */
export const listDayLoads = async (
  db: TenantDb,
  day: Day,
): Promise<{ crewId: string; people: number; workSeconds: number; driveSeconds: number }[]> => {
  const [context] = await readPlanningContexts(db, [day])
  if (!context) return []
  return sequenceDay(context, ordersOf(context)).map(({ crew, workSeconds, driveSeconds }) => ({
    crewId: crew.id,
    people: crew.people,
    workSeconds: Math.round(workSeconds),
    driveSeconds,
  }))
}

/** The week of a day; today's driving is what the route map says now, not what was planned in the morning. */
export const listWeek = async (db: TenantDb, day: Day, today: Day): Promise<WeekRow[]> => {
  const rows = await listPlannedWeek(db, day)
  const now = rows.find((row) => row.day === today && row.driveSeconds !== null)
  if (!now) return rows
  const driveSeconds = sumBy(await listDayLoads(db, today), (crew) => crew.driveSeconds)
  return rows.map((row) => (row === now ? { ...row, driveSeconds } : row))
}

export { listSaved } from './published/sent-routes.ts'
export { compareDays } from './runs/compare.ts'
export { currentRun, getRun } from './runs/run-rows.ts'
