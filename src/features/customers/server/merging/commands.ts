import { sql } from 'kysely'
import { clock } from '../../../../platform/clock.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { notFound } from '../../../../shared/errors.ts'

/** What two records of one customer hand each other when they become one. */

/** Both rows in the order asked for, held still until the transaction ends unless they are only looked at. @throws not_found */
export const lockPairTx = async (db: TenantDb, keptId: string, goneId: string, { look = false } = {}) => {
  const rows = await db
    .selectFrom('customers')
    .selectAll()
    .where('businessId', '=', db.businessId)
    .where('id', 'in', [keptId, goneId])
    .orderBy('id')
    .$if(!look, (query) => query.forNoKeyUpdate())
    .execute()
  const [kept, gone] = [keptId, goneId].map((id) => rows.find((row) => row.id === id))
  if (!kept || !gone) throw notFound('customer')
  return { kept, gone }
}

/** Properties and contacts become another customer's; all of them, or those named. Returns which. */
export const moveCustomerPlacesTx = async (
  db: TenantDb,
  fromId: string,
  toId: string,
  only?: { properties: readonly string[]; contacts: readonly string[] },
): Promise<{ properties: string[]; contacts: string[] }> => {
  const move = async (table: 'properties' | 'customerContacts', ids: readonly string[] | undefined) => {
    if (ids?.length === 0) return []
    const rows = await db
      .updateTable(table)
      .set((eb) => ({ customerId: toId, version: eb('version', '+', 1), updatedAt: clock.iso() }))
      .where('businessId', '=', db.businessId)
      .where('customerId', '=', fromId)
      .$if(ids !== undefined, (query) => query.where('id', 'in', [...(ids ?? [])]))
      .returning('id')
      .execute()
    return rows.map(({ id }) => id)
  }
  return {
    properties: await move('properties', only?.properties),
    contacts: await move('customerContacts', only?.contacts),
  }
}

/** Writes fields of a customer that is locked. An import whose customers are taken back leaves one that was merged alone. */
export const setMergedTx = async (
  db: TenantDb,
  row: { id: string; version: number },
  values: Record<string, unknown>,
): Promise<number> => {
  await db
    .updateTable('customers')
    .set({ ...values, importId: null, version: row.version + 1, updatedAt: clock.iso() })
    .where('businessId', '=', db.businessId)
    .where('id', '=', row.id)
    .execute()
  await publishChange(db, 'customers', [row.id])
  return row.version + 1
}

/** Two properties of one customer in the order asked for, held still until the transaction ends unless they are only looked at. @throws not_found */
export const lockPlacesTx = async (db: TenantDb, keptId: string, goneId: string, { look = false } = {}) => {
  const rows = await db
    .selectFrom('properties')
    .selectAll()
    .where('businessId', '=', db.businessId)
    .where('id', 'in', [keptId, goneId])
    .orderBy('id')
    .$if(!look, (query) => query.forNoKeyUpdate())
    .execute()
  const [kept, gone] = [keptId, goneId].map((id) => rows.find((row) => row.id === id))
  if (!kept || !gone) throw notFound('property')
  return { kept, gone }
}

/** Writes fields of a property that is locked. An import that is taken back leaves one that was merged alone. Returns its version. */
export const setMergedPlaceTx = async (
  db: TenantDb,
  row: { id: string; customerId: string; version: number },
  values: Record<string, unknown>,
): Promise<number> => {
  await db
    .updateTable('properties')
    .set({ ...values, importId: null, version: row.version + 1, updatedAt: clock.iso() })
    .where('businessId', '=', db.businessId)
    .where('id', '=', row.id)
    .execute()
  await publishChange(db, 'customers', [row.customerId])
  return row.version + 1
}

/** What was drawn and typed as areas of one property stands at the other, and the other way round. */
export const swapAreasTx = async (db: TenantDb, oneId: string, otherId: string): Promise<void> => {
  await sql`update property_areas set property_id = case when property_id = ${oneId} then ${otherId}::uuid else ${oneId}::uuid end
    where business_id = ${db.businessId} and property_id in (${oneId}, ${otherId})`.execute(db)
}
