import { sql } from 'kysely'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import type { Day } from '../../../../shared/dates.ts'

export type RouteSums = {
  routes: number
  stops: number
  /** Clock seconds on the road as the day was planned, over all finished stops. */
  plannedDriveSeconds: number
  /** Clock seconds between "on the way" and the start, over the stops of which both are known. */
  drivenSeconds: number
  /** What these took more than planned. */
  driveDifferenceSeconds: number
  drivesKnown: number
  /** Man-seconds on site, budgeted and worked, over the stops whose work was clocked. */
  plannedWorkSeconds: number
  workedSeconds: number
  clocked: number
  /** Clock seconds of the crew over the same: on site, and on the road as driven, else as planned. */
  crewSeconds: number
  /** Man-seconds on site and on the road, and those on the road alone, as analytics has them. */
  laborSeconds: number
  driveLaborSeconds: number
  driveMeters: number
  completed: number
}
export type RouteRow = RouteSums & { crewId: string | null; crew: string | null; day: Day | null }

/** A drive of more hours was no drive: somebody forgot to tap. */
const longestDriveHours = 3

/**
 * How planned days went, by crew, day or both: stops that were finished or skipped by a crew, in a span.
 * @param most rows; `count` says how many there are
 */
export const listRouteSums = async (
  db: TenantDb,
  { from, to }: { from: Day; to: Day },
  by: 'crew' | 'day' | 'route',
  crewId: string | undefined,
  most: number,
): Promise<{ rows: RouteRow[]; total: RouteSums; count: number }> => {
  const keys = { crew: sql`crew_id`, day: sql`day`, route: sql`crew_id, day` }[by]
  const order = { crew: sql`c.name, s.crew_id`, day: sql`s.day desc`, route: sql`s.day desc, c.name, s.crew_id` }[by]
  const { rows } = await sql<RouteRow & { isTotal: boolean; count: number }>`
    with stops as (
      select v.crew_id, v.day, v.status = 'completed' as done, v.worked_seconds, v.budget_minutes, coalesce(v.people, 1) as people,
        coalesce(v.published_drive_seconds, v.planned_drive_seconds, 0) as planned,
        case when v.started_at > v.en_route_at and v.started_at - v.en_route_at < make_interval(hours => ${longestDriveHours})
          then round(extract(epoch from v.started_at - v.en_route_at)) end as driven
      from visits v where v.business_id = ${db.businessId} and v.day between ${from}::date and ${to}::date and v.crew_id is not null
        and v.status in ('completed', 'skipped') and ${crewId === 'none' ? sql`v.crew_id is null` : crewId ? sql`v.crew_id = ${crewId}::uuid` : sql`true`}),
    days as (
      select s.crew_id, s.day, count(*) as stops, count(*) filter (where done) as completed,
        coalesce(sum(planned) filter (where done), 0) as planned_drive, coalesce(sum(driven) filter (where done), 0) as driven,
        coalesce(sum(driven - planned) filter (where done), 0) as difference, count(driven) filter (where done) as drives_known,
        coalesce(sum(budget_minutes * 60) filter (where done and worked_seconds > 0), 0) as planned_work,
        coalesce(sum(worked_seconds * people) filter (where done), 0) as worked, count(*) filter (where done and worked_seconds > 0) as clocked,
        coalesce(sum(worked_seconds + coalesce(driven, planned)) filter (where done and worked_seconds > 0), 0) as crew_seconds,
        coalesce(sum((worked_seconds + planned) * people) filter (where done), 0) as labor,
        coalesce(sum(planned * people) filter (where done), 0) as drive_labor,
        coalesce((select round((r.planned ->> 'driveMeters')::numeric) from routes r where r.business_id = ${db.businessId} and r.day = s.day
          and r.crew_id = s.crew_id), 0) as meters
      from stops s group by s.crew_id, s.day),
    s as (
      select ${by === 'day' ? sql`null::uuid as crew_id` : sql`crew_id`}, ${by === 'crew' ? sql`null::date as day` : sql`day`}, grouping(${by === 'day' ? sql`day` : sql`crew_id`}) = 1 as is_total,
        count(*)::int as routes, sum(stops)::int as stops, sum(completed)::int as completed, sum(planned_drive)::int8 as planned_drive_seconds,
        sum(driven)::int8 as driven_seconds, sum(difference)::int8 as drive_difference_seconds, sum(drives_known)::int as drives_known,
        sum(planned_work)::int8 as planned_work_seconds, sum(worked)::int8 as worked_seconds, sum(clocked)::int as clocked, sum(crew_seconds)::int8 as crew_seconds,
        sum(labor)::int8 as labor_seconds, sum(drive_labor)::int8 as drive_labor_seconds, sum(meters)::int8 as drive_meters
      from days group by grouping sets ((${keys}), ()))
    select s.*, c.name as crew, (count(*) over ())::int - 1 as count from s
    left join crews c on c.business_id = ${db.businessId} and c.id = ${sql.ref('s.crew_id')}
    order by s.is_total desc, ${order} limit ${most + 1}`.execute(db)
  const none: RouteSums = {
    routes: 0,
    stops: 0,
    completed: 0,
    plannedDriveSeconds: 0,
    drivenSeconds: 0,
    driveDifferenceSeconds: 0,
    drivesKnown: 0,
    plannedWorkSeconds: 0,
    workedSeconds: 0,
    clocked: 0,
    crewSeconds: 0,
    laborSeconds: 0,
    driveLaborSeconds: 0,
    driveMeters: 0,
  }
  const [total, ...list] = rows
  return total && total.routes > 0 ? { rows: list, total, count: total.count } : { rows: [], total: none, count: 0 }
}
