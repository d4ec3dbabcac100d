import type { TenantDb } from '../../../../platform/db/tenant.ts'

/** What a customer was told of visits becomes another's. What either did not want to hear, the one record does not hear. */
export const moveCustomerNoticesTx = async (db: TenantDb, fromId: string, toId: string): Promise<void> => {
  await db
    .updateTable('visitTellings')
    .set({ customerId: toId })
    .where('businessId', '=', db.businessId)
    .where('customerId', '=', fromId)
    .execute()
  const rows = await db
    .selectFrom('customerNotices')
    .select(['customerId', 'muted'])
    .where('businessId', '=', db.businessId)
    .where('customerId', 'in', [fromId, toId])
    .forUpdate()
    .execute()
  if (!rows.some(({ customerId }) => customerId === fromId)) return
  const muted = [...new Set(rows.flatMap((row) => row.muted))]
  await db
    .insertInto('customerNotices')
    .values({ businessId: db.businessId, customerId: toId, muted })
    .onConflict((c) => c.columns(['businessId', 'customerId']).doUpdateSet({ muted }))
    .execute()
  await db
    .deleteFrom('customerNotices')
    .where('businessId', '=', db.businessId)
    .where('customerId', '=', fromId)
    .execute()
}
