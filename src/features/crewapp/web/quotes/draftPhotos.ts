import { type IDBPDatabase, openDB } from 'idb'
import { isTourPath } from '../../../../shared/tour.ts'

/** Photos of a quote that is being noted. They wait on the phone with what was typed, and go to the outbox with it. */
export type DraftPhoto = { id: string; takenAt: string; blob: Blob }

type Row = { userId: string; takenAt: string; bytes: ArrayBuffer; type: string }

const open = (): Promise<IDBPDatabase> =>
  openDB('swath-quote-photos', 1, {
    upgrade: (made) => void made.createObjectStore('photos'),
    blocking: (_current, _blocked, event) => (event.target as IDBDatabase).close(),
  })

/** The tour keeps nothing on the phone of who looks. */
const played = new Map<string, DraftPhoto>()

/** @throws when the phone cannot keep it */
export const keepDraftPhoto = async (userId: string, { id, takenAt, blob }: DraftPhoto): Promise<void> => {
  if (isTourPath(window.location.pathname)) return void played.set(id, { id, takenAt, blob })
  const row: Row = { userId, takenAt, bytes: await blob.arrayBuffer(), type: blob.type }
  const db = await open()
  await db.put('photos', row, id)
  db.close()
}

/** Those of these ids that are there, in their order. */
export const draftPhotos = async (userId: string, ids: readonly string[]): Promise<DraftPhoto[]> => {
  if (isTourPath(window.location.pathname)) return ids.flatMap((id) => played.get(id) ?? [])
  const db = await open()
  const rows = await Promise.all(ids.map(async (id) => ({ id, row: (await db.get('photos', id)) as Row | undefined })))
  db.close()
  return rows.flatMap(({ id, row }) =>
    row?.userId === userId ? [{ id, takenAt: row.takenAt, blob: new Blob([row.bytes], { type: row.type }) }] : [],
  )
}

/** Never fails: what could not be removed is nobody's any more. */
export const dropDraftPhotos = async (ids: readonly string[]): Promise<void> => {
  for (const id of ids) played.delete(id)
  if (ids.length === 0 || isTourPath(window.location.pathname)) return
  const db = await open()
  await Promise.allSettled(ids.map((id) => db.delete('photos', id)))
  db.close()
}
