import { type DBSchema, type IDBPDatabase, openDB } from 'idb'

/**
 * Gate codes that somebody has looked up today, for a gate without reception: sealed, until the day is over. Each person and day has a key of its own,
 * which no script can read out and which goes with the day: what is left of a sealed code then opens for nobody. Decision 041.
 */

type Sealed = { seenAt: string; iv: Uint8Array<ArrayBuffer>; bytes: ArrayBuffer }
type Key = { userId: string; until: number; key: CryptoKey }

interface Schema extends DBSchema {
  /** By person and the end of the day. */
  keys: { key: string; value: Key }
  /** By the key and the visit. */
  codes: { key: string; value: Sealed }
}

export type KeptCode = { code: string; seenAt: string }

const open = (): Promise<IDBPDatabase<Schema>> =>
  openDB<Schema>('swath-gate', 1, {
    upgrade: (db) => {
      db.createObjectStore('keys')
      db.createObjectStore('codes')
    },
    blocking: (_current, _blocked, event) => (event.target as IDBDatabase).close(),
  })

const within = async <T>(work: (db: IDBPDatabase<Schema>) => Promise<T>): Promise<T> => {
  const db = await open()
  try {
    return await work(db)
  } finally {
    db.close()
  }
}

const nameOf = (userId: string, until: number): string => `${userId} ${until}`
const placeOf = (keyName: string, visitId: string): string => `${keyName} ${visitId}`

/** Takes away the keys that are not to stay, and what they have sealed. */
const dropWhere = (isGone: (key: Key) => boolean): Promise<void> =>
  within(async (db) => {
    const tx = db.transaction(['keys', 'codes'], 'readwrite')
    const [names, keys] = await Promise.all([tx.objectStore('keys').getAllKeys(), tx.objectStore('keys').getAll()])
    const gone = names.filter((_, i) => keys[i] && isGone(keys[i]))
    const places = gone.length > 0 ? await tx.objectStore('codes').getAllKeys() : []
    await Promise.all([
      ...gone.map((name) => tx.objectStore('keys').delete(name)),
      ...places
        .filter((place) => gone.some((name) => place.startsWith(`${name} `)))
        .map((place) => tx.objectStore('codes').delete(place)),
      tx.done,
    ])
  })

/** Those of these people. */
export const forgetCodesOf = (isGone: (userId: string) => boolean): Promise<void> =>
  dropWhere(({ userId }) => isGone(userId))

/** Those of days that are over. */
export const dropOldCodes = (now: number): Promise<void> => dropWhere(({ until }) => until <= now)

const keyUntil = async (db: IDBPDatabase<Schema>, userId: string, until: number): Promise<CryptoKey> => {
  const name = nameOf(userId, until)
  const known = await db.get('keys', name)
  if (known) return known.key
  const key = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt'])
  const tx = db.transaction('keys', 'readwrite')
  // another tab may have made one meanwhile, and sealed with it
  const first = await tx.store.get(name)
  await Promise.all([first ? undefined : tx.store.put({ userId, until, key }, name), tx.done])
  return first?.key ?? key
}

/** @param until the end of the day on which it was seen */
export const keepCode = (
  { userId, visitId, until }: { userId: string; visitId: string; until: number },
  { code, seenAt }: KeptCode,
): Promise<void> =>
  within(async (db) => {
    const key = await keyUntil(db, userId, until)
    const iv = crypto.getRandomValues(new Uint8Array(12))
    const name = nameOf(userId, until)
    const place = placeOf(name, visitId)
    const algorithm = { name: 'AES-GCM', iv, additionalData: new TextEncoder().encode(place) }
    const bytes = await crypto.subtle.encrypt(algorithm, key, new TextEncoder().encode(code))
    const tx = db.transaction(['keys', 'codes'], 'readwrite')
    // its key may have gone with its person meanwhile: nothing is left behind that nobody would ever clear up
    const isOpen = (await tx.objectStore('keys').count(name)) > 0
    await Promise.all([isOpen ? tx.objectStore('codes').put({ seenAt, iv, bytes }, place) : undefined, tx.done])
  })

/** A code that this person has looked up today, or null. */
export const keptCode = (
  { userId, visitId }: { userId: string; visitId: string },
  now: number,
): Promise<KeptCode | null> =>
  within(async (db) => {
    for (const { until, key, userId: owner } of await db.getAll('keys')) {
      if (owner !== userId || until <= now) continue
      const place = placeOf(nameOf(userId, until), visitId)
      const sealed = await db.get('codes', place)
      if (!sealed) continue
      const algorithm = { name: 'AES-GCM', iv: sealed.iv, additionalData: new TextEncoder().encode(place) }
      const code = new TextDecoder().decode(await crypto.subtle.decrypt(algorithm, key, sealed.bytes))
      return { code, seenAt: sealed.seenAt }
    }
    return null
  })

/** Those of visits that are not this person's any more, or have no code now. */
export const dropCodesOf = (userId: string, isGone: (visitId: string) => boolean): Promise<void> =>
  within(async (db) => {
    const tx = db.transaction('codes', 'readwrite')
    const gone = (await tx.store.getAllKeys()).filter((place) => {
      const [owner, , visitId = ''] = place.split(' ')
      return owner === userId && isGone(visitId)
    })
    await Promise.all([...gone.map((place) => tx.store.delete(place)), tx.done])
  })
