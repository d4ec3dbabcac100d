import { clock } from '../../../../platform/clock.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { publishChange } from '../../../../platform/events/changes.ts'

/** The visits of a customer become another's: both are the same person. */
export const moveCustomerVisitsTx = async (db: TenantDb, fromId: string, toId: string): Promise<void> => {
  await db
    .updateTable('visits')
    .set({ customerId: toId, updatedAt: clock.iso() })
    .where('businessId', '=', db.businessId)
    .where('customerId', '=', fromId)
    .execute()
  await publishChange(db, 'visits')
}
