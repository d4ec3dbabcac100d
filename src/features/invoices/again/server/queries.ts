import { sql } from 'kysely'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { planInvoicesOf } from '../../ahead/server/queries.ts'
import { invoiceName } from '../../rules.ts'

/** What else bills the work of an invoice, so that it is not made again; null where nothing does. */
export const findOtherBill = async (db: TenantDb, invoiceId: string): Promise<string | null> => {
  const { rows } = await sql<{
    again: number | null
    ofQuote: number | null
    isJob: boolean
    isPlan: boolean
    isOpening: boolean
    isTyped: boolean
  }>`
    select (select n.number from invoices n where n.business_id = i.business_id and n.made_from = coalesce(i.made_from, i.id)
        and n.status <> 'void') as again,
      (select n.number from invoices n where n.business_id = i.business_id and n.quote_id = i.quote_id and n.status <> 'void') as "ofQuote",
      exists (select from jobs j where j.business_id = i.business_id and j.quote_id = i.quote_id) as "isJob",
      exists (select from ${planInvoicesOf(db, [invoiceId])} t) or exists (select from billing_plan_last_invoices t
        where t.business_id = i.business_id and t.invoice_id = i.id) as "isPlan", i.opening_from is not null as "isOpening",
      exists (select from invoice_lines l where l.business_id = i.business_id and l.invoice_id = i.id and l.visit_id is null) as "isTyped"
    from invoices i where i.business_id = ${db.businessId} and i.id = ${invoiceId}`.execute(db)
  const [row] = rows
  if (!row) return null
  const other = row.again ?? row.ofQuote
  if (other !== null) return `${invoiceName(other)} bills its work now`
  if (row.isJob) return 'its quote is a job by now, which is invoiced by its visits'
  if (row.isPlan) return 'its billing plan bills its work'
  if (row.isOpening) return 'it is a balance that was brought along'
  return row.isTyped ? null : 'its visits wait to be invoiced again'
}

type Named = { id: string; number: number }

/**
 * The voided invoice that one was made again from, the first of them where that was voided and made again as well, and for a voided one that which
 * stands in the place of them all.
 */
export const findMadeAgain = async (
  db: TenantDb,
  invoiceId: string,
): Promise<{ madeFrom: Named | null; madeAgainAs: Named | null }> => {
  const { rows } = await sql<{ madeFrom: Named | null; madeAgainAs: Named | null }>`
    select (select jsonb_build_object('id', o.id, 'number', o.number) from invoices o where o.business_id = i.business_id and o.id = i.made_from)
        as "madeFrom",
      (select jsonb_build_object('id', n.id, 'number', n.number) from invoices n where n.business_id = i.business_id
        and n.made_from = coalesce(i.made_from, i.id) and n.id <> i.id and n.status <> 'void') as "madeAgainAs"
    from invoices i where i.business_id = ${db.businessId} and i.id = ${invoiceId}`.execute(db)
  return rows[0] ?? { madeFrom: null, madeAgainAs: null }
}

/** The living invoice over the work of a voided one, where that was billed anew otherwise: from the same quote as a whole, or over one of its visits. */
export const findReplacement = async (db: TenantDb, id: string): Promise<Named | null> => {
  const { rows } = await sql<Named>`
    select n.id, n.number from invoices i join invoices n on n.business_id = i.business_id and n.status <> 'void' and n.id in (
        select q.id from invoices q where q.business_id = i.business_id and q.quote_id = i.quote_id
        union select v.invoice_id from invoice_lines l join visits v on v.business_id = l.business_id and v.id = l.visit_id
          where l.business_id = i.business_id and l.invoice_id = i.id)
    where i.business_id = ${db.businessId} and i.id = ${id} and i.status = 'void'
    order by n.number desc limit 1`.execute(db)
  return rows[0] ?? null
}
