import type { TenantDb } from '../../../platform/db/tenant.ts'

/**
 * One at a time over the sessions of a person, until the transaction ends. Whoever trades a refresh token or ends sessions takes it first:
 * else a successor that is just being written would outlive the end of its family.
 */
export const lockSessionsOf = async (db: TenantDb, userId: string): Promise<void> => {
  await db
    .selectFrom('users')
    .select('id')
    .where('businessId', '=', db.businessId)
    .where('id', '=', userId)
    .forNoKeyUpdate()
    .execute()
}
