import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { publishChange } from '../../../../platform/events/changes.ts'

/** What the bell says of a customer leads to another one: both are the same person. */
export const moveCustomerNotificationsTx = async (db: TenantDb, fromId: string, toId: string): Promise<void> => {
  await db
    .updateTable('notifications')
    .set({ customerId: toId })
    .where('businessId', '=', db.businessId)
    .where('customerId', '=', fromId)
    .execute()
  await publishChange(db, 'notifications')
}
