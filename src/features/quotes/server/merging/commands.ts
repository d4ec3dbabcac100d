import { clock } from '../../../../platform/clock.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { publishChange } from '../../../../platform/events/changes.ts'

/** The quotes of a customer become another's; what was sent and signed stays as it was. */
export const moveCustomerQuotesTx = async (db: TenantDb, fromId: string, toId: string): Promise<void> => {
  await db
    .updateTable('quotes')
    .set({ customerId: toId, updatedAt: clock.iso() })
    .where('businessId', '=', db.businessId)
    .where('customerId', '=', fromId)
    .execute()
  await publishChange(db, 'quotes')
}
