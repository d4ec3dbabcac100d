import { z } from 'zod'
import { systemActor } from '../../../../platform/actor.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { newId } from '../../../../platform/ids.ts'
import type { MailFile } from '../../../../platform/mail/inbound.ts'
import { storeObject } from '../../../../platform/storage.ts'
import { AppError } from '../../../../shared/errors.ts'
import { imageKindOf, isGif, isPdf } from '../../../files/rules.ts'
import { addDocumentTx, addFileTx, storeImage } from '../../../files/server/commands.ts'
import { messageFileKind } from '../../photos/server/queries.ts'
import type { Attachment } from '../../server/queries.ts'
import { fileName, isOrnament, type Loss, lostFilesWords, mostMailFileBytes, mostMailFiles } from '../rules.ts'

const onDisk = { name: z.string(), storageKey: z.string(), sha256: z.string(), byteCount: z.number().int() }

/** A file of a mail that lies on the disk and is no file of the business yet. */
const KeptFile = z.discriminatedUnion('mime', [
  z.object({ ...onDisk, mime: z.literal('image/jpeg'), width: z.number().int(), height: z.number().int() }),
  z.object({ ...onDisk, mime: z.literal('application/pdf') }),
])
type KeptFile = z.output<typeof KeptFile>

/** What came with a mail, as it waits with it until it is worked off. */
export const KeptFiles = z.object({ kept: z.array(KeptFile), notKept: z.string().nullable() })
export type KeptFiles = z.output<typeof KeptFiles>

export const noFiles: KeptFiles = { kept: [], notKept: null }

const keepOne = async (place: string, { bytes, name }: MailFile): Promise<KeptFile | Loss> => {
  if (bytes.byteLength > mostMailFileBytes) return 'large'
  if (isPdf(bytes))
    return {
      ...(await storeObject(place, bytes)),
      mime: 'application/pdf',
      name: fileName(name, 'pdf'),
    }
  if (!imageKindOf(bytes) && !isGif(bytes)) return /\.(hei[cf]|tiff?|bmp|avif)$/i.test(name) ? 'unreadable' : 'kind'
  try {
    const image = await storeImage({ businessId: place }, bytes, { gif: true })
    return { ...image, name: fileName(name, 'jpg') }
  } catch (error) {
    if (error instanceof AppError && error.code === 'unsupported_media') return 'unreadable'
    throw error
  }
}

/**
 * Puts the photos and PDFs of a mail on the disk, under what is in them: the same mail again keeps nothing twice. What a file says it is counts for
 * nothing. Slow, so before any transaction; without `addMailFilesTx` they are only files that nobody names.
 */
export const keepMailFiles = async (place: string, files: readonly MailFile[]): Promise<KeptFiles> => {
  const kept: KeptFile[] = []
  const losses: Loss[] = []
  for (const file of files) {
    if (isOrnament({ ...file, byteCount: file.bytes.byteLength })) continue
    const found = kept.length >= mostMailFiles ? 'many' : await keepOne(place, file)
    if (typeof found === 'string') losses.push(found)
    else kept.push(found)
  }
  return { kept, notKept: lostFilesWords(losses) }
}

/** What stands on the message, with ids for the files that `addMailFilesTx` then makes. */
export const attachmentsOf = ({ kept }: KeptFiles): Attachment[] =>
  kept.map(({ name, mime, byteCount }) => ({ fileId: newId(), name, mime, byteCount }))

/** Makes the files of a message that is new. */
export const addMailFilesTx = async (
  db: TenantDb,
  { kept }: KeptFiles,
  attachments: readonly Attachment[],
): Promise<void> => {
  for (const [at, { name, ...file }] of kept.entries()) {
    const id = attachments[at]?.fileId ?? newId()
    if (file.mime === 'image/jpeg') await addFileTx(db, systemActor(db.businessId), messageFileKind, file, name, id)
    else await addDocumentTx(db, messageFileKind, { ...file, name }, id)
  }
}
