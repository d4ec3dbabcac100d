import { z } from 'zod'
import { askJson, ServiceError } from './ask-service.ts'
import { type Block, noWay, type Place, PlacesRefused, type TravelEngine, wayPatienceMs } from './travel-engine.ts'

/** OSRM's table and route services over HTTP, API version 1. */

const Cell = z.number().min(0).nullable()
const Table = z.object({
  code: z.literal('Ok'),
  durations: z.array(z.array(Cell)),
  distances: z.array(z.array(Cell)),
})

const Route = z.object({
  code: z.literal('Ok'),
  routes: z
    .array(
      z.object({
        geometry: z.object({
          type: z.literal('LineString'),
          coordinates: z.array(z.tuple([z.number().min(-180).max(180), z.number().min(-90).max(90)])).min(2),
        }),
      }),
    )
    .min(1),
})

/** `max-table-size` of osrm-routed counts coordinates and is 100 unless it was started with more. */
const places = 100

const at = ({ lat, lng }: Place): string => `${lng.toFixed(6)},${lat.toFixed(6)}`

const isGrid = (rows: readonly (readonly unknown[])[], height: number, width: number): boolean =>
  rows.length === height && rows.every((row) => row.length === width)

/**
 * OSRM as the engine.
 * @param settings.url where osrm-routed listens, as `http://osrm:5000`
 * @param settings.profile as in the path of its requests
 */
export const osrmEngine = (settings: { url: string; profile: string; timeoutMs?: number }): TravelEngine => ({
  id: `osrm:${settings.profile}`,
  limits: { sources: places, targets: places, pairs: places * places, places },
  keepDays: 180,
  bucketOf: () => 0,
  way: {
    places,
    ask: async (through, signal) => {
      const url = `${settings.url}/route/v1/${settings.profile}/${through.map(at).join(';')}?overview=full&geometries=geojson&steps=false`
      const answer = Route.parse(await askJson(url, { timeoutMs: settings.timeoutMs ?? wayPatienceMs, signal }))
      return answer.routes[0]!.geometry.coordinates.map(([lng, lat]) => ({ lat, lng }))
    },
  },
  ask: async (sources, targets, { signal }): Promise<Block> => {
    const numbers = (from: number, count: number) => Array.from({ length: count }, (_, i) => from + i).join(';')
    const url =
      `${settings.url}/table/v1/${settings.profile}/${[...sources, ...targets].map(at).join(';')}` +
      `?sources=${numbers(0, sources.length)}&destinations=${numbers(sources.length, targets.length)}&annotations=duration,distance`
    const { durations, distances } = Table.parse(
      await askJson(url, { timeoutMs: settings.timeoutMs ?? 10_000, signal }).catch((error: unknown) => {
        if (error instanceof ServiceError && /NoSegment|TooBig/.test(error.message))
          throw new PlacesRefused(error.message)
        throw error
      }),
    )
    if (!isGrid(durations, sources.length, targets.length) || !isGrid(distances, sources.length, targets.length))
      throw new Error('OSRM answered a table of another size.')
    const meters = distances.flat()
    return {
      seconds: Int32Array.from(durations.flat(), (s, i) => (s === null || meters[i] === null ? noWay : Math.round(s))),
      meters: Int32Array.from(meters, (m) => (m === null ? noWay : Math.round(m))),
    }
  },
})
