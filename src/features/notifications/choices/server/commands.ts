import type { Actor } from '../../../../platform/actor.ts'
import { clock } from '../../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { addDays, dayOf, minuteOfDay } from '../../../../shared/dates.ts'
import { invalid } from '../../../../shared/errors.ts'
import { timeZoneOf } from '../../../businesses/server/queries.ts'
import type { NewsTopic, NewsWay, OwnChoices } from '../contract.ts'
import { getOwnChoices } from './queries.ts'

/** Whether somebody hears of a kind of news by a way; what needs somebody always stands on the bell. */
export const chooseNews = (
  actor: Actor,
  { topic, way, on }: { topic: NewsTopic; way: NewsWay; on: boolean },
): Promise<OwnChoices> =>
  withTenant(actor, async (db) => {
    if (topic === 'needsYou' && way === 'bell' && !on)
      throw invalid([{ path: 'topic', message: 'What needs you always stands on the bell.' }])
    const { businessId } = db
    const { userId } = actor
    if (on)
      await db
        .deleteFrom('notificationMutes')
        .where('businessId', '=', businessId)
        .where('userId', '=', userId)
        .where('topic', '=', topic)
        .where('channel', '=', way)
        .execute()
    else
      await db
        .insertInto('notificationMutes')
        .values({ businessId, userId, topic, channel: way, createdAt: clock.iso() })
        .onConflict((c) => c.columns(['businessId', 'userId', 'topic', 'channel']).doNothing())
        .execute()
    return getOwnChoices(db, actor)
  })

/** What day and hour it is for a business. */
export const hourOf = async (db: TenantDb): Promise<{ today: string; hour: number }> => {
  const zone = await timeZoneOf(db)
  return { today: dayOf(clock.now(), zone), hour: Math.floor(minuteOfDay(clock.now(), zone) / 60) }
}

/** Sets the hour of somebody's digest: the first one leaves the next time that it strikes, with what came since now. */
export const setDigest = (actor: Actor, { hour }: { hour: number | null }): Promise<OwnChoices> =>
  withTenant(actor, async (db) => {
    const { businessId } = db
    const { userId } = actor
    if (hour === null)
      await db
        .deleteFrom('notificationDigests')
        .where('businessId', '=', businessId)
        .where('userId', '=', userId)
        .execute()
    else {
      const now = await hourOf(db)
      const lastOn = now.hour < hour ? addDays(now.today, -1) : now.today
      await db
        .insertInto('notificationDigests')
        .values({ businessId, userId, hour, lastOn, lastAt: clock.iso() })
        // who changes only the hour is told of nothing twice, and of all that came between
        .onConflict((c) => c.columns(['businessId', 'userId']).doUpdateSet({ hour, lastOn }))
        .execute()
    }
    return getOwnChoices(db, actor)
  })

/** Whose hour has come and who was not looked at today. */
export const listDigestsDue = async (db: TenantDb): Promise<string[]> => {
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
const listNews = (db: TenantDb, userId: string, since: string, limit: number) =>
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
    .limit(limit)
    .execute()

/**
 * Takes somebody's turn of today: what came since their last one and was not read, the newest first. It stands in no later one.
 * @param limit so many at most
 * @returns nothing where another one had the turn
 */
export const takeNewsTx = async (db: TenantDb, userId: string, limit: number) => {
  const since = await takeTurnTx(db, userId)
  const news = since === null ? [] : await listNews(db, userId, since, limit)
  if (news.length > 0)
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
  return news
}
