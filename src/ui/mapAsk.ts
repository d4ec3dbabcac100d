import type { StyleSpecification } from 'maplibre-gl'
import { call } from '../shared/client.ts'
import { type MapSettings, mapSettingsPath, visitorMapSettingsPath } from '../shared/maps.ts'
import { paths } from '../shared/paths.ts'

/** How a map asks for what it is drawn with. */

/** Longer than this nobody waits for streets. */
export const patienceMs = 3_000

/** Where the view is, so that the square which is asked for first is one that is needed. */
export type View = { lat: number; lon: number; zoom: number }
export type Square = { z: number; x: number; y: number }

/** A base map that has answered, and the sources without which it is none. */
export type Base = {
  style: StyleSpecification
  watched: string[]
  /** Not drawn by us: MapLibre looks at it before it takes it. */
  isForeign?: boolean
}

export const noAnswer = (what: string, cause?: unknown): Error => new Error(`No map from ${what}.`, { cause })

/** A promise that ends with the signal at the latest, for work that cannot be called off. */
export const within = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    const late = () => reject(noAnswer('whoever is asked', signal.reason))
    if (signal.aborted) return late()
    signal.addEventListener('abort', late, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', late))
  })

const memories: Map<string, unknown>[] = []
/** Before another try after a failure: what was answered may be what no longer holds. */
export const forgetAnswers = (): void => memories.forEach((memory) => void memory.clear())

/** Kept once it was answered; what failed is asked again. */
export const kept = <T>(ask: (key: string) => Promise<T>) => {
  const answers = new Map<string, Promise<T>>()
  memories.push(answers)
  return (key: string): Promise<T> => {
    const found = answers.get(key)
    if (found) return found
    const made = ask(key)
    answers.set(key, made)
    made.catch(() => answers.delete(key))
    return made
  }
}

const settings = kept(
  (path) =>
    call({ method: 'GET', path }, {}, { retries: 0, signal: AbortSignal.timeout(patienceMs) }) as Promise<MapSettings>,
)
const businessPage = `${paths.profile}/`
/** What the maps of this server are drawn with; on the page of a business nobody is signed in. */
export const mapSettings = (): Promise<MapSettings> =>
  settings(location.pathname.startsWith(businessPage) ? visitorMapSettingsPath : mapSettingsPath)

/** What an address answers, when it answers well. */
export const get = async (url: string, signal: AbortSignal): Promise<Response> => {
  const response = await fetch(url, { signal, credentials: 'omit' })
  if (!response.ok) throw noAnswer(new URL(url, location.href).host, response.status)
  return response
}

export const squareAt = ({ lat, lon, zoom }: View, from: number, to: number): Square => {
  const z = Math.min(Math.max(Math.floor(zoom), from), to)
  const radians = (lat * Math.PI) / 180
  const count = 2 ** z
  const among = (share: number) => Math.min(count - 1, Math.max(0, Math.floor(share * count)))
  return { z, x: among((lon + 180) / 360), y: among((1 - Math.asinh(Math.tan(radians)) / Math.PI) / 2) }
}

export const filled = (template: string, { z, x, y }: Square): string =>
  template.replace('{z}', String(z)).replace('{x}', String(x)).replace('{y}', String(y))

/** A vector tile is a row of layers, each behind the same mark and its own length: whatever does not add up is something else. */
export const isVectorTile = (bytes: Uint8Array): boolean => {
  let at = 0
  const number = (): number => {
    let value = 0
    for (let shift = 1; at < bytes.length; shift *= 128) {
      const byte = bytes[at++] ?? 0
      value += (byte & 127) * shift
      if (byte < 128) return value
    }
    return Number.NaN
  }
  while (at < bytes.length) {
    if (bytes[at++] !== 0x1a) return false
    const length = number()
    at += length
  }
  return bytes.length > 0 && at === bytes.length
}

/** Fails unless a vector tile is at the address, or the word (204) that there is nothing to draw, as on the sea. */
export const checkVector = async (url: string, signal: AbortSignal): Promise<void> => {
  const response = await get(url, signal)
  if (response.status === 204) return
  const bytes = new Uint8Array(await response.arrayBuffer())
  if (!isVectorTile(bytes)) throw noAnswer(`${new URL(url).host}: nonsense`)
}
/** Fails unless a picture is at the address. */
export const checkPicture = async (url: string, signal: AbortSignal): Promise<void> => {
  const picture = await createImageBitmap(await (await get(url, signal)).blob())
  picture.close()
}
