import { sql } from 'kysely'
import type { TenantDb } from '../../../../platform/db/tenant.ts'

/**
 * The living invoice that stands in the place of a voided one: made again from it, from the same quote as a whole, or over one of its visits; null
 * where none does.
 */
export const findReplacement = async (db: TenantDb, id: string): Promise<{ id: string; number: number } | null> => {
  const { rows } = await sql<{ id: string; number: number }>`
    select n.id, n.number from invoices i join invoices n on n.business_id = i.business_id and n.status <> 'void' and n.id in (
        select m.id from invoices m where m.business_id = i.business_id and m.made_from = i.id
        union select q.id from invoices q where q.business_id = i.business_id and q.quote_id = i.quote_id
        union select v.invoice_id from invoice_lines l join visits v on v.business_id = l.business_id and v.id = l.visit_id
          where l.business_id = i.business_id and l.invoice_id = i.id)
    where i.business_id = ${db.businessId} and i.id = ${id} and i.status = 'void'
    order by n.number desc limit 1`.execute(db)
  return rows[0] ?? null
}
