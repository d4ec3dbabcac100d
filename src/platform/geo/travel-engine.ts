import type { Day } from '../../shared/dates.ts'

/** A road engine that answers how long drives take, over HTTP or beside us. */

export type Place = { lat: number; lng: number }

/** When drives begin, in the zone of the business: an engine that knows traffic answers for that kind of day and hour. */
export type Departure = { day: Day; minute: number; timeZone: string }

/** Row-major `[source * targets + target]`, whole seconds and meters. */
export type Block = { seconds: Int32Array; meters: Int32Array }

/** In a block: the engine knows no way between two places. */
export const noWay = -1
/** In a block: the engine did not answer for this pair; it is asked again another time. */
export const notAnswered = -2

export type TravelEngine = {
  /** Names answers in the cache; another profile or traffic mode is another id. */
  id: string
  /** The most that one call may ask: sources, targets, pairs, and places in all. */
  limits: { sources: number; targets: number; pairs: number; places: number }
  /** Answers older than that are asked for again. */
  keepDays: number
  /** Which kind of day and hour an answer is for; always 0 for engines without traffic. */
  bucketOf: (departure: Departure) => number
  /**
   * One call within the limits.
   * @throws Error when the engine does not answer, or answers with anything but the whole block; nothing of such an answer is used
   */
  ask: (
    sources: readonly Place[],
    targets: readonly Place[],
    options: { departure: Departure; signal: AbortSignal },
  ) => Promise<Block>
  /** The way on roads through places in their order, for maps; absent where an engine may not be drawn on a map of ours. */
  way?: {
    /** The most places of one call, first and last included. */
    places: number
    /**
     * One call within that limit.
     * @throws Error when the engine does not answer, or answers with anything but a line
     */
    ask: (places: readonly Place[], signal: AbortSignal) => Promise<Place[]>
  }
}

/** Longer than this nobody waits for how a line runs. */
export const wayPatienceMs = 5_000

/** What an engine refuses because of these places (too far apart, off its map): fewer of them may be answered. */
export class PlacesRefused extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'PlacesRefused'
  }
}
