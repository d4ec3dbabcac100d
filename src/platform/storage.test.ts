import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aBucket, type TestBucket } from '../test/bucket.ts'
import { config } from './config.ts'
import { newId } from './ids.ts'
import {
  checkStorage,
  isStored,
  madeObject,
  newStored,
  openObject,
  readObject,
  removeObject,
  removeObjectsOf,
  storeObject,
} from './storage.ts'
import { bucketPlace } from './storage-bucket.ts'
import type { BucketSettings } from './storage-settings.ts'

let bucket: TestBucket
beforeAll(async () => {
  bucket = await aBucket()
})
afterAll(async () => {
  Object.assign(config, { files: undefined })
  await bucket.close()
})

const useFiles = (files: BucketSettings | undefined) => Object.assign(config, { files })
const gone = `${newId()}/00/none`
const dead = { code: 'unavailable', status: 503, message: expect.stringContaining('Nothing was lost') }

describe.each(['the disk', 'a bucket'] as const)('files on %s', (where) => {
  beforeEach(() => {
    useFiles(where === 'a bucket' ? bucket.settings : undefined)
    Object.assign(bucket, { trouble: 'none', asked: [] })
  })

  it('keeps the same bytes once per business and hands them out again', async () => {
    const [one, other] = [newId(), newId()]
    const bytes = randomBytes(50_000)
    const stored = await storeObject(one, bytes)
    expect(await storeObject(one, bytes)).toEqual(stored)
    const foreign = await storeObject(other, bytes)
    expect([stored.storageKey.split('/')[0], foreign.storageKey.split('/')[0]]).toEqual([one, other])
    expect(await readObject(stored.storageKey)).toEqual(bytes)
    const stream = await openObject(stored.storageKey)
    expect(stream && (await buffer(stream))).toEqual(bytes)
    expect(await isStored(stored.storageKey)).toBe(true)
    if (where === 'a bucket') expect(bucket.asked.filter((line) => line.startsWith('PUT'))).toHaveLength(2)
  })

  it('what is missing is null, and what is gone may be removed again', async () => {
    expect([await readObject(gone), await openObject(gone), await isStored(gone)]).toEqual([null, null, false])
    const { storageKey } = await storeObject(newId(), randomBytes(100))
    await removeObject(storageKey)
    await removeObject(storageKey)
    expect(await isStored(storageKey)).toBe(false)
  })

  it('makes an object once for many who ask at the same time, and finds it again', async () => {
    const business = newId()
    let times = 0
    const make = async () => {
      times += 1
      await new Promise((go) => setTimeout(go, 20))
      return Buffer.from('paper')
    }
    const all = await Promise.all(Array.from({ length: 20 }, () => madeObject(business, 'recipe', make)))
    expect(new Set(all.map(({ stored }) => stored.storageKey)).size).toBe(1)
    expect((await madeObject(business, 'recipe', make)).bytes.toString()).toBe('paper')
    expect(times).toBe(1)
    await expect(madeObject(business, 'fails', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect((await madeObject(business, 'fails', make)).bytes.toString()).toBe('paper')
  })

  it('a large object grows in pieces, is seen when it is finished and not before', async () => {
    const business = newId()
    const pieces = Array.from({ length: 20 }, () => randomBytes(1024 * 1024))
    const growing = await newStored(business)
    for (const piece of pieces) await growing.write(piece)
    expect(await isStored(growing.storageKey)).toBe(false)
    await growing.finish()
    expect((await readObject(growing.storageKey))?.equals(Buffer.concat(pieces))).toBe(true)
    if (where === 'a bucket')
      expect(bucket.asked.filter((line) => line.includes('partNumber=')).length).toBeGreaterThan(1)
  })

  it('a large object that is given up leaves nothing seen', async () => {
    const growing = await newStored(newId())
    for (let n = 0; n < 10; n += 1) await growing.write(randomBytes(1024 * 1024))
    await growing.abandon()
    expect(await isStored(growing.storageKey)).toBe(false)
  })

  it('a process killed in the middle of a large object leaves nothing seen', async () => {
    const code = `
      const { newStored } = await import(${JSON.stringify(new URL('./storage.ts', import.meta.url).href)})
      const growing = await newStored('killed')
      for (let n = 0; n < 20; n += 1) await growing.write(Buffer.alloc(1024 * 1024, n))
      console.log(growing.storageKey)
      setInterval(() => {}, 1000)`
    const { settings } = bucket
    const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
      env: {
        PATH: process.env.PATH,
        SWATH_DATA_DIR: config.dataDir,
        ...(where === 'a bucket'
          ? {
              SWATH_FILES: `s3://${settings.bucket}`,
              SWATH_S3_ENDPOINT: settings.endpoint,
              SWATH_S3_KEY_ID: settings.keyId,
              SWATH_S3_SECRET: settings.secret,
            }
          : {}),
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [said] = (await once(child.stdout, 'data')) as [Buffer]
    child.kill('SIGKILL')
    await once(child, 'exit')
    const key = String(said).trim()
    expect(key).toMatch(/^killed\/grown\/\w{32}$/)
    expect([await isStored(key), await readObject(key)]).toEqual([false, null])
  })

  it.each(['../keys.json', 'a/../../keys.json', '/etc/passwd', 'a', 'a//b', 'a/./b', 'a\\..\\b/c', ''])(
    'refuses the key %j',
    async (key) => {
      await expect(readObject(key)).rejects.toThrow('Not a storage key.')
      await expect(removeObject(key)).rejects.toThrow('Not a storage key.')
      await expect(storeObject(`${key}/..`, Buffer.from('x'))).rejects.toThrow('Not a storage key.')
    },
  )

  it('takes away all that a business has, and nothing of the one whose name begins alike', async () => {
    const [one, alike] = ['b-1', 'b-10']
    const mine = await storeObject(one, randomBytes(10))
    const made = await madeObject(one, 'paper', async () => Buffer.from('paper'))
    const theirs = await storeObject(alike, randomBytes(10))
    await removeObjectsOf(one)
    await removeObjectsOf(one)
    expect(await Promise.all([mine, made.stored, theirs].map(({ storageKey }) => isStored(storageKey)))).toEqual([
      false,
      false,
      true,
    ])
    for (const name of ['', '..', 'b/..', '.']) await expect(removeObjectsOf(name)).rejects.toThrow('Not a business.')
  })
})

it('a file that is half written on the disk is not seen', async () => {
  useFiles(undefined)
  const growing = await newStored('half')
  await growing.write(Buffer.from('half'))
  const folder = join(config.dataDir, 'files/half/grown')
  expect(readdirSync(folder).every((name) => name.endsWith('.draft'))).toBe(true)
  await growing.abandon()
  expect(readdirSync(folder)).toEqual([])
  expect(existsSync(join(config.dataDir, 'files', growing.storageKey))).toBe(false)
})

describe('a bucket that does not do what it should', () => {
  beforeEach(() => {
    // a client that met an outage tries less often for a while: each trial has its own
    useFiles({ ...bucket.settings })
    Object.assign(bucket, { trouble: 'none', asked: [] })
  })

  it('is told as unavailable by every question, and nothing that was there is taken for gone', async () => {
    const { storageKey } = await storeObject('away', randomBytes(100))
    bucket.trouble = 'away'
    for (const ask of [
      () => readObject(storageKey),
      () => openObject(storageKey),
      () => isStored(storageKey),
      () => storeObject('away', randomBytes(10)),
      () => madeObject('away', 'x', async () => Buffer.from('x')),
      () => removeObject(storageKey),
      () => removeObjectsOf('away'),
      () => checkStorage(),
    ])
      await expect(ask()).rejects.toMatchObject(dead)
    const growing = await newStored('away')
    await expect(
      (async () => {
        for (let n = 0; n < 40; n += 1) await growing.write(randomBytes(1024 * 1024))
        await growing.finish()
      })(),
    ).rejects.toMatchObject(dead)
    await growing.abandon()
    bucket.trouble = 'none'
    expect((await readObject(storageKey))?.byteLength).toBe(100)
  })

  it('is not waited for without end when it takes a request and says nothing', async () => {
    const place = bucketPlace(bucket.settings, { connect: 200, silence: 5_000, question: 300, check: 300 })
    await place.put('mute/file', Buffer.from('x'))
    bucket.trouble = 'silent'
    for (const ask of [
      () => place.open('mute/file'),
      () => place.sizeOf('mute/file'),
      () => place.put('mute/other', Buffer.from('y')),
      () => place.remove('mute/file'),
      () => place.removeFolder('mute'),
      () => place.check(),
    ]) {
      const began = performance.now()
      await expect(ask()).rejects.toMatchObject(dead)
      expect(performance.now() - began).toBeLessThan(3_000)
    }
    bucket.trouble = 'none'
    const kept = await place.open('mute/file')
    expect(kept && (await buffer(kept)).toString()).toBe('x')
  })

  it('is asked again when it is overrun for a moment', async () => {
    bucket.trouble = { refusals: 2 }
    const { storageKey } = await storeObject('busy', randomBytes(100))
    expect((await readObject(storageKey))?.byteLength).toBe(100)
    bucket.trouble = { refusals: 1000 }
    bucket.asked = []
    await expect(readObject(storageKey)).rejects.toMatchObject(dead)
    expect(bucket.asked).toHaveLength(3)
  })

  it.each([
    ['keyId', 'SOMEBODY'],
    ['secret', 'not-the-secret'],
    ['bucket', 'no-such-bucket'],
  ])('refuses a wrong %s, and says neither key nor secret', async (name, value) => {
    useFiles({ ...bucket.settings, [name]: value })
    const refused = await checkStorage().then(
      () => null,
      (error: Error) => error,
    )
    expect(refused).toMatchObject(dead)
    const all = JSON.stringify([refused, refused?.cause, String(refused?.cause), refused?.stack])
    for (const hidden of [bucket.settings.secret, 'SOMEBODY', 'not-the-secret']) expect(all).not.toContain(hidden)
  })
})
