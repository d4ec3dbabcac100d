import sharp from 'sharp'
import { beforeAll, expect, it } from 'vitest'
import { newId } from '../../../../platform/ids.ts'
import { removeObject } from '../../../../platform/storage.ts'
import { addDays } from '../../../../shared/dates.ts'
import { aBusiness } from '../../../../test/factories.ts'
import { aVisit, today } from '../../../../test/field.ts'
import { storeImage } from '../../../files/server/commands.ts'
import { messagesApi } from '../../../messages/contract.ts'
import { sentPhotosApi } from '../../../messages/kept/contract.ts'
import { keepMailFiles } from '../../../messages/mailfiles/server/commands.ts'
import { keepPhotosTx } from '../../../messages/photos/server/commands.ts'
import { receiveStrangerMail, receiveText } from '../../../messages/server/inbound/commands.ts'
import { findVisitPage } from '../../../notices/server/page/queries.ts'
import { listPhotos } from '../../../payments/disputes/server/evidence.ts'
import { visitsApi } from '../../../visits/contract.ts'

let bytes: Buffer
beforeAll(async () => {
  bytes = await sharp({ create: { width: 320, height: 240, channels: 3, background: '#4a7' } })
    .jpeg()
    .toBuffer()
})

const aTalk = async () => {
  const own = await aBusiness()
  const visit = await aVisit(own, { day: addDays(today(), 2) })
  const [phone, email] = ['+19125550101', 'ann@test.swath.test']
  await own.db((db) =>
    db
      .updateTable('customers')
      .set({ phone, email })
      .where('businessId', '=', own.id)
      .where('id', '=', visit.customerId)
      .execute(),
  )
  const byMail = async () => {
    const files = await keepMailFiles(own.id, [{ name: 'IMG_1.jpg', mime: 'image/jpeg', related: false, bytes }])
    const mail = { messageId: newId(), from: email, fromName: 'Ann', subject: 'The fence', text: 'See the gap' }
    await receiveStrangerMail(own.id, mail, files)
  }
  const byText = async () => {
    const providerId = newId()
    await receiveText(own.id, { from: phone, body: 'Grubs?', providerId, provider: 'test' })
    const image = await storeImage({ businessId: own.id }, await sharp(bytes).negate().jpeg().toBuffer())
    await own.db(async (db) => {
      const { id } = await db
        .selectFrom('messages')
        .select('id')
        .where('businessId', '=', own.id)
        .where('providerId', '=', providerId)
        .executeTakeFirstOrThrow()
      await keepPhotosTx(db, id, [image], [])
    })
  }
  const newest = async () => {
    const { items } = await own.api.ok(messagesApi.list, { query: { customerId: visit.customerId } })
    const [message] = items
    const [photo] = message?.photos ?? []
    if (!message || !photo) throw new Error('no photo')
    return { params: { id: message.id }, fileId: photo.id }
  }
  const photosOf = async () => (await own.api.ok(visitsApi.get, { params: { visitId: visit.visitId } })).photos
  return { own, ...visit, byMail, byText, newest, photosOf }
}

it('a photo that came by mail or text is added to a visit once, says whose it is, and is no evidence of our work', async () => {
  const { own, visitId, byMail, byText, newest, photosOf } = await aTalk()
  for (const [at, comes] of [byMail, byText].entries()) {
    await comes()
    const { params, fileId } = await newest()
    const offered = await own.api.ok(sentPhotosApi.visits, { params, query: { fileId } })
    expect(offered.items).toMatchObject([{ id: visitId, title: 'Weekly mowing', isKept: false }])
    const body = { fileId, visitId }
    expect(await own.api.ok(sentPhotosApi.keep, { params, body })).toMatchObject({ id: visitId, isKept: true })
    // by somebody else a moment later, as another request
    expect(await own.api.ok(sentPhotosApi.keep, { params, body })).toMatchObject({ isKept: true })
    expect(await photosOf()).toHaveLength(at + 1)
    expect((await own.api.ok(sentPhotosApi.visits, { params, query: { fileId } })).items[0]?.isKept).toBe(true)
  }
  const photos = await photosOf()
  expect(photos.map(({ kind, fromCustomer, byName }) => [kind, fromCustomer, byName])).toEqual([
    ['other', true, own.owner.name],
    ['other', true, own.owner.name],
  ])
  expect(await own.db((db) => listPhotos(db, [visitId]))).toEqual([])
})

it('a photo of theirs is not shown back to them on the page of the visit, as the crew’s are', async () => {
  const { own, visitId, byText, newest, photosOf } = await aTalk()
  await byText()
  const { params, fileId } = await newest()
  await own.api.ok(sentPhotosApi.keep, { params, body: { fileId, visitId } })
  await own.db((db) =>
    db
      .updateTable('visits')
      .set({ status: 'completed' })
      .where('businessId', '=', own.id)
      .where('id', '=', visitId)
      .execute(),
  )
  expect(await photosOf()).toHaveLength(1)
  const onPage = async () => (await own.db((db) => findVisitPage(db, visitId)))?.visits[0]?.photos.length
  expect(await onPage()).toBe(0)
  await own.db((db) =>
    db.updateTable('files').set({ kind: 'photo' }).where('businessId', '=', own.id).where('id', '=', fileId).execute(),
  )
  expect(await onPage()).toBe(1)
})

it('a photo that is gone says so and adds nothing', async () => {
  const { own, visitId, byMail, newest, photosOf } = await aTalk()
  await byMail()
  const { params, fileId } = await newest()
  const { storageKey } = await own.db((db) =>
    db
      .selectFrom('files')
      .select('storageKey')
      .where('businessId', '=', own.id)
      .where('id', '=', fileId)
      .executeTakeFirstOrThrow(),
  )
  await removeObject(storageKey)
  const refused = await own.api.call(sentPhotosApi.keep, { params, body: { fileId, visitId } })
  expect([refused.status, refused.error.message]).toEqual([
    409,
    'This photo is not there any more, so it was not added. Ask them to send it again.',
  ])
  expect(await photosOf()).toEqual([])
})

it('goes to no visit of somebody else, and is no other file; another business has neither', async () => {
  const { own, visitId, byMail, newest, photosOf } = await aTalk()
  await byMail()
  const { params, fileId } = await newest()
  const neighbor = await aVisit(own)
  const other = await aBusiness()
  const answers = [
    await own.api.call(sentPhotosApi.keep, { params, body: { fileId, visitId: neighbor.visitId } }),
    await own.api.call(sentPhotosApi.keep, { params, body: { fileId: newId(), visitId } }),
    await other.api.call(sentPhotosApi.keep, { params, body: { fileId, visitId } }),
    await other.api.call(sentPhotosApi.visits, { params, query: { fileId } }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404])
  expect(await photosOf()).toEqual([])
})
