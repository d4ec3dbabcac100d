import type { Actor } from '../../../platform/actor.ts'
import { clock } from '../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../platform/db/tenant.ts'
import { publishChange } from '../../../platform/events/changes.ts'
import { newId } from '../../../platform/ids.ts'
import type { CrewNotice } from '../../../shared/crew-notice.ts'
import { paths } from '../../../shared/paths.ts'
import type { PushTopic } from '../../push/contract.ts'
import { pushTx } from '../../push/server/commands.ts'
import { listBellMutes } from '../choices/server/queries.ts'
import type { Notification } from '../contract.ts'
import { countUnread } from './queries.ts'

export type Notice = {
  type: Notification['type']
  title: string
  content?: string
  customerId?: string | null
  /** Screen that it is about, from shared/paths. */
  path?: string | null
  /** For a crew's phone, which says it in its own language. */
  crew?: CrewNotice
  /** Which kind of news it is for who chose what rings; by its type where it is not said. */
  topic?: PushTopic
  /** The same key tells a person once. */
  dedupeKey: string
  /** News of what was told before takes its place in the bell, unread; without it the same key changes nothing. */
  again?: boolean
}

const topicBy: Partial<Record<Notice['type'], PushTopic>> = {
  invoice: 'money',
  quote: 'quotes',
  job: 'jobs',
  sms: 'replies',
  email: 'replies',
}

/** Which kind of news it is. */
const topicOf = ({ type, topic = topicBy[type] ?? 'other' }: Pick<Notice, 'type' | 'topic'>): PushTopic => topic

/** What a phone rings with for a line of the bell: a crew member's in facts, so that it speaks their language. */
const aboutOf = (notice: Notice) =>
  notice.crew ??
  (notice.path === paths.employeeTimesheets
    ? ({ code: 'week' } as const)
    : ({ code: 'bell', title: notice.title, topic: topicOf(notice) } as const))

/** Tells each person something of their own, in one go; nobody is told the same thing twice. */
export const notifyEach = async (db: TenantDb, notices: readonly (Notice & { userId: string })[]): Promise<void> => {
  if (!notices.length) return
  const mutes = await listBellMutes(
    db,
    notices.map(({ userId }) => userId),
  )
  const renewed = notices.filter(({ again }) => again).map(({ dedupeKey }) => dedupeKey)
  const told = await db
    .insertInto('notifications')
    .values(
      notices.map(({ crew, again: _, ...notice }) => ({
        businessId: db.businessId,
        id: newId(),
        userId: notice.userId,
        type: notice.type,
        title: notice.title,
        content: notice.content ?? '',
        customerId: notice.customerId ?? null,
        path: notice.path ?? null,
        crew: crew ? JSON.stringify(crew) : null,
        topic: topicOf(notice),
        // what a crew's phone is told is no line of the office's bell
        quiet: !crew && mutes.some(({ userId, topic }) => userId === notice.userId && topic === topicOf(notice)),
        dedupeKey: notice.dedupeKey,
        createdAt: clock.iso(),
      })),
    )
    .onConflict((c) => {
      const known = c.columns(['businessId', 'userId', 'dedupeKey'])
      return renewed.length === 0
        ? known.doNothing()
        : known
            .doUpdateSet((eb) => ({
              title: eb.ref('excluded.title'),
              content: eb.ref('excluded.content'),
              path: eb.ref('excluded.path'),
              createdAt: eb.ref('excluded.createdAt'),
              topic: eb.ref('excluded.topic'),
              quiet: eb.ref('excluded.quiet'),
              mailed: false,
              readAt: null,
            }))
            .where('notifications.dedupeKey', 'in', renewed)
    })
    .returning(['userId', 'dedupeKey'])
    .execute()
  await pushTx(
    db,
    told.flatMap(({ userId, dedupeKey }) => {
      const notice = notices.find((one) => one.userId === userId && one.dedupeKey === dedupeKey)
      return notice ? [{ userId, key: notice.dedupeKey, about: aboutOf(notice), path: notice.path ?? null }] : []
    }),
  )
  await publishChange(db, 'notifications')
}

/** Tells certain people; nobody is told the same thing twice. */
export const notifyUsers = (db: TenantDb, userIds: readonly string[], notice: Notice): Promise<void> =>
  notifyEach(
    db,
    userIds.map((userId) => ({ ...notice, userId })),
  )

/** Tells everybody of the office: owners and admins. */
export const notifyOffice = async (db: TenantDb, notice: Notice): Promise<void> => {
  const people = await db
    .selectFrom('users')
    .select('id')
    .where('businessId', '=', db.businessId)
    .where('role', 'in', ['Owner', 'Admin'])
    .where('status', '!=', 'disabled')
    .where('archivedAt', 'is', null)
    .execute()
  await notifyUsers(
    db,
    people.map((p) => p.id),
    notice,
  )
}

/** What a notice told of has been dealt with: it stands on nobody's bell any more. */
export const settleNotice = async (db: TenantDb, dedupeKey: string): Promise<void> => {
  const settled = await db
    .updateTable('notifications')
    .set({ readAt: clock.iso() })
    .where('businessId', '=', db.businessId)
    .where('userId', 'in', (eb) =>
      eb
        .selectFrom('users')
        .select('id')
        .where('businessId', '=', db.businessId)
        .where('role', 'in', ['Owner', 'Admin']),
    )
    .where('dedupeKey', '=', dedupeKey)
    .where('readAt', 'is', null)
    .returning('id')
    .execute()
  if (settled.length > 0) await publishChange(db, 'notifications')
}

/** Marks one, some or all of a person's own notifications as read. */
export const markRead = async (
  actor: Actor,
  ids: readonly string[] | undefined,
): Promise<{ updated: number; unreadCount: number }> =>
  withTenant(actor, async (db) => {
    let query = db
      .updateTable('notifications')
      .set({ readAt: clock.iso() })
      .where('businessId', '=', db.businessId)
      .where('userId', '=', actor.userId)
      .where('readAt', 'is', null)
    if (ids) query = query.where('id', 'in', ids.length ? [...ids] : [actor.userId])
    const rows = await query.returning('id').execute()
    if (rows.length) await publishChange(db, 'notifications')
    return { updated: rows.length, unreadCount: await countUnread(db, actor.userId) }
  })
