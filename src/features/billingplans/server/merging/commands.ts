import { clock } from '../../../../platform/clock.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { publishChange } from '../../../../platform/events/changes.ts'

/** The billing plans of a customer become another's, as they run. */
export const moveCustomerPlansTx = async (db: TenantDb, fromId: string, toId: string): Promise<void> => {
  await db
    .updateTable('billingPlans')
    .set({ customerId: toId, updatedAt: clock.iso() })
    .where('businessId', '=', db.businessId)
    .where('customerId', '=', fromId)
    .execute()
  await publishChange(db, 'invoices')
}
