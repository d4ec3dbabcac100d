import { type SqlBool, sql } from 'kysely'
import type { Actor } from '../../../../platform/actor.ts'
import { clock } from '../../../../platform/clock.ts'
import { containing } from '../../../../platform/db/like.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { dayOf } from '../../../../shared/dates.ts'
import { crowMeters } from '../../../../solver/matrix.ts'
import type { RouteCandidate } from '../contract.ts'
import { cheapestPlace } from '../rules.ts'
import { getSavedRow } from './queries.ts'

const shown = 20

type Located = { jobId: string; latitude: number | null; longitude: number | null }
const at = ({ latitude, longitude }: { latitude: number | null; longitude: number | null }) =>
  latitude === null || longitude === null ? null : { lat: latitude, lng: longitude }

const located = async (db: TenantDb, jobIds: readonly string[]): Promise<Map<string, Located>> => {
  const { rows } = await sql<Located>`
    select j.id as "jobId", p.latitude, p.longitude from jobs j
    join properties p on p.business_id = j.business_id and p.id = j.property_id
    where j.business_id = ${db.businessId} and j.id = any(${[...jobIds]}::uuid[])`.execute(db)
  return new Map(rows.map((row) => [row.jobId, row]))
}

type Found = Located & { street: string; customerName: string; title: string; own: boolean }

/**
 * Jobs that come on the weekday of a saved route and do not stand in it, by words in customer or address, those of its crew first; each with the
 * stop behind which it costs the least, as the crow flies.
 */
export const findCandidates = async (db: TenantDb, actor: Actor, id: string, q: string): Promise<RouteCandidate[]> => {
  const route = await getSavedRow(db, id)
  const words = q
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => sql<SqlBool>`(c.name ilike ${containing(word)} or p.street ilike ${containing(word)})`)
  const { rows } = await sql<Found>`
    select j.id as "jobId", p.street, c.name as "customerName", j.title, p.latitude, p.longitude,
      j.crew_id is not distinct from ${route.crewId}::uuid as own
    from jobs j
    join properties p on p.business_id = j.business_id and p.id = j.property_id
    join customers c on c.business_id = j.business_id and c.id = j.customer_id
    where j.business_id = ${db.businessId} and j.status in ('active', 'paused') and j.archived_at is null
      and j.id <> all(${route.jobIds}::uuid[])
      and exists (select 1 from visits v where v.business_id = j.business_id and v.job_id = j.id and v.status = 'scheduled'
        and v.day >= ${dayOf(clock.now(), actor.timeZone)} and extract(dow from v.day) = ${route.weekday})
      ${words.length > 0 ? sql`and ${sql.join(words, sql` and `)}` : sql``}
    order by own desc, lower(c.name), j.id limit ${shown}`.execute(db)
  const places = await located(db, route.jobIds)
  const crew = await db
    .selectFrom('crews')
    .select(['depotLatitude as latitude', 'depotLongitude as longitude'])
    .where('businessId', '=', db.businessId)
    .where('id', '=', route.crewId)
    .executeTakeFirstOrThrow()
  const stops = route.jobIds.flatMap((jobId) => places.get(jobId) ?? [])
  return rows.map(({ latitude, longitude, own: _, ...job }) => {
    const place = cheapestPlace(at(crew), stops.map(at), at({ latitude, longitude }), crowMeters)
    return { ...job, afterJobId: stops[place - 1]?.jobId ?? null }
  })
}
