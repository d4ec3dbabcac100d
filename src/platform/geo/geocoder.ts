import type { Address } from '../../shared/places.ts'

/** A service that knows where addresses are. */

export type FoundAddress = {
  lat: number
  lng: number
  quality: 'rooftop' | 'street' | 'zip' | 'county'
  /** It knows more than one such address, far apart. */
  several: boolean
  /** The address as the service writes it. */
  label: string
}

export type Geocoder = {
  /** Names answers in the cache. */
  id: string
  name: string
  /** How many addresses one call takes. */
  batch: number
  /** Least time between the beginnings of two calls, over all processes. */
  everyMs: number
  /** Answers older than that are asked for again. */
  keepDays: number
  /**
   * One call; null for an address that the service does not know.
   * @throws Error when it does not answer, or not for every address; nothing of such an answer is used
   */
  find: (addresses: readonly Address[], signal: AbortSignal) => Promise<(FoundAddress | null)[]>
}
