import { z } from 'zod'
import { askJson, ServiceError } from './ask-service.ts'
import { type Block, noWay, type Place, PlacesRefused, type TravelEngine, wayPatienceMs } from './travel-engine.ts'

/** Valhalla's matrix (`sources_to_targets`) and its ways (`route`), over HTTP; the one beside us answers in the same shapes. */

const Cell = z.number().min(0).nullable()
const Concise = z.object({ durations: z.array(z.array(Cell)), distances: z.array(z.array(Cell)) })
const Pair = z.object({ from_index: z.int().min(0), to_index: z.int().min(0), time: Cell, distance: Cell })
const Answer = z.object({
  // Servers before 3.3 know only the long form, whatever is asked for.
  sources_to_targets: z.union([Concise, z.array(z.array(Pair))]),
  units: z.enum(['kilometers', 'km', 'miles', 'mi']).optional(),
})

/** Too far for the server's limit, off its map, or on no road: another set of places may be answered. */
const aboutPlaces =
  /Path distance exceeds|No suitable edges|No path could be found|locations are in unconnected regions|Exceeded max locations|No tile|"error_code":(15[04]|17[01]|442)\b/i

/** Says so when what Valhalla refuses is these places. */
export const refusedByValhalla = (message: string): boolean => aboutPlaces.test(message)

/** `max_matrix_location_pairs` is 2,500 unless the server was started with more. */
export const valhallaLimits = { sources: 50, targets: 50, pairs: 2500, places: 100 }

/** The body of a request. */
export const valhallaQuery = (sources: readonly Place[], targets: readonly Place[], costing: string) => {
  const at = ({ lat, lng }: Place) => ({ lat: Number(lat.toFixed(6)), lon: Number(lng.toFixed(6)) })
  return { sources: sources.map(at), targets: targets.map(at), costing, units: 'kilometers', verbose: false }
}

/**
 * The block in an answer of Valhalla.
 * @throws Error when it is not the whole block
 */
export const valhallaBlock = (answer: unknown, height: number, width: number): Block => {
  const { sources_to_targets: table, units } = Answer.parse(answer)
  const metersPerUnit = units === 'miles' || units === 'mi' ? 1609.344 : 1000
  const seconds: (number | null)[][] = Array.isArray(table)
    ? table.map((row) => row.map((p) => p.time))
    : table.durations
  const lengths: (number | null)[][] = Array.isArray(table)
    ? table.map((row) => row.map((p) => p.distance))
    : table.distances
  const inOrder =
    !Array.isArray(table) || table.every((row, i) => row.every((p, j) => p.from_index === i && p.to_index === j))
  const whole = (rows: readonly (readonly unknown[])[]) =>
    rows.length === height && rows.every((r) => r.length === width)
  if (!inOrder || !whole(seconds) || !whole(lengths)) throw new Error('Valhalla answered a matrix of another size.')
  const far = lengths.flat()
  return {
    seconds: Int32Array.from(seconds.flat(), (s, i) => (s === null || far[i] == null ? noWay : Math.round(s))),
    meters: Int32Array.from(far, (d) => (d === null ? noWay : Math.round(d * metersPerUnit))),
  }
}

/** `max_locations` of a route is 20 unless the server was started with more. */
export const valhallaWayPlaces = 20

/** The body of a request for a way. */
export const valhallaWayQuery = (places: readonly Place[], costing: string) => ({
  locations: places.map(({ lat, lng }) => ({ lat: Number(lat.toFixed(6)), lon: Number(lng.toFixed(6)) })),
  costing,
  directions_type: 'none',
})

const Trip = z.object({
  trip: z.object({ status: z.literal(0), legs: z.array(z.object({ shape: z.string().min(2) })).min(1) }),
})

/** A line as Valhalla writes it down: differences in millionths of a degree, five bits to a letter. */
const readShape = (text: string): Place[] => {
  const places: Place[] = []
  const last = [0, 0]
  let i = 0
  const next = (): number => {
    let bits = 0
    for (let shift = 0; ; shift += 5) {
      const part = text.charCodeAt(i++) - 63
      if (Number.isNaN(part) || part < 0 || part > 63 || shift > 30) throw new Error('Valhalla answered no line.')
      bits |= (part & 31) << shift
      if (part < 32) return bits & 1 ? ~(bits >> 1) : bits >> 1
    }
  }
  while (i < text.length) {
    last[0]! += next()
    last[1]! += next()
    places.push({ lat: last[0]! / 1e6, lng: last[1]! / 1e6 })
  }
  return places
}

/**
 * The line in an answer of Valhalla.
 * @throws Error when there is none
 */
export const valhallaWay = (answer: unknown): Place[] =>
  Trip.parse(answer).trip.legs.flatMap(({ shape }, i) => readShape(shape).slice(i === 0 ? 0 : 1))

/**
 * Valhalla as the engine.
 * @param settings.url where valhalla_service listens, as `http://valhalla:8002`
 * @param settings.profile its costing: `auto`, `truck` and so on
 */
export const valhallaEngine = (settings: { url: string; profile: string; timeoutMs?: number }): TravelEngine => ({
  id: `valhalla:${settings.profile}`,
  limits: valhallaLimits,
  keepDays: 180,
  bucketOf: () => 0,
  way: {
    places: valhallaWayPlaces,
    ask: async (places, signal) =>
      valhallaWay(
        await askJson(`${settings.url}/route`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(valhallaWayQuery(places, settings.profile)),
          timeoutMs: settings.timeoutMs ?? wayPatienceMs,
          signal,
        }),
      ),
  },
  ask: async (sources, targets, { signal }) => {
    const answer = await askJson(`${settings.url}/sources_to_targets`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(valhallaQuery(sources, targets, settings.profile)),
      timeoutMs: settings.timeoutMs ?? 15_000,
      signal,
    }).catch((error: unknown) => {
      if (error instanceof ServiceError && !error.passing && refusedByValhalla(error.message))
        throw new PlacesRefused(error.message)
      throw error
    })
    return valhallaBlock(answer, sources.length, targets.length)
  },
})
