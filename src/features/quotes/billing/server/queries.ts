import { sql } from 'kysely'
import type { TenantDb } from '../../../../platform/db/tenant.ts'

/** Whether credit notes took all of an invoice `invoices` back. */
const isCredited = sql<boolean>`invoices.total_cents > 0 and invoices.total_cents <= (select coalesce(sum(n.total_cents), 0) from credit_notes n
  join payments p on p.business_id = n.business_id and p.id = n.payment_id and p.status = 'succeeded'
  where n.business_id = invoices.business_id and n.invoice_id = invoices.id)`

/**
 * Whether an invoice of its own bills a quote `q`: none that was voided, or of which credit notes took all back. The one place that says so, for
 * SQL; of one quote `findBillOfQuote` says it.
 */
export const isBilled = sql<boolean>`exists (select from invoices where invoices.business_id = q.business_id and invoices.quote_id = q.id
  and invoices.status <> 'void' and not (${isCredited}))`

/**
 * The invoice that was made from a quote as a whole and was not voided. `isCredited` where credit notes took all of it back: then its work is billed by
 * nothing, and may become a job.
 */
export const findQuoteInvoice = async (
  db: TenantDb,
  quoteId: string,
): Promise<{ id: string; number: number; status: string; isCredited: boolean } | null> =>
  (await db
    .selectFrom('invoices')
    .select(['id', 'number', 'status'])
    .select(isCredited.as('isCredited'))
    .where('businessId', '=', db.businessId)
    .where('quoteId', '=', quoteId)
    .where('status', '!=', 'void')
    .executeTakeFirst()) ?? null

/** The invoice that bills a quote as a whole now; null also where credit notes took all of it back. */
export const findBillOfQuote = async (db: TenantDb, quoteId: string) => {
  const invoice = await findQuoteInvoice(db, quoteId)
  return invoice && !invoice.isCredited ? invoice : null
}

/** Holds the credit notes over a quote's invoice: nobody takes one back meanwhile. */
export const lockNotesOfQuoteTx = async (db: TenantDb, quoteId: string): Promise<void> => {
  await sql`select p.id from payments p where p.business_id = ${db.businessId} and p.id in (
      select n.payment_id from credit_notes n join invoices i on i.business_id = n.business_id and i.id = n.invoice_id
      where n.business_id = ${db.businessId} and i.quote_id = ${quoteId} and i.status <> 'void')
    order by p.id for update`.execute(db)
}
