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

/** The quotes of a property become those of another at the same address; what was signed stays as it was; all, or those named. Returns which. */
export const movePropertyQuotesTx = async (
  db: TenantDb,
  fromId: string,
  toId: string,
  only?: readonly string[],
): Promise<string[]> => {
  if (only?.length === 0) return []
  const rows = await db
    .updateTable('quotes')
    .set({ propertyId: toId, updatedAt: clock.iso() })
    .where('businessId', '=', db.businessId)
    .where('propertyId', '=', fromId)
    .$if(only !== undefined, (query) => query.where('id', 'in', [...(only ?? [])]))
    .returning('id')
    .execute()
  await publishChange(db, 'quotes')
  return rows.map(({ id }) => id)
}
