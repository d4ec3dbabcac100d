import { type RawBuilder, sql } from 'kysely'
import { clock } from '../../../platform/clock.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { CrewNotice } from '../../../shared/crew-notice.ts'
import { todayOf } from '../../businesses/server/queries.ts'
import type { NavCounts, Notification } from '../contract.ts'

export const countUnread = async (db: TenantDb, userId: string): Promise<number> => {
  const { count } = await db
    .selectFrom('notifications')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('businessId', '=', db.businessId)
    .where('userId', '=', userId)
    .where('readAt', 'is', null)
    .where('quiet', '=', false)
    .executeTakeFirstOrThrow()
  return count
}

export const listNotifications = async (
  db: TenantDb,
  userId: string,
  page: { limit: number; page: number },
): Promise<{ notifications: Notification[]; unreadCount: number }> => {
  const rows = await db
    .selectFrom('notifications')
    .leftJoin('customers', (join) =>
      join
        .onRef('customers.businessId', '=', 'notifications.businessId')
        .onRef('customers.id', '=', 'notifications.customerId'),
    )
    .where('notifications.businessId', '=', db.businessId)
    .where('notifications.userId', '=', userId)
    .where('notifications.quiet', '=', false)
    .select([
      'notifications.id',
      'notifications.type',
      'notifications.title',
      'notifications.content',
      'notifications.readAt',
      'notifications.createdAt',
      'notifications.path',
      'notifications.customerId',
      'customers.name',
    ])
    .orderBy('notifications.createdAt', 'desc')
    .orderBy('notifications.id', 'desc')
    .limit(page.limit)
    .offset((page.page - 1) * page.limit)
    .execute()
  return {
    notifications: rows.map((row) => ({
      _id: row.id,
      type: row.type,
      title: row.title,
      content: row.content,
      read: row.readAt !== null,
      readAt: row.readAt,
      createdAt: row.createdAt,
      customerId: row.customerId
        ? row.name === null
          ? row.customerId
          : { _id: row.customerId, name: row.name }
        : null,
      path: row.path,
    })),
    unreadCount: await countUnread(db, userId),
  }
}

const phoneHours = 72
const mostOnPhone = 10

/** What a person was told lately for the phone and has not seen, the newest first. What this version has no words for is left out. */
export const listCrewNotices = async (
  db: TenantDb,
  userId: string,
): Promise<{ id: string; at: string; about: CrewNotice }[]> => {
  const rows = await db
    .selectFrom('notifications')
    .select(['id', 'createdAt', 'crew'])
    .where('businessId', '=', db.businessId)
    .where('userId', '=', userId)
    .where('readAt', 'is', null)
    .where('crew', 'is not', null)
    .where('createdAt', '>', new Date(clock.nowMs() - phoneHours * 3_600_000).toISOString())
    .orderBy('createdAt', 'desc')
    .limit(mostOnPhone)
    .execute()
  return rows.flatMap(({ id, createdAt, crew }) => {
    const about = CrewNotice.safeParse(crew)
    return about.success ? [{ id, at: createdAt, about: about.data }] : []
  })
}

/** More leads than these that wait are not counted: the sidebar says 99 and more. */
const mostLeads = 100

/**
 * Who waits for us at an instant, as a table with `customer_id` and `address`: a customer without an answer or with a message that nobody has read,
 * and a number that nobody knows in the same way, where it neither rests nor is done. Of such a number a word to the machine, as STOP, asks for nothing:
 * nobody may answer it. One place, because the inbox and the sidebar say the same number.
 */
export const waitingConversations = (db: TenantDb, at: string): RawBuilder<unknown> => {
  const business = db.businessId
  const now = sql`${at}::timestamptz`
  return sql`(
    select v.customer_id, null::text as address from conversations v
    where v.business_id = ${business} and v.unanswered and v.closed_at is null and (v.snoozed_until is null or v.snoozed_until <= ${now})
    union
    select null::uuid, a.address from number_conversations a
    where a.business_id = ${business} and a.unanswered and a.closed_at is null and (a.snoozed_until is null or a.snoozed_until <= ${now})
    union
    select u.customer_id, case when u.customer_id is null then u.address end from (
      -- these few first, by their index: joined at once, all that anybody ever wrote may be read for them
      select m.customer_id, m.address from messages m
      where m.business_id = ${business} and m.direction = 'inbound' and m.opened_at is null and (m.purpose <> 'account' or m.channel = 'sms')
        and (m.customer_id is not null or (m.channel = 'sms' and m.reason is null and m.user_id is null and m.entity_type is distinct from 'portal'))
      offset 0) u
    left join conversations v on v.business_id = ${business} and v.customer_id = u.customer_id
    left join number_conversations a on a.business_id = ${business} and u.customer_id is null and a.address = u.address
    where v.closed_at is null and (v.snoozed_until is null or v.snoozed_until <= ${now})
      and a.closed_at is null and (a.snoozed_until is null or a.snoozed_until <= ${now}))`
}

/** What waits behind the items of the sidebar. */
export const getNavCounts = async (db: TenantDb): Promise<NavCounts> => {
  const today = await todayOf(db)
  const countOverdue = db
    .selectFrom('invoices')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('businessId', '=', db.businessId)
    .where('status', 'in', ['issued', 'partially_paid'])
    .where('dueOn', '<', today)
    .executeTakeFirstOrThrow()
  // what Customer Messages says of itself, by the same rows
  const countWaiting = sql<{ count: number }>`
    select count(*)::int as count from ${waitingConversations(db, clock.iso())} w`.execute(db)
  const countSubmitted = db
    .selectFrom('timesheets')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('businessId', '=', db.businessId)
    .where('status', '=', 'submitted')
    .executeTakeFirstOrThrow()
  const countUnreadChat = db
    .selectFrom('chatThreads')
    .select((eb) => eb.fn.sum<number | null>('officeUnread').as('count'))
    .where('businessId', '=', db.businessId)
    .where('officeUnread', '>', 0)
    .executeTakeFirstOrThrow()
  const listWaitingLeads = db
    .selectFrom('businessLeads')
    .select('id')
    .where('businessId', '=', db.businessId)
    .where('stage', '=', sql.lit('new'))
    .where('repliedAt', 'is', null)
    .limit(mostLeads)
    .execute()
  const [overdue, waiting, sheets, chat, leads] = await Promise.all([
    countOverdue,
    countWaiting,
    countSubmitted,
    countUnreadChat,
    listWaitingLeads,
  ])
  return {
    invoices: overdue.count,
    leads: leads.length,
    customerMessages: waiting.rows[0]?.count ?? 0,
    communications: Number(chat.count ?? 0),
    timesheets: sheets.count,
  }
}
