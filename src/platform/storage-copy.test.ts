import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { aBucket, type TestBucket } from '../test/bucket.ts'
import { config } from './config.ts'
import { readObject } from './storage.ts'
import { copyFilesToBucket } from './storage-copy.ts'

let bucket: TestBucket
let folder: string
const files: Record<string, Buffer> = {
  'b1/aa/aaaa': randomBytes(2_000),
  'b1/made/bb/bbbb': randomBytes(3_000),
  'b2/grown/cccc': randomBytes(18 * 1024 * 1024),
}
const put = async (key: string, bytes: Buffer) => {
  const path = join(folder, 'files', key)
  await mkdir(join(path, '..'), { recursive: true })
  await writeFile(path, bytes)
}
beforeEach(async () => {
  bucket = await aBucket()
  folder = await mkdtemp(join(config.dataDir, 'house-'))
  for (const [key, bytes] of Object.entries(files)) await put(key, bytes)
  // what is being written now is no file yet
  await put('b2/grown/dddd.draft', randomBytes(50))
  Object.assign(config, { files: bucket.settings })
})
afterEach(async () => {
  Object.assign(config, { files: undefined })
  await bucket.close()
  await rm(folder, { recursive: true, force: true })
})

it('copies what the bucket has not, once, and whole', async () => {
  const byteCount = Object.values(files).reduce((sum, bytes) => sum + bytes.byteLength, 0)
  expect(await copyFilesToBucket(folder, bucket.settings)).toEqual({ copied: 3, known: 0, byteCount })
  for (const [key, bytes] of Object.entries(files)) expect((await readObject(key))?.equals(bytes)).toBe(true)
  expect(await readObject('b2/grown/dddd')).toBeNull()
  await put('b3/ee/eeee', randomBytes(10))
  expect(await copyFilesToBucket(folder, bucket.settings)).toEqual({ copied: 1, known: 3, byteCount: 10 })
})

it('a data folder without files copies nothing, and a bucket that is away is said', async () => {
  await rm(join(folder, 'files'), { recursive: true })
  expect(await copyFilesToBucket(folder, bucket.settings)).toEqual({ copied: 0, known: 0, byteCount: 0 })
  bucket.trouble = 'away'
  await expect(copyFilesToBucket(folder, bucket.settings)).rejects.toMatchObject({ code: 'unavailable' })
})

it('cut off in the middle it goes on where it was', async () => {
  bucket.trouble = { refusals: 0 }
  const whole = copyFilesToBucket(folder, bucket.settings)
  await new Promise((go) => setTimeout(go, 40))
  bucket.trouble = 'away'
  const cut = await whole.then(
    () => null,
    (error: Error) => error,
  )
  bucket.trouble = 'none'
  await copyFilesToBucket(folder, bucket.settings)
  for (const [key, bytes] of Object.entries(files)) expect((await readObject(key))?.equals(bytes)).toBe(true)
  if (cut) expect(cut).toMatchObject({ code: 'unavailable' })
})
