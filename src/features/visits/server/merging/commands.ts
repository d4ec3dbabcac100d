import { sql } from 'kysely'
import { clock } from '../../../../platform/clock.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { markRoutesChangedTx } from '../route/commands.ts'

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
    .returning(['id', 'day', 'crewId', 'status'])
    .execute()
  // the other pin may lie elsewhere: planned times were reckoned from the old one
  await markRoutesChangedTx(
    db,
    rows.filter(({ status }) => status === 'scheduled'),
  )
  await publishChange(db, 'visits')
  return rows.map(({ id }) => id)
}

/** The visits of some jobs that stand at a property. */
export const listVisitIdsOfJobsTx = async (
  db: TenantDb,
  propertyId: string,
  jobIds: readonly string[],
): Promise<string[]> =>
  jobIds.length === 0
    ? []
    : (
        await db
          .selectFrom('visits')
          .select('id')
          .where('businessId', '=', db.businessId)
          .where('propertyId', '=', propertyId)
          .where('jobId', '=', sql<string>`any(${[...jobIds]}::uuid[])`)
          .execute()
      ).map(({ id }) => id)
