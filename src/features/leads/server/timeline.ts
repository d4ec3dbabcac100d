import { sql } from 'kysely'
import { keyset } from '../../../platform/db/cursor.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { notFound } from '../../../shared/errors.ts'
import { type Attachment, filesOf, photosOf } from '../../messages/server/queries.ts'
import type { TimelineItem } from '../contract.ts'

type Raw = Omit<TimelineItem, 'message'> & {
  message: (Omit<NonNullable<TimelineItem['message']>, 'photos' | 'files'> & { attachments: Attachment[] }) | null
}

const withFiles = (businessId: string, { message, ...item }: Raw): TimelineItem => {
  if (!message) return { ...item, message }
  const { attachments, ...rest } = message
  return {
    ...item,
    message: { ...rest, photos: photosOf(businessId, attachments), files: filesOf(businessId, attachments) },
  }
}

/** What happened to a lead and what was written with them, newest first. Ids of both are made by time, so one order holds for all. */
export const listTimeline = async (
  db: TenantDb,
  id: string,
  query: { cursor?: string | undefined; limit: number },
): Promise<{ items: TimelineItem[]; nextCursor: string | null }> => {
  const lead = await db
    .selectFrom('businessLeads')
    .select(['email', 'phone', 'customerId'])
    .where('businessId', '=', db.businessId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!lead) throw notFound('lead')
  const { beyond, order, values, limit, page } = keyset([{ of: sql`x.id`, type: 'uuid' }], { ...query, order: 'desc' })
  const messages = (which: ReturnType<typeof sql>) => sql`
    (select x.id, x.created_at as at, 'message' as kind, x.user_id, x.body_text as words, jsonb_build_object('channel', x.channel, 'direction', x.direction,
      'subject', x.subject, 'notKept', x.not_kept,
      'attachments', case when x.channel <> 'email' or x.direction = 'inbound' then x.attachments else '[]' end, 'status', x.status, 'reason', x.reason, 'runAfter', x.run_after) as message
    from messages x where x.business_id = ${db.businessId} and x.purpose <> 'account' and ${which} and ${beyond} order by ${order} limit ${limit})`
  const { rows } = await sql<Raw & { cursorKeys: string[] }>`
    select x.id, x.at, x.kind, x.words, x.message, u.name as "byName", ${values} as "cursorKeys"
    from (
      (select x.id, x.at, x.kind, x.user_id, x.words, null::jsonb as message from business_lead_events x
        where x.business_id = ${db.businessId} and x.lead_id = ${id}::uuid and ${beyond} order by ${order} limit ${limit})
      union ${messages(sql`x.entity_type = 'lead' and x.entity_id = ${id}::uuid`)}
      ${lead.phone ? sql`union ${messages(sql`x.address = ${lead.phone} and x.customer_id is null and x.user_id is null`)}` : sql``}
      ${lead.email ? sql`union ${messages(sql`x.address = ${lead.email} and x.customer_id is null and x.user_id is null`)}` : sql``}
      ${lead.customerId ? sql`union ${messages(sql`x.customer_id = ${lead.customerId}::uuid`)}` : sql``}
    ) x left join users u on u.business_id = ${db.businessId} and u.id = x.user_id
    order by ${order} limit ${limit}`.execute(db)
  const found = page(rows)
  return { ...found, items: found.items.map((item) => withFiles(db.businessId, item)) }
}
