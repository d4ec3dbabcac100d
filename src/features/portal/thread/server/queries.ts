import { sql } from 'kysely'
import { keyset } from '../../../../platform/db/cursor.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import type { Photo } from '../../../messages/contract.ts'
import { type Attachment, photosOf } from '../../../messages/server/queries.ts'
import type { Person } from '../../server/queries.ts'

export type ThreadMessage = {
  id: string
  channel: 'email' | 'sms' | 'portal'
  direction: 'inbound' | 'outbound'
  text: string
  createdAt: string
  photos: Photo[]
}

/**
 * What a person and the business wrote to each other by hand, the latest first: notices and papers that left by themselves are not part of it. A
 * contact reads what went to and came from their own addresses only.
 */
export const listThread = async (
  db: TenantDb,
  person: Person,
  { cursor, limit = 30 }: { cursor?: string | undefined; limit?: number } = {},
): Promise<{ items: ThreadMessage[]; nextCursor: string | null }> => {
  const keys = keyset([{ of: sql`m.id`, type: 'uuid' }], { order: 'desc', cursor, limit })
  const own = [person.email, person.phone].filter((one) => one !== null)
  const whose = person.contactId === null ? sql`true` : sql`m.address = any(${sql.val(own)}::text[])`
  const { rows } = await sql<Omit<ThreadMessage, 'photos'> & { photos: Attachment[]; cursorKeys: string[] }>`
    select m.id, m.channel, m.direction, m.body_text as text, m.created_at as "createdAt",
      case when m.channel <> 'email' then m.attachments else '[]' end as photos, ${keys.values} as cursor_keys
    from messages m
    where m.business_id = ${db.businessId} and m.customer_id = ${person.customerId} and m.purpose <> 'account' and m.purpose <> 'marketing'
      and (m.direction = 'inbound' or m.user_id is not null and m.entity_type is null and m.status not in ('failed', 'suppressed'))
      and ${whose} and ${keys.beyond}
    order by ${keys.order} limit ${keys.limit}`.execute(db)
  const { items, nextCursor } = keys.page(rows)
  return { items: items.map((row) => ({ ...row, photos: photosOf(db.businessId, row.photos) })), nextCursor }
}
