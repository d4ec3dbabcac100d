import { sql } from 'kysely'
import type { TenantDb } from '../../../../platform/db/tenant.ts'

/** The invoices of plans: those of their months, and the last one of a settlement. For SQL, in parentheses. */
export const planInvoices = sql`(select business_id, plan_id, invoice_id from billing_plan_months where invoice_id is not null
  union all select business_id, id, settle_invoice_id from billing_plans where settle_invoice_id is not null)`

/** Those among some invoices. For SQL, in parentheses. */
export const planInvoicesOf = (db: TenantDb, invoiceIds: readonly string[]) => sql`(
  select m.invoice_id, m.plan_id from ${planInvoices} m where m.business_id = ${db.businessId} and m.invoice_id = any(${[...invoiceIds]}::uuid[]))`

/** Whether a payment is bound to no work: what came for a job or a quote waits for that. For SQL, as `isFree` is elsewhere. @param as the name that the payment has there */
export const freeSql = (as: string) =>
  sql<boolean>`(${sql.ref(`${as}.job_id`)} is null and (${sql.ref(`${as}.quote_id`)} is null or ${sql.ref(`${as}.freed_at`)} is not null))`

/** The jobs whose work an invoice bills, by visits or by a billing plan, each with its quote. For SQL, in a `with`. */
export const worksOf = (db: TenantDb, invoiceId: string | null) => sql`
  select j.id, j.quote_id from jobs j where j.business_id = ${db.businessId} and j.id in (
    select v.job_id from invoice_lines l join visits v on v.business_id = l.business_id and v.id = l.visit_id
      where l.business_id = ${db.businessId} and l.invoice_id = ${invoiceId}::uuid
    union select o.job_id from ${planInvoicesOf(db, invoiceId ? [invoiceId] : [])} t
      join billing_plan_lines c on c.business_id = ${db.businessId} and c.plan_id = t.plan_id
      join job_lines o on o.business_id = c.business_id and o.id = c.job_line_id)`

/**
 * What pays an invoice `i` out of money that was paid ahead for its own work: for a job that it bills, by visits or by a billing plan, or for the
 * quote that it or such a job was made from.
 */
export const listPaidAhead = async (
  db: TenantDb,
  invoiceId: string,
): Promise<{ paymentId: string; amountCents: number }[]> => {
  const { rows } = await sql<{ paymentId: string; amountCents: number }>`
    with works as (${worksOf(db, invoiceId)})
    select a.payment_id as "paymentId", a.amount_cents::float8 as "amountCents" from payment_allocations a
    join payments p on p.business_id = a.business_id and p.id = a.payment_id
    join invoices i on i.business_id = a.business_id and i.id = a.invoice_id
    where a.business_id = ${db.businessId} and a.invoice_id = ${invoiceId}
      and (p.quote_id = i.quote_id or p.job_id in (select id from works) or p.quote_id in (select quote_id from works))
    order by a.payment_id`.execute(db)
  return rows
}

/** How much of what is paid of an invoice was paid ahead for its own work: voided, it gives that back. */
export const sumPaidAhead = async (db: TenantDb, invoiceId: string): Promise<number> =>
  (await listPaidAhead(db, invoiceId)).reduce((sum, { amountCents }) => sum + amountCents, 0)
