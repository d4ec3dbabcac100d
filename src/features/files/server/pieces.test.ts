import sharp from 'sharp'
import { beforeAll, expect, it } from 'vitest'
import { clock } from '../../../platform/clock.ts'
import { newId } from '../../../platform/ids.ts'
import { applyRetention } from '../../../platform/retention.ts'
import { aBusiness, type Person, type TestBusiness } from '../../../test/factories.ts'
import { aCrew, aVisit } from '../../../test/field.ts'
import { crewappApi } from '../../crewapp/contract.ts'
import { retentionRules } from '../../system/server/retention.ts'
import { filesApi } from '../contract.ts'
import { largestUpload, mostUnderWayBytes, pieceBytes, uploadDays } from '../rules.ts'

let business: TestBusiness
let luis: Person
let visitId: string
let picture: Buffer
beforeAll(async () => {
  business = await aBusiness()
  luis = await business.employee()
  ;({ visitId } = await aVisit(business, { crewId: await aCrew(business, { members: [luis] }) }))
  const noise = { type: 'gaussian' as const, mean: 128, sigma: 60 }
  picture = await sharp({ create: { width: 900, height: 700, channels: 3, background: '#888', noise } })
    .jpeg({ quality: 95 })
    .toBuffer()
})

const raw = { 'content-type': 'application/octet-stream' }
const piece = (id: string, from: number, body: Buffer = picture.subarray(from, from + pieceBytes), who = luis) =>
  who.api.call(filesApi.addPiece, { query: { id, from }, body }, raw)
const received = async (id: string, who = luis) => (await who.api.ok(filesApi.received, { query: { id } })).received
const take = (id: string, upload: string, who = luis) =>
  who.api.call(crewappApi.addPhoto, { params: { visitId }, query: { id }, body: { upload } })
const rows = () =>
  business.db((db) => db.selectFrom('uploadPieces').select('startByte').where('businessId', '=', business.id).execute())

it('a photo comes in pieces, each once and in order, goes on where it stopped, and is one photo', async () => {
  expect(picture.length).toBeGreaterThan(2 * pieceBytes)
  const id = newId()
  expect(await received(id)).toBe(0)
  expect((await piece(id, 0)).body).toEqual({ received: pieceBytes })
  // a repeat, a gap, and bytes that nobody asked for
  expect((await piece(id, 0)).body).toEqual({ received: pieceBytes })
  expect((await piece(id, 3 * pieceBytes)).body).toEqual({ received: pieceBytes })
  expect((await piece(id, 5, Buffer.from('x'))).body).toEqual({ received: pieceBytes })
  for (let at = await received(id); at < picture.length; at = await received(id)) await piece(id, at)
  expect(await received(id)).toBe(picture.length)
  const taken = await take(id, id)
  expect([taken.status, taken.body.id]).toEqual([200, id])
  expect(await rows()).toEqual([])
  expect((await business.api.raw({ method: 'GET', url: taken.body.url })).status).toBe(200)
})

it('nobody takes what somebody else sends, half a photo is no photo, and what is too much is refused in words', async () => {
  const ana = await business.employee()
  const id = newId()
  await piece(id, 0)
  expect(await received(id, ana)).toBe(0)
  expect((await take(id, id, ana)).status).toBe(404)
  expect((await take(newId(), newId())).status).toBe(404)
  const half = await take(id, id)
  expect([half.status, half.error.code]).toEqual([415, 'unsupported_media'])
  expect(await received(id)).toBe(pieceBytes)
  const empty = await luis.api.call(filesApi.addPiece, { query: { id, from: 0 }, body: Buffer.alloc(0) }, raw)
  expect(empty.status).toBe(415)
  const big = newId()
  await business.db((db) =>
    db
      .insertInto('uploadPieces')
      .values(
        Array.from({ length: 15 }, (_, n) => ({
          businessId: business.id,
          userId: luis.userId,
          uploadId: big,
          startByte: n * 1_048_576,
          bytes: Buffer.alloc(1_048_576),
        })),
      )
      .execute(),
  )
  const more = await piece(big, largestUpload, Buffer.alloc(1))
  expect([more.status, more.error.message]).toEqual([
    409,
    'This photo is too large. Take it again with a lower resolution.',
  ])
})

const daysAgo = (days: number): string => new Date(clock.nowMs() - days * 86_400_000).toISOString()
const pieceOf = (
  uploadId: string,
  startByte: number,
  createdAt: string,
  bytes = picture.subarray(startByte, startByte + pieceBytes),
) => ({
  businessId: business.id,
  userId: luis.userId,
  uploadId,
  startByte,
  bytes,
  createdAt,
})
const keep = (...pieces: ReturnType<typeof pieceOf>[]) =>
  business.db((db) => db.insertInto('uploadPieces').values(pieces).execute())
const tidy = async () => {
  for (const rule of retentionRules.filter(({ table }) => table === 'upload_pieces'))
    await applyRetention(rule, business.id)
}

it('an upload that waits for its phone keeps all its pieces, and goes whole when nobody comes for it any more', async () => {
  const [waits, abandoned] = [newId(), newId()]
  await keep(
    pieceOf(waits, 0, daysAgo(uploadDays + 5)),
    pieceOf(waits, pieceBytes, daysAgo(uploadDays - 5)),
    pieceOf(abandoned, 0, daysAgo(uploadDays + 9)),
    pieceOf(abandoned, pieceBytes, daysAgo(uploadDays + 1)),
  )
  await tidy()
  expect([await received(waits), await received(abandoned)]).toEqual([2 * pieceBytes, 0])
  for (let at = await received(waits); at < picture.length; at = await received(waits)) await piece(waits, at)
  expect((await take(waits, waits)).status).toBe(200)
})

it('pieces without their beginning are no photo: the phone is asked for all of it, and it is whole in the end', async () => {
  const id = newId()
  await keep(pieceOf(id, pieceBytes, daysAgo(1)))
  expect(await received(id)).toBe(0)
  expect((await take(id, id)).status).toBe(404)
  for (let at = await received(id); at < picture.length; at = await received(id)) await piece(id, at)
  const taken = await take(id, id)
  expect(taken.status).toBe(200)
})

it('what stands still makes room for a new photo, and what is under way does not', async () => {
  const ben = await business.employee()
  const begun = newId()
  const full = Buffer.alloc(1_048_576)
  const old = Array.from({ length: mostUnderWayBytes / full.length }, () => newId())
  await keep(...old.map((id) => ({ ...pieceOf(id, 0, daysAgo(2), full), userId: ben.userId })))
  expect((await piece(begun, 0, undefined, ben)).status).toBe(200)
  await keep(...old.map((id) => ({ ...pieceOf(id, 0, daysAgo(0), full), userId: ben.userId })))
  expect((await piece(begun, pieceBytes, undefined, ben)).status).toBe(409)
  expect(await received(begun, ben)).toBe(pieceBytes)
  // all that may be under way is written twice
}, 120_000)
