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

/** The visits of a property become those of another at the same address; all, or those named. Returns which. */
export const movePropertyVisitsTx = async (
  db: TenantDb,
  fromId: string,
  toId: string,
  only?: readonly string[],
): Promise<string[]> => {
  if (only?.length === 0) return []
  const rows = await db
    .updateTable('visits')
    .set({ propertyId: toId, updatedAt: clock.iso() })
    .where('businessId', '=', db.businessId)
    .where('propertyId', '=', fromId)
    .$if(only !== undefined, (query) => query.where('id', 'in', [...(only ?? [])]))
    .returning('id')
    .execute()
  await publishChange(db, 'visits')
  return rows.map(({ id }) => id)
}
