import { sql } from 'kysely'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import type { Day } from '../../../../shared/dates.ts'
import { getWorkCalendar } from '../../days/server/queries.ts'

/** How many visits stand on which holiday from today on. */
export const listBookedOff = async (db: TenantDb) => {
  const { today, holidays } = await getWorkCalendar(db)
  const { rows } = await sql<{ day: Day; visits: number }>`
    select v.day, count(*)::int as visits from visits v
    where v.business_id = ${db.businessId} and v.status = 'scheduled' and v.day >= ${today}
      and v.day = any(${sql.val([...holidays])}::date[])
    group by v.day order by v.day`.execute(db)
  return { today, days: rows }
}
