import { useEffect, useMemo, useState } from 'react'
import { call } from '../../../../shared/client.ts'
import { mergeStrokes, type Stroke } from '../../../../shared/strokes.ts'
import type { CrewStop } from '../../contract.ts'
import { marksApi } from '../../marks/contract.ts'
import { isVisitPhoto, lostPhoto, type VisitPhotoKind } from '../../projection/rules.ts'
import type { Crew } from '../data.ts'

/** The photos of a stop on this phone: those that wait to be sent, and small ones of those that the server has, kept for when there is no signal. */

export type StopPhoto = { id: string; kind: VisitPhotoKind; strokes: readonly Stroke[]; url: string | null }

/** Each person's pictures have a cache of their own: who signs in next on this phone reads none of them. */
const cacheOf = (userId: string): string => `swath-stop-photos:${userId}`
const keyOf = (id: string): string => `/__stop/${id}`
/** More than these of the last days are not kept. */
const mostKept = 60

const kept = async (userId: string, id: string): Promise<Blob | null> => {
  const found = await caches
    .open(cacheOf(userId))
    .then((cache) => cache.match(keyOf(id)))
    .catch(() => undefined)
  return found ? found.blob() : null
}

const keep = async (userId: string, id: string, picture: Response): Promise<void> => {
  const cache = await caches.open(cacheOf(userId))
  await cache.put(keyOf(id), picture)
  const all = await cache.keys()
  for (const old of all.slice(0, Math.max(0, all.length - mostKept))) await cache.delete(old)
}

const fetchSmall = async (userId: string, visitId: string, ids: readonly string[]): Promise<void> => {
  const signal = AbortSignal.timeout(15_000)
  const { photos } = await call(marksApi.stopPhotos, { params: { visitId } }, { retries: 0, signal })
  for (const { id, url } of photos) {
    if (!ids.includes(id)) continue
    const answer = await fetch(url)
    if (answer.ok) await keep(userId, id, answer)
  }
}

/** A photo that waits stays in sight after it was sent: what it looks like is kept beside the outbox. */
const blobOf = async (crew: Crew, id: string): Promise<Blob | null> => {
  const waiting = await crew.outbox.photoBlob(id)
  if (waiting === null) return kept(crew.outbox.userId, id)
  await keep(crew.outbox.userId, id, new Response(waiting, { headers: { 'content-type': waiting.type } })).catch(
    () => undefined,
  )
  return waiting
}

const listed = (crew: Crew, stop: CrewStop): { id: string; kind: VisitPhotoKind }[] => {
  const own = crew.state.photos.flatMap(({ id, kind, visitId, reason }) =>
    visitId === stop.id && isVisitPhoto(kind) && reason !== lostPhoto ? [{ id, kind }] : [],
  )
  const sent = stop.pictures ?? []
  return [...sent, ...own.filter(({ id }) => sent.every((one) => one.id !== id))]
}

/** Addresses of pictures on the phone, by photo. One that was made stays: a photo does not vanish under the pen when the signal comes or goes. */
const made = new Map<string, string>()

/** A person has left this phone: what was on the screen is let go too. */
export const forgetShownPhotos = (): void => {
  for (const url of made.values()) URL.revokeObjectURL(url)
  made.clear()
}

const urlOf = async (crew: Crew, id: string): Promise<void> => {
  if (made.has(id)) return
  const blob = await blobOf(crew, id)
  if (!blob || made.has(id)) return
  made.set(id, URL.createObjectURL(blob))
  const [oldest] = made
  if (made.size <= mostKept || !oldest) return
  URL.revokeObjectURL(oldest[1])
  made.delete(oldest[0])
}

const useUrls = (crew: Crew, stop: CrewStop, ids: readonly string[]): ReadonlyMap<string, string> => {
  const [, shown] = useState(0)
  const key = ids.join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: looked for again when there are others, or a signal
  useEffect(() => {
    let gone = false
    const all = key ? key.split(',') : []
    const look = async () => {
      for (const id of all) await urlOf(crew, id)
      if (!gone) shown((looks) => looks + 1)
    }
    const run = async () => {
      await look()
      const missing = all.filter((id) => !made.has(id))
      // without a signal they come with the next look
      if (missing.length > 0 && !gone)
        await fetchSmall(crew.outbox.userId, stop.id, missing).then(look, () => undefined)
    }
    void run()
    return () => {
      gone = true
    }
  }, [key, crew.sync.online])
  return made
}

export const useStopPhotos = (crew: Crew, stop: CrewStop): StopPhoto[] => {
  const photos = listed(crew, stop)
  const urls = useUrls(
    crew,
    stop,
    photos.map(({ id }) => id),
  )
  const waiting = useMemo(
    () =>
      crew.state.commands.flatMap(({ command, state }) => (state === 'waiting' ? (command.payload.mark ?? []) : [])),
    [crew.state.commands],
  )
  return photos.map(({ id, kind }) => {
    const strokes = waiting
      .filter(({ photoId }) => photoId === id)
      .reduce<readonly Stroke[]>(mergeStrokes, stop.marks?.[id] ?? [])
    return { id, kind, strokes, url: urls.get(id) ?? null }
  })
}
