import type { TenantDb } from '../../../../platform/db/tenant.ts'

/** What one record of a customer was asked and said stands with the other from here on. */
export const moveCustomerReviewsTx = async (db: TenantDb, fromId: string, toId: string): Promise<void> => {
  for (const table of ['reviewAsks', 'reviews'] as const)
    await db
      .updateTable(table)
      .set({ customerId: toId })
      .where('businessId', '=', db.businessId)
      .where('customerId', '=', fromId)
      .execute()
}
