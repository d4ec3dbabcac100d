import { sql } from 'kysely'
import { clock } from '../../../../platform/clock.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { publishChange } from '../../../../platform/events/changes.ts'

/** The jobs of a customer become another's: both are the same person. */
export const moveCustomerJobsTx = async (db: TenantDb, fromId: string, toId: string): Promise<void> => {
  await db
    .updateTable('jobs')
    .set({ customerId: toId, updatedAt: clock.iso() })
    .where('businessId', '=', db.businessId)
    .where('customerId', '=', fromId)
    .execute()
  await publishChange(db, 'jobs')
}

/** The jobs of a property become those of another at the same address; all, or those named. Returns which. */
export const movePropertyJobsTx = async (
  db: TenantDb,
  fromId: string,
  toId: string,
  only?: readonly string[],
): Promise<string[]> => {
  if (only?.length === 0) return []
  const rows = await db
    .updateTable('jobs')
    .set({
      propertyId: toId,
      // both had a job of one batch: a batch has one for each property
      batchId: sql<
        string | null
      >`case when exists (select 1 from jobs o where o.business_id = jobs.business_id and o.batch_id = jobs.batch_id
        and o.property_id = ${toId}) then null else jobs.batch_id end`,
      updatedAt: clock.iso(),
    })
    .where('businessId', '=', db.businessId)
    .where('propertyId', '=', fromId)
    .$if(only !== undefined, (query) => query.where('id', 'in', [...(only ?? [])]))
    .returning('id')
    .execute()
  await publishChange(db, 'jobs')
  return rows.map(({ id }) => id)
}
