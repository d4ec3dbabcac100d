import { clock } from '../../../platform/clock.ts'
import { ServiceError } from '../../../platform/geo/ask-service.ts'
import { travelEngine } from '../../../platform/geo/engines.ts'
import { type Place, type TravelEngine, wayPatienceMs } from '../../../platform/geo/travel-engine.ts'
import { log } from '../../../platform/log.ts'
import { crowMeters } from '../../../solver/matrix.ts'

/** How lines on a map run on roads. Only drawn, never reckoned with: what is not answered stays a straight line. */

type Point = { lat: number; lon: number }

/** Answers of this process, by engine, business and places; the oldest goes first. A point is about 50 bytes. */
const kept = new Map<string, { line: Point[]; size: number }>()
const mostKeptPoints = 500_000
let keptPoints = 0
const keep = (key: string, line: Point[], size: number): void => {
  keptPoints += size - (kept.get(key)?.size ?? 0)
  kept.set(key, { line, size })
  for (const [oldest, entry] of kept) {
    if (keptPoints <= mostKeptPoints) break
    kept.delete(oldest)
    keptPoints -= entry.size
  }
}

/** No crew drives farther in a day; what is longer would bring the roads of half a continent. */
const longestMeters = 600_000
/** A line that goes anywhere, and not too far to be drawn on roads. */
const canBeAsked = (points: readonly Point[]): boolean => {
  let meters = 0
  for (const [i, point] of points.entries()) {
    const before = points[i - 1] ?? point
    meters += crowMeters({ lat: before.lat, lng: before.lon }, { lat: point.lat, lng: point.lon })
  }
  return meters > 0 && meters <= longestMeters
}
/** An engine that answered nothing is left alone for a minute, so that not every look at a map waits for it. */
const restMs = 60_000
const restingUntil = new Map<string, number>()

/** A way begins and ends on a road near where it was asked for: farther off it is another way. */
const farthestDegrees = 0.05

const isNear = (a: Point | undefined, b: Point | undefined): boolean =>
  a !== undefined &&
  b !== undefined &&
  Math.abs(a.lat - b.lat) < farthestDegrees &&
  Math.abs(a.lon - b.lon) < farthestDegrees

const rounded = (degrees: number): number => Math.round(degrees * 1e5) / 1e5

const askInParts = async (
  way: NonNullable<TravelEngine['way']>,
  points: readonly Point[],
  signal: AbortSignal,
): Promise<Point[]> => {
  const places = points.map(({ lat, lon }): Place => ({ lat, lng: lon }))
  const line: Point[] = []
  for (let from = 0; from < places.length - 1; from += way.places - 1) {
    const part = await way.ask(places.slice(from, from + way.places), signal)
    // a long way has more points than a call takes arguments
    for (const { lat, lng } of part.slice(from === 0 ? 0 : 1)) line.push({ lat: rounded(lat), lon: rounded(lng) })
  }
  if (line.length < 2 || !isNear(line[0], points[0]) || !isNear(line.at(-1), points.at(-1)))
    throw new Error('The engine answered another way.')
  return line
}

/**
 * How each of these lines runs on roads; null where there is no engine, it does not answer, or answers nonsense.
 * `again` says that another try may bring more.
 */
export const findWays = async (
  businessId: string,
  lines: readonly (readonly Point[])[],
): Promise<{ ways: (Point[] | null)[]; again: boolean }> => {
  const engine = travelEngine()
  const way = engine?.way
  if (!engine || !way) return { ways: lines.map(() => null), again: false }
  const isResting = () => (restingUntil.get(engine.id) ?? 0) > clock.nowMs()
  const signal = AbortSignal.timeout(2 * wayPatienceMs)
  let again = false
  const one = async (points: readonly Point[]): Promise<Point[] | null> => {
    if (!canBeAsked(points)) return null
    const key = `${engine.id} ${businessId} ${points.map(({ lat, lon }) => `${rounded(lat)},${rounded(lon)}`).join(';')}`
    const found = kept.get(key)
    if (found) return found.line
    if (isResting() || signal.aborted) {
      again = true
      return null
    }
    try {
      const line = await askInParts(way, points, signal)
      keep(key, line, line.length + points.length)
      return line
    } catch (error) {
      log.warn({ err: error, engine: engine.id }, 'the road engine gave no way for a map; the line stays straight')
      // places that no road reaches are no fault of the engine's: others still get their roads
      const isAway = error instanceof ServiceError && error.passing
      if (isAway) restingUntil.set(engine.id, clock.nowMs() + restMs)
      again ||= isAway || signal.aborted
      return null
    }
  }
  // in turns: the engine has drives to answer too
  const ways: (Point[] | null)[] = []
  for (const points of lines) ways.push(await one(points))
  return { ways, again }
}
