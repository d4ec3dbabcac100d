import { sql } from 'kysely'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { notFound } from '../../../../shared/errors.ts'
import { todayOf } from '../../../businesses/server/queries.ts'
import type { PhotoVisit } from '../../../messages/kept/contract.ts'
import type { Attachment } from '../../../messages/server/queries.ts'

/** So many visits are offered before today, and as many from today on. */
const mostOffered = 6

/** Whose a photo is that came with a message; where it lies is null once it is gone. @throws not_found */
export const getSentPhoto = async (
  db: TenantDb,
  messageId: string,
  fileId: string,
): Promise<{ customerId: string; storageKey: string | null }> => {
  const row = await db
    .selectFrom('messages')
    .select(['customerId', 'attachments'])
    .where('businessId', '=', db.businessId)
    .where('id', '=', messageId)
    .where('direction', '=', 'inbound')
    .executeTakeFirst()
  const attachment = ((row?.attachments ?? []) as Attachment[]).find((one) => one.fileId === fileId)
  if (!row?.customerId || !attachment) throw notFound('photo')
  const file = await db
    .selectFrom('files')
    .select('storageKey')
    .where('businessId', '=', db.businessId)
    .where('id', '=', fileId)
    .where('mime', 'like', 'image/%')
    .executeTakeFirst()
  return { customerId: row.customerId, storageKey: file?.storageKey ?? null }
}

const visits = (db: TenantDb, fileId: string, which: ReturnType<typeof sql>) =>
  sql<PhotoVisit>`
    select v.id, v.day, j.title, p.street, v.status,
      exists (select from visit_photos x where x.business_id = v.business_id and x.visit_id = v.id and x.file_id = ${fileId}) as "isKept"
    from visits v
    join jobs j on j.business_id = v.business_id and j.id = v.job_id
    join properties p on p.business_id = v.business_id and p.id = v.property_id
    where v.business_id = ${db.businessId} and v.day is not null and v.status <> 'canceled' and ${which}`

/** A visit of a customer as a photo can be added to it; null where there is none. */
export const findPhotoVisit = async (
  db: TenantDb,
  { customerId, fileId, visitId }: { customerId: string; fileId: string; visitId: string },
): Promise<PhotoVisit | null> =>
  (await visits(db, fileId, sql`v.customer_id = ${customerId} and v.id = ${visitId}`).execute(db)).rows[0] ?? null

/** The next visits of who sent a photo, the nearest first, then the last ones. @throws not_found */
export const listPhotoVisits = async (db: TenantDb, messageId: string, fileId: string): Promise<PhotoVisit[]> => {
  const { customerId } = await getSentPhoto(db, messageId, fileId)
  const today = await todayOf(db)
  const next = sql`v.customer_id = ${customerId} and v.day >= ${today} order by v.day, v.id limit ${mostOffered}`
  const last = sql`v.customer_id = ${customerId} and v.day < ${today} order by v.day desc, v.id limit ${mostOffered}`
  return [...(await visits(db, fileId, next).execute(db)).rows, ...(await visits(db, fileId, last).execute(db)).rows]
}
