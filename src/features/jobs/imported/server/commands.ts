import { sql } from 'kysely'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { deleteVisitsOfJobsTx } from '../../../visits/server/commands.ts'

/** Deletes jobs that an import booked and on which nobody has worked, so many at a time. Returns how many are gone. */
export const deleteImportedJobsTx = async (db: TenantDb, importId: string, limit: number): Promise<number> => {
  const { rows } = await sql<{ id: string }>`
    select j.id from jobs j where j.business_id = ${db.businessId} and j.import_id = ${importId}
      and not exists (select 1 from visits v where v.business_id = j.business_id and v.job_id = j.id
        and (v.status not in ('scheduled', 'unscheduled') or v.published_day is not null or v.invoice_id is not null))
      and not exists (select 1 from payments p where p.business_id = j.business_id and p.job_id = j.id)
    order by j.id limit ${limit} for update`.execute(db)
  const ids = rows.map((row) => row.id)
  if (ids.length === 0) return 0
  await deleteVisitsOfJobsTx(db, ids)
  await db
    .deleteFrom('jobs')
    .where('businessId', '=', db.businessId)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute()
  await publishChange(db, 'jobs', ids)
  await publishChange(db, 'visits')
  return ids.length
}
