import { sql } from 'kysely'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { addDays, type Day, instantAt } from '../../../../shared/dates.ts'
import { type Fix, mismatchesOf, reachOf } from '../rules.ts'

/** A week of places at the shortest distance between two. */
const mostPlaces = 6_000
const mostVisits = 300

type VisitRow = {
  visitId: string
  street: string
  day: Day
  startedAt: string
  finishedAt: string
  latitude: number
  longitude: number
  corners: [number, number][] | null
}

/**
 * Stops of a person's days whose start or finish their own phone saw otherwise. Only as long as positions are kept, and only of who shares them.
 * @param crewIds the crews that they were on the clock with
 */
export const listMismatches = async (
  db: TenantDb,
  { userId, from, to, crewIds }: { userId: string; from: Day; to: Day; crewIds: readonly string[] },
  timeZone: string,
) => {
  if (crewIds.length === 0) return []
  const fixes: Fix[] = await db
    .selectFrom('positions')
    .select(['at', 'latitude', 'longitude', 'accuracyMeters'])
    .where('businessId', '=', db.businessId)
    .where('userId', '=', userId)
    .where('at', '>=', instantAt(from, 0, timeZone))
    .where('at', '<', instantAt(addDays(to, 1), 0, timeZone))
    .orderBy('at')
    .limit(mostPlaces)
    .execute()
  if (fixes.length === 0) return []
  const { rows } = await sql<VisitRow>`
    select v.id as "visitId", p.street, v.day, v.started_at as "startedAt", v.finished_at as "finishedAt", p.latitude, p.longitude,
      (select jsonb_agg(corner.value) from property_areas a, jsonb_array_elements(a.rings->0) as corner(value)
        where a.business_id = p.business_id and a.property_id = p.id and jsonb_typeof(a.rings) = 'array') as corners
    from visits v
    join properties p on p.business_id = v.business_id and p.id = v.property_id
    where v.business_id = ${db.businessId} and v.day between ${from} and ${to} and v.status = 'completed'
      and coalesce(v.published_crew_id, v.crew_id) = any(${sql.val([...crewIds])}::uuid[])
      and v.started_at is not null and v.finished_at is not null and p.latitude is not null and p.longitude is not null
    order by v.started_at
    limit ${mostVisits}`.execute(db)
  return rows.flatMap(({ corners, ...visit }) =>
    mismatchesOf({ ...visit, reachMeters: reachOf(visit, corners ?? []) }, fixes).map((mismatch) => ({
      visitId: visit.visitId,
      street: visit.street,
      day: visit.day,
      ...mismatch,
    })),
  )
}
