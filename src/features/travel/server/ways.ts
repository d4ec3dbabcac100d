import { clock } from '../../../platform/clock.ts'
import { ServiceError } from '../../../platform/geo/ask-service.ts'
import { travelEngine } from '../../../platform/geo/engines.ts'
import { type Place, type TravelEngine, wayPatienceMs } from '../../../platform/geo/travel-engine.ts'
import { log } from '../../../platform/log.ts'

/** How lines on a map run on roads. Only drawn, never reckoned with: what is not answered stays a straight line. */

type Point = { lat: number; lon: number }

/** Answers of this process, by engine, business and places; the oldest goes first. */
const kept = new Map<string, Point[]>()
const mostKept = 400
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
    line.push(...part.slice(from === 0 ? 0 : 1).map(({ lat, lng }) => ({ lat: rounded(lat), lon: rounded(lng) })))
  }
  if (line.length < 2 || !isNear(line[0], points[0]) || !isNear(line.at(-1), points.at(-1)))
    throw new Error('The engine answered another way.')
  return line
}

/** How each of these lines runs on roads; null where there is no engine, it does not answer, or answers nonsense. */
export const findWays = async (
  businessId: string,
  lines: readonly (readonly Point[])[],
): Promise<(Point[] | null)[]> => {
  const engine = travelEngine()
  const way = engine?.way
  if (!engine || !way) return lines.map(() => null)
  const resting = () => (restingUntil.get(engine.id) ?? 0) > clock.nowMs()
  const signal = AbortSignal.timeout(2 * wayPatienceMs)
  const one = async (points: readonly Point[]): Promise<Point[] | null> => {
    const key = `${engine.id} ${businessId} ${points.map(({ lat, lon }) => `${rounded(lat)},${rounded(lon)}`).join(';')}`
    const found = kept.get(key)
    if (found) return found
    if (resting()) return null
    try {
      const line = await askInParts(way, points, signal)
      kept.set(key, line)
      const oldest = kept.keys().next().value
      if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest)
      return line
    } catch (error) {
      log.warn({ err: error, engine: engine.id }, 'the road engine gave no way for a map; the line stays straight')
      // a place that no road reaches is no fault of the engine's
      const isAway = !(error instanceof ServiceError) || error.passing
      if (isAway) restingUntil.set(engine.id, clock.nowMs() + restMs)
      return null
    }
  }
  // in turns: the engine has drives to answer too
  const found: (Point[] | null)[] = []
  for (const points of lines) found.push(await one(points))
  return found
}
