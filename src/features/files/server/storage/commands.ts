import { randomBytes } from 'node:crypto'
import { createReadStream, type ReadStream } from 'node:fs'
import { mkdir, open, rename, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { config } from '../../../../platform/config.ts'
import type { BusinessId } from '../../../../platform/db/tenant.ts'

const root = (): string => join(config.dataDir, 'files')

/** Where a content of a business stands: a folder per business, then by hash, so that the same photo is kept once. */
const keyOf = (businessId: BusinessId, sha256: string): string =>
  join(businessId, sha256.slice(0, 2), sha256.slice(2, 4), sha256)

/** Writes bytes so that after a power cut either all or nothing is there. Returns the key for the row. */
export const keepBytes = async (businessId: BusinessId, sha256: string, bytes: Uint8Array): Promise<string> => {
  const key = keyOf(businessId, sha256)
  const path = join(root(), key)
  const known = await stat(path).catch(() => null)
  if (known?.size === bytes.byteLength) return key
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
  return key
}

/** The bytes behind a key, or null when they are gone. */
export const readBytes = async (key: string): Promise<ReadStream | null> => {
  const path = join(root(), key)
  const known = await stat(path).catch(() => null)
  return known?.isFile() ? createReadStream(path) : null
}
