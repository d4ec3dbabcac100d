import { sql } from 'kysely'
import { z } from 'zod'
import { type Actor, userIdOf, type Who } from '../../../platform/actor.ts'
import { clock } from '../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../platform/db/tenant.ts'
import { newId } from '../../../platform/ids.ts'
import { type StoredObject, storeObject } from '../../../platform/storage.ts'
import { AppError, conflict, notFound } from '../../../shared/errors.ts'
import { idleUploadHours, largestUpload, mostUnderWayBytes } from '../rules.ts'
import { type CleanImage, cleanImage } from './image/commands.ts'
import { countReceived, countUnderWay, findUpload } from './queries.ts'

export type StoredImage = Omit<CleanImage, 'bytes'> & StoredObject

/**
 * Cleans a photo and puts it on the disk. Slow, so before the transaction; without a row afterwards it is only a file that nobody names.
 * @throws AppError unsupported_media
 */
export const storeImage = async (
  { businessId }: { businessId: string },
  bytes: Uint8Array,
  takes: { gif?: boolean } = {},
): Promise<StoredImage> => {
  const { bytes: clean, ...image } = await cleanImage(bytes, takes)
  return { ...image, ...(await storeObject(businessId, clean)) }
}

/** Registers what `keepImage` kept. Returns the file's id. */
export const addFileTx = async (
  db: TenantDb,
  who: Who,
  kind: string,
  image: StoredImage,
  name = '',
  id: string = newId(),
): Promise<string> => {
  await db
    .insertInto('files')
    .values({ businessId: db.businessId, id, kind, name, ...image, createdBy: userIdOf(who), createdAt: clock.iso() })
    .execute()
  return id
}

/** Registers a document that is stored. Returns the file's id. */
export const addDocumentTx = async (
  db: TenantDb,
  kind: string,
  document: StoredObject & { mime: string; name: string },
  id: string = newId(),
): Promise<string> => {
  await db
    .insertInto('files')
    .values({ businessId: db.businessId, id, kind, ...document, createdAt: clock.iso() })
    .execute()
  return id
}

/** Forgets documents of one kind. Returns where they lie, to take them off the disk after the transaction. */
export const removeDocumentsTx = async (db: TenantDb, kind: string, ids: readonly string[]): Promise<string[]> => {
  if (ids.length === 0) return []
  const gone = await db
    .deleteFrom('files')
    .where('businessId', '=', db.businessId)
    .where('kind', '=', kind)
    .where('id', 'in', [...ids])
    .returning('storageKey')
    .execute()
  return gone.map((row) => row.storageKey)
}

/**
 * Forgets documents of one kind: those that were made before an instant, or those of these ids. Returns where they lie and no other of that kind does, to
 * take them off the disk after the transaction: the same bytes lie in one place.
 */
export const forgetDocumentsTx = async (
  db: TenantDb,
  kind: string,
  which: { before: string; limit: number } | { ids: readonly string[] },
): Promise<string[]> => {
  const rows = await db
    .selectFrom('files')
    .select('id')
    .where('businessId', '=', db.businessId)
    .where('kind', '=', kind)
    .$if('before' in which, (q) =>
      'before' in which ? q.where('createdAt', '<', which.before).orderBy('createdAt').limit(which.limit) : q,
    )
    .$if('ids' in which, (q) => ('ids' in which ? q.where('id', '=', sql<string>`any(${[...which.ids]}::uuid[])`) : q))
    .execute()
  const keys = await removeDocumentsTx(
    db,
    kind,
    rows.map(({ id }) => id),
  )
  if (keys.length === 0) return []
  const used = await db
    .selectFrom('files')
    .select('storageKey')
    .where('businessId', '=', db.businessId)
    .where('kind', '=', kind)
    .where('storageKey', 'in', keys)
    .execute()
  return keys.filter((key) => !used.some(({ storageKey }) => storageKey === key))
}

/** Makes room: what stands still goes, whole uploads only, so that none is left without its beginning. */
const removeIdle = async (db: TenantDb, userId: string, except: string): Promise<void> => {
  const before = new Date(clock.nowMs() - idleUploadHours * 3_600_000).toISOString()
  await sql`
    delete from upload_pieces
    where business_id = ${db.businessId} and user_id = ${userId} and upload_id in (
      select upload_id from upload_pieces
      where business_id = ${db.businessId} and user_id = ${userId} and upload_id <> ${except}
      group by upload_id having max(created_at) < ${before}::timestamptz)`.execute(db)
}

/**
 * Keeps the next piece of what a phone sends. A piece that came before, or that does not begin where the last one ended, changes nothing: the answer
 * says from where to go on.
 * @throws AppError unsupported_media for what is no bytes, state_conflict for more than one photo can have
 */
export const addPiece = (
  actor: Actor,
  { id, from }: { id: string; from: number },
  bytes: unknown,
): Promise<{ received: number }> =>
  withTenant(actor, async (db) => {
    if (!Buffer.isBuffer(bytes) || bytes.byteLength === 0)
      throw new AppError('unsupported_media', 'Send the bytes of the photo themselves. Nothing was changed.')
    await sql`select pg_advisory_xact_lock(hashtextextended(${`upload:${actor.userId}`}, 0))`.execute(db)
    const received = await countReceived(db, actor.userId, id)
    if (from !== received) return { received }
    if (received + bytes.byteLength > largestUpload)
      throw conflict('This photo is too large. Take it again with a lower resolution.')
    if ((await countUnderWay(db, actor.userId)) + bytes.byteLength > mostUnderWayBytes) {
      await removeIdle(db, actor.userId, id)
      if ((await countUnderWay(db, actor.userId)) + bytes.byteLength > mostUnderWayBytes)
        throw conflict('Too many photos are under way at once. Those before are taken first.')
    }
    // What lies behind a gap was begun before the beginning was tidied away; it comes again.
    await db
      .deleteFrom('uploadPieces')
      .where('businessId', '=', db.businessId)
      .where('userId', '=', actor.userId)
      .where('uploadId', '=', id)
      .where('startByte', '>=', from)
      .execute()
    await db
      .insertInto('uploadPieces')
      .values({
        businessId: db.businessId,
        userId: actor.userId,
        uploadId: id,
        startByte: from,
        bytes,
        createdAt: clock.iso(),
      })
      .execute()
    return { received: received + bytes.byteLength }
  })

const ByPieces = z.object({ upload: z.uuid() })

const uploadOf = (body: unknown): string | undefined =>
  Buffer.isBuffer(body) ? undefined : ByPieces.safeParse(body).data?.upload

/** The bytes of a photo: those that came with the request, or those that came before in pieces. @throws AppError not_found */
const photoBytes = async (actor: Actor, body: unknown): Promise<unknown> => {
  const upload = uploadOf(body)
  if (!upload) return body
  const bytes = await withTenant(actor, (db) => findUpload(db, actor.userId, upload))
  if (!bytes) throw notFound('upload')
  return bytes
}

/** Takes a photo from the bytes of a request or from its pieces, which are gone once it is kept. @throws AppError not_found where no piece has come */
export const takePhoto = async <T>(actor: Actor, body: unknown, take: (bytes: unknown) => Promise<T>): Promise<T> => {
  const taken = await take(await photoBytes(actor, body))
  const upload = uploadOf(body)
  if (upload)
    await withTenant(actor, (db) =>
      db
        .deleteFrom('uploadPieces')
        .where('businessId', '=', db.businessId)
        .where('userId', '=', actor.userId)
        .where('uploadId', '=', upload)
        .execute(),
    )
  return taken
}
