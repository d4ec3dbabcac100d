import { sql } from 'kysely'
import type { Actor } from '../../../platform/actor.ts'
import { clock } from '../../../platform/clock.ts'
import { config } from '../../../platform/config.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { canPush } from '../../../platform/push/sender.ts'
import { currentVapid } from '../../../platform/push/web.ts'
import { type OwnPush, PushTopic } from '../contract.ts'

/** Somebody who works here, signed in on that device: its sign-in was neither ended nor left to run out. */
const isThere = (db: TenantDb) => sql<boolean>`(
  exists (select 1 from users u where u.business_id = ${db.businessId} and u.id = push_devices.user_id and u.status = 'active' and u.archived_at is null)
  and exists (select 1 from sessions s where s.business_id = ${db.businessId} and s.family_id = push_devices.family_id and s.user_id = push_devices.user_id and s.revoked_at is null and s.expires_at > ${clock.iso()}))`

/** The devices of people that may be told something now. */
export const listDevices = (db: TenantDb, userIds: readonly string[]) =>
  db
    .selectFrom('pushDevices')
    .where('businessId', '=', db.businessId)
    .where('userId', 'in', [...userIds])
    .where(isThere(db))
    .select(['id', 'userId', 'addressHash'])
    .execute()

/** One of them as it is sent to; null when nobody is signed in there any more. */
export const findDevice = async (db: TenantDb, id: string) =>
  (await db
    .selectFrom('pushDevices')
    .where('businessId', '=', db.businessId)
    .where('id', '=', id)
    .where(isThere(db))
    .select(['id', 'userId', 'kind', 'address', 'keyId', 'language'])
    .executeTakeFirst()) ?? null

/** What these people do not want to be rung for. */
export const listMutes = (db: TenantDb, userIds: readonly string[]) =>
  db
    .selectFrom('pushMutes')
    .where('businessId', '=', db.businessId)
    .where('userId', 'in', [...userIds])
    .select(['userId', 'topic'])
    .orderBy('topic')
    .execute()

export const getOwn = async (db: TenantDb, actor: Actor): Promise<OwnPush> => {
  const { id, publicKey } = currentVapid(config.push)
  return {
    can: { web: canPush('web'), android: canPush('android'), ios: canPush('ios') },
    key: { id, publicKey },
    devices: (await listDevices(db, [actor.userId])).map(({ addressHash }) => addressHash),
    muted: (await listMutes(db, [actor.userId])).map(({ topic }) => PushTopic.parse(topic)),
  }
}
