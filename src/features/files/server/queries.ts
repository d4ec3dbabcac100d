import { sql } from 'kysely'
import type { TenantDb } from '../../../platform/db/tenant.ts'

export const findFile = (db: TenantDb, fileId: string) =>
  db
    .selectFrom('files')
    .select(['id', 'kind', 'mime', 'storageKey', 'byteCount', 'name'])
    .where('businessId', '=', db.businessId)
    .where('id', '=', fileId)
    .executeTakeFirst()

/** Bytes that have come, without a gap, of what a person's phone sends in pieces. */
export const countReceived = async (db: TenantDb, userId: string, uploadId: string): Promise<number> => {
  const { rows } = await sql<{ received: number }>`
    select coalesce(sum(length), 0)::int as received from (
      select octet_length(bytes) as length, start_byte,
        coalesce(sum(octet_length(bytes)) over (order by start_byte rows between unbounded preceding and 1 preceding), 0) as before
      from upload_pieces
      where business_id = ${db.businessId} and user_id = ${userId} and upload_id = ${uploadId}) piece
    where start_byte = before`.execute(db)
  return rows[0]?.received ?? 0
}

/** What has come of an upload, from its beginning; null where that has not. */
export const findUpload = async (db: TenantDb, userId: string, uploadId: string): Promise<Buffer | null> => {
  const rows = await db
    .selectFrom('uploadPieces')
    .select(['bytes', 'startByte'])
    .where('businessId', '=', db.businessId)
    .where('userId', '=', userId)
    .where('uploadId', '=', uploadId)
    .orderBy('startByte')
    .execute()
  // A beginning that is gone was tidied away: the phone has it and sends it again.
  if (rows[0]?.startByte !== 0) return null
  return rows.length > 0 ? Buffer.concat(rows.map(({ bytes }) => bytes)) : null
}

/** Bytes of everything that a person's phone has under way. */
export const countUnderWay = async (db: TenantDb, userId: string): Promise<number> => {
  const { rows } = await sql<{ all: number }>`
    select coalesce(sum(octet_length(bytes)), 0)::int as all from upload_pieces
    where business_id = ${db.businessId} and user_id = ${userId}`.execute(db)
  return rows[0]?.all ?? 0
}
