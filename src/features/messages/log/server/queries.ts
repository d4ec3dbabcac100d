import { sql } from 'kysely'
import type { z } from 'zod'
import { keyset } from '../../../../platform/db/cursor.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { addDays, instantAt } from '../../../../shared/dates.ts'
import { timeZoneOf } from '../../../businesses/server/queries.ts'
import type { Channel, MessageStatus } from '../../rules.ts'
import type { Attachment } from '../../server/queries.ts'
import type { LogRow, messageLogApi } from '../contract.ts'
import { causeOf, type LogFacts, type Outcome, outcomes, statusesOf, whyOf } from '../rules.ts'

type Query = z.output<(typeof messageLogApi)['list']['query']>

type Row = LogFacts & {
  id: string
  channel: Channel
  purpose: LogRow['purpose']
  customerId: string | null
  customerName: string | null
  address: string
  text: string
  status: MessageStatus
  dedupeKey: string
  cursorKeys: string[]
}

/** What went to customers and what did not, newest first. Mail of the account, whose links sign people in, is no part of it. */
export const listMessageLog = async (
  db: TenantDb,
  { customerId, channel, outcome, until, cursor, limit }: Query,
): Promise<{ items: LogRow[]; nextCursor: string | null }> => {
  const timeZone = await timeZoneOf(db)
  const keys = keyset(
    [
      { of: sql`m.created_at`, type: 'instant' },
      { of: sql`m.id`, type: 'uuid' },
    ],
    { order: 'desc', cursor, limit },
  )
  const { rows } = await sql<Row>`
    select m.*, c.name as "customerName", (select jsonb_build_object('action', e.action, 'source', e.source, 'at', e.at) from consent_events e
        where e.business_id = ${db.businessId} and e.channel = m.channel and e.address = m.address and e.purpose = 'marketing'
          and e.at <= m."createdAt" and m.purpose = 'marketing' order by e.at desc, e.id desc limit 1) as consent,
      m.status in ('failed', 'unknown', 'suppressed') and exists (select from messages n where n.business_id = ${db.businessId}
        and n.dedupe_key = 'resend:' || m.id::text) as "isResent"
    from (select m.id, m.channel, m.purpose, m.customer_id as "customerId", m.address, m.status, m.reason, m.attempts,
        case when m.channel = 'email' then m.subject else left(m.body_text, 160) end as text, m.dedupe_key as "dedupeKey",
        m.run_after as "runAfter", m.sent_at as "sentAt", m.delivered_at as "deliveredAt", m.opened_at as "openedAt",
        m.created_at as "createdAt", ${keys.values} as "cursorKeys"
      from messages m
      where m.business_id = ${db.businessId} and m.direction = 'outbound' and m.channel in ('email', 'sms') and m.purpose <> 'account'
        and ${customerId ? sql`m.customer_id = ${customerId}` : sql`true`}
        and ${channel ? sql`m.channel = ${channel}` : sql`true`}
        and ${outcome ? sql`m.status in (${sql.join(statusesOf[outcome].map((status) => sql.lit(status)))})` : sql`true`}
        and ${until ? sql`m.created_at < ${instantAt(addDays(until, 1), 0, timeZone)}::timestamptz` : sql`true`}
        and ${keys.beyond}
      order by ${keys.order} limit ${keys.limit}) m
    left join customers c on c.business_id = ${db.businessId} and c.id = m."customerId"
    order by m."createdAt" desc, m.id desc`.execute(db)
  const { items, nextCursor } = keys.page(rows)
  return {
    items: items.map(({ customerId: id, customerName, dedupeKey, ...row }) => ({
      id: row.id,
      channel: row.channel,
      purpose: row.purpose,
      customer: id ? { id, name: customerName ?? '' } : null,
      address: row.address,
      text: row.text,
      status: row.status,
      runAfter: row.runAfter,
      createdAt: row.createdAt,
      cause: causeOf(dedupeKey, row.purpose),
      why: whyOf(row, timeZone),
    })),
    nextCursor,
  }
}

/** What became of messages, by their ids, for who caused them: of mail of the account this alone is told, never what is in it. */
export const listOutcomes = async (
  db: TenantDb,
  ids: readonly string[],
): Promise<Map<string, { address: string; outcome: Outcome; reason: string }>> => {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('messages')
    .select(['id', 'address', 'status', 'reason'])
    .where('businessId', '=', db.businessId)
    .where('id', 'in', [...ids])
    .execute()
  return new Map(
    rows.flatMap(({ id, address, status, reason }) => {
      const outcome = outcomes.find((one) => statusesOf[one].some((known) => known === status))
      return outcome ? [[id, { address, outcome, reason: reason ?? '' }] as const] : []
    }),
  )
}

/** Files that lie in the mails about a record since an instant. */
export const listAttached = async (
  db: TenantDb,
  entity: { type: string; id: string },
  since: string,
): Promise<string[]> => {
  const rows = await db
    .selectFrom('messages')
    .select('attachments')
    .where('businessId', '=', db.businessId)
    .where('entityType', '=', entity.type)
    .where('entityId', '=', entity.id)
    .where('createdAt', '>=', since)
    .execute()
  return [...new Set(rows.flatMap(({ attachments }) => (attachments as Attachment[]).map(({ fileId }) => fileId)))]
}
