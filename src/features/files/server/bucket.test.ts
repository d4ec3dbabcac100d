import sharp from 'sharp'
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { config } from '../../../platform/config.ts'
import { newId } from '../../../platform/ids.ts'
import { isStored, removeObject } from '../../../platform/storage.ts'
import { stranger } from '../../../test/api.ts'
import { aBucket, type TestBucket } from '../../../test/bucket.ts'
import { aBusiness, type Person, type TestBusiness } from '../../../test/factories.ts'
import { aCrew, aVisit } from '../../../test/field.ts'
import { crewappApi } from '../../crewapp/contract.ts'
import { systemApi } from '../../system/contract.ts'

// Photos through HTTP with the files in a bucket.

let bucket: TestBucket
let business: TestBusiness
let luis: Person
let visitId: string
let picture: Buffer
beforeAll(async () => {
  business = await aBusiness()
  luis = await business.employee()
  ;({ visitId } = await aVisit(business, { crewId: await aCrew(business, { members: [luis] }) }))
  picture = await sharp({ create: { width: 900, height: 700, channels: 3, background: '#4a7' } })
    .jpeg()
    .toBuffer()
})
beforeEach(async () => {
  bucket = await aBucket()
  Object.assign(config, { files: bucket.settings })
})
afterEach(async () => {
  Object.assign(config, { files: undefined })
  await bucket.close()
})

const jpeg = { 'content-type': 'image/jpeg' }
const take = (id: string) =>
  luis.api.call(crewappApi.addPhoto, { params: { visitId }, query: { id }, body: picture }, jpeg)
const get = (url: string) => business.api.raw({ method: 'GET', url })
const keys = async (): Promise<string[]> =>
  (
    await business.db((db) =>
      db.selectFrom('files').select('storageKey').where('businessId', '=', business.id).orderBy('createdAt').execute(),
    )
  ).map(({ storageKey }) => storageKey)

it('a photo goes up, is shown large and small, and is taken away: all in the bucket, nothing on this disk', async () => {
  const id = newId()
  const taken = await take(id)
  expect(taken.status).toBe(200)
  const [key = ''] = await keys()
  expect(bucket.asked).toContainEqual(expect.stringMatching(new RegExp(`^PUT /[^ ]*${key}`)))
  const shown = await get(taken.body.url)
  expect([shown.status, shown.headers['content-type']]).toEqual([200, 'image/jpeg'])
  const small = await get(`${taken.body.url}?small=1`)
  expect(small.status).toBe(200)
  await removeObject(key)
  expect((await get(taken.body.url)).status).toBe(404)
  Object.assign(config, { files: undefined })
  expect(await isStored(key)).toBe(false)
})

it('a bucket that is away costs the photo a clear 503 and keeps no row; the same photo comes again', async () => {
  const [first, id] = [newId(), newId()]
  const before = (await take(first)).body
  const kept = await keys()
  picture = await sharp(picture).rotate(180).extend({ top: 9, background: '#fff' }).jpeg().toBuffer()
  bucket.trouble = 'away'
  const refused = await take(id)
  expect([refused.status, refused.error.code]).toEqual([503, 'unavailable'])
  expect(refused.error.message).toContain('Nothing was lost')
  const unseen = await get(before.url)
  expect(unseen.status).toBe(503)
  expect(await keys()).toEqual(kept)
  bucket.trouble = 'none'
  expect((await take(id)).status).toBe(200)
  expect((await get(before.url)).status).toBe(200)
})

it('a bucket that is away takes no server from the balancer: all but the photos works on', async () => {
  bucket.trouble = 'away'
  expect(await stranger.ok(systemApi.ready, {})).toEqual({ status: 'ready' })
})
