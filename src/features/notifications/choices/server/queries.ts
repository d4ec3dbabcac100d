import type { Actor } from '../../../../platform/actor.ts'
import { clock } from '../../../../platform/clock.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { dayOf, minuteOfDay } from '../../../../shared/dates.ts'
import { timeZoneOf } from '../../../businesses/server/queries.ts'
import type { NewsTopic, OwnChoices } from '../contract.ts'

/** Of these people, who wants which kinds of news not on the bell. */
export const listBellMutes = (db: TenantDb, userIds: readonly string[]) =>
  db
    .selectFrom('notificationMutes')
    .where('businessId', '=', db.businessId)
    .where('userId', 'in', [...userIds])
    .where('channel', '=', 'bell')
    .select(['userId', 'topic'])
    .execute()

export const getOwnChoices = async (db: TenantDb, { userId }: Pick<Actor, 'userId'>): Promise<OwnChoices> => {
  const mutes = await db
    .selectFrom('notificationMutes')
    .where('businessId', '=', db.businessId)
    .where('userId', '=', userId)
    .select(['topic', 'channel'])
    .orderBy('topic')
    .execute()
  const person = await db
    .selectFrom('users')
    .leftJoin('notificationDigests', (join) =>
      join
        .onRef('notificationDigests.businessId', '=', 'users.businessId')
        .onRef('notificationDigests.userId', '=', 'users.id'),
    )
    .where('users.businessId', '=', db.businessId)
    .where('users.id', '=', userId)
    .select(['users.email', 'notificationDigests.hour'])
    .executeTakeFirstOrThrow()
  const off = (way: string): NewsTopic[] => mutes.flatMap(({ topic, channel }) => (channel === way ? [topic] : []))
  return { bellOff: off('bell'), mailOff: off('mail'), digestHour: person.hour, email: person.email }
}

/** What day and hour it is for a business. */
export const hourOf = async (db: TenantDb): Promise<{ today: string; hour: number }> => {
  const zone = await timeZoneOf(db)
  return { today: dayOf(clock.now(), zone), hour: Math.floor(minuteOfDay(clock.now(), zone) / 60) }
}

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

/** What was written while a digest was made is seen by the next one, which says nothing twice. */
const overlapMs = 5 * 60_000

/** So many of a person's news are looked at for one digest. */
const mostNews = 1_000

/** What came since and was not read, the oldest first; what they want none of by mail is left out. */
export const listNews = (db: TenantDb, userId: string, since: string) =>
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
    .select(['id', 'title', 'content', 'path', 'topic', 'createdAt'])
    .orderBy('createdAt')
    .orderBy('id')
    .limit(mostNews)
    .execute()
