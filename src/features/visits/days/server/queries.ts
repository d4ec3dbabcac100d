import { sql } from 'kysely'
import { clock } from '../../../../platform/clock.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { addDays, type Day, dayOf } from '../../../../shared/dates.ts'
import { listCrewLicenses } from '../../../employees/server/queries.ts'
import type { VisitCalendar } from '../../contract.ts'
import { calendarDays, licenseRefusal } from '../rules.ts'

/**
 * SQL: the least days between two visits of a job, over the lines of a visit: what a service asks for, what a round of a program does and what the
 * rule says; `s` is the service of a line, `jl` its line of the job.
 */
export const leastGap = sql`greatest(max(s.min_gap_days), max((jl.undated->>'minGapDays')::integer), max((jl.recurrence->>'minGapDays')::integer))`

/** SQL: visit `o` was done or is still to come. One of a day that is over, on which nobody came, stands between nothing. */
export const comes = (today: Day) =>
  sql`o.status not in ('canceled', 'skipped', 'missed') and not (o.status = 'scheduled' and o.day < ${today}::date)`

/** SQL: other jobs at the property of visit `v` with one of its services, on days between two. */
export const sameWorkBetween = (today: Day, from: Day, to: Day) =>
  sql`coalesce((select jsonb_agg(jsonb_build_object('day', w.day, 'jobNumber', w.number) order by w.day, w.number) from (
    select distinct o.day, u.number from visits o join jobs u on u.business_id = o.business_id and u.id = o.job_id
    where o.business_id = v.business_id and o.property_id = v.property_id and o.job_id <> v.job_id
      and o.day between ${from}::date and ${to}::date and ${comes(today)}
      and exists (select 1 from visit_lines a join visit_lines b on b.business_id = a.business_id and b.service_id = a.service_id
        where a.business_id = o.business_id and a.visit_id = o.id and b.visit_id = v.id)) w), '[]')`

/** The days that are open to visits, from today on; `day` is seen too where it lies beyond. */
export const getWorkCalendar = async (db: TenantDb, day?: Day): Promise<VisitCalendar> => {
  const { timeZone, workDays, holidays } = await db
    .selectFrom('businesses')
    .select(['timeZone', 'workDays', 'holidays'])
    .where('businessId', '=', db.businessId)
    .executeTakeFirstOrThrow()
  const today = dayOf(clock.now(), timeZone)
  const last = addDays(today, calendarDays + 30)
  const { rows: crews } = await sql<Omit<VisitCalendar['crews'][number], 'licenses'>>`
    select c.id, c.name, c.color, c.work_days as "workDays",
      coalesce((select jsonb_agg(jsonb_build_object('day', o.day, 'reason', o.reason) order by o.day)
        from crew_days_off o where o.business_id = c.business_id and o.crew_id = c.id
          and (o.day between ${today} and ${last} or o.day = ${day ?? today})), '[]') as "daysOff",
      coalesce((select jsonb_agg(d.day order by d.day) from (
          select n::date as day from generate_series(${today}::date, ${last}::date, '1 day') n union select ${day ?? today}::date) d
        where not (extract(dow from d.day)::int = any(c.work_days) and extract(dow from d.day)::int = any(${workDays}::int[]))
          and exists (select 1 from visits v where v.business_id = c.business_id and v.crew_id = c.id and v.day = d.day
            and v.status not in ('skipped', 'missed', 'canceled'))), '[]') as "extraDays"
    from crews c where c.business_id = ${db.businessId} and c.archived_at is null
    order by c.position, c.name, c.id`.execute(db)
  const licenses = await listCrewLicenses(
    db,
    today,
    crews.map(({ id }) => id),
  )
  return {
    today,
    workDays,
    holidays,
    crews: crews.map((crew) => ({
      ...crew,
      licenses: licenses.filter(({ crewId }) => crewId === crew.id).map(({ skill, spans }) => ({ skill, spans })),
    })),
  }
}

/** Open visits of jobs from today on whose crew has nobody at work with the license for them; `key` names visit, day and crew. */
export const listUnlicensed = async (
  db: TenantDb,
  jobIds: readonly string[],
): Promise<{ key: string; text: string }[]> => {
  const calendar = await getWorkCalendar(db)
  if (jobIds.length === 0 || calendar.crews.every((crew) => crew.licenses.length === 0)) return []
  const { rows } = await sql<{ id: string; day: Day; crewId: string; skills: string[] }>`
    select v.id, v.day, v.crew_id as "crewId", array_agg(distinct tag) as skills
    from visits v
    join visit_lines l on l.business_id = v.business_id and l.visit_id = v.id
    join services s on s.business_id = l.business_id and s.id = l.service_id
    cross join lateral unnest(s.skills) as tag
    where v.business_id = ${db.businessId} and v.job_id = any(${[...jobIds]}::uuid[]) and v.status = 'scheduled'
      and v.day >= ${calendar.today} and v.crew_id is not null
    group by v.id, v.day, v.crew_id
    order by v.day, v.id`.execute(db)
  return rows.flatMap(({ id, day, crewId, skills }) => {
    const text = licenseRefusal(calendar, skills, day, crewId)
    return text ? [{ key: `${id} ${day} ${crewId}`, text }] : []
  })
}
