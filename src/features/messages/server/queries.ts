import { sql } from 'kysely'
import { clock } from '../../../platform/clock.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { signedFilePath } from '../../../platform/links.ts'
import { dayOf, instantAt } from '../../../shared/dates.ts'
import { notFound } from '../../../shared/errors.ts'
import { limitsOf } from '../../billing/rules.ts'
import type { Message, MessageDetail } from '../contract.ts'
import type { Channel, MessageStatus, Purpose } from '../rules.ts'

export type ListFilter = {
  cursor?: string
  limit: number
  customerId?: string
  channel?: Channel
  status?: MessageStatus
  search?: string
}

const columns = (db: TenantDb) =>
  db
    .selectFrom('messages')
    .leftJoin('customers', (join) =>
      join.onRef('customers.businessId', '=', 'messages.businessId').onRef('customers.id', '=', 'messages.customerId'),
    )
    .where('messages.businessId', '=', db.businessId)
    .select([
      'messages.id',
      'messages.channel',
      'messages.direction',
      'messages.purpose',
      'messages.customerId',
      'customers.name as customerName',
      'messages.address',
      'messages.subject',
      'messages.bodyText',
      'messages.status',
      'messages.reason',
      'messages.segments',
      'messages.runAfter',
      'messages.sentAt',
      'messages.deliveredAt',
      'messages.createdAt',
    ])

type Row = Awaited<ReturnType<ReturnType<typeof columns>['executeTakeFirstOrThrow']>>

const toMessage = (row: Row): Message => ({
  id: row.id,
  channel: row.channel as Channel,
  direction: row.direction as Message['direction'],
  purpose: row.purpose as Purpose,
  customer: row.customerId ? { id: row.customerId, name: row.customerName ?? '' } : null,
  address: row.address,
  subject: row.subject,
  text: row.bodyText,
  status: row.status as MessageStatus,
  reason: row.reason,
  segments: row.segments,
  runAfter: row.runAfter,
  sentAt: row.sentAt,
  deliveredAt: row.deliveredAt,
  createdAt: row.createdAt,
})

export const listMessages = async (
  db: TenantDb,
  filter: ListFilter,
): Promise<{ items: Message[]; nextCursor: string | null; total: number }> => {
  let query = columns(db).where((eb) =>
    eb.or([eb('messages.purpose', '!=', 'account'), eb('messages.channel', '=', 'sms')]),
  )
  if (filter.customerId) query = query.where('messages.customerId', '=', filter.customerId)
  if (filter.channel) query = query.where('messages.channel', '=', filter.channel)
  if (filter.status) query = query.where('messages.status', '=', filter.status)
  if (filter.search) {
    const like = `%${filter.search.replace(/[%_\\]/g, '\\$&')}%`
    query = query.where((eb) =>
      eb.or([
        eb('messages.subject', 'ilike', like),
        eb('messages.bodyText', 'ilike', like),
        eb('messages.address', 'ilike', like),
        eb('customers.name', 'ilike', like),
      ]),
    )
  }
  const { total } = await query
    .clearSelect()
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  // Ids are UUIDv7: newest first is by id, and the last id is the cursor.
  const rows = await (filter.cursor ? query.where(sql<boolean>`messages.id < ${filter.cursor}::uuid`) : query)
    .orderBy('messages.id', 'desc')
    .limit(filter.limit + 1)
    .execute()
  const page = rows.slice(0, filter.limit)
  return {
    items: page.map(toMessage),
    nextCursor: rows.length > filter.limit ? (page.at(-1)?.id ?? null) : null,
    total,
  }
}

export type Attachment = { fileId: string; name: string }

export const getMessage = async (db: TenantDb, id: string): Promise<MessageDetail> => {
  const row = await columns(db)
    .where('messages.id', '=', id)
    .select(['messages.bodyHtml', 'messages.fromName', 'messages.attachments'])
    .executeTakeFirst()
  if (!row) throw notFound('message')
  const attachments = row.attachments as Attachment[]
  const files = attachments.length
    ? await db
        .selectFrom('files')
        .select(['id', 'byteCount'])
        .where('businessId', '=', db.businessId)
        .where(
          'id',
          'in',
          attachments.map((a) => a.fileId),
        )
        .execute()
    : []
  return {
    ...toMessage(row),
    html: row.bodyHtml,
    fromName: row.fromName,
    attachments: attachments.map((a) => ({
      name: a.name,
      url: signedFilePath(db.businessId, a.fileId),
      byteCount: files.find((f) => f.id === a.fileId)?.byteCount ?? 0,
    })),
  }
}

/** SMS segments that left this month in the business's zone, and the plan's limit (null: none). */
export const smsUsage = async (
  db: TenantDb,
): Promise<{ segmentsUsed: number; segmentLimit: number | null; month: string }> => {
  const business = await db
    .selectFrom('businesses')
    .select(['timeZone', 'planTier'])
    .where('businessId', '=', db.businessId)
    .executeTakeFirstOrThrow()
  const month = dayOf(clock.now(), business.timeZone).slice(0, 7)
  const { used } = await db
    .selectFrom('messages')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('segments'), sql<number>`0`).as('used'))
    .where('businessId', '=', db.businessId)
    .where('channel', '=', 'sms')
    .where('direction', '=', 'outbound')
    .where('purpose', '!=', 'account')
    .where('status', 'in', ['sending', 'sent', 'delivered', 'unknown', 'failed'])
    .where('createdAt', '>=', instantAt(`${month}-01`, 0, business.timeZone))
    .executeTakeFirstOrThrow()
  return { segmentsUsed: Number(used), segmentLimit: limitsOf(business.planTier).messageLimit, month }
}

/** The last word on marketing to an address. */
export const findMarketingConsent = async (
  db: TenantDb,
  channel: Channel,
  address: string,
): Promise<'grant' | 'revoke' | null> => {
  const row = await db
    .selectFrom('consentEvents')
    .select('action')
    .where('businessId', '=', db.businessId)
    .where('channel', '=', channel)
    .where('address', '=', address)
    .where('purpose', '=', 'marketing')
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return (row?.action as 'grant' | 'revoke' | undefined) ?? null
}

/** Whether an address is shut, and for what; the widest shutting wins. */
export const findSuppression = async (
  db: TenantDb,
  channel: Channel,
  address: string,
): Promise<{ purpose: 'all' | 'marketing'; reason: string } | null> => {
  const rows = await db
    .selectFrom('suppressions')
    .select(['purpose', 'reason'])
    .where('businessId', '=', db.businessId)
    .where('channel', '=', channel)
    .where('address', '=', address)
    .execute()
  const row = rows.find((r) => r.purpose === 'all') ?? rows[0]
  return row ? { purpose: row.purpose as 'all' | 'marketing', reason: row.reason } : null
}
