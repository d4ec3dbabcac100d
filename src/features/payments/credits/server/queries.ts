import { sql } from 'kysely'
import type { TenantDb } from '../../../../platform/db/tenant.ts'

/** Whether the business wants credit to pay invoices by itself. */
export const usesCredit = async (db: TenantDb): Promise<boolean> =>
  (
    await db
      .selectFrom('businesses')
      .select('useCredit')
      .where('businessId', '=', db.businessId)
      .executeTakeFirstOrThrow()
  ).useCredit

/**
 * What of each of these invoices is work of which job, with its tax: the taxed lines bear the tax in proportion. More than that of an invoice
 * is no job's deposit to pay.
 */
export const listJobShares = async (
  db: TenantDb,
  invoiceIds: readonly string[],
): Promise<Map<string, Map<string, number>>> => {
  const { rows } = await sql<{ invoiceId: string; jobId: string; cents: number }>`
    with lines as (
      select l.invoice_id, v.job_id, coalesce(l.net_cents, l.total_cents) as net_cents,
        case when coalesce(l.tax_treatment, 'taxed') = 'taxed' then coalesce(l.net_cents, l.total_cents) else 0 end as taxed_cents
      from invoice_lines l left join visits v on v.business_id = l.business_id and v.id = l.visit_id
      where l.business_id = ${db.businessId} and l.invoice_id = any(${[...invoiceIds]}::uuid[])
    ), whole as (select invoice_id, sum(taxed_cents) as taxed_cents from lines group by 1)
    select l.invoice_id, l.job_id, round(sum(l.net_cents) + coalesce(i.tax_cents * sum(l.taxed_cents) / nullif(w.taxed_cents, 0), 0))::float8 as cents
    from lines l join whole w on w.invoice_id = l.invoice_id
    join invoices i on i.business_id = ${db.businessId} and i.id = l.invoice_id
    where l.job_id is not null group by l.invoice_id, l.job_id, i.tax_cents, w.taxed_cents`.execute(db)
  const shares = new Map<string, Map<string, number>>()
  for (const { invoiceId, jobId, cents } of rows)
    shares.set(invoiceId, (shares.get(invoiceId) ?? new Map<string, number>()).set(jobId, Math.max(0, cents)))
  return shares
}

/** What of an invoice deposits of a job paid already. */
export const sumDepositsOn = async (db: TenantDb, invoiceId: string, jobId: string): Promise<number> => {
  const { rows } = await sql<{ cents: number }>`
    select coalesce(sum(a.amount_cents), 0)::float8 as cents from payment_allocations a
    join payments p on p.business_id = a.business_id and p.id = a.payment_id and p.job_id = ${jobId}
    where a.business_id = ${db.businessId} and a.invoice_id = ${invoiceId}`.execute(db)
  return rows[0]?.cents ?? 0
}

/** So many are named at once. */
const mostStranded = 20

/** Deposits of which something is left although their job was canceled, or is done and billed: they go on nothing by themselves any more. */
export const listStrandedDeposits = async (db: TenantDb) => {
  const { rows } = await sql<{
    id: string
    customerId: string
    name: string
    jobNumber: number
    canceled: boolean
    restCents: number
  }>`
    select p.id, p.customer_id, c.name, j.number as job_number, j.status = 'canceled' as canceled,
      (p.amount_cents - p.refunded_cents - p.allocated_cents)::float8 as rest_cents
    from payments p join jobs j on j.business_id = p.business_id and j.id = p.job_id
    join customers c on c.business_id = p.business_id and c.id = p.customer_id
    where p.business_id = ${db.businessId} and p.status = 'succeeded' and p.allocated_cents + p.refunded_cents < p.amount_cents
      and p.job_id is not null and (j.status = 'canceled' or (j.status = 'completed' and not exists (
        select from visits v where v.business_id = j.business_id and v.job_id = j.id and v.to_bill and v.invoice_id is null)))
    order by p.received_on, p.id limit ${mostStranded}`.execute(db)
  return rows
}
