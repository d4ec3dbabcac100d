import type { Actor } from '../../../../platform/actor.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
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
