import { setImmediate } from 'node:timers/promises'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { travelEngine } from '../../../../platform/geo/engines.ts'
import type { Departure } from '../../../../platform/geo/travel-engine.ts'
import { crowMeters, estimateDrive, type Point } from '../../../../solver/matrix.ts'
import { readTravelTimes } from '../../../travel/server/queries.ts'

/**
 * Drives between places, row by row, in memory that planning threads share. -1 seconds: there is no way. `source` is as in `travel`: not zero
 * where a road engine has answered.
 */
export type TravelTimes = { size: number; seconds: Int32Array; meters: Int32Array; source: Uint8Array | null }

export type DriveSettings = { driveFactorSeconds: number; driveExponent: number }

/** A slice of work after which others have their turn: a big day must not hold up the server. */
const sliceMs = 6

/** Room for a square of numbers that threads share. */
export const sharedSquare = (size: number): Int32Array => new Int32Array(new SharedArrayBuffer(size * size * 4))

/** Estimated drives between all places. */
const estimated = async (points: readonly Point[], settings: DriveSettings): Promise<TravelTimes> => {
  const size = points.length
  const [seconds, meters] = [sharedSquare(size), sharedSquare(size)]
  const curve = { factorSeconds: settings.driveFactorSeconds, exponent: settings.driveExponent }
  let began = performance.now()
  for (let from = 0; from < size; from++) {
    for (let to = 0; to < from; to++) {
      const drive = estimateDrive(crowMeters(points[from]!, points[to]!), curve)
      seconds[from * size + to] = seconds[to * size + from] = drive.seconds
      meters[from * size + to] = meters[to * size + from] = drive.meters
    }
    if (performance.now() - began < sliceMs) continue
    await setImmediate()
    began = performance.now()
  }
  return { size, seconds, meters, source: null }
}

const kept = new Map<string, Promise<TravelTimes>>()
const mostKept = 12

/** The last few estimates are kept, because an open screen asks for the same day again with every step of a crew. */
const keptEstimate = (db: TenantDb, points: readonly Point[], settings: DriveSettings): Promise<TravelTimes> => {
  const key = JSON.stringify([
    db.businessId,
    settings.driveFactorSeconds,
    settings.driveExponent,
    points.map((p) => [p.lat, p.lng]),
  ])
  const known = kept.get(key) ?? estimated(points, settings)
  kept.delete(key)
  kept.set(key, known)
  for (const old of kept.keys()) if (kept.size > mostKept) kept.delete(old)
  known.catch(() => kept.delete(key))
  return known
}

/** Drives between all of these places of a business, as roads were answered so far; the one place where plans learn of travel. Asks nobody. */
export const travelTimesBetween = async (
  db: TenantDb,
  points: readonly Point[],
  settings: DriveSettings,
  departure: Departure,
): Promise<TravelTimes> => {
  if (!travelEngine()) return keptEstimate(db, points, settings)
  const estimate = { factorSeconds: settings.driveFactorSeconds, exponent: settings.driveExponent }
  return readTravelTimes(db, points, { estimate, departure })
}
