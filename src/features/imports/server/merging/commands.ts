import type { TenantDb } from '../../../../platform/db/tenant.ts'

/** Rows of a file that made a customer are another's now. */
export const moveImportRowsTx = async (db: TenantDb, fromId: string, toId: string): Promise<void> => {
  await db
    .updateTable('importRows')
    .set({ customerId: toId })
    .where('businessId', '=', db.businessId)
    .where('customerId', '=', fromId)
    .execute()
}
