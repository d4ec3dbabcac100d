import { sql } from 'kysely'
import { clock } from '../../../../platform/clock.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { publishChange } from '../../../../platform/events/changes.ts'

/**
 * The invoices, the books, the tax papers and the statement's links of a customer become another's: the balance is then the sum of both. Invoices keep
 * their number and what was printed on them; a link that is out goes on.
 */
export const moveCustomerInvoicesTx = async (db: TenantDb, fromId: string, toId: string): Promise<void> => {
  await db
    .updateTable('invoices')
    .set({ customerId: toId, updatedAt: clock.iso() })
    .where('businessId', '=', db.businessId)
    .where('customerId', '=', fromId)
    .execute()
  await db
    .updateTable('taxExemptions')
    .set({ customerId: toId })
    .where('businessId', '=', db.businessId)
    .where('customerId', '=', fromId)
    .execute()
  await db
    .updateTable('statementLinks')
    .set({ customerId: toId, merged: true })
    .where('businessId', '=', db.businessId)
    .where('customerId', '=', fromId)
    .execute()
  // the task of one that waits knows the old record, so nobody would send the kept one's
  await sql`update statement_sendings s set customer_id = ${toId}::uuid,
    problem = case when s.state = 'waiting' then 'Two records became one while statements were sent. Send theirs from the customer.' else s.problem end,
    state = case when s.state = 'waiting' then 'failed' else s.state end where s.business_id = ${db.businessId} and s.customer_id = ${fromId}::uuid
    and not exists (select from statement_sendings t where t.business_id = s.business_id and t.run_id = s.run_id and t.customer_id = ${toId}::uuid)`.execute(
    db,
  )
  await db
    .deleteFrom('statementSendings')
    .where('businessId', '=', db.businessId)
    .where('customerId', '=', fromId)
    .execute()
  await sql`select move_ledger(${db.businessId}::uuid, ${fromId}::uuid, ${toId}::uuid)`.execute(db)
  await publishChange(db, 'invoices')
}
