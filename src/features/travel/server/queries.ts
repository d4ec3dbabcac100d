import { sql } from 'kysely'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { travelEngine } from '../../../platform/geo/engines.ts'
import type { Departure } from '../../../platform/geo/travel-engine.ts'
import type { EstimateSettings, Point } from '../../../solver/matrix.ts'
import { type Answered, fillTravelTimes, placeKey, type TravelTimes } from './fill.ts'

export { fromEngine, type TravelTimes } from './fill.ts'

const nothing: Answered = { cell: new Int32Array(0), seconds: new Int32Array(0), meters: new Int32Array(0) }

const bytesPerPair = 16

/** What the cache holds of the drives between these places, as the configured engine answered it. Empty without an engine. */
export const readAnswered = async (db: TenantDb, points: readonly Point[], departure: Departure): Promise<Answered> => {
  const engine = travelEngine()
  if (!engine || points.length < 2) return nothing
  const at = Map.groupBy(points.keys(), (i) => placeKey(points[i]!))
  at.delete(null)
  const keys = [...at.keys()] as number[]
  // Packed by the database: as single rows, 90,000 pairs would take the driver longer than the search for them.
  const { rows } = await sql<{ from: string; pairs: Buffer }>`
    select from_key as "from", string_agg(int8send(to_key) || int4send(seconds) || int4send(meters), ''::bytea) as pairs
    from travel_times
    where business_id = ${db.businessId} and engine = ${engine.id} and bucket = ${engine.bucketOf(departure)}
      and from_key = any(${sql.val(keys)}::bigint[]) and to_key = any(${sql.val(keys)}::bigint[])
    group by from_key`.execute(db)
  const cells: number[] = []
  const seconds: number[] = []
  const meters: number[] = []
  const add = (from: number, to: number, s: number, m: number): void => {
    cells.push(from * points.length + to)
    seconds.push(s)
    meters.push(m)
  }
  for (const same of at.values()) for (const from of same) for (const to of same) if (from !== to) add(from, to, 0, 0)
  for (const { from, pairs } of rows)
    for (let i = 0; i < pairs.length; i += bytesPerPair) {
      const [s, m] = [pairs.readInt32BE(i + 8), pairs.readInt32BE(i + 12)]
      const targets = at.get(Number(pairs.readBigInt64BE(i))) ?? []
      for (const source of at.get(Number(from)) ?? []) for (const target of targets) add(source, target, s, m)
    }
  return { cell: Int32Array.from(cells), seconds: Int32Array.from(seconds), meters: Int32Array.from(meters) }
}

/**
 * All drives between these places: from the cache what a road engine answered before, estimated what is missing there. Quick, and no service is
 * asked, so it may stand inside a transaction; `fetchDrives` asks the engine beforehand.
 */
export const readTravelTimes = async (
  db: TenantDb,
  points: readonly Point[],
  options: { estimate: EstimateSettings; departure: Departure },
): Promise<TravelTimes> => fillTravelTimes(points, options.estimate, await readAnswered(db, points, options.departure))
