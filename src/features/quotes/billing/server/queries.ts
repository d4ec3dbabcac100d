import { sql } from 'kysely'
import type { TenantDb } from '../../../../platform/db/tenant.ts'

/**
 * The invoice that was made from a quote as a whole and was not voided. `isCredited` where credit notes took all of it back: then its work is billed by
 * nothing, and may become a job.
 */
export const findQuoteInvoice = async (
  db: TenantDb,
  quoteId: string,
): Promise<{ id: string; number: number; isCredited: boolean } | null> =>
  (await db
    .selectFrom('invoices')
    .select([
      'id',
      'number',
      sql<boolean>`total_cents > 0 and total_cents <= (select coalesce(sum(n.total_cents), 0) from credit_notes n
        join payments p on p.business_id = n.business_id and p.id = n.payment_id and p.status = 'succeeded'
        where n.business_id = invoices.business_id and n.invoice_id = invoices.id)`.as('isCredited'),
    ])
    .where('businessId', '=', db.businessId)
    .where('quoteId', '=', quoteId)
    .where('status', '!=', 'void')
    .executeTakeFirst()) ?? null

/** Holds the credit notes over a quote's invoice: nobody takes one back meanwhile. */
export const lockNotesOfQuoteTx = async (db: TenantDb, quoteId: string): Promise<void> => {
  await sql`select p.id from payments p where p.business_id = ${db.businessId} and p.id in (
      select n.payment_id from credit_notes n join invoices i on i.business_id = n.business_id and i.id = n.invoice_id
      where n.business_id = ${db.businessId} and i.quote_id = ${quoteId} and i.status <> 'void')
    order by p.id for update`.execute(db)
}
