import { createHash, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { AppError } from '../shared/errors.ts'
import { config } from './config.ts'
import { diskPlace } from './storage-disk.ts'
import type { FilePlace, Growing } from './storage-place.ts'
import type { BucketSettings } from './storage-settings.ts'

const buckets = new WeakMap<BucketSettings, Promise<FilePlace>>()

/** The place that the settings name. A bucket's client is only loaded where there is a bucket. */
const placeNow = async (): Promise<FilePlace> => {
  const { files, dataDir } = config
  if (!files) return diskPlace(join(dataDir, 'files'))
  const known = buckets.get(files) ?? import('./storage-bucket.ts').then(({ bucketPlace }) => bucketPlace(files))
  buckets.set(files, known)
  return known
}

/** @throws Error for what leads out of its place */
const checked = (storageKey: string): string => {
  if (!/^[\w-]+(\/[\w-]+)+$/.test(storageKey)) throw new Error('Not a storage key.')
  return storageKey
}

export type StoredObject = { storageKey: string; sha256: string; byteCount: number }

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/**
 * Keeps bytes under the hash of their content, per business: the same bytes are kept once, a half-written file is never seen, and
 * after a power cut either all or nothing is there.
 */
export const storeObject = async (businessId: string, bytes: Uint8Array): Promise<StoredObject> => {
  const sha256 = hashOf(bytes)
  const storageKey = checked(`${businessId}/${sha256.slice(0, 2)}/${sha256}`)
  const place = await placeNow()
  if ((await place.sizeOf(storageKey)) !== bytes.byteLength) await place.put(storageKey, bytes)
  return { storageKey, sha256, byteCount: bytes.byteLength }
}

/** The bytes behind a key in pieces, or null when they are gone. */
export const openObject = async (storageKey: string): Promise<Readable | null> =>
  (await placeNow()).open(checked(storageKey))

/** All bytes behind a key, or null when they are gone. For what fits into memory. */
export const readObject = async (storageKey: string): Promise<Buffer | null> => {
  const stream = await openObject(storageKey)
  if (!stream) return null
  try {
    return await buffer(stream)
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw new AppError(
      'unavailable',
      'This file could not be read to its end. Nothing was lost; please try again in a few minutes.',
      { cause },
    )
  }
}

const making = new Map<string, Promise<Buffer>>()

/**
 * Bytes that are made from something, like the PDF of an invoice: made once for a recipe, however many ask at the same time, and found again by it.
 * @param recipe all that the bytes depend on, with the version of who makes them: another recipe is another object
 */
export const madeObject = async (
  businessId: string,
  recipe: string,
  make: () => Promise<Uint8Array>,
): Promise<{ bytes: Buffer; stored: StoredObject }> => {
  const name = hashOf(Buffer.from(recipe))
  const storageKey = checked(`${businessId}/made/${name.slice(0, 2)}/${name}`)
  const findOrMake = async (): Promise<Buffer> => {
    const known = await readObject(storageKey)
    if (known?.byteLength) return known
    const fresh = Buffer.from(await make())
    await (await placeNow()).put(storageKey, fresh)
    return fresh
  }
  const running = making.get(storageKey) ?? findOrMake().finally(() => making.delete(storageKey))
  making.set(storageKey, running)
  const bytes = await running
  return { bytes, stored: { storageKey, sha256: hashOf(bytes), byteCount: bytes.byteLength } }
}

/** Whether the bytes behind a key are there. */
export const isStored = async (storageKey: string): Promise<boolean> =>
  (await (await placeNow()).sizeOf(checked(storageKey))) !== null

/** An object that is written as it grows, and its key once it is finished. */
export const newStored = async (businessId: string): Promise<Growing & { storageKey: string }> => {
  const storageKey = checked(`${businessId}/grown/${randomBytes(16).toString('hex')}`)
  return { storageKey, ...(await (await placeNow()).grow(storageKey)) }
}

/** Takes an object away; gone already is fine. */
export const removeObject = async (storageKey: string): Promise<void> => (await placeNow()).remove(checked(storageKey))

/** Takes away everything that a business has stored. */
export const removeObjectsOf = async (businessId: string): Promise<void> => {
  if (!/^[\w-]+$/.test(businessId)) throw new Error('Not a business.')
  await (await placeNow()).removeFolder(businessId)
}

/** @throws AppError unavailable when files cannot be reached now */
export const checkStorage = async (): Promise<void> => (await placeNow()).check()
