import { sql } from 'kysely'
import type { TenantDb } from '../../../platform/db/tenant.ts'

export const findFile = (db: TenantDb, fileId: string) =>
  db
    .selectFrom('files')
    .select(['id', 'mime', 'storageKey', 'byteCount', 'name'])
    .where('businessId', '=', db.businessId)
    .where('id', '=', fileId)
    .executeTakeFirst()

/** Bytes that have come, without a gap, of what a person's phone sends in pieces. */
export const countReceived = async (db: TenantDb, userId: string, uploadId: string): Promise<number> => {
  const { rows } = await sql<{ received: number }>`
    select coalesce(sum(octet_length(bytes)), 0)::int as received from upload_pieces
    where business_id = ${db.businessId} and user_id = ${userId} and upload_id = ${uploadId}`.execute(db)
  return rows[0]?.received ?? 0
}

/** What has come of an upload, whole; null where nothing has. */
export const findUpload = async (db: TenantDb, userId: string, uploadId: string): Promise<Buffer | null> => {
  const rows = await db
    .selectFrom('uploadPieces')
    .select('bytes')
    .where('businessId', '=', db.businessId)
    .where('userId', '=', userId)
    .where('uploadId', '=', uploadId)
    .orderBy('startByte')
    .execute()
  return rows.length > 0 ? Buffer.concat(rows.map(({ bytes }) => bytes)) : null
}
