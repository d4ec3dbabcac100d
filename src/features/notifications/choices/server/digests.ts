import type { SystemActor } from '../../../../platform/actor.ts'
import { clock } from '../../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import type { GlobalTask, Schedule } from '../../../../platform/tasks/runner.ts'
import { forEach, forEachOpenBusiness } from '../../../../platform/tasks/walk.ts'
import { brand } from '../../../../shared/brand.ts'
import { timeZoneOf } from '../../../businesses/server/queries.ts'
import { queueMessage } from '../../../messages/server/commands.ts'
import { hourOf } from './commands.ts'
import { digestMail, mostInDigest } from './mail.ts'

/** Whose hour has come and who was not looked at today. */
const listDue = async (db: TenantDb): Promise<string[]> => {
  const { today, hour } = await hourOf(db)
  const rows = await db
    .selectFrom('notificationDigests')
    .innerJoin('users', (join) =>
      join
        .onRef('users.businessId', '=', 'notificationDigests.businessId')
        .onRef('users.id', '=', 'notificationDigests.userId'),
    )
    .where('notificationDigests.businessId', '=', db.businessId)
    .where('notificationDigests.hour', '<=', hour)
    .where('notificationDigests.lastOn', '<', today)
    .where('users.status', '=', 'active')
    .where('users.archivedAt', 'is', null)
    .where('users.role', 'in', ['Owner', 'Admin'])
    .where('users.email', 'is not', null)
    .select('userId')
    .execute()
  return rows.map(({ userId }) => userId)
}

/** Takes a turn under its lock, so that two workers mail it once. @returns since when news are in it, or null where another one had it */
const takeTurnTx = async (db: TenantDb, userId: string): Promise<string | null> => {
  const { today } = await hourOf(db)
  const turn = await db
    .selectFrom('notificationDigests')
    .select('lastAt')
    .where('businessId', '=', db.businessId)
    .where('userId', '=', userId)
    .where('lastOn', '<', today)
    .forUpdate()
    .executeTakeFirst()
  if (!turn) return null
  await db
    .updateTable('notificationDigests')
    .set({ lastOn: today, lastAt: clock.iso() })
    .where('businessId', '=', db.businessId)
    .where('userId', '=', userId)
    .execute()
  return turn.lastAt
}

/** What was written while a digest was made is seen by the next one, which says nothing twice. */
const overlapMs = 5 * 60_000

/** What came since and was not read; what they want none of by mail is left out. */
const listNews = (db: TenantDb, userId: string, since: string) =>
  db
    .selectFrom('notifications')
    .where('businessId', '=', db.businessId)
    .where('userId', '=', userId)
    .where('readAt', 'is', null)
    .where('crew', 'is', null)
    .where('createdAt', '>', new Date(Date.parse(since) - overlapMs).toISOString())
    .where('mailed', '=', false)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('notificationMutes')
            .select('topic')
            .where('businessId', '=', db.businessId)
            .where('userId', '=', userId)
            .where('channel', '=', 'mail')
            .whereRef('notificationMutes.topic', '=', eb.fn.coalesce('notifications.topic', eb.val('other'))),
        ),
      ),
    )
    .select(['id', 'title', 'content', 'path', 'createdAt'])
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(mostInDigest + 1)
    .execute()

const sendOne = (actor: SystemActor, userId: string): Promise<void> =>
  withTenant(actor, async (db) => {
    const since = await takeTurnTx(db, userId)
    if (since === null) return
    const news = await listNews(db, userId, since)
    if (news.length === 0) return
    await db
      .updateTable('notifications')
      .set({ mailed: true })
      .where('businessId', '=', db.businessId)
      .where(
        'id',
        'in',
        news.map(({ id }) => id),
      )
      .execute()
    const person = await db
      .selectFrom('users')
      .innerJoin('businesses', 'businesses.businessId', 'users.businessId')
      .where('users.businessId', '=', db.businessId)
      .where('users.id', '=', userId)
      .select(['users.name', 'users.email', 'businesses.name as business'])
      .executeTakeFirstOrThrow()
    if (!person.email) return
    const { today } = await hourOf(db)
    await queueMessage(db, {
      channel: 'email',
      purpose: 'account',
      fromName: brand.name,
      address: person.email,
      userId,
      dedupeKey: `digest:${userId}:${today}`,
      ...digestMail(person, news, await timeZoneOf(db)),
    })
  })

/** Mails the digests of a business whose hour has come; one that fails holds no other back. */
export const sendDigests = async (actor: SystemActor): Promise<void> =>
  forEach(
    'digests of news',
    await withTenant(actor, listDue),
    (userId) => ({ userId }),
    (userId) => sendOne(actor, userId),
  )

/** Looks a few minutes after each hour, and again at half past for what a restart left. */
export const sendAllDigests: GlobalTask = {
  name: 'notifications.digests',
  run: () => forEachOpenBusiness('digests of news', sendDigests),
}

export const sendAllDigestsSchedule: Schedule = { task: sendAllDigests.name, match: '2,32 * * * *', onlyLatest: true }
