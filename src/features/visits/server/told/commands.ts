import { sql } from 'kysely'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { emit } from '../../../../platform/events/events.ts'

/**
 * Says that visits are no longer on the day that their customers were told, as far as they were told one; whoever writes to customers looks then.
 * Asked after the change by everything that gives a visit another day or takes it away.
 */
export const noteMovedTx = async (db: TenantDb, visitIds: readonly string[]): Promise<void> => {
  if (visitIds.length === 0) return
  const { rows } = await sql<{ customerId: string }>`
    select distinct t.customer_id as "customerId" from visit_tellings t
    left join visits v on v.business_id = t.business_id and v.id = t.visit_id
    where t.business_id = ${db.businessId} and t.visit_id = any(${[...visitIds]}::uuid[])
      and t.told_day is distinct from case when v.status = 'canceled' then null else v.day end`.execute(db)
  if (rows.length > 0) await emit(db, 'visits.strayed', { customerIds: rows.map((row) => row.customerId) })
}
