import { isDeepStrictEqual } from 'node:util'
import type { Actor } from '../../../platform/actor.ts'
import { clock } from '../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../platform/db/tenant.ts'

const findSupportRights = (db: TenantDb, visitId: string) =>
  db
    .selectFrom('supportVisits')
    .innerJoin('supportGrants', (join) =>
      join
        .onRef('supportGrants.businessId', '=', 'supportVisits.businessId')
        .onRef('supportGrants.id', '=', 'supportVisits.grantId'),
    )
    .select('supportVisits.id')
    .where('supportVisits.businessId', '=', db.businessId)
    .where('supportVisits.id', '=', visitId)
    .where('supportVisits.endedAt', 'is', null)
    .where('supportVisits.expiresAt', '>', clock.iso())
    .where('supportGrants.endedAt', 'is', null)
    .executeTakeFirst()

const findPersonsRights = (db: TenantDb, actor: Actor) =>
  db
    .selectFrom('sessions')
    .innerJoin('users', (join) =>
      join.onRef('users.businessId', '=', 'sessions.businessId').onRef('users.id', '=', 'sessions.userId'),
    )
    .select(['users.role', 'users.permissions', 'users.tokenVersion'])
    .where('sessions.businessId', '=', db.businessId)
    .where('sessions.id', '=', actor.sessionId)
    .where('sessions.revokedAt', 'is', null)
    .where('sessions.expiresAt', '>', clock.iso())
    .where('users.status', '=', 'active')
    .where('users.archivedAt', 'is', null)
    .executeTakeFirst()

const findRights = async (actor: Actor) =>
  (await withTenant({ businessId: actor.businessId, readOnly: true }, async (db) =>
    actor.support ? findSupportRights(db, actor.support.visitId) : findPersonsRights(db, actor),
  )) ?? null

/** What tells later whether somebody's session still stands, with the rights it has now. */
export const watchRights = async (actor: Actor): Promise<() => Promise<boolean>> => {
  const atFirst = await findRights(actor)
  return async () => {
    const now = await findRights(actor)
    return now !== null && isDeepStrictEqual(now, atFirst)
  }
}
