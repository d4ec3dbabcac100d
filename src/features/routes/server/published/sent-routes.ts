import { sql } from 'kysely'
import { countUpTo, keyset } from '../../../../platform/db/cursor.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { addDays, type Day, startOfWeek } from '../../../../shared/dates.ts'
import { crewPresent } from '../../../employees/staffing/server/queries.ts'
import { onSiteMinutes, type VisitStatus } from '../../../visits/rules.ts'

export type WeekRow = {
  day: Day
  stops: number
  finished: number
  unplaced: number
  crews: number
  published: number
  driveSeconds: number | null
}

/** Stops and planned drive of the days of a week. */
export const listPlannedWeek = async (db: TenantDb, day: Day): Promise<WeekRow[]> => {
  const first = startOfWeek(day)
  const days = Array.from({ length: 7 }, (_, i) => addDays(first, i))
  const { rows } = await sql<WeekRow>`
    select d.day::text as day,
      (select count(*)::int from visits v where v.business_id = ${db.businessId} and v.day = d.day and v.crew_id is not null
        and v.status not in ('canceled', 'unscheduled')) as stops,
      (select count(*)::int from visits v where v.business_id = ${db.businessId} and v.day = d.day and v.status = 'completed') as finished,
      (select count(*)::int from visits v where v.business_id = ${db.businessId} and v.day = d.day and v.crew_id is null
        and v.status = 'scheduled') as unplaced,
      (select count(distinct v.crew_id)::int from visits v where v.business_id = ${db.businessId} and v.day = d.day
        and v.status not in ('canceled', 'unscheduled')) as crews,
      (select count(*)::int from routes r where r.business_id = ${db.businessId} and r.day = d.day and r.status <> 'planned') as published,
      (select sum((r.planned->>'driveSeconds')::int)::int from routes r where r.business_id = ${db.businessId} and r.day = d.day
        and r.planned is not null) as "driveSeconds"
    from unnest(${sql.val(days)}::date[]) as d(day)
    order by d.day`.execute(db)
  return rows
}

type Planned = { driveSeconds?: number; driveMeters?: number; endMinute?: number | null } | null

/** Routes that were sent, newest day first, with the stops of their strip. */
export const listSaved = async (db: TenantDb, filter: { crewId?: string; cursor?: string; limit: number }) => {
  const base = () => {
    let query = db
      .selectFrom('routes as r')
      .innerJoin('crews as c', (j) => j.onRef('c.businessId', '=', 'r.businessId').onRef('c.id', '=', 'r.crewId'))
      .where('r.businessId', '=', db.businessId)
      .where('r.status', '!=', 'planned')
    if (filter.crewId) query = query.where('r.crewId', '=', filter.crewId)
    return query
  }
  const total = await countUpTo(db, base().select('r.id'))
  const { beyond, order, values, limit, page } = keyset(
    [
      { of: sql`r.day`, type: 'day' },
      { of: sql`r.id`, type: 'uuid' },
    ],
    { ...filter, order: 'desc' },
  )
  const found = await base()
    .leftJoin('users as u', (j) => j.onRef('u.businessId', '=', 'r.businessId').onRef('u.id', '=', 'r.publishedBy'))
    .select([
      'r.id',
      'r.day',
      'r.crewId',
      'c.name as crewName',
      'c.color',
      'r.status',
      'r.dirty',
      'r.publishedAt',
      'u.name as publishedByName',
      'r.planned',
      'r.booked',
    ])
    .select(values.as('cursorKeys'))
    .where(beyond)
    .orderBy(order)
    .limit(limit)
    .execute()
  const { items: routes, nextCursor } = page(found)
  const stops = routes.length ? await stopsOfRoutes(db, routes) : []
  return {
    items: routes.map(({ planned, booked, status, ...route }) => ({
      ...route,
      status: status as 'published' | 'started' | 'closed',
      stops: stops.filter((s) => s.day === route.day && s.crewId === route.crewId).map(stripStop),
      driveSeconds: (planned as Planned)?.driveSeconds ?? null,
      driveMeters: (planned as Planned)?.driveMeters ?? null,
      bookedDriveSeconds: (booked as Planned)?.driveSeconds ?? null,
      endMinute: (planned as Planned)?.endMinute ?? null,
    })),
    nextCursor,
    total,
  }
}

type SentStop = {
  day: Day
  crewId: string
  visitId: string
  label: string
  status: VisitStatus
  budgetMinutes: number
  people: number
  driveSeconds: number | null
  startMinute: number | null
}

const stripStop = (stop: SentStop) => ({
  visitId: stop.visitId,
  label: stop.label,
  minutes: onSiteMinutes(stop.budgetMinutes, stop.people),
  driveMinutesBefore: Math.round((stop.driveSeconds ?? 0) / 60),
  startMinute: stop.startMinute,
  status: stop.status,
})

const stopsOfRoutes = async (db: TenantDb, routes: readonly { day: Day; crewId: string }[]): Promise<SentStop[]> => {
  const { rows } = await sql<SentStop>`
    select v.published_day as day, v.published_crew_id as "crewId", v.id as "visitId", p.street as label, v.status,
      v.budget_minutes as "budgetMinutes", v.published_drive_seconds as "driveSeconds", v.published_start_minute as "startMinute",
      greatest(1, (select count(*)::int from ${crewPresent(db, sql.ref('v.published_crew_id'), sql.ref('v.published_day'))} t)) as people
    from visits v
    join properties p on p.business_id = v.business_id and p.id = v.property_id
    where v.business_id = ${db.businessId} and v.status <> 'canceled'
      and (v.published_day, v.published_crew_id) in
        (select * from unnest(${sql.val(routes.map((r) => r.day))}::date[], ${sql.val(routes.map((r) => r.crewId))}::uuid[]))
    order by v.published_position nulls last, v.id`.execute(db)
  return rows
}
