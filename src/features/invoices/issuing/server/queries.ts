import { sql } from 'kysely'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import type { InvoiceSender } from '../../server/templates.ts'

/** What of who writes stays on an invoice as it was when it was issued. How to reach them, the logo and the color are today's: a question needs them. */
type Issuer = Pick<InvoiceSender, 'name' | 'street' | 'city' | 'state' | 'zip' | 'invoiceTerms'>

/** The same for the row of an invoice that is issued now, in SQL. */
export const issuerNow = (db: TenantDb) => sql`(
  select jsonb_build_object('name', b.name, 'street', b.street, 'city', b.city, 'state', b.state, 'zip', b.zip, 'invoiceTerms', b.invoice_terms)
  from businesses b where b.business_id = ${db.businessId})`

/** Who writes an invoice: as it was issued, or as the business is today for a draft and for what was issued before this was kept. */
export const issuedBy = async <S extends Issuer>(db: TenantDb, invoiceId: string, today: S): Promise<S> => {
  const row = await db
    .selectFrom('invoices')
    .select('sender')
    .where('businessId', '=', db.businessId)
    .where('id', '=', invoiceId)
    .executeTakeFirst()
  return { ...today, ...(row?.sender as Issuer | null) }
}
