import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { config } from '../../../platform/config.ts'
import { newId } from '../../../platform/ids.ts'
import { isStored, readObject } from '../../../platform/storage.ts'
import { copyFilesToBucket } from '../../../platform/storage-copy.ts'
import { stranger } from '../../../test/api.ts'
import { aBucket, type TestBucket } from '../../../test/bucket.ts'
import { exported } from '../../../test/exports.ts'
import { aBusiness, type Person, type TestBusiness } from '../../../test/factories.ts'
import { aCrew, aVisit } from '../../../test/field.ts'
import { deleteClosedBusiness } from '../../accounts/closing/server/tasks.ts'
import { setClosedTx } from '../../businesses/server/row/commands.ts'
import { crewappApi } from '../../crewapp/contract.ts'

let bucket: TestBucket
let business: TestBusiness
let luis: Person
let visitId: string
let picture: Buffer
beforeAll(async () => {
  bucket = await aBucket()
  picture = await sharp({ create: { width: 900, height: 700, channels: 3, background: '#4a4' } })
    .jpeg()
    .toBuffer()
})
beforeEach(async () => {
  business = await aBusiness()
  luis = await business.employee()
  ;({ visitId } = await aVisit(business, { crewId: await aCrew(business, { members: [luis] }) }))
  // a client that met an outage tries less often for a while: each trial has its own
  Object.assign(config, { files: { ...bucket.settings } })
  Object.assign(bucket, { trouble: 'none' })
})
afterAll(async () => {
  Object.assign(config, { files: undefined })
  await bucket.close()
})

const send = (id: string, body = picture) =>
  luis.api.call(crewappApi.addPhoto, { params: { visitId }, query: { id }, body }, { 'content-type': 'image/jpeg' })
const look = (url: string) => stranger.raw({ method: 'GET', url })
const keys = () =>
  business.db((db) => db.selectFrom('files').select('storageKey').where('businessId', '=', business.id).execute())

it("a crew's photo lies in the bucket alone, is shown whole and small, goes into the export, and goes with its business", async () => {
  const sent = await send(newId())
  expect(sent.status).toBe(200)
  const [file] = await keys()
  const storageKey = file?.storageKey ?? ''
  expect(existsSync(join(config.dataDir, 'files', storageKey))).toBe(false)
  const whole = await look(sent.body.url)
  const small = await look(`${sent.body.url}?small=1`)
  expect([whole.status, small.status]).toEqual([200, 200])
  expect(bucket.asked.some((line) => line.startsWith('PUT') && line.includes(`${business.id}/made/`))).toBe(true)

  const archive = await exported(business.api)
  expect([...archive.keys()].filter((name) => name.endsWith('.jpg'))).toHaveLength(1)

  const past = '2026-01-01T00:00:00.000Z'
  await business.db((db) => setClosedTx(db, { closedAt: past, deleteAfter: past }))
  await deleteClosedBusiness.run({ kind: 'system', businessId: business.id }, {})
  expect(await isStored(storageKey)).toBe(false)
  expect((await look(sent.body.url)).status).toBe(404)
})

it('a bucket that is away is a 503 with words, takes no server from the balancer, and the photo is taken once it is back', async () => {
  const kept = await send(newId())
  bucket.trouble = 'away'
  const id = newId()
  const other = await sharp(picture).negate().jpeg().toBuffer()
  const refused = await send(id, other)
  expect([refused.status, refused.error.code, refused.error.message]).toEqual([
    503,
    'unavailable',
    'Photos cannot be reached right now. Nothing was lost; please try again in a few minutes.',
  ])
  for (const query of ['', '?small=1', '?text=1']) expect((await look(kept.body.url + query)).status).toBe(503)
  expect((await look('/ready')).status).toBe(200)
  expect((await look('/health')).status).toBe(200)
  expect(await keys()).toHaveLength(1)
  bucket.trouble = 'none'
  expect((await send(id, other)).status).toBe(200)
  expect((await look('/ready')).status).toBe(200)
  expect((await look(kept.body.url)).status).toBe(200)
})

it("a running house's files are copied into the bucket, again only what came since, and no draft", async () => {
  const folder = mkdtempSync(join(tmpdir(), 'swath-files-'))
  const put = (name: string, text: string) => {
    mkdirSync(join(folder, 'files/house/ab'), { recursive: true })
    writeFileSync(join(folder, 'files/house/ab', name), text)
  }
  for (let n = 0; n < 30; n += 1) put(`one${n}`, `bytes ${n}`)
  put('half.draft', 'half')
  const settings = bucket.settings
  bucket.trouble = 'away'
  await expect(copyFilesToBucket(folder, settings)).rejects.toMatchObject({ code: 'unavailable' })
  bucket.trouble = 'none'
  expect(await copyFilesToBucket(folder, settings)).toMatchObject({ copied: 30, known: 0 })
  put('later', 'came since')
  expect(await copyFilesToBucket(folder, settings)).toMatchObject({ copied: 1, known: 30 })
  expect(String(await readObject('house/ab/one7'))).toBe('bytes 7')
  expect(String(await readObject('house/ab/later'))).toBe('came since')
  expect(existsSync(join(folder, 'files/house/ab/one7'))).toBe(true)
  expect(await copyFilesToBucket(mkdtempSync(join(tmpdir(), 'swath-files-')), settings)).toMatchObject({ copied: 0 })
})
