import { createHash, randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream, type ReadStream, type WriteStream } from 'node:fs'
import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, resolve, sep } from 'node:path'
import { finished } from 'node:stream/promises'
import { config } from './config.ts'

const root = (): string => join(config.dataDir, 'files')

/**
 * Where a stored object lies on this machine's disk.
 * @throws Error when the key leads outside the folder
 */
export const storedFilePath = (storageKey: string): string => {
  const path = resolve(root(), storageKey)
  if (!path.startsWith(root() + sep)) throw new Error('Not a storage key.')
  return path
}

export type StoredObject = { storageKey: string; sha256: string; byteCount: number }

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

const write = async (path: string, bytes: Uint8Array): Promise<void> => {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  const file = await open(draft, 'wx', 0o600)
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(draft, path)
}

/**
 * Keeps bytes under the hash of their content, per business: the same bytes are kept once, a half-written file is never seen, and
 * after a power cut either all or nothing is there.
 */
export const storeObject = async (businessId: string, bytes: Uint8Array): Promise<StoredObject> => {
  const sha256 = hashOf(bytes)
  const storageKey = `${businessId}/${sha256.slice(0, 2)}/${sha256}`
  const path = storedFilePath(storageKey)
  const known = await stat(path).catch(() => null)
  if (known?.size !== bytes.byteLength) await write(path, bytes)
  return { storageKey, sha256, byteCount: bytes.byteLength }
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
  const storageKey = `${businessId}/made/${name.slice(0, 2)}/${name}`
  const path = storedFilePath(storageKey)
  const findOrMake = async (): Promise<Buffer> => {
    const known = await readFile(path).catch(() => null)
    if (known?.byteLength) return known
    const fresh = Buffer.from(await make())
    await write(path, fresh)
    return fresh
  }
  const running = making.get(path) ?? findOrMake().finally(() => making.delete(path))
  making.set(path, running)
  const bytes = await running
  return { bytes, stored: { storageKey, sha256: hashOf(bytes), byteCount: bytes.byteLength } }
}

/** Whether the bytes behind a key are there. */
export const isStored = async (storageKey: string): Promise<boolean> =>
  (await stat(storedFilePath(storageKey)).catch(() => null)) !== null

/** The bytes behind a key, or null when they are gone. */
export const openObject = async (storageKey: string): Promise<ReadStream | null> => {
  const path = storedFilePath(storageKey)
  const known = await stat(path).catch(() => null)
  return known?.isFile() ? createReadStream(path) : null
}

/** An object that is written as it grows, too large for the memory. Nobody sees it before it is finished. */
export const newStored = async (
  businessId: string,
): Promise<{ stream: WriteStream; finish: () => Promise<string>; abandon: () => Promise<void> }> => {
  const storageKey = `${businessId}/grown/${randomBytes(16).toString('hex')}`
  const path = storedFilePath(storageKey)
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const draft = `${path}.draft`
  const stream = createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true })
  return {
    stream,
    finish: async () => {
      stream.end()
      await finished(stream)
      await rename(draft, path)
      return storageKey
    },
    abandon: async () => {
      stream.destroy()
      await rm(draft, { force: true })
    },
  }
}

/** Takes an object off the disk; gone already is fine. */
export const removeObject = (storageKey: string): Promise<void> => rm(storedFilePath(storageKey), { force: true })
