import { z } from 'zod'
import { askJson, ServiceError } from './ask-service.ts'
import { type Block, noWay, type Place, PlacesRefused, type TravelEngine } from './travel-engine.ts'

/** OSRM's table service over HTTP, API version 1. */

const Cell = z.number().min(0).nullable()
const Table = z.object({
  code: z.literal('Ok'),
  durations: z.array(z.array(Cell)),
  distances: z.array(z.array(Cell)),
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
