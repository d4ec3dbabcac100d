import { type RawBuilder, sql } from 'kysely'
import { countUpTo, mostCounted } from '../../../../platform/db/cursor.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { notFound } from '../../../../shared/errors.ts'
import { todayOf } from '../../../businesses/server/queries.ts'
import type { BatchPreview } from '../../contract.ts'
import { sumFreeCredits } from '../../corrections/server/queries.ts'
import { sumBatchAutopay } from '../../pending/server/queries.ts'
import { type Grouping, invoiceTotals } from '../../rules.ts'
import { listTaxRules } from '../../server/queries.ts'
import { listUnreachedOfBatch } from '../../unreached/server/queries.ts'
import type { InvoiceBatch } from '../contract.ts'
import { billedLines, cutToMost, mostInBatch, mostLeftOut, type PlannedInvoice, planBatch } from '../rules.ts'
import { type FinishedVisit, listFinishedVisits, listVisitLines } from './finished.ts'

/** Of whom: a condition on a customer `c`. */
type Whom = RawBuilder<boolean>
const everybody: Whom = sql<boolean>`true`

type Period = { from?: string; to: string }

// As the index `visits_unbilled_job` has it.
const waits = (db: TenantDb) => sql`v.business_id = ${db.businessId} and v.to_bill and v.invoice_id is null`
const priced = sql`v.price_cents > 0`
// `not` would become `<=`, which the index does not have
const unpriced = sql`(v.price_cents > 0) is false`

/** The jobs of which finished visits wait, one look into the index for each, and whether a batch may bill them. */
const waitingJobs = (db: TenantDb, whom: Whom = everybody) => sql`
  with recursive waiting as (
    (select v.job_id from visits v where ${waits(db)} order by v.job_id limit 1)
    union all
    select n.job_id from waiting w cross join lateral (
      select v.job_id from visits v where ${waits(db)} and v.job_id > w.job_id order by v.job_id limit 1) n
  )
  select j.* from waiting w cross join lateral (
    select j.id, j.customer_id, c.name, j.billing = 'per_visit' and not c.hold_invoices as billed
    from jobs j join customers c on c.business_id = j.business_id and c.id = j.customer_id
    where j.business_id = ${db.businessId} and j.id = w.job_id and ${whom} limit 1) j`

type Job = { id: string; customerId: string; billed: boolean }

/** Visits of jobs, in the order of the jobs: the first by day that `ofJob` finds of a job `j`, one more than fit where there are so many. */
const findVisits = async (
  db: TenantDb,
  jobs: readonly Job[],
  most: { visits: number; ofJob: number },
  ofJob: RawBuilder<unknown>,
  byDay: RawBuilder<unknown>,
) => {
  const { rows } = await sql<{ id: string; jobId: string; customerId: string }>`
    select n.id, j.id as job_id, j.customer_id
    from unnest(${jobs.map((job) => job.id)}::uuid[], ${jobs.map((job) => job.customerId)}::uuid[], ${jobs.map((job) => job.billed)}::bool[])
      with ordinality as j(id, customer_id, billed, at)
    cross join lateral (${ofJob} order by day ${byDay} limit ${most.ofJob + 1}) n
    order by j.at, n.day ${byDay} limit ${most.visits + 1}`.execute(db)
  return cutToMost(rows, most)
}

/** What a batch over a period takes and what it leaves out, job by job: neither is read again with every year that it stands there. */
const findWaiting = async (db: TenantDb, period: Period, whom: Whom) => {
  const { rows: jobs } = await sql<Job>`
    select j.id, j.customer_id, j.billed from (${waitingJobs(db, whom)}) j order by lower(j.name), j.customer_id, j.id`.execute(
    db,
  )
  const found = sql`from visits v where ${waits(db)} and v.job_id = j.id
    and v.day <= ${period.to} and v.day >= ${period.from ?? '0001-01-01'}`
  const newest = sql`order by v.day desc limit ${mostLeftOut.ofJob + 1}`
  return {
    taken: await findVisits(
      db,
      jobs.filter((job) => job.billed),
      mostInBatch,
      sql`select v.id, v.day ${found} and ${priced}`,
      sql`asc`,
    ),
    left: await findVisits(
      db,
      jobs,
      mostLeftOut,
      sql`(select v.id, v.day ${found} and ${unpriced} ${newest}) union all (select v.id, v.day ${found} and ${priced} and not j.billed ${newest})`,
      sql`desc`,
    ),
  }
}

/** What a batch over a period would make and leave out, from the rows as they are now; both up to what one batch holds. */
export const planFinishedVisits = async (
  db: TenantDb,
  {
    grouping,
    except = [],
    customers = everybody,
    ...period
  }: Period & { grouping: Grouping | null; except?: readonly string[]; customers?: Whom },
) => {
  const { taken, left } = await findWaiting(db, period, customers)
  const unticked = new Set(except)
  const visits = await listFinishedVisits(
    db,
    [...taken.visits, ...left.visits].map(({ id }) => id).filter((id) => !unticked.has(id)),
  )
  const lines = await listVisitLines(
    db,
    visits.map((v) => v.id),
  )
  const taxes = await listTaxRules(db)
  const today = await todayOf(db)
  return {
    ...planBatch(visits, lines, { grouping, taxes, today }),
    lines,
    taxes,
    more: taken.more,
    moreExceptions: left.more,
  }
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
  const visits = await listFinishedVisits(db, [...keys.keys()], { lock: true })
  const lines = await listVisitLines(
    db,
    visits.map((v) => v.id),
  )
  const plan = planBatch(visits, lines, {
    grouping: null,
    taxes: await listTaxRules(db),
    today: await todayOf(db),
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
  const lost = row.send ? await listUnreachedOfBatch(db, id) : { items: [], count: 0 }
  return {
    ...row,
    status: row.status as InvoiceBatch['status'],
    // while it runs nobody waits for the sum
    autopay: row.send && row.status === 'done' ? await sumBatchAutopay(db, id) : { count: 0, cents: 0 },
    batchId: id,
    unmailedCount: row.send ? row.invoiceCount - row.mailedCount : 0,
    leftOutCount: row.done - row.invoiceCount,
    lostCount: lost.count,
    lost: lost.items,
  }
}

/** Finished visits of a period that running billing plans cover; null for more than 1,000. */
const countCovered = (db: TenantDb, { from, to }: Period): Promise<number | null> => {
  const found = sql<{ id: string }>`(select v.id from billing_plans p
    join visits v on v.business_id = p.business_id and v.covered_by = p.id
    where p.business_id = ${db.businessId} and p.status = 'active' and v.status = 'completed'
      and v.day <= ${to}::date and v.day >= ${from ?? '0001-01-01'}::date limit ${mostCounted + 1})`
  return countUpTo(db, db.selectFrom(found.as('found')).select('found.id'))
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
  const credits = await sumFreeCredits(db, [
    ...new Set(plan.invoices.flatMap(({ visits }) => visits[0]?.customerId ?? [])),
  ])
  const { useCredit } = await db
    .selectFrom('businesses')
    .select('useCredit')
    .where('businessId', '=', db.businessId)
    .executeTakeFirstOrThrow()
  /** Said once of a customer: there is as much of it as there is, however many invoices they get. */
  const creditOnce = (customerId: string): number => {
    const cents = credits.get(customerId) ?? 0
    credits.delete(customerId)
    return cents
  }
  const servicesOf = (visitId: string) => (linesOf.get(visitId) ?? []).map((line) => line.name).join(', ')
  return {
    from: input.from ?? null,
    to,
    invoiceCount: plan.invoices.length,
    visitCount: plan.invoices.reduce((sum, invoice) => sum + invoice.visits.length, 0),
    totalCents: plan.invoices.reduce((sum, invoice) => sum + invoice.totals.totalCents, 0),
    more: plan.more,
    moreExceptions: plan.moreExceptions,
    coveredCount: await countCovered(db, { ...(input.from ? { from: input.from } : {}), to }),
    usesCredit: useCredit,
    taxes: plan.taxes,
    groups: plan.invoices.map((invoice) => {
      const first = invoice.visits[0]!
      const places = new Set(invoice.visits.map((v) => v.place))
      return {
        key: invoice.key,
        customer: { id: first.customerId, name: first.customerName, email: first.customerEmail },
        place: places.size === 1 ? first.place : null,
        visits: invoice.visits.map((visit) => {
          const lines = billedLines(linesOf.get(visit.id) ?? [])
          return {
            id: visit.id,
            day: visit.day ?? to,
            place: visit.place,
            taxPlace: visit.taxPlace,
            taxExempt: typeof visit.taxExempt === 'boolean' ? visit.taxExempt : [...visit.taxExempt],
            services: servicesOf(visit.id),
            priceCents: invoiceTotals(lines).totalCents,
            lines,
          }
        }),
        subtotalCents: invoice.totals.subtotalCents,
        taxCents: invoice.totals.taxCents,
        totalCents: invoice.totals.totalCents,
        creditCents: creditOnce(first.customerId),
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

/** How many finished visits a batch up to today would bill, all of them; null for more than 1,000. */
export const countInvoiceable = async (db: TenantDb): Promise<number | null> => {
  // the bound of each job keeps the database from joining all that was never to be billed
  const found = sql<{ id: string }>`(select n.id from (${waitingJobs(db)}) j
    cross join lateral (select v.id from visits v
      where ${waits(db)} and v.job_id = j.id and ${priced} and j.billed and v.day <= ${await todayOf(db)} limit ${mostCounted + 1}) n)`
  return countUpTo(db, db.selectFrom(found.as('found')).select('found.id'))
}
