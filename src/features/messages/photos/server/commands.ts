import { z } from 'zod'
import type { Actor } from '../../../../platform/actor.ts'
import { systemActor } from '../../../../platform/actor.ts'
import { clock } from '../../../../platform/clock.ts'
import { type BusinessId, type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { newId } from '../../../../platform/ids.ts'
import { fetchMedium } from '../../../../platform/sms/media.ts'
import type { Medium } from '../../../../platform/sms/text.ts'
import { taskName } from '../../../../platform/tasks/task.ts'
import { AppError, invalid } from '../../../../shared/errors.ts'
import { addFileTx, type StoredImage, storeImage } from '../../../files/server/commands.ts'
import type { Attachment } from '../../server/queries.ts'
import type { MessagePhoto } from '../contract.ts'
import { lostPhotoWords } from '../rules.ts'
import { listSendable, messageFileKind, toPhoto } from './queries.ts'

/** Keeps a photo that is to go with a message. @throws validation_failed, unsupported_media */
export const readPhoto = (actor: Actor, body: unknown): Promise<StoredImage> => {
  if (!(body instanceof Uint8Array)) throw invalid([{ path: 'photo', message: 'This is not a picture.' }])
  return storeImage(actor, body)
}

export const addMessagePhoto = (actor: Actor, image: StoredImage): Promise<MessagePhoto> =>
  withTenant(actor, async (db) => toPhoto(db.businessId, await addFileTx(db, actor, messageFileKind, image)))

/** Photos as they go with a message to a customer. @throws validation_failed for one that is not theirs to get */
export const attachPhotosTx = async (
  db: TenantDb,
  actor: Actor,
  customerId: string,
  ids: readonly string[] = [],
): Promise<Attachment[]> => {
  if (ids.length === 0) return []
  const sendable = await listSendable(db, { customerId, userId: actor.userId, ids })
  if (ids.some((id) => !sendable.has(id)))
    throw invalid([
      {
        path: 'photos',
        message: 'One of these photos is not there any more. Nothing was sent; take it out and try again.',
      },
    ])
  return [...new Set(ids)].map((fileId, at) => ({ fileId, name: `photo-${at + 1}.jpg` }))
}

/** Fetches the photos of a text that came in; the words are in the thread already. */
export const fetchPhotosTask = taskName({
  name: 'messages.photos',
  payload: z.object({
    messageId: z.uuid(),
    media: z.array(z.object({ ref: z.string(), mime: z.string() })),
  }),
  attempts: 8,
})

/** Adds to a text what came with it, once: the photos that are here, and why others are not. */
export const keepPhotosTx = async (
  db: TenantDb,
  messageId: string,
  images: readonly StoredImage[],
  lost: readonly string[],
): Promise<void> => {
  const row = await db
    .selectFrom('messages')
    .select(['attachments', 'notKept'])
    .where('businessId', '=', db.businessId)
    .where('id', '=', messageId)
    .forUpdate()
    .executeTakeFirst()
  // gone meanwhile, or a run before this one has done it
  if (!row || (row.attachments as Attachment[]).length > 0) return
  const attachments: Attachment[] = []
  for (const [at, image] of images.entries()) {
    const name = `photo-${at + 1}.jpg`
    const fileId = await addFileTx(db, systemActor(db.businessId), messageFileKind, image, name, newId())
    attachments.push({ fileId, name })
  }
  const notKept = [row.notKept, ...lost].filter(Boolean).join(' ') || null
  await db
    .updateTable('messages')
    .set({ attachments: JSON.stringify(attachments), notKept, updatedAt: clock.iso() })
    .where('businessId', '=', db.businessId)
    .where('id', '=', messageId)
    .execute()
  await publishChange(db, 'messages', [messageId])
}

/**
 * Fetches from the provider, and from nobody else, what came with a text, and keeps it. Runs at least once and keeps once.
 * @throws while the provider does not answer: it is asked again
 */
export const fetchPhotos = async (
  businessId: BusinessId,
  messageId: string,
  media: readonly Medium[],
): Promise<void> => {
  const images: StoredImage[] = []
  const lost = new Map<string, number>()
  const lose = (why: string) => lost.set(why, (lost.get(why) ?? 0) + 1)
  for (const medium of media) {
    const found = await fetchMedium(businessId, medium)
    if ('refused' in found) lose(found.refused)
    else
      try {
        images.push(await storeImage(systemActor(businessId), found.bytes, { gif: true }))
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'unsupported_media') throw error
        lose(`we cannot read this kind (${medium.mime.slice(0, 60)})`)
      }
  }
  await withTenant({ businessId }, (db) =>
    keepPhotosTx(
      db,
      messageId,
      images,
      [...lost].map(([why, count]) => lostPhotoWords(count, why)),
    ),
  )
}

/** Nobody could fetch them in all that time: the thread says so. */
export const losePhotos = (businessId: BusinessId, messageId: string, media: readonly Medium[]): Promise<void> =>
  withTenant({ businessId }, (db) =>
    keepPhotosTx(db, messageId, [], [lostPhotoWords(media.length, 'the SMS provider did not hand them out')]),
  )
