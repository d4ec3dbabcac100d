import { call } from '../../../../shared/client.ts'
import { type CrewBundle, crewappApi } from '../../contract.ts'

/** The small photos of the last times, kept on the phone for the stops of its three days, so that they are there without a signal. */

/** Each person's pictures have a cache of their own: who signs in next on this phone reads none of them. */
const cacheOf = (userId: string): string => `swath-last-photos:${userId}`
const keyOf = (id: string): string => `/__last/${id}`

const wanted = (bundle: CrewBundle): string[] => [
  ...new Set(bundle.days.flatMap(({ stops }) => stops.flatMap(({ last }) => last?.photoIds ?? []))),
]

const keep = async (cache: Cache, url: string, id: string): Promise<void> => {
  const answer = await fetch(url)
  if (answer.ok) await cache.put(keyOf(id), answer)
}

const keeping = new Map<string, Promise<void>>()

const keepAll = async (userId: string, ids: readonly string[]): Promise<void> => {
  const cache = await caches.open(cacheOf(userId))
  const kept = (await cache.keys()).map(({ url }) => new URL(url).pathname)
  for (const path of kept) if (!ids.some((id) => keyOf(id) === path)) await cache.delete(path)
  const missing = ids.filter((id) => !kept.includes(keyOf(id)))
  if (missing.length === 0) return
  const { photos } = await call(crewappApi.lastPhotos, {}, { retries: 0, signal: AbortSignal.timeout(15_000) })
  // One after the other: work that waits to be sent matters more.
  for (const { id, url } of photos) if (missing.includes(id)) await keep(cache, url, id)
}

/** Fetches what is not on the phone yet and lets go of what no stop shows any more. Without a signal nothing happens; the next look tries again. */
export const keepLastPhotos = (userId: string, bundle: CrewBundle): Promise<void> => {
  const ids = wanted(bundle)
  const key = [userId, ...ids].join()
  const running =
    keeping.get(key) ??
    keepAll(userId, ids).catch(() => {
      keeping.delete(key)
    })
  keeping.clear()
  keeping.set(key, running)
  return running
}

/** A person has left this phone: what was kept for them is fetched again. */
export const forgetLastPhotos = (): void => keeping.clear()

/** An address of a kept photo, or null while it is not on the phone. The caller lets go of it. */
export const lastPhotoUrl = async (userId: string, id: string): Promise<string | null> => {
  const kept = await caches
    .open(cacheOf(userId))
    .then((cache) => cache.match(keyOf(id)))
    .catch(() => undefined)
  return kept ? URL.createObjectURL(await kept.blob()) : null
}
