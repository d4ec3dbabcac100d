import { createHash, randomBytes } from 'node:crypto'
import { access, mkdir, rename, writeFile } from 'node:fs/promises'
import { dirname, join, resolve, sep } from 'node:path'
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

/** Keeps bytes under the hash of their content, per business: the same bytes are kept once, and a half-written file is never seen. */
export const storeObject = async (businessId: string, bytes: Uint8Array): Promise<StoredObject> => {
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const storageKey = `${businessId}/${sha256.slice(0, 2)}/${sha256}`
  const path = storedFilePath(storageKey)
  const present = await access(path).then(
    () => true,
    () => false,
  )
  if (!present) {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    const draft = `${path}.${randomBytes(6).toString('hex')}`
    await writeFile(draft, bytes, { mode: 0o600 })
    await rename(draft, path)
  }
  return { storageKey, sha256, byteCount: bytes.length }
}
