import { clock } from '../../../../platform/clock.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { publishChange } from '../../../../platform/events/changes.ts'

/** Leads that became a customer are another's, all of them or those named, and so are those who came by one's recommendation. Returns which. */
export const moveCustomerLeadsTx = async (
  db: TenantDb,
  fromId: string,
  toId: string,
  only?: readonly string[],
): Promise<string[]> => {
  if (only?.length === 0) return []
  const rows = await db
    .updateTable('businessLeads')
    .set({ customerId: toId, updatedAt: clock.iso() })
    .where('businessId', '=', db.businessId)
    .where('customerId', '=', fromId)
    .$if(only !== undefined, (query) => query.where('id', 'in', [...(only ?? [])]))
    .returning('id')
    .execute()
  if (only === undefined) {
    await db
      .updateTable('businessLeads')
      .set({ referredBy: toId, updatedAt: clock.iso() })
      .where('businessId', '=', db.businessId)
      .where('referredBy', '=', fromId)
      .execute()
  }
  await publishChange(db, 'leads')
  return rows.map(({ id }) => id)
}

/** Leads that led to a property lead to another at the same address; all, or those named. Returns which. */
export const movePropertyLeadsTx = async (
  db: TenantDb,
  fromId: string,
  toId: string,
  only?: readonly string[],
): Promise<string[]> => {
  if (only?.length === 0) return []
  const rows = await db
    .updateTable('businessLeads')
    .set({ propertyId: toId, updatedAt: clock.iso() })
    .where('businessId', '=', db.businessId)
    .where('propertyId', '=', fromId)
    .$if(only !== undefined, (query) => query.where('id', 'in', [...(only ?? [])]))
    .returning('id')
    .execute()
  await publishChange(db, 'leads')
  return rows.map(({ id }) => id)
}
