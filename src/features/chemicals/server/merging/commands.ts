import { sql } from 'kysely'
import { clock } from '../../../../platform/clock.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'

/** The records of what was applied become another customer's; what they say stays word for word. */
export const moveCustomerApplicationsTx = async (db: TenantDb, fromId: string, toId: string): Promise<void> => {
  await db
    .updateTable('applicationRecords')
    .set({ customerId: toId })
    .where('businessId', '=', db.businessId)
    .where('customerId', '=', fromId)
    .execute()
}

/** What was applied at a property was applied at another at the same address; what the records say stays word for word; all, or those named. Returns which. */
export const movePropertyApplicationsTx = async (
  db: TenantDb,
  fromId: string,
  toId: string,
  only?: readonly string[],
): Promise<string[]> => {
  if (only?.length === 0) return []
  const rows = await db
    .updateTable('applicationRecords')
    .set({ propertyId: toId })
    .where('businessId', '=', db.businessId)
    .where('propertyId', '=', fromId)
    .$if(only !== undefined, (query) => query.where('id', 'in', [...(only ?? [])]))
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** The records of some visits that stand at a property. */
export const listApplicationIdsTx = async (
  db: TenantDb,
  propertyId: string,
  visitIds: readonly string[],
): Promise<string[]> =>
  visitIds.length === 0
    ? []
    : (
        await db
          .selectFrom('applicationRecords')
          .select('id')
          .where('businessId', '=', db.businessId)
          .where('propertyId', '=', propertyId)
          .where('visitId', '=', sql<string>`any(${[...visitIds]}::uuid[])`)
          .execute()
      ).map(({ id }) => id)

/** Neighbors who asked to be told are those of another property at the same address; all, or those named. Returns which. */
export const movePropertyNeighborsTx = async (
  db: TenantDb,
  fromId: string,
  toId: string,
  only?: readonly string[],
): Promise<string[]> => {
  if (only?.length === 0) return []
  const rows = await db
    .updateTable('chemicalNeighbors')
    .set({ propertyId: toId, updatedAt: clock.iso() })
    .where('businessId', '=', db.businessId)
    .where('propertyId', '=', fromId)
    .$if(only !== undefined, (query) => query.where('id', 'in', [...(only ?? [])]))
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}
