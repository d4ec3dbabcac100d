import { sql } from 'kysely'
import { clock } from '../../../../platform/clock.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { addDays, type Day, instantAt } from '../../../../shared/dates.ts'

/** Minutes of break that crews have had on the clock on a day, by crew: of the one of each who had most. A break that runs counts until now. */
export const breaksTaken = async (db: TenantDb, day: Day, timeZone: string): Promise<ReadonlyMap<string, number>> => {
  const { rows } = await sql<{ crewId: string; minutes: number }>`
    select p.crew_id, round(max(p.seconds) / 60.0)::int as minutes
    from (select t.crew_id, sum(extract(epoch from coalesce(t.ended_at, ${clock.iso()}) - t.started_at)) as seconds from time_entries t
      where t.business_id = ${db.businessId} and t.kind = 'break' and t.crew_id is not null
        and t.started_at >= ${instantAt(day, 0, timeZone)} and t.started_at < ${instantAt(addDays(day, 1), 0, timeZone)}
      group by t.crew_id, t.user_id) p
    group by p.crew_id`.execute(db)
  return new Map(rows.map(({ crewId, minutes }) => [crewId, minutes]))
}
