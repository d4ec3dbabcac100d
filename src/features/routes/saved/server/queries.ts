import { sql } from 'kysely'
import type { Actor } from '../../../../platform/actor.ts'
import { clock } from '../../../../platform/clock.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { addDays, type Day, dayOf } from '../../../../shared/dates.ts'
import { notFound } from '../../../../shared/errors.ts'
import { solve } from '../../../../solver/solve.ts'
import { licenseRefusal, type WorkCalendar } from '../../../visits/days/rules.ts'
import { getWorkCalendar } from '../../../visits/server/queries.ts'
import { planRefusals } from '../../rules.ts'
import {
  crewDayOf,
  freeOf,
  isBegun,
  isRoutable,
  type Orders,
  ordersOf,
  type PlanningContext,
  problemVisit,
} from '../../server/day/planning-context.ts'
import { readPlanningContext } from '../../server/day/read-day.ts'
import { sequenceRoute } from '../../server/plan/sequence.ts'
import { bestPlace } from '../../server/plan/unplaced.ts'
import type { RouteDifferences, SavedRoute } from '../contract.ts'
import { type Differences, type DrivenDay, differencesOf, driftOf, nextWeekday } from '../rules.ts'

const driftDays = 200
/** The best order is looked for this long: enough for a crew's day, and nobody waits for it. */
const bestMs = 30

type Row = {
  id: string
  name: string
  weekday: number
  crewId: string
  crewName: string
  color: string
  jobIds: string[]
  removed: boolean
  version: number
}

const rowsOf = async (db: TenantDb, id: string | null): Promise<Row[]> =>
  (
    await sql<Row>`
    select s.id, s.name, s.weekday, s.crew_id as "crewId", c.name as "crewName", c.color, s.job_ids::text[] as "jobIds",
      s.removed_at is not null as removed, s.version
    from saved_routes s join crews c on c.business_id = s.business_id and c.id = s.crew_id
    where s.business_id = ${db.businessId} and ${id === null ? sql`s.removed_at is null and c.archived_at is null` : sql`s.id = ${id}`}
    order by (s.weekday + 6) % 7, c.position, s.name, s.id`.execute(db)
  ).rows

export const getSavedRow = async (db: TenantDb, id: string): Promise<Row> => {
  const [row] = await rowsOf(db, id)
  if (!row) throw notFound('saved route')
  return row
}

type StopRow = { jobId: string; street: string; customerName: string; title: string; ended: boolean }

const stopsOf = async (db: TenantDb, jobIds: readonly string[]): Promise<Map<string, StopRow>> => {
  if (jobIds.length === 0) return new Map()
  const { rows } = await sql<StopRow>`
    select j.id as "jobId", p.street, c.name as "customerName", j.title,
      j.status in ('completed', 'canceled') or j.archived_at is not null as ended
    from jobs j
    join properties p on p.business_id = j.business_id and p.id = j.property_id
    join customers c on c.business_id = j.business_id and c.id = j.customer_id
    where j.business_id = ${db.businessId} and j.id = any(${[...new Set(jobIds)]}::uuid[])`.execute(db)
  return new Map(rows.map((row) => [row.jobId, row]))
}

type Driven = DrivenDay & { crewId: string; weekday: number }

/** What was driven on the days that were sent: the totals that each route kept. */
const drivenDays = async (db: TenantDb, today: Day): Promise<Driven[]> =>
  (
    await sql<Driven>`
    select r.crew_id as "crewId", extract(dow from r.day)::int as weekday, r.day::text as day,
      (r.planned->>'driveSeconds')::int as "driveSeconds",
      (select count(*)::int from visits v where v.business_id = r.business_id and v.published_day = r.day
        and v.published_crew_id = r.crew_id and v.status <> 'canceled') as stops
    from routes r
    where r.business_id = ${db.businessId} and r.day between ${addDays(today, -driftDays)} and ${today}
      and r.status <> 'planned' and r.planned->>'driveSeconds' is not null
    order by r.day`.execute(db)
  ).rows

const shaped = async (db: TenantDb, actor: Actor, rows: readonly Row[]): Promise<SavedRoute[]> => {
  const today = dayOf(clock.now(), actor.timeZone)
  const stops = await stopsOf(
    db,
    rows.flatMap((row) => row.jobIds),
  )
  const driven = rows.length ? await drivenDays(db, today) : []
  return rows.map(({ jobIds, ...row }) => {
    const own = jobIds.flatMap((jobId) => stops.get(jobId) ?? [])
    return {
      ...row,
      stops: own.map(({ ended: _, ...stop }) => stop),
      ended: own.filter((stop) => stop.ended).length,
      nextDay: nextWeekday(today, row.weekday),
      drift: driftOf(driven.filter((day) => day.crewId === row.crewId && day.weekday === row.weekday && day.stops > 0)),
    }
  })
}

export const listSavedRoutes = async (db: TenantDb, actor: Actor): Promise<SavedRoute[]> =>
  shaped(db, actor, await rowsOf(db, null))

export const getSavedRoute = async (db: TenantDb, actor: Actor, id: string): Promise<SavedRoute> => {
  const [found] = await shaped(db, actor, [await getSavedRow(db, id)])
  if (!found) throw notFound('saved route')
  return found
}

export type Applied = { differences: Differences; orders: Orders; crewIds: string[] }

/** The orders of a day with a saved route on it: its stops in its order, what else the crew has where it costs the least. */
export const appliedTo = (
  context: PlanningContext,
  row: Pick<Row, 'jobIds' | 'crewId'>,
  calendar: WorkCalendar,
): Applied => {
  const open = context.data.visits.filter((visit) => !isBegun(visit))
  const differences = differencesOf(
    row.jobIds,
    row.crewId,
    open,
    (id) => licenseRefusal(calendar, context.byId.get(id)?.skills ?? [], context.data.day, row.crewId) !== null,
  )
  const orders = ordersOf(context)
  const taken = new Set(differences.order)
  const from = open.flatMap((visit) =>
    differences.brought.includes(visit.id) && visit.crewId !== null ? [visit.crewId] : [],
  )
  for (const [crewId, ids] of orders)
    orders.set(
      crewId,
      ids.filter((id) => !taken.has(id)),
    )
  const own = [...differences.order]
  for (const id of differences.extra) own.splice(bestPlace(context, row.crewId, own, id), 0, id)
  orders.set(row.crewId, own)
  return { differences, orders, crewIds: [...new Set([row.crewId, ...from])] }
}

/** Why a saved route cannot be put on a day. */
export const applyRefusal = (context: PlanningContext, crewId: string): string | null => {
  const { day, today, crews } = context.data
  const crew = crews.find((one) => one.id === crewId)
  if (!crew) return 'Its crew is not there any more. Give the saved route another crew first.'
  if (!crew.works || crew.off !== null)
    return `${crew.name} does not work on this day. Pick another day, or another crew.`
  return planRefusals.change({ day, today, isProposal: false })
}

/** Driving of the best order found for the stops of one crew. */
const bestDrive = (context: PlanningContext, crewId: string, ids: readonly string[]): number | null => {
  const crew = context.data.crews.find((one) => one.id === crewId)
  if (!crew) return null
  const visits = ids.flatMap((id) => context.byId.get(id) ?? []).filter((visit) => isRoutable(context, visit))
  const problem = {
    matrix: context.matrixFor(crew.driveFactorPercent),
    visits: visits.map((visit) => problemVisit(context, visit)),
    crewDays: [crewDayOf(context, crew, freeOf(context, crew))],
  }
  const found = solve(problem, { iterations: 3000, deadlineMs: bestMs, now: () => performance.now() })
  const order = found.routes[0]?.stops.map((stop) => stop.visitId) ?? []
  // What the search left out for its window or the shift is no saving.
  return order.length < visits.length ? null : sequenceRoute(context, crew, order).driveSeconds
}

export const readDifferences = async (db: TenantDb, id: string, day: Day): Promise<RouteDifferences> => {
  const row = await getSavedRow(db, id)
  const context = await readPlanningContext(db, day)
  const crew = context.data.crews.find((one) => one.id === row.crewId)
  const calendar = await getWorkCalendar(db, day)
  const { differences, orders } = appliedTo(context, row, calendar)
  const named = (visitId: string) => {
    const visit = context.byId.get(visitId)
    return { visitId, street: visit?.street ?? '', customerName: visit?.customerName ?? '' }
  }
  const crewName = (crewId: string | null | undefined) =>
    context.data.crews.find((one) => one.id === crewId)?.name ?? null
  const stops = await stopsOf(db, row.jobIds)
  const next = await nextDays(db, differences.missing, context.data.today)
  const [was, then] = [ordersOf(context).get(row.crewId) ?? [], orders.get(row.crewId) ?? []]
  const [now, saved] = [was, then].map((ids) => (crew ? sequenceRoute(context, crew, ids) : null))
  const savedSeconds = saved?.driveSeconds ?? 0
  const keptOrder = (ids: readonly string[]) => ids.filter((one) => differences.kept.includes(one)).join()
  return {
    day,
    crewName: crew?.name ?? row.crewName,
    kept: differences.kept.length,
    reordered: keptOrder(was) !== keptOrder(then),
    brought: differences.brought.map((one) => ({ ...named(one), from: crewName(context.byId.get(one)?.crewId) })),
    held: differences.held.map((one) => ({
      ...named(one),
      why:
        licenseRefusal(calendar, context.byId.get(one)?.skills ?? [], day, row.crewId) ??
        `is pinned with ${crewName(context.byId.get(one)?.crewId) ?? 'its crew'}`,
    })),
    missing: differences.missing.flatMap((jobId) => {
      const stop = stops.get(jobId)
      if (!stop) return []
      const { ended: _, ...shown } = stop
      return [{ ...shown, nextDay: next.get(jobId) ?? null }]
    }),
    extra: differences.extra.map(named),
    driveSeconds: {
      now: now?.driveSeconds ?? 0,
      saved: savedSeconds,
      best: Math.min(savedSeconds, bestDrive(context, row.crewId, then) ?? savedSeconds),
    },
    violations: saved?.violations.map((one) => one.text) ?? [],
    refusal: applyRefusal(context, row.crewId),
  }
}

const nextDays = async (db: TenantDb, jobIds: readonly string[], today: Day): Promise<Map<string, Day>> => {
  if (jobIds.length === 0) return new Map()
  const { rows } = await sql<{ jobId: string; day: Day }>`
    select job_id as "jobId", min(day)::text as day from visits
    where business_id = ${db.businessId} and job_id = any(${[...jobIds]}::uuid[]) and day >= ${today} and status = 'scheduled'
    group by job_id`.execute(db)
  return new Map(rows.map(({ jobId, day }) => [jobId, day]))
}
