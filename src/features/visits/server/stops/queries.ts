import { sql } from 'kysely'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import type { Day } from '../../../../shared/dates.ts'
import type { VisitStatus } from '../../rules.ts'

export type RouteStatus = 'planned' | 'published' | 'started' | 'closed'

/** One stop as its crew has it: from what was published, else from the plan. */
export type DayStop = {
  visitId: string
  crewId: string
  published: boolean
  position: number | null
  startMinute: number | null
  driveSeconds: number | null
  status: VisitStatus
  street: string
  customerName: string
  customerCompany: string | null
  latitude: number | null
  longitude: number | null
  budgetMinutes: number
  /** Who shared the work once it was finished. */
  people: number | null
  workedSeconds: number
  intervalStartedAt: string | null
  enRouteAt: string | null
  startedAt: string | null
  finishedAt: string | null
  skipReason: string | null
  /** When its route was sent; null where the plan counts. */
  publishedAt: string | null
}

/**
 * The stops of crews on a day in the order of their work. A crew whose day was published sees that, until it is published again;
 * the others see the plan.
 */
export const listDayStops = async (db: TenantDb, day: Day, crewIds?: readonly string[]): Promise<DayStop[]> => {
  const only = crewIds ? sql`and crew_id = any(${sql.val([...crewIds])}::uuid[])` : sql``
  const { rows } = await sql<DayStop>`
    with sent as (
      select crew_id, published_at from routes where business_id = ${db.businessId} and day = ${day} and status <> 'planned'
    ), stops as (
      select id, published_crew_id as crew_id, true as published, published_position as position,
        published_start_minute as start_minute, published_drive_seconds as drive_seconds
      from visits
      where business_id = ${db.businessId} and published_day = ${day} and published_crew_id in (select crew_id from sent)
      union all
      select id, crew_id, false, position, planned_start_minute, planned_drive_seconds
      from visits
      where business_id = ${db.businessId} and day = ${day} and crew_id is not null
        and crew_id not in (select crew_id from sent)
        and not (published_day is not distinct from ${day}::date and published_crew_id in (select crew_id from sent))
    )
    select v.id as "visitId", s.crew_id as "crewId", s.published, s.position, s.start_minute as "startMinute",
      s.drive_seconds as "driveSeconds", v.status, p.street, c.name as "customerName", c.company as "customerCompany",
      p.latitude, p.longitude, v.budget_minutes as "budgetMinutes", v.people, v.worked_seconds as "workedSeconds",
      v.interval_started_at as "intervalStartedAt", v.en_route_at as "enRouteAt", v.skip_reason as "skipReason", v.started_at as "startedAt",
      v.finished_at as "finishedAt", (select published_at from sent where s.published and sent.crew_id = s.crew_id) as "publishedAt"
    from (select * from stops where true ${only}) s
    join visits v on v.business_id = ${db.businessId} and v.id = s.id
    join properties p on p.business_id = v.business_id and p.id = v.property_id
    join customers c on c.business_id = v.business_id and c.id = v.customer_id
    order by s.crew_id, s.position nulls last, s.start_minute nulls last, v.window_start_minute nulls last, p.street, v.id`.execute(
    db,
  )
  return rows
}
