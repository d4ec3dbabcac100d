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
