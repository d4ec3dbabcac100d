import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import type { Day } from '../../../../shared/dates.ts'
import type { RouteEnd } from '../../../visits/rules.ts'
import {
  compareRoutesTx,
  type PlanRow,
  placeColumns,
  saveRouteTotalsTx,
  writePlanTx,
} from '../../../visits/server/commands.ts'
import type { DayVisit, Orders, PlanningContext } from '../day/planning-context.ts'
import { type SequencedRoute, sequenceDay, sequenceRoute } from './sequence.ts'
import { bookedOrder, totalsOf } from './totals.ts'

const storedRow = (visit: DayVisit): PlanRow => ({
  id: visit.id,
  day: visit.storedDay,
  crewId: visit.storedCrewId,
  position: visit.position,
  pinned: visit.pinned,
  locked: visit.locked,
  movedFrom: visit.movedFrom,
  plannedStartMinute: visit.plannedStartMinute,
  plannedDriveSeconds: visit.plannedDriveSeconds,
})

/** Where visits stand now, as Undo puts them back. */
export const listPlanRows = (db: TenantDb, ids: readonly string[]): Promise<PlanRow[]> =>
  db
    .selectFrom('visits')
    .select(['id', ...placeColumns])
    .where('businessId', '=', db.businessId)
    .where('id', 'in', [...ids])
    .orderBy('id')
    .execute()

const differs = (a: PlanRow, b: PlanRow): boolean => JSON.stringify(a) !== JSON.stringify(b)

/** Where each visit stands when these orders are the plan. Pins of visits that lose their crew go with it. */
const rowsOf = (
  context: PlanningContext,
  sequenced: readonly SequencedRoute[],
  placed: ReadonlySet<string>,
  crewIds: ReadonlySet<string>,
): PlanRow[] => {
  const { day } = context.data
  const rows: PlanRow[] = []
  for (const { crew, stops } of sequenced.filter((route) => crewIds.has(route.crew.id)))
    for (const [index, stop] of stops.entries()) {
      const was = storedRow(stop.visit)
      const row = { ...was, day, crewId: crew.id, position: index + 1 }
      if (!stop.begun) {
        row.plannedStartMinute = stop.startMinute
        row.plannedDriveSeconds = stop.driveSeconds
        if (was.day !== day) row.movedFrom = was.movedFrom ?? was.day
      }
      rows.push(row)
    }
  for (const visit of context.data.visits)
    if (visit.status === 'scheduled' && visit.crewId !== null && crewIds.has(visit.crewId) && !placed.has(visit.id))
      rows.push({
        ...storedRow(visit),
        crewId: null,
        position: null,
        pinned: false,
        plannedStartMinute: null,
        plannedDriveSeconds: null,
      })
  return rows
}

export type SaveOptions = {
  /** Crews whose stops may change; all when left out. */
  crewIds?: readonly string[]
  tookMs?: number
  /** Only these crews' stops get their times anew, where all of them have a place in the order; of the others it writes what their routes add up to. */
  retimes?: ReadonlySet<string>
}

/** A day with the order of its crews' open stops. */
export type PlannedDay = { context: PlanningContext; orders: Orders }

/** Crews whose stops all have a place in the order. */
const plannedOf = ({ data }: PlanningContext, crewIds: ReadonlySet<string>): Set<string> => {
  const open = data.visits.filter((visit) => visit.status === 'scheduled' && visit.position === null)
  return new Set([...crewIds].filter((id) => !open.some((visit) => visit.crewId === id)))
}

/** Writes a plan: the place of every stop, what each route adds up to, and whether it is what the crew was sent. Answers what changed. */
export const savePlan = (
  db: TenantDb,
  context: PlanningContext,
  orders: Orders,
  options: SaveOptions,
): Promise<{ before: PlanRow[]; after: PlanRow[] }> => savePlans(db, [{ context, orders }], options)

/** The same for days that were planned together: a visit may have gone from one to another. */
export const savePlans = async (
  db: TenantDb,
  days: readonly PlannedDay[],
  options: SaveOptions,
): Promise<{ before: PlanRow[]; after: PlanRow[] }> => {
  const crewIds = new Set(options.crewIds ?? days.flatMap(({ context }) => context.data.crews.map((crew) => crew.id)))
  const placed = new Set(days.flatMap(({ orders }) => [...orders.values()].flat()))
  const sequenced = days.map(({ context, orders }) => sequenceDay(context, orders))
  const byId = new Map(days.flatMap(({ context }) => [...context.byId]))
  const after = days
    .flatMap(({ context }, i) =>
      rowsOf(context, sequenced[i] ?? [], placed, options.retimes ? plannedOf(context, options.retimes) : crewIds),
    )
    .filter((row) => differs(row, storedRow(byId.get(row.id)!)))
  const before = after.map((row) => storedRow(byId.get(row.id)!))
  await writePlanTx(db, after)
  for (const [i, { context, orders }] of days.entries()) {
    await writeRoutes(db, context, orders, sequenced[i] ?? [], crewIds, options.tookMs)
    await compareRoutesTx(db, context.data.day)
  }
  await publishChange(db, 'routes', [], { days: days.map(({ context }) => context.data.day) })
  return { before, after }
}

const writeRoutes = async (
  db: TenantDb,
  context: PlanningContext,
  orders: Orders,
  sequenced: readonly SequencedRoute[],
  crewIds: ReadonlySet<string>,
  tookMs: number | undefined,
): Promise<void> => {
  const { day } = context.data
  const known = await db
    .selectFrom('routes')
    .select(['crewId', 'planned'])
    .where('businessId', '=', db.businessId)
    .where('day', '=', day)
    .execute()
  for (const route of sequenced.filter(({ crew }) => crewIds.has(crew.id))) {
    const row = known.find((r) => r.crewId === route.crew.id)
    if (!row && route.stops.length === 0) continue
    const last = (row?.planned as { tookMs?: number } | null)?.tookMs
    const planned = JSON.stringify({
      ...totalsOf(context, route),
      ...({ homeSeconds: route.homeDriveSeconds, rest: route.rest } satisfies RouteEnd),
      tookMs: tookMs ?? last,
    })
    const estimated = route.estimatedTravelTimes > 0
    const inBooked = sequenceRoute(context, route.crew, bookedOrder(context, orders.get(route.crew.id) ?? []))
    const booked = JSON.stringify(totalsOf(context, inBooked))
    await saveRouteTotalsTx(db, { day, crewId: route.crew.id, planned, booked, estimated })
  }
}

export type Kept = { kept: number; days: Day[] }

/** Puts visits back to where they stood before a change. One that has begun, or was changed by another hand since, stays. */
export const restoreRows = async (
  db: TenantDb,
  before: readonly PlanRow[],
  after: readonly PlanRow[],
): Promise<Kept> => {
  const ids = before.map((row) => row.id)
  if (!ids.length) return { kept: 0, days: [] }
  const current = await db
    .selectFrom('visits')
    .select(['id', 'status', 'day', 'crewId'])
    .where('businessId', '=', db.businessId)
    .where('id', 'in', ids)
    .orderBy('id')
    .forUpdate()
    .execute()
  const back = before.filter((row) => {
    const now = current.find((v) => v.id === row.id)
    const then = after.find((v) => v.id === row.id)
    return now?.status === 'scheduled' && then && now.day === then.day && now.crewId === then.crewId
  })
  // A crew that was archived meanwhile gets nothing back.
  const crews = await db
    .selectFrom('crews')
    .select('id')
    .where('businessId', '=', db.businessId)
    .where('archivedAt', 'is', null)
    .execute()
  const alive = new Set(crews.map((crew) => crew.id))
  const rows = back.filter((row) => row.crewId === null || alive.has(row.crewId))
  await writePlanTx(db, rows)
  return {
    kept: before.length - rows.length,
    days: rows.flatMap((row) => (row.crewId === null || row.day === null ? [] : [row.day])),
  }
}
