import type { Actor } from '../../../../platform/actor.ts'
import { clock } from '../../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { addDays } from '../../../../shared/dates.ts'
import { invalid } from '../../../../shared/errors.ts'
import type { NewsTopic, NewsWay, OwnChoices } from '../contract.ts'
import { getOwnChoices, hourOf, listNews } from './queries.ts'

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

/**
 * Takes somebody's turn of today: what came since their last one and was not read, the newest first. It stands in no later one; what is over the limit
 * stands in the next.
 * @param limit so many at most, the oldest
 * @returns `more`: how many wait for the next one; nothing where another one had the turn
 */
export const takeNewsTx = async (db: TenantDb, userId: string, limit: number) => {
  const since = await takeTurnTx(db, userId)
  const all = since === null ? [] : await listNews(db, userId, since)
  const news = all.slice(0, limit).reverse()
  const more = all.length - news.length
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
  // the next one begins with the first that waits
  const next = all[limit]
  if (next)
    await db
      .updateTable('notificationDigests')
      .set({ lastAt: next.createdAt })
      .where('businessId', '=', db.businessId)
      .where('userId', '=', userId)
      .execute()
  return { news, more }
}
