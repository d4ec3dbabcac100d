import { systemActor } from '../../../../platform/actor.ts'
import { withTenant } from '../../../../platform/db/tenant.ts'
import { newId } from '../../../../platform/ids.ts'
import type { FormFile } from '../../../../shared/endpoint.ts'
import { AppError, invalid } from '../../../../shared/errors.ts'
import { linkTo } from '../../../../shared/links.ts'
import { largestUpload } from '../../../files/rules.ts'
import { addFileTx, type StoredImage, storeImage } from '../../../files/server/commands.ts'
import { receivePortalTx } from '../../../messages/server/inbound/commands.ts'
import { notifyOffice } from '../../../notifications/server/commands.ts'
import type { PortalTexts } from '../../pages/server/texts.ts'
import { mostMessagePhotos, mostMessagePhotosMegabytes } from '../../rules.ts'
import type { Door, Person } from '../../server/queries.ts'

type Photo = { id: string; name: string; image: StoredImage }

/** Why photos are not taken, in the words of who sends them; undefined where they may be looked at. */
export const photosProblem = (photos: readonly FormFile[], cutOff: boolean, t: PortalTexts): string | undefined => {
  const heavy = photos.find(({ bytes }) => bytes.byteLength > largestUpload)
  return cutOff
    ? t.photosTooLarge(mostMessagePhotosMegabytes)
    : photos.length > mostMessagePhotos
      ? t.tooManyPhotos(mostMessagePhotos)
      : heavy && t.photoTooLarge(heavy.name.slice(-60), largestUpload / 1024 / 1024)
}

/** Cleans and stores photos one after the other. @throws validation_failed that names the one which is none */
const storePhotos = async (door: Door, photos: readonly FormFile[], t: PortalTexts): Promise<Photo[]> => {
  const stored: Photo[] = []
  for (const { name, bytes } of photos)
    try {
      const image = await storeImage(systemActor(door.businessId), bytes)
      stored.push({ id: newId(), name: name.slice(-100), image })
    } catch (cause) {
      if (!(cause instanceof AppError) || cause.code !== 'unsupported_media') throw cause
      throw invalid([{ path: 'photos', message: t.photoUnread(name.slice(-60)) }])
    }
  return stored
}

/**
 * Puts what a customer writes into their thread, where the office answers it, with their photos. Of a form that is sent twice once.
 * @throws validation_failed for a photo that is none; nothing was kept then
 */
export const writeByCustomer = async (
  door: Door,
  { person, text, photos, key }: { person: Person; text: string; photos: readonly FormFile[]; key: string },
  t: PortalTexts,
): Promise<void> => {
  const stored = await storePhotos(door, photos, t)
  await withTenant(door, async (db) => {
    const id = await receivePortalTx(db, {
      customerId: person.customerId,
      address: person.email ?? person.phone ?? '',
      fromName: person.name,
      text,
      attachments: stored.map((photo) => ({ fileId: photo.id, name: photo.name })),
      key,
    })
    if (id === null) return
    for (const photo of stored)
      await addFileTx(db, systemActor(door.businessId), 'message', photo.image, photo.name, photo.id)
    const along = stored.length === 0 ? '' : stored.length === 1 ? ' (1 photo)' : ` (${stored.length} photos)`
    await notifyOffice(db, {
      type: 'other',
      topic: 'replies',
      title: `${person.customerName} wrote in the portal${along}`,
      content: text.slice(0, 200),
      customerId: person.customerId,
      path: linkTo.customer(person.customerId, { part: 'messages' }),
      dedupeKey: `portal-message:${id}`,
    })
  })
}
