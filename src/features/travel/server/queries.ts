import { sql } from 'kysely'
import { type TenantDb, type TenantScope, withTenant } from '../../../platform/db/tenant.ts'
import { travelEngine } from '../../../platform/geo/engines.ts'
import type { Departure } from '../../../platform/geo/travel-engine.ts'
import { inThread } from '../../../platform/threads.ts'
import type { EstimateSettings, Point } from '../../../solver/matrix.ts'
import type { Matrix } from '../../../solver/problem.ts'
import { type Answered, type fillShared, fillTravelTimes, placeKey, type TravelTimes, unpackDrives } from './fill.ts'

export { fromEngine, type TravelTimes } from './fill.ts'

/** What the cache holds of the drives between these places, as the configured engine answered it. Null without an engine. */
const readPacked = async (
  db: TenantDb,
  points: readonly Point[],
  departure: Departure,
): Promise<{ from: string; pairs: Buffer }[] | null> => {
  const engine = travelEngine()
  if (!engine || points.length < 2) return null
  const keys = [...new Set(points.map(placeKey))].filter((key) => key !== null)
  // Packed by the database: as single rows, 90,000 pairs would take the driver longer than the search for them.
  const { rows } = await sql<{ from: string; pairs: Buffer }>`
    select from_key as "from", string_agg(int8send(to_key) || int4send(seconds) || int4send(meters), ''::bytea) as pairs
    from travel_times
    where business_id = ${db.businessId} and engine = ${engine.id} and bucket = ${engine.bucketOf(departure)}
      and from_key = any(${sql.val(keys)}::bigint[]) and to_key = any(${sql.val(keys)}::bigint[])
    group by from_key`.execute(db)
  return rows
}

/** The same in columns. Empty without an engine. */
export const readAnswered = async (db: TenantDb, points: readonly Point[], departure: Departure): Promise<Answered> =>
  unpackDrives(points, await readPacked(db, points, departure))

/**
 * All drives between these places: from the cache what a road engine answered before, estimated what is missing there. Quick, and no service is
 * asked, so it may stand inside a transaction; `fetchDrives` asks the engine beforehand.
 */
export const readTravelTimes = async (
  db: TenantDb,
  points: readonly Point[],
  options: { estimate: EstimateSettings; departure: Departure },
): Promise<TravelTimes> => fillTravelTimes(points, options.estimate, await readAnswered(db, points, options.departure))

/**
 * The same of many places, in memory that threads share: what grows with the square of the places is counted in a thread, so that nobody's
 * request waits for it.
 */
export const readSharedTravelTimes = async (
  scope: TenantScope,
  points: readonly Point[],
  { estimate, departure }: { estimate: EstimateSettings; departure: Departure },
): Promise<Matrix> => {
  const rows = await withTenant(scope, (db) => readPacked(db, points, departure))
  return inThread<typeof fillShared>(new URL('./fill.ts', import.meta.url), 'fillShared', {
    points,
    estimate,
    // Copies: a buffer of the driver is a piece of a larger one, and a thread is sent all of it.
    rows: rows?.map(({ from, pairs }) => ({ from, pairs: Uint8Array.from(pairs) })) ?? null,
  })
}
