import type { TenantDb } from '../../../../platform/db/tenant.ts'

/** Door cards that were made for a property belong to another at the same address; all, or those named. Returns which. */
export const movePropertyCardsTx = async (
  db: TenantDb,
  fromId: string,
  toId: string,
  only?: readonly string[],
): Promise<string[]> => {
  if (only?.length === 0) return []
  const rows = await db
    .updateTable('doorCards')
    .set({ propertyId: toId })
    .where('businessId', '=', db.businessId)
    .where('propertyId', '=', fromId)
    .$if(only !== undefined, (query) => query.where('id', 'in', [...(only ?? [])]))
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}
