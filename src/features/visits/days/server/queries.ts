import { sql } from 'kysely'
import { clock } from '../../../../platform/clock.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { addDays, type Day, dayOf } from '../../../../shared/dates.ts'
import { listCrewLicenses } from '../../../employees/server/queries.ts'
import type { VisitCalendar } from '../../contract.ts'
import { calendarDays } from '../rules.ts'

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
