import type { TenantDb } from '../../../platform/db/tenant.ts'

/** How many properties wait for a look-up. */
export const countWaiting = async (db: TenantDb): Promise<number> => {
  const { count } = await db
    .selectFrom('properties')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('businessId', '=', db.businessId)
    .where('geocodeWantedAt', 'is not', null)
    .executeTakeFirstOrThrow()
  return count
}
