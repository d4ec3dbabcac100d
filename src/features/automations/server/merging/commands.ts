import { sql } from 'kysely'
import type { TenantDb } from '../../../../platform/db/tenant.ts'

/** What one record of a customer got by itself stands with the other; what either did not want, the one record does not get. */
export const moveCustomerAutomationsTx = async (db: TenantDb, fromId: string, toId: string): Promise<void> => {
  await db
    .updateTable('automationRuns')
    .set({ customerId: toId })
    .where('businessId', '=', db.businessId)
    .where('customerId', '=', fromId)
    .execute()
  await sql`
    insert into automation_opt_outs (business_id, customer_id, automation_id, by_user_id, at)
    select business_id, ${toId}::uuid, automation_id, by_user_id, at from automation_opt_outs
    where business_id = ${db.businessId} and customer_id = ${fromId}
    on conflict do nothing`.execute(db)
  await db
    .deleteFrom('automationOptOuts')
    .where('businessId', '=', db.businessId)
    .where('customerId', '=', fromId)
    .execute()
}
