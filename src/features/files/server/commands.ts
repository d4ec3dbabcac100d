import { userIdOf, type Who } from '../../../platform/actor.ts'
import { clock } from '../../../platform/clock.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { newId } from '../../../platform/ids.ts'
import { type StoredObject, storeObject } from '../../../platform/storage.ts'
import { type CleanImage, cleanImage } from './image/commands.ts'

export type StoredImage = Omit<CleanImage, 'bytes'> & StoredObject

/**
 * Cleans a photo and puts it on the disk. Slow, so before the transaction; without a row afterwards it is only a file that nobody names.
 * @throws AppError unsupported_media
 */
export const storeImage = async (who: Who, bytes: Uint8Array): Promise<StoredImage> => {
  const { bytes: clean, ...image } = await cleanImage(bytes)
  return { ...image, ...(await storeObject(who.businessId, clean)) }
}

/** Registers what `keepImage` kept. Returns the file's id. */
export const addFileTx = async (
  db: TenantDb,
  who: Who,
  kind: string,
  image: StoredImage,
  name = '',
): Promise<string> => {
  const id = newId()
  await db
    .insertInto('files')
    .values({ businessId: db.businessId, id, kind, name, ...image, createdBy: userIdOf(who), createdAt: clock.iso() })
    .execute()
  return id
}

/** Registers a document that the server made and stored. Returns the file's id. */
export const addDocumentTx = async (
  db: TenantDb,
  kind: string,
  document: StoredObject & { mime: string; name: string },
): Promise<string> => {
  const id = newId()
  await db
    .insertInto('files')
    .values({ businessId: db.businessId, id, kind, ...document, createdAt: clock.iso() })
    .execute()
  return id
}
