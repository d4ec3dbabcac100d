import { createRequire } from 'node:module'
import { ServiceError } from './ask-service.ts'
import { PlacesRefused, type TravelEngine } from './travel-engine.ts'
import {
  refusedByValhalla,
  valhallaBlock,
  valhallaLimits,
  valhallaQuery,
  valhallaWay,
  valhallaWayPlaces,
  valhallaWayQuery,
} from './valhalla.ts'

/** Valhalla in this process: its npm package is 280 MB, so it is not ours but may be installed beside us. */

type Actor = Record<'matrix' | 'route', (query: object) => Promise<unknown>>
type Package = {
  Actor: new (config: object) => Actor
  getConfig: (options: { tileDir: string; verbose: boolean }) => Promise<object>
}

const require = createRequire(import.meta.url)

/** True when the package can be loaded, by its name or from a folder. */
export const hasValhalla = (name: string): boolean => {
  try {
    require.resolve(name)
    return true
  } catch {
    return false
  }
}

/**
 * Valhalla in this process as the engine. Its work runs in threads of its own; the first question loads it.
 * @param settings.tiles folder made by `valhalla build_tiles`
 * @param settings.package name or absolute folder of the npm package
 */
export const localValhallaEngine = (settings: { tiles: string; package: string; profile: string }): TravelEngine => {
  let actor: Promise<Actor> | undefined
  const load = async (): Promise<Actor> => {
    const { Actor: Engine, getConfig } = require(settings.package) as Package
    return new Engine(await getConfig({ tileDir: settings.tiles, verbose: false }))
  }
  const asked = async <T>(signal: AbortSignal, question: (engine: Actor) => Promise<T>): Promise<T> => {
    actor ??= load()
    try {
      const engine = await actor
      signal.throwIfAborted()
      return await question(engine)
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      if (refusedByValhalla(message)) throw new PlacesRefused(message)
      throw new ServiceError(`Valhalla on this machine: ${message}`, { passing: false, cause: error })
    }
  }
  return {
    id: `valhalla-local:${settings.profile}`,
    limits: valhallaLimits,
    keepDays: 180,
    bucketOf: () => 0,
    way: {
      places: valhallaWayPlaces,
      ask: (places, signal) =>
        asked(signal, async (engine) => valhallaWay(await engine.route(valhallaWayQuery(places, settings.profile)))),
    },
    ask: (sources, targets, { signal }) =>
      asked(signal, async (engine) => {
        const answer = await engine.matrix(valhallaQuery(sources, targets, settings.profile))
        return valhallaBlock(answer, sources.length, targets.length)
      }),
  }
}
