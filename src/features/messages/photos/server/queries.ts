import { sql } from 'kysely'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { signedFilePath, smallFilePath } from '../../../../platform/links.ts'
import { requireCustomer } from '../../../customers/server/queries.ts'
import type { CustomerPhoto, MessagePhoto } from '../contract.ts'

/** Where photos of a message are kept among the files. */
export const messageFileKind = 'message'

/** So many of each are offered, the newest. */
const mostOffered = 24

export const toPhoto = (businessId: string, id: string): MessagePhoto => ({
  id,
  url: signedFilePath(businessId, id),
  smallUrl: smallFilePath(businessId, id),
})

/** Among so many messages of a customer, the newest, mails are looked through for photos: no index tells mails with files from those without. */
const mostLooked = 200

/** Mails `m` of a customer that brought files. */
const mailsOf = (db: TenantDb, customerId: string) => sql`(select * from
    (select w.id, w.created_at, w.channel, w.direction, w.attachments from messages w
      where w.business_id = ${db.businessId} and w.customer_id = ${customerId} order by w.id desc limit ${mostLooked}) newest
    where newest.channel = 'email' and newest.direction = 'inbound' and newest.attachments <> '[]') m`

/** Photos of a customer's visits and of what was written with them, by text or mail, the newest first. @throws not_found */
export const listCustomerPhotos = async (db: TenantDb, customerId: string): Promise<CustomerPhoto[]> => {
  await requireCustomer(db, customerId)
  const { rows } = await sql<{ id: string; from: CustomerPhoto['from']; at: string }>`
    (select p.file_id as id, 'visit' as "from", coalesce(p.taken_at, p.created_at) as at
      from visits v join visit_photos p on p.business_id = v.business_id and p.visit_id = v.id
      where v.business_id = ${db.businessId} and v.customer_id = ${customerId}
      order by p.created_at desc, p.id desc limit ${mostOffered})
    union all
    (select (a.item ->> 'fileId')::uuid, 'message', m.created_at
      from (select * from messages w where w.business_id = ${db.businessId} and w.customer_id = ${customerId}
          and w.channel <> 'email' and w.attachments <> '[]' order by w.id desc limit ${mostOffered}) m
        cross join lateral jsonb_array_elements(m.attachments) a(item)
      order by m.id desc limit ${mostOffered})
    union all
    (select (a.item ->> 'fileId')::uuid, 'message', m.created_at
      from ${mailsOf(db, customerId)} cross join lateral jsonb_array_elements(m.attachments) a(item)
      where a.item ->> 'mime' like 'image/%'
      order by m.id desc limit ${mostOffered})
    order by at desc, id`.execute(db)
  const seen = new Set<string>()
  return rows.flatMap(({ id, from, at }) => {
    if (seen.has(id)) return []
    seen.add(id)
    return [{ ...toPhoto(db.businessId, id), from, at }]
  })
}

/** Those of some files that may go with a message to a customer: photos of theirs, and what who writes has just put there for it. */
export const listSendable = async (
  db: TenantDb,
  { customerId, userId, ids }: { customerId: string; userId: string; ids: readonly string[] },
): Promise<Set<string>> => {
  const { rows } = await sql<{ id: string }>`
    select f.id from files f
    where f.business_id = ${db.businessId} and f.id = any(${[...ids]}::uuid[]) and f.mime like 'image/%'
      and (f.kind = ${messageFileKind} and f.created_by = ${userId}
        or exists (select from visit_photos p join visits v on v.business_id = p.business_id and v.id = p.visit_id
          where p.business_id = f.business_id and p.file_id = f.id and v.customer_id = ${customerId})
        or f.kind = ${messageFileKind} and exists (select from messages m where m.business_id = f.business_id and m.customer_id = ${customerId}
          and m.channel <> 'email' and m.attachments <> '[]' and m.attachments @> jsonb_build_array(jsonb_build_object('fileId', f.id)))
        or f.kind = ${messageFileKind} and exists (select from ${mailsOf(db, customerId)}
          where m.attachments @> jsonb_build_array(jsonb_build_object('fileId', f.id))))`.execute(db)
  return new Set(rows.map(({ id }) => id))
}
