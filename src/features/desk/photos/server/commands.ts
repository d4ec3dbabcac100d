import { z } from 'zod'
import { clock } from '../../../../platform/clock.ts'
import { type ProspectsDb, withProspects } from '../../../../platform/db/prospects.ts'
import { newId } from '../../../../platform/ids.ts'
import { fetchMedium } from '../../../../platform/sms/media.ts'
import type { Medium } from '../../../../platform/sms/text.ts'
import type { ProspectTask } from '../../../../platform/tasks/prospect-task.ts'
import { AppError } from '../../../../shared/errors.ts'
import { storeImage } from '../../../files/server/commands.ts'
import type { KeptFiles } from '../../../messages/mailfiles/server/commands.ts'
import { lostPhotoWords } from '../../../messages/photos/rules.ts'
import { prospectsPlace } from './queries.ts'

/** Fetches the photos of a text that came in; the words are in the conversation already. */
export const fetchProspectPhotosTask = {
  name: 'prospects.photos',
  payload: z.object({
    messageId: z.uuid(),
    media: z.array(z.object({ ref: z.string(), mime: z.string() })),
    /** What is said of what is no photo. */
    otherwise: z.string().nullable(),
  }),
} satisfies ProspectTask

/** Puts what lies on the disk on a message of a lead. */
export const addCameTx = async (db: ProspectsDb, messageId: string, kept: KeptFiles['kept']): Promise<void> => {
  for (const { name, mime, storageKey, byteCount } of kept)
    await db
      .insertInto('messageFiles')
      .values({ id: newId(), messageId, name, mime, storageKey, byteCount, createdAt: clock.iso() })
      .execute()
}

/**
 * Fetches from the provider what came with a text of a lead, and keeps it. Runs at least once and keeps once.
 * @throws while the provider does not answer: it is asked again
 */
export const fetchProspectPhotos = async (
  messageId: string,
  media: readonly Medium[],
  otherwise: string | null,
): Promise<void> => {
  const kept: KeptFiles['kept'] = []
  const lost = new Map<string, number>()
  const lose = (why: string) => lost.set(why, (lost.get(why) ?? 0) + 1)
  for (const medium of media) {
    const found = await fetchMedium(prospectsPlace, medium)
    if ('refused' in found) lose(found.refused)
    else
      try {
        const image = await storeImage({ businessId: prospectsPlace }, found.bytes, { gif: true })
        kept.push({ ...image, name: `photo-${kept.length + 1}.jpg` })
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'unsupported_media') throw error
        lose(`we cannot read this kind (${medium.mime.slice(0, 60)})`)
      }
  }
  await withProspects(async (db) => {
    const row = await db.selectFrom('messages').select('id').where('id', '=', messageId).forUpdate().executeTakeFirst()
    const before = await db
      .selectFrom('messageFiles')
      .select('id')
      .where('messageId', '=', messageId)
      .limit(1)
      .execute()
    // gone meanwhile, or a run before this one has done it
    if (!row || before.length > 0) return
    await addCameTx(db, messageId, kept)
    await db
      .updateTable('messages')
      .set({
        notKept:
          [otherwise, ...[...lost].map(([why, count]) => lostPhotoWords(count, why))].filter(Boolean).join(' ') || null,
        updatedAt: clock.iso(),
      })
      .where('id', '=', messageId)
      .execute()
  })
}
