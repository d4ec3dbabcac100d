import type { TenantDb } from '../../../platform/db/tenant.ts'
import { notFound } from '../../../shared/errors.ts'

/** Refuses an id that is no customer of this business. @throws not_found */
export const requireCustomer = async (db: TenantDb, customerId: string): Promise<void> => {
  const row = await db
    .selectFrom('customers')
    .select('id')
    .where('businessId', '=', db.businessId)
    .where('id', '=', customerId)
    .executeTakeFirst()
  if (!row) throw notFound('customer')
}
