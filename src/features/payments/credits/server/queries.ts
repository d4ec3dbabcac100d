import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { freeSql, planInvoicesOf } from '../../../invoices/ahead/server/queries.ts'
import type { Bound, Shares } from '../rules.ts'

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
 * What of each of these invoices is work of which job, with its tax: the taxed lines bear the tax in proportion. An invoice of a billing plan is work
 * of the jobs that the plan covers, by what they come to in it; the invoice of a quote as a whole is the quote's. More than that of an invoice is
 * nothing that was paid ahead to pay. Rounded so that the works of an invoice come to it.
 */
export const listShares = async (db: TenantDb, invoiceIds: readonly string[]): Promise<Map<string, Shares>> => {
  if (invoiceIds.length === 0) return new Map()
  const { rows } = await sql<{ invoiceId: string; workId: string; quoteId: string | null; cents: number }>`
    with lines as (
      select l.invoice_id, v.job_id, coalesce(l.net_cents, l.total_cents) as net_cents,
        case when coalesce(l.tax_treatment, 'taxed') = 'taxed' then coalesce(l.net_cents, l.total_cents) else 0 end as taxed_cents
      from invoice_lines l left join visits v on v.business_id = l.business_id and v.id = l.visit_id
      where l.business_id = ${db.businessId} and l.invoice_id = any(${[...invoiceIds]}::uuid[])
    ), whole as (select invoice_id, sum(taxed_cents) as taxed_cents from lines group by 1
    ), parts as (
      select l.invoice_id, l.job_id, case when l.job_id is null then i.quote_id end as quote_id,
        sum(l.net_cents) + coalesce(i.tax_cents * sum(l.taxed_cents) / nullif(w.taxed_cents, 0), 0) as cents
      from lines l join whole w on w.invoice_id = l.invoice_id
      join invoices i on i.business_id = ${db.businessId} and i.id = l.invoice_id
      group by l.invoice_id, l.job_id, i.quote_id, i.tax_cents, w.taxed_cents
    ), covered as (
      select t.invoice_id, o.job_id, sum(c.list_cents) / nullif(sum(sum(c.list_cents)) over (partition by t.invoice_id), 0) as share
      from ${planInvoicesOf(db, invoiceIds)} t
      join billing_plan_lines c on c.business_id = ${db.businessId} and c.plan_id = t.plan_id
      join job_lines o on o.business_id = c.business_id and o.id = c.job_line_id group by t.invoice_id, o.job_id
    ), works as (
      select p.invoice_id, coalesce(p.job_id, p.quote_id, c.job_id) as work_id, sum(p.cents * case when c.job_id is null then 1 else coalesce(c.share, 0) end) as cents
      from parts p left join covered c on c.invoice_id = p.invoice_id and p.job_id is null and p.quote_id is null group by 1, 2
    ), sums as (select invoice_id, work_id, cents, sum(cents) over (partition by invoice_id order by work_id) as upto from works)
    select s.invoice_id as "invoiceId", s.work_id as "workId", j.quote_id as "quoteId",
      greatest(0, round(round(s.upto, 6)) - round(round(s.upto - s.cents, 6)))::float8 as cents
    from sums s left join jobs j on j.business_id = ${db.businessId} and j.id = s.work_id where s.work_id is not null`.execute(
    db,
  )
  return new Map(
    [...Map.groupBy(rows, ({ invoiceId }) => invoiceId)].map(([invoiceId, list]) => [
      invoiceId,
      {
        cents: new Map(list.map(({ workId, cents }) => [workId, cents])),
        quoteOf: new Map(list.flatMap(({ workId, quoteId }) => (quoteId ? [[workId, quoteId] as const] : []))),
      },
    ]),
  )
}

/** What money that is bound to work paid of each of these invoices. */
export const listBoundOn = async (
  db: TenantDb,
  invoiceIds: readonly string[],
): Promise<Map<string, (Bound & { cents: number })[]>> => {
  const { rows } = await sql<Bound & { invoiceId: string; cents: number }>`
    select a.invoice_id as "invoiceId", p.job_id as "jobId", p.quote_id as "quoteId", a.amount_cents::float8 as cents from payment_allocations a
    join payments p on p.business_id = a.business_id and p.id = a.payment_id and (p.job_id is not null or p.quote_id is not null)
    where a.business_id = ${db.businessId} and a.invoice_id = any(${[...invoiceIds]}::uuid[])`.execute(db)
  return Map.groupBy(rows, ({ invoiceId }) => invoiceId)
}

/**
 * Customers of whose money that was paid ahead something is left while an invoice of theirs is open, by id.
 * @param after the last one of the page before
 */
export const listWaitingPayers = async (
  db: TenantDb,
  after: string | null,
  limit: number,
): Promise<{ id: string }[]> => {
  const { rows } = await sql<{ id: string }>`
    select distinct p.customer_id as id from payments p
    where p.business_id = ${db.businessId} and p.status = 'succeeded' and p.allocated_cents + p.refunded_cents < p.amount_cents
      and not ${freeSql('p')}
      and (${after}::uuid is null or p.customer_id > ${after}::uuid)
      and exists (select from invoices i where i.business_id = p.business_id and i.customer_id = p.customer_id
        and i.status in ('issued', 'partially_paid') and i.pending_cents = 0 and not i.disputed)
    order by id limit ${limit}`.execute(db)
  return rows
}

/** So many are named at once. */
const mostStranded = 20

/** Whether an invoice of the work of a job `j` may still come: it goes on, finished work of it is not issued, or a running billing plan covers it. */
const bringsMore: RawBuilder<SqlBool> = sql<SqlBool>`(j.status not in ('canceled', 'completed')
  or exists (select from visits v left join invoices i on i.business_id = v.business_id and i.id = v.invoice_id
    where v.business_id = j.business_id and v.job_id = j.id and v.to_bill and (v.invoice_id is null or i.status = 'draft'))
  or exists (select from job_lines o join billing_plan_lines c on c.business_id = o.business_id and c.job_line_id = o.id
    join billing_plans b on b.business_id = c.business_id and b.id = c.plan_id and b.status = 'active'
    where o.business_id = j.business_id and o.job_id = j.id))`

/** Whether a quote became jobs and none of them brings an invoice any more. */
export const isWorkOver = async (db: TenantDb, quoteId: string): Promise<boolean> => {
  const { rows } = await sql<{ over: boolean | null }>`
    select not bool_or(${bringsMore}) as over from jobs j where j.business_id = ${db.businessId} and j.quote_id = ${quoteId}`.execute(
    db,
  )
  return rows[0]?.over ?? false
}

/** Money paid ahead of which something is left although none of its work brings an invoice any more: it goes on nothing by itself. */
export const listStrandedDeposits = async (db: TenantDb) => {
  const { rows } = await sql<{
    id: string
    customerId: string
    name: string
    jobNumber: number
    /** The quote that it was paid for, where it was not for one job. */
    quoteNumber: number | null
    canceled: boolean
    restCents: number
  }>`
    select p.id, p.customer_id, c.name, w.job_number, q.number as quote_number, w.canceled,
      (p.amount_cents - p.refunded_cents - p.allocated_cents)::float8 as rest_cents
    from payments p join customers c on c.business_id = p.business_id and c.id = p.customer_id
    left join quotes q on q.business_id = p.business_id and q.id = p.quote_id and p.job_id is null
    cross join lateral (select min(j.number) as job_number, bool_and(j.status = 'canceled') as canceled, bool_or(${bringsMore}) as more
      from jobs j where j.business_id = p.business_id and (j.id = p.job_id or p.job_id is null and j.quote_id = p.quote_id)) w
    where p.business_id = ${db.businessId} and p.status = 'succeeded' and p.allocated_cents + p.refunded_cents < p.amount_cents
      and not ${freeSql('p')} and not w.more
    order by p.received_on, p.id limit ${mostStranded}`.execute(db)
  return rows
}
