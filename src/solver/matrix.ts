import type { Matrix } from './problem.ts'

export type Point = { lat: number; lng: number }

/** Seconds = factorSeconds x km^exponent, km as the crow flies; meters = crow meters x circuity. */
export type EstimateSettings = { factorSeconds?: number; exponent?: number; circuity?: number }

/**
 * Factor and exponent were fitted on 2,450 pairs of 0.3 to 12 km answered by Valhalla 3.6.1 over OpenStreetMap roads of
 * the suburbs of Harrisburg, Pennsylvania (absolute error: median 14 %, p90 37 %). Circuity 1.4 is the usual ratio of
 * road to crow-flight distance in US towns; refit all three from clocked drives where there are any.
 */
export const ESTIMATE_DEFAULTS = { factorSeconds: 180, exponent: 0.66, circuity: 1.4 } as const

const EARTH_RADIUS_METERS = 6371008.8
const RADIANS = Math.PI / 180

/** Crow-flight meters between two points in degrees (haversine on the mean Earth radius). NaN if a coordinate is not finite. */
export function crowMeters(a: Point, b: Point): number {
  const sinLat = Math.sin(((b.lat - a.lat) * RADIANS) / 2)
  const sinLng = Math.sin(((b.lng - a.lng) * RADIANS) / 2)
  const h = sinLat * sinLat + Math.cos(a.lat * RADIANS) * Math.cos(b.lat * RADIANS) * sinLng * sinLng
  return 2 * EARTH_RADIUS_METERS * Math.asin(Math.min(1, Math.sqrt(h)))
}

/** Estimated drive over crow-flight meters: whole seconds and whole meters. */
export function estimateDrive(
  metersByCrow: number,
  settings: EstimateSettings = {},
): { seconds: number; meters: number } {
  const { factorSeconds, exponent, circuity } = { ...ESTIMATE_DEFAULTS, ...settings }
  if (metersByCrow <= 0) return { seconds: 0, meters: 0 }
  return {
    seconds: Math.round(factorSeconds * (metersByCrow / 1000) ** exponent),
    meters: Math.round(metersByCrow * circuity),
  }
}

/** True where a point can be on the map: finite, latitude within 90 degrees, longitude within 180. */
export function isOnMap(point: Point): boolean {
  return Math.abs(point.lat) <= 90 && Math.abs(point.lng) <= 180
}

/**
 * The estimated matrix between points in degrees, for when no road engine answers. A point off the map is
 * unreachable (-1) from everywhere but itself.
 */
export function estimateMatrix(points: Point[], settings: EstimateSettings = {}): Matrix {
  const size = points.length
  const seconds = new Int32Array(size * size)
  const meters = new Int32Array(size * size)
  const onMap = points.map(isOnMap)
  for (let from = 0; from < size; from++) {
    for (let to = 0; to < from; to++) {
      const drive =
        onMap[from] && onMap[to]
          ? estimateDrive(crowMeters(points[from]!, points[to]!), settings)
          : { seconds: -1, meters: -1 }
      seconds[from * size + to] = seconds[to * size + from] = drive.seconds
      meters[from * size + to] = meters[to * size + from] = drive.meters
    }
  }
  return { size, seconds, meters }
}
