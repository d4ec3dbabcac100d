import { sql } from 'kysely'
import type { SavedRoute } from '../features/routes/saved/contract.ts'
import { changeSavedRoute, saveDay } from '../features/routes/saved/server/commands.ts'
import type { Actor } from '../platform/actor.ts'
import { clock } from '../platform/clock.ts'
import { withTenant } from '../platform/db/tenant.ts'
import { addDays, type Day, dayOf, weekdayNames } from '../shared/dates.ts'

type Driven = { day: Day; crewId: string; crewName: string; weekday: number; times: number }

/** A lawn of another weekday that is nearest to one of the route's is put behind it by hand. */
const addNear = async (owner: Actor, { id, version, name, weekday, crewId, stops }: SavedRoute): Promise<void> => {
  const jobIds = stops.map((stop) => stop.jobId)
  const { rows } = await withTenant(owner, (db) =>
    sql<{ jobId: string; afterId: string }>`
      select n.id as "jobId", s.id as "afterId"
      from jobs n join properties np on np.business_id = n.business_id and np.id = n.property_id,
        jobs s join properties sp on sp.business_id = s.business_id and sp.id = s.property_id
      where n.business_id = ${db.businessId} and s.business_id = ${db.businessId} and n.crew_id = ${crewId} and n.status = 'active'
        and s.id = any(${jobIds}::uuid[]) and n.property_id not in (
          select property_id from jobs where business_id = ${db.businessId} and id = any(${jobIds}::uuid[]))
        and exists (select 1 from visits v where v.business_id = n.business_id and v.job_id = n.id and v.day > current_date)
      order by (np.latitude - sp.latitude) ^ 2 + (np.longitude - sp.longitude) ^ 2, n.id limit 1`.execute(db),
  )
  const [near] = rows
  if (!near) return
  const at = jobIds.indexOf(near.afterId) + 1
  await changeSavedRoute(owner, id, { version, name, weekday, crewId, jobIds: jobIds.toSpliced(at, 0, near.jobId) })
}

/** Two weekdays of last week are kept as saved routes; one of them was driven in much less time five weeks ago, the other has a stop of its own. */
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
  let last: SavedRoute | null = null
  for (const { day, crewId, crewName, weekday } of rows)
    last = await saveDay(owner, { name: `${crewName} ${weekdayNames[weekday]}`, day, crewId })
  if (last) await addNear(owner, last)
  const [drifted] = rows
  if (!drifted) return
  await withTenant(owner, (db) =>
    sql`update routes set planned = jsonb_set(planned, '{driveSeconds}', to_jsonb(greatest(600, (planned->>'driveSeconds')::int - 2460)))
      where business_id = ${db.businessId} and crew_id = ${drifted.crewId} and planned is not null
        and extract(dow from day)::int = ${drifted.weekday} and day < ${addDays(drifted.day, -14)}`.execute(db),
  )
}
