import { type RawBuilder, sql } from 'kysely'
import { clock } from '../../../../platform/clock.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { newId } from '../../../../platform/ids.ts'
import type { Day } from '../../../../shared/dates.ts'
import type { RouteStatus } from '../stops/queries.ts'

/**
 * The route of a crew and day: what it was sent, whether that is still the plan, and how far it is. It follows from its visits, so it is written
 * beside them; what a good plan is, is the matter of the planner.
 */

type OnRoute = {
  publishedDay: Day | null
  publishedCrewId: string | null
}

type PublishedStop = { id: string; day: Day; crewId: string }

const publishRoutes = async (db: TenantDb, rows: readonly PublishedStop[]): Promise<void> => {
  if (rows.length)
    await publishChange(
      db,
      'routes',
      rows.map((r) => r.id),
      { days: rows.map((r) => r.day), crewIds: rows.map((r) => r.crewId) },
    )
}

/** A published route is started with the first stop and closed with the last; a stop that opens again opens it again. */
export const followRoute = async (db: TenantDb, visit: OnRoute): Promise<void> => {
  const { publishedDay: day, publishedCrewId: crewId } = visit
  if (!day || !crewId) return
  const { rows } = await sql<PublishedStop>`
    update routes r set status = p.status, version = r.version + 1, updated_at = ${clock.iso()}
    from (
      select case
        when bool_and(v.status in ('completed', 'skipped', 'canceled', 'missed')) then 'closed'
        when bool_or(v.status not in ('unscheduled', 'scheduled', 'canceled')) then 'started'
        else 'published' end as status
      from visits v
      where v.business_id = ${db.businessId} and v.published_day = ${day} and v.published_crew_id = ${crewId}) p
    where r.business_id = ${db.businessId} and r.day = ${day} and r.crew_id = ${crewId}
      and r.status <> 'planned' and r.status <> p.status
    returning r.id, r.day, r.crew_id as "crewId"`.execute(db)
  await publishRoutes(db, rows)
}

/** Of published routes, whether their plan is what the crew was sent. Answers those for which that is news. */
const writeChanged = async (db: TenantDb, found: RawBuilder<unknown>): Promise<void> => {
  const { rows } = await sql<PublishedStop>`
    update routes r set dirty = d.dirty, version = r.version + 1, updated_at = ${clock.iso()}
    from (${found}) as d(id, dirty)
    where r.business_id = ${db.businessId} and r.id = d.id and r.status <> 'planned' and r.dirty <> d.dirty
    returning r.id, r.day, r.crew_id as "crewId"`.execute(db)
  await publishRoutes(db, rows)
}

export type Place = { day: Day | null; crewId: string | null }

/** The plan of these crews and days is no longer what they were sent. */
export const markRoutesChangedTx = async (db: TenantDb, places: readonly Place[]): Promise<void> => {
  const known = places.filter((place) => place.day !== null && place.crewId !== null)
  if (known.length === 0) return
  await writeChanged(
    db,
    sql`select distinct r.id, true
      from unnest(${known.map((p) => p.day)}::date[], ${known.map((p) => p.crewId)}::uuid[]) as n(day, crew_id)
      join routes r on r.business_id = ${db.businessId} and r.day = n.day and r.crew_id = n.crew_id`,
  )
}

/** Compares every route of a day with what its crew was sent: the same stops in the same order. */
export const compareRoutesTx = (db: TenantDb, day: Day): Promise<void> =>
  writeChanged(
    db,
    sql`select r.id, (
        exists (select 1 from visits v where v.business_id = r.business_id and v.day = r.day and v.crew_id = r.crew_id
          and v.status not in ('canceled', 'unscheduled')
          and not (v.published_day is not distinct from r.day and v.published_crew_id is not distinct from r.crew_id))
        or exists (select 1 from visits v where v.business_id = r.business_id and v.published_day = r.day
          and v.published_crew_id = r.crew_id and v.status not in ('canceled', 'unscheduled')
          and not (v.day is not distinct from r.day and v.crew_id is not distinct from r.crew_id))
        or (select array_agg(v.id order by v.position, v.id) is distinct from array_agg(v.id order by v.published_position, v.id)
          from visits v where v.business_id = r.business_id and v.day = r.day and v.crew_id = r.crew_id and v.status = 'scheduled'))
      from routes r where r.business_id = ${db.businessId} and r.day = ${day} and r.status <> 'planned'`,
  )

export type RouteTotals = {
  day: Day
  crewId: string
  /** JSON, as the planner reads it again. */
  planned: string
  booked: string
  estimated: boolean
}

/** Notes what the plan of a crew's day adds up to; makes the route when there is none. */
export const saveRouteTotalsTx = async (db: TenantDb, route: RouteTotals): Promise<void> => {
  const { planned, booked, estimated } = route
  const now = clock.iso()
  await db
    .insertInto('routes')
    .values({ ...route, businessId: db.businessId, id: newId(), createdAt: now, updatedAt: now })
    .onConflict((c) =>
      c.columns(['businessId', 'day', 'crewId']).doUpdateSet({ planned, booked, estimated, updatedAt: now }),
    )
    .execute()
}

export type Publication = {
  id: string
  day: Day
  crewId: string
  status: RouteStatus
  publishedBy: string
}

/** The plan becomes what the crew was sent; a stop that left the route leaves their list. */
export const publishRouteTx = async (db: TenantDb, route: Publication): Promise<void> => {
  const { day, crewId } = route
  await sql`
    update visits set published_day = null, published_crew_id = null, published_position = null,
      published_start_minute = null, published_drive_seconds = null
    where business_id = ${db.businessId} and published_day = ${day} and published_crew_id = ${crewId}
      and not (day is not distinct from ${day}::date and crew_id is not distinct from ${crewId}::uuid)`.execute(db)
  await sql`
    update visits set published_day = day, published_crew_id = crew_id, published_position = position,
      published_start_minute = planned_start_minute, published_drive_seconds = planned_drive_seconds
    where business_id = ${db.businessId} and day = ${day} and crew_id = ${crewId}
      and status not in ('canceled', 'unscheduled')`.execute(db)
  await db
    .updateTable('routes')
    .set((eb) => ({
      status: route.status,
      dirty: false,
      published: eb.ref('planned'),
      publishedAt: clock.iso(),
      publishedBy: route.publishedBy,
      version: eb('version', '+', 1),
      updatedAt: clock.iso(),
    }))
    .where('businessId', '=', db.businessId)
    .where('id', '=', route.id)
    .execute()
}

/**
 * One stop stands in what its crew was sent of a day, at the end of it, and in nobody else's; where that day was not sent yet it stands in nobody's.
 * Where it stands there already it keeps its place and its time.
 * @returns what it was sent as by now
 */
export const sendStopTx = async (db: TenantDb, visitId: string, { day, crewId }: Place): Promise<OnRoute> => {
  const { rows } = await sql<OnRoute>`
    with route as (
      select day, crew_id from routes
      where business_id = ${db.businessId} and day = ${day}::date and crew_id = ${crewId}::uuid and status <> 'planned')
    update visits set
      published_day = (select day from route), published_crew_id = (select crew_id from route),
      published_position = (select coalesce(max(o.published_position), 0) + 1 from route r
        left join visits o on o.business_id = ${db.businessId} and o.published_day = r.day and o.published_crew_id = r.crew_id and o.id <> ${visitId}
        group by r.day),
      published_start_minute = null, published_drive_seconds = null
    where business_id = ${db.businessId} and id = ${visitId}
      and (published_day is distinct from ${day}::date or published_crew_id is distinct from ${crewId}::uuid)
    returning published_day as "publishedDay", published_crew_id as "publishedCrewId"`.execute(db)
  return rows[0] ?? { publishedDay: day, publishedCrewId: crewId }
}
