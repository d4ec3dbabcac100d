import type { TenantDb } from '../../../../platform/db/tenant.ts'

/** The records of what was applied become another customer's; what they say stays word for word. */
export const moveCustomerApplicationsTx = async (db: TenantDb, fromId: string, toId: string): Promise<void> => {
  await db
    .updateTable('applicationRecords')
    .set({ customerId: toId })
    .where('businessId', '=', db.businessId)
    .where('customerId', '=', fromId)
    .execute()
}
