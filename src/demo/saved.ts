import { sql } from 'kysely'
import { saveDay } from '../features/routes/saved/server/commands.ts'
import type { Actor } from '../platform/actor.ts'
import { clock } from '../platform/clock.ts'
import { withTenant } from '../platform/db/tenant.ts'
import { addDays, type Day, dayOf } from '../shared/dates.ts'

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

type Driven = { day: Day; crewId: string; crewName: string; weekday: number; times: number }

/** Two weekdays of last week are kept as saved routes; one of them was driven in much less time five weeks ago. */
export const saveRoutes = async (owner: Actor): Promise<void> => {
  const today = dayOf(clock.now(), owner.timeZone)
  const { rows } = await withTenant(owner, (db) =>
    sql<Driven>`
      select max(r.day)::text as day, r.crew_id as "crewId", c.name as "crewName", extract(dow from r.day)::int as weekday, count(*)::int as times
      from routes r join crews c on c.business_id = r.business_id and c.id = r.crew_id
      where r.business_id = ${db.businessId} and r.status <> 'planned' and r.day < ${today}
      group by r.crew_id, c.name, extract(dow from r.day)
      order by count(*) desc, abs(extract(dow from r.day) - 2), c.name limit 2`.execute(db),
  )
  for (const { day, crewId, crewName, weekday } of rows)
    await saveDay(owner, { name: `${crewName} ${weekdays[weekday]}`, day, crewId })
  const [drifted] = rows
  if (!drifted) return
  await withTenant(owner, (db) =>
    sql`update routes set planned = jsonb_set(planned, '{driveSeconds}', to_jsonb(greatest(600, (planned->>'driveSeconds')::int - 2460)))
      where business_id = ${db.businessId} and crew_id = ${drifted.crewId} and planned is not null
        and extract(dow from day)::int = ${drifted.weekday} and day < ${addDays(drifted.day, -14)}`.execute(db),
  )
}
