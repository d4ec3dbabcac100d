import { sql } from 'kysely'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { cashDiscountCents } from '../../../businesses/cashdiscount/rules.ts'
import { getCashDiscount } from '../../../businesses/server/queries.ts'
import type { AlsoOpen } from '../contract.ts'

/** What is open of a customer is looked at so far. */
const mostOpen = 200

/** What one check may pay beside its invoice: nothing that is on its way from a bank, looked into by one, or asked of a saved card right now. */
const others = (db: TenantDb, customerId: string, invoiceId: string) => sql`
  from invoices i where i.business_id = ${db.businessId} and i.customer_id = ${customerId} and i.id <> ${invoiceId}
    and i.status in ('issued', 'partially_paid') and not i.disputed and i.pending_cents = 0
    and not exists (select from checkout_sessions s where s.business_id = i.business_id and s.invoice_id = i.id and s.kind = 'autopay'
      and s.status in ('open', 'processing'))
  order by i.due_on, i.number limit ${mostOpen}`

/** The other invoices of a customer that a check may pay, the oldest first. */
export const listOthers = async (db: TenantDb, customerId: string, invoiceId: string): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`select i.id ${others(db, customerId, invoiceId)}`.execute(db)
  return rows.map(({ id }) => id)
}

/** What they come to; null where there are none. */
export const findAlsoOpen = async (db: TenantDb, customerId: string, invoiceId: string): Promise<AlsoOpen | null> => {
  const { rows } = await sql<{ cents: number }>`
    select (i.total_cents - i.paid_cents)::float8 as cents ${others(db, customerId, invoiceId)}`.execute(db)
  if (rows.length === 0) return null
  const bps = await getCashDiscount(db)
  return {
    count: rows.length,
    cents: rows.reduce((sum, { cents }) => sum + cents, 0),
    discountCents: rows.reduce((sum, { cents }) => sum + cashDiscountCents(cents, bps), 0),
  }
}
