import { type Insertable, sql } from 'kysely'
import { clock } from '../../../../platform/clock.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import type { DB } from '../../../../platform/db/types.generated.ts'

/** Customers and properties as an import makes them, many at once, and takes them back. */

type Made = 'businessId' | 'createdAt' | 'updatedAt'

const stamped = <R extends object>(db: TenantDb, rows: readonly R[]) => {
  const now = clock.iso()
  return rows.map((row) => ({ ...row, businessId: db.businessId, createdAt: now, updatedAt: now }))
}

/** Adds customers; whether the plan has room for them is checked by the caller. */
export const insertImportedCustomersTx = async (
  db: TenantDb,
  customers: readonly Omit<Insertable<DB['customers']>, Made>[],
): Promise<void> => {
  await db.insertInto('customers').values(stamped(db, customers)).execute()
}

/** Adds properties; those that are there already stay as they are. */
export const insertImportedPropertiesTx = async (
  db: TenantDb,
  properties: readonly Omit<Insertable<DB['properties']>, Made>[],
): Promise<void> => {
  await db
    .insertInto('properties')
    .values(stamped(db, properties))
    .onConflict((c) => c.columns(['businessId', 'id']).doNothing())
    .execute()
}

/** Deletes customers of an import with whom nothing was begun, so many at a time. Returns who is gone. */
export const deleteImportedCustomersTx = async (db: TenantDb, importId: string, limit: number): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    with gone as (
      select c.id from customers c where c.business_id = ${db.businessId} and c.import_id = ${importId}
        and not exists (select 1 from jobs j where j.business_id = c.business_id and j.customer_id = c.id)
        and not exists (select 1 from visits v where v.business_id = c.business_id and v.customer_id = c.id)
        and not exists (select 1 from invoices i where i.business_id = c.business_id and i.customer_id = c.id)
        and not exists (select 1 from payments m where m.business_id = c.business_id and m.customer_id = c.id)
        and not exists (select 1 from ledger_entries l where l.business_id = c.business_id and l.customer_id = c.id)
      order by c.id limit ${limit} for update
    )
    delete from customers c using gone where c.business_id = ${db.businessId} and c.id = gone.id returning c.id`.execute(
    db,
  )
  return rows.map((row) => row.id)
}
