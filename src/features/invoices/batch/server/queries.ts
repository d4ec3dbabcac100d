import { sql } from 'kysely'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { notFound } from '../../../../shared/errors.ts'
import { todayOf } from '../../../businesses/server/queries.ts'
import type { BatchPreview, InvoiceBatch } from '../../contract.ts'
import { type Grouping, invoiceTotals } from '../../rules.ts'
import { type FinishedVisit, listFinishedVisits, listTaxRules, listVisitLines } from '../../server/queries.ts'
import { cutToMost, mostInBatch, mostLeftOut, type PlannedInvoice, planBatch } from '../rules.ts'

type Period = { from?: string; to: string }

/**
 * Ids of finished visits that a batch takes, or of those that it leaves out: job by job, so that what was never to be billed is not read again with
 * every year that it stands there.
 */
const findWaiting = async (db: TenantDb, period: Period, taken: boolean) => {
  const most = taken ? mostInBatch : mostLeftOut
  const way = taken ? sql`` : sql`desc`
  const { rows } = await sql<{ id: string; jobId: string; customerId: string }>`
    select w.id, j.id as job_id, j.customer_id
    from (select j.id, j.customer_id, j.billing = 'per_visit' and not c.hold_invoices as billed
      from jobs j join customers c on c.business_id = j.business_id and c.id = j.customer_id
      where j.business_id = ${db.businessId} order by lower(c.name), j.customer_id, j.id) j
    cross join lateral (
      select n.id from (
        select v.id, v.day, j.billed and exists (select 1 from visit_lines l where l.business_id = v.business_id and l.visit_id = v.id
          having sum(l.quantity * l.unit_price_cents) > 0) as taken
        from visits v
        where v.business_id = ${db.businessId} and v.job_id = j.id and v.status = 'completed' and v.billable and v.invoice_id is null
          and v.day <= ${period.to} and v.day >= ${period.from ?? '0001-01-01'}
        order by v.day ${way} limit ${taken ? null : mostInBatch.ofJob}) n
      where n.taken = ${taken} order by n.day ${way} limit ${most.ofJob + 1}) w
    ${taken ? sql`where j.billed` : sql``}
    limit ${most.visits + 1}`.execute(db)
  return cutToMost(rows, most)
}

/** What a batch over a period would make and leave out, from the rows as they are now; both up to what one batch holds. */
export const planFinishedVisits = async (
  db: TenantDb,
  { grouping, except = [], ...period }: Period & { grouping: Grouping | null; except?: readonly string[] },
) => {
  const taken = await findWaiting(db, period, true)
  const left = await findWaiting(db, period, false)
  const unticked = new Set(except)
  const ids = [...taken.visits, ...left.visits].map(({ id }) => id).filter((id) => !unticked.has(id))
  const visits = await listFinishedVisits(db, { visitIds: ids })
  const lines = await listVisitLines(
    db,
    visits.map((v) => v.id),
  )
  const taxes = await listTaxRules(db)
  return { ...planBatch(visits, lines, { grouping, taxes }), lines, taxes, more: taken.more, moreExceptions: left.more }
}

/** An invoice as it was confirmed: what it is for and what it comes to. */
export type Confirmed = { visitIds: string[]; totalCents: number }

export const confirmedOf = ({ visits, totals }: PlannedInvoice<FinishedVisit>): Confirmed => ({
  visitIds: visits.map(({ id }) => id),
  totalCents: totals.totalCents,
})

/** Of confirmed invoices those that are still exactly that, from the rows as they are now; their visits stay so until the commit. */
export const planConfirmed = async (
  db: TenantDb,
  confirmed: readonly Confirmed[],
): Promise<PlannedInvoice<FinishedVisit>[]> => {
  const keys = new Map(confirmed.flatMap(({ visitIds }, at) => visitIds.map((id) => [id, String(at)])))
  const visits = await listFinishedVisits(db, { visitIds: [...keys.keys()], lock: true })
  const lines = await listVisitLines(
    db,
    visits.map((v) => v.id),
  )
  const plan = planBatch(visits, lines, {
    grouping: null,
    taxes: await listTaxRules(db),
    keyOf: (visit) => keys.get(visit.id) ?? '',
  })
  const planned = new Map(plan.invoices.map((invoice) => [invoice.key, invoice]))
  return confirmed.flatMap(({ visitIds, totalCents }, at) => {
    const invoice = planned.get(String(at))
    return invoice?.visits.length === visitIds.length && invoice.totals.totalCents === totalCents ? [invoice] : []
  })
}

/** How far a batch is. @throws AppError not_found */
export const getInvoiceBatch = async (db: TenantDb, id: string): Promise<InvoiceBatch> => {
  const row = await db
    .selectFrom('invoiceBatches')
    .select(['status', 'send', 'total', 'done', 'invoiceCount', 'visitCount', 'totalCents', 'mailedCount', 'error'])
    .where('businessId', '=', db.businessId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw notFound('batch')
  return {
    ...row,
    status: row.status as InvoiceBatch['status'],
    batchId: id,
    unmailedCount: row.send ? row.invoiceCount - row.mailedCount : 0,
    leftOutCount: row.done - row.invoiceCount,
  }
}

export const previewBatch = async (
  db: TenantDb,
  input: { from?: string; to?: string; grouping?: Grouping },
): Promise<BatchPreview> => {
  const to = input.to ?? (await todayOf(db))
  const plan = await planFinishedVisits(db, {
    ...(input.from ? { from: input.from } : {}),
    to,
    grouping: input.grouping ?? null,
  })
  const linesOf = Map.groupBy(plan.lines, (line) => line.visitId)
  const servicesOf = (visitId: string) => (linesOf.get(visitId) ?? []).map((line) => line.name).join(', ')
  return {
    from: input.from ?? null,
    to,
    invoiceCount: plan.invoices.length,
    visitCount: plan.invoices.reduce((sum, invoice) => sum + invoice.visits.length, 0),
    totalCents: plan.invoices.reduce((sum, invoice) => sum + invoice.totals.totalCents, 0),
    more: plan.more,
    moreExceptions: plan.moreExceptions,
    taxes: plan.taxes,
    groups: plan.invoices.map((invoice) => {
      const first = invoice.visits[0]!
      const places = new Set(invoice.visits.map((v) => v.place))
      return {
        key: invoice.key,
        customer: { id: first.customerId, name: first.customerName, email: first.customerEmail },
        place: places.size === 1 ? first.place : null,
        taxExempt: first.taxExempt,
        visits: invoice.visits.map((visit) => {
          const lines = linesOf.get(visit.id) ?? []
          return {
            id: visit.id,
            day: visit.day ?? to,
            place: visit.place,
            state: visit.placeState,
            services: servicesOf(visit.id),
            priceCents: invoiceTotals(lines).totalCents,
            lines,
          }
        }),
        subtotalCents: invoice.totals.subtotalCents,
        taxCents: invoice.totals.taxCents,
        totalCents: invoice.totals.totalCents,
        note: invoice.note,
      }
    }),
    exceptions: plan.exceptions.map(({ visit, reason, message }) => ({
      visitId: visit.id,
      jobId: visit.jobId,
      day: visit.day ?? to,
      customer: { id: visit.customerId, name: visit.customerName },
      place: visit.place,
      services: servicesOf(visit.id),
      reason,
      message,
    })),
  }
}

/** How many finished visits wait for an invoice, and what they come to before tax; what a batch would leave out does not count. */
export const countInvoiceable = async (db: TenantDb): Promise<{ visitCount: number; subtotalCents: number }> => {
  const { rows } = await sql<{ visitCount: number; subtotalCents: number }>`
    select count(*)::int as visit_count, coalesce(sum(l.cents), 0)::int8 as subtotal_cents
    from visits v
    join jobs j on j.business_id = v.business_id and j.id = v.job_id and j.billing = 'per_visit'
    join customers c on c.business_id = v.business_id and c.id = v.customer_id and not c.hold_invoices
    cross join lateral (select sum(round(quantity * unit_price_cents)) as cents from visit_lines
      where business_id = v.business_id and visit_id = v.id) l
    where v.business_id = ${db.businessId} and v.status = 'completed' and v.billable and v.invoice_id is null
      and v.day <= ${await todayOf(db)} and l.cents > 0`.execute(db)
  return rows[0] ?? { visitCount: 0, subtotalCents: 0 }
}
