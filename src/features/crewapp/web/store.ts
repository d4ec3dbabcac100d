import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import type { Clock } from '../../timeclock/contract.ts'
import type { ConflictAnswer } from '../conflicts/contract.ts'
import type { CrewBundle } from '../contract.ts'
import type { PhotoKind } from '../projection/rules.ts'
import type { CrewCommand } from '../rules.ts'
import type { PhonePlace } from './positions/whereNow.ts'

/** `waiting` is sent when there is a signal; `attention` was not taken by the server and a person has to see it; of what is `answered` the office has decided. */
type Fate = { state: 'waiting' | 'attention' | 'answered'; reason: string | null }

export type QueuedCommand = Fate & {
  /** The order of the thumb; given by the store. */
  seq: number
  userId: string
  command: CrewCommand
  /** What it was about, for the list of what has not left. */
  label: string
  queuedAt: number
  /** Milliseconds before which it can still be undone. */
  notBefore: number
  answer?: ConflictAnswer
}

export type QueuedPhoto = Fate & {
  id: string
  userId: string
  visitId: string
  /**
   * `check` is the photo of a check: its `visitId` is the receipt's. `chat` and `paid` belong to a command: their `visitId` is its id. `defect` belongs to
   * what a truck check found: its `visitId` is the defect's. `quote` follows what was noted: its `visitId` is the command's id.
   */
  kind: PhotoKind
  /** The command that was written down with it and goes before it; what an older version kept has none. */
  commandId?: string
  /** The office has decided about its command since: it was let go once more. */
  decided?: boolean
  /** The item of the checklist that it shows. */
  item?: string | undefined
  takenAt: string
  /** Where it was taken, of who shares that. */
  place?: PhonePlace
  label: string
  queuedAt: number
  byteCount: number
}

export type Kept = { bundle: CrewBundle | null; clock: Clock | null }
export type KeptPhoto = { photo: QueuedPhoto; blob: Blob }
export type Loaded = Kept & { commands: QueuedCommand[]; photos: QueuedPhoto[] }

/** What the phone keeps, by person; what was not sent is never cleared by signing out. */
export type Store = {
  load: (userId: string) => Promise<Loaded>
  /** With its photos, all or nothing: a message never names one that the phone did not keep. */
  addCommand: (command: Omit<QueuedCommand, 'seq'>, photos?: readonly KeptPhoto[]) => Promise<QueuedCommand>
  putCommand: (command: QueuedCommand) => Promise<void>
  removeCommand: (seq: number) => Promise<void>
  addPhoto: (photo: QueuedPhoto, blob: Blob) => Promise<void>
  photoBlob: (id: string) => Promise<Blob | null>
  /** One that has gone, say because another tab has sent it, does not come back. */
  putPhoto: (photo: QueuedPhoto) => Promise<void>
  removePhoto: (id: string) => Promise<void>
  keep: (userId: string, kept: Partial<Kept>) => Promise<void>
}

interface Schema extends DBSchema {
  commands: { key: number; value: QueuedCommand; indexes: { user: string } }
  photos: { key: string; value: QueuedPhoto; indexes: { user: string } }
  /** Bytes, not blobs: some phones lose blobs that they keep. */
  bytes: { key: string; value: { bytes: ArrayBuffer; type: string } }
  kept: { key: string; value: Kept }
}

const name = 'swath-crew'

/**
 * The shapes of what is kept, each a step after the one before. A step only adds: an app of before, which a phone may still show in another tab or
 * from its cache, goes on reading and writing what it knows.
 */
const steps: readonly ((db: IDBPDatabase<Schema>) => void)[] = [
  (db) => {
    db.createObjectStore('commands', { keyPath: 'seq', autoIncrement: true }).createIndex('user', 'userId')
    db.createObjectStore('photos', { keyPath: 'id' }).createIndex('user', 'userId')
    db.createObjectStore('bytes')
    db.createObjectStore('kept')
  },
]

/** @param onGone it cannot be used any more: a newer app waited for it, or the browser closed it */
const open = async (onGone: () => void): Promise<IDBPDatabase<Schema>> => {
  const callbacks = {
    upgrade: (db: IDBPDatabase<Schema>, before: number) => {
      for (const step of steps.slice(before)) step(db)
    },
    // A newer app in another tab never waits for this one, which opens it again for its next tap.
    blocking: (_current: number, _blocked: number | null, event: IDBVersionChangeEvent) => {
      ;(event.target as IDBDatabase).close()
      onGone()
    },
    terminated: onGone,
  }
  try {
    return await openDB<Schema>(name, steps.length, callbacks)
  } catch (error) {
    if (!(error instanceof DOMException) || error.name !== 'VersionError') throw error
    // A newer app was here before this one: as it left it.
    return openDB<Schema>(name, undefined, callbacks)
  }
}

/** The days of these people go; what they have not sent stays. */
export const forgetOtherDays = async (isGone: (userId: string) => boolean): Promise<void> => {
  const db = await open(() => undefined)
  const tx = db.transaction('kept', 'readwrite')
  for (const key of await tx.store.getAllKeys()) if (isGone(key)) await tx.store.delete(key)
  await tx.done
  db.close()
}

/** How many things of a person wait on this phone or need them: what the office has decided about is with it. */
export const countUnsentOf = async (userId: string): Promise<number> => {
  const db = await open(() => undefined)
  const [commands, photos] = await Promise.all([
    db.getAllFromIndex('commands', 'user', userId),
    db.countFromIndex('photos', 'user', userId),
  ])
  db.close()
  return commands.filter(({ state }) => state !== 'answered').length + photos
}

let opening: Promise<IDBPDatabase<Schema>> | null = null
const db = (): Promise<IDBPDatabase<Schema>> => {
  opening ??= open(() => {
    opening = null
  }).catch((error: unknown) => {
    opening = null
    throw error
  })
  return opening
}

const load = async (userId: string): Promise<Loaded> => {
  const d = await db()
  const [commands, photos, kept] = await Promise.all([
    d.getAllFromIndex('commands', 'user', userId),
    d.getAllFromIndex('photos', 'user', userId),
    d.get('kept', userId),
  ])
  return {
    commands: commands.sort((a, b) => a.seq - b.seq),
    photos: photos.sort((a, b) => a.queuedAt - b.queuedAt),
    bundle: kept?.bundle ?? null,
    clock: kept?.clock ?? null,
  }
}

/** What was read ahead is what the phone keeps for so long. */
const aheadMs = 3_000
let ahead: { userId: string; at: number; reading: Promise<Loaded>; loaded: Loaded | null } | null = null

/** Begins to read a person's day while the app is still finding out whether they are signed in: the first picture needs it. */
export const readAhead = (userId: string): Promise<unknown> => {
  const begun = { userId, at: performance.now(), reading: load(userId), loaded: null as Loaded | null }
  ahead = begun
  return begun.reading.then(
    (loaded) => {
      begun.loaded = loaded
    },
    // whoever needs it reads again, and says why it cannot be read
    () => undefined,
  )
}

const takeAhead = (userId: string) => {
  const begun = ahead
  ahead = null
  return begun?.userId === userId && performance.now() - begun.at < aheadMs ? begun : null
}

/** What was read ahead of a person, where it is here already: a picture of it needs no other one before it. */
export const hereAhead = (userId: string): Loaded | null => (ahead?.loaded ? (takeAhead(userId)?.loaded ?? null) : null)

/** IndexedDB: what was written is there after a reload, a kill and an empty battery. */
export const browserStore = (): Store => {
  return {
    load: (userId) => takeAhead(userId)?.reading ?? load(userId),
    addCommand: async (command, photos = []) => {
      const read = await Promise.all(
        photos.map(async ({ photo, blob }) => ({ photo, bytes: await blob.arrayBuffer(), type: blob.type })),
      )
      const tx = (await db()).transaction(['commands', 'photos', 'bytes'], 'readwrite')
      const [seq] = await Promise.all([
        // The key path is filled in by the database.
        tx.objectStore('commands').add(command as QueuedCommand),
        ...read.flatMap(({ photo, bytes, type }) => [
          tx.objectStore('photos').put(photo),
          tx.objectStore('bytes').put({ bytes, type }, photo.id),
        ]),
        tx.done,
      ])
      return { ...command, seq: Number(seq) }
    },
    putCommand: async (command) => {
      await (await db()).put('commands', command)
    },
    removeCommand: async (seq) => (await db()).delete('commands', seq),
    addPhoto: async (photo, blob) => {
      const bytes = await blob.arrayBuffer()
      const tx = (await db()).transaction(['photos', 'bytes'], 'readwrite')
      await Promise.all([
        tx.objectStore('photos').put(photo),
        tx.objectStore('bytes').put({ bytes, type: blob.type }, photo.id),
        tx.done,
      ])
    },
    photoBlob: async (id) => {
      const found = await (await db()).get('bytes', id)
      return found ? new Blob([found.bytes], { type: found.type }) : null
    },
    putPhoto: async (photo) => {
      const tx = (await db()).transaction('photos', 'readwrite')
      const isThere = (await tx.store.getKey(photo.id)) !== undefined
      await Promise.all([isThere ? tx.store.put(photo) : undefined, tx.done])
    },
    removePhoto: async (id) => {
      const tx = (await db()).transaction(['photos', 'bytes'], 'readwrite')
      await Promise.all([tx.objectStore('photos').delete(id), tx.objectStore('bytes').delete(id), tx.done])
    },
    keep: async (userId, kept) => {
      const tx = (await db()).transaction('kept', 'readwrite')
      const before = (await tx.store.get(userId)) ?? { bundle: null, clock: null }
      await Promise.all([tx.store.put({ ...before, ...kept }, userId), tx.done])
    },
  }
}
