import { sql } from 'kysely'
import type { Actor } from '../../../../platform/actor.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { canOf, type Need } from '../../../../shared/can.ts'
import type { Day } from '../../../../shared/dates.ts'
import type { HandedRefund } from '../../../../shared/handedRefund.ts'
import { freeSql, worksOf } from '../../ahead/server/queries.ts'
import { type Invoice, invoicesApi } from '../../contract.ts'
import { invoicePrefix } from '../../rules.ts'
import {
  type BoundCredit,
  creditNoteName,
  type PaymentAction,
  type PaymentFacts,
  paymentRefusals,
  type RefundFacts,
  refundRefusals,
  wasVoided,
} from '../rules.ts'

/** What changes money asks the same of a person everywhere; the contract of the payments is beyond this feature. */
export const moneyNeed = (path: string): Need => ({ ...invoicesApi.issue, path })

const paymentNeeds: Record<PaymentAction, Need> = {
  reverse: moneyNeed('/api/payments/:id/reverse'),
  refund: moneyNeed('/api/payments/:id/refunds'),
  takeOff: moneyNeed('/api/payments/:id/take-off'),
}

/** What somebody may do with a payment now. */
export const canPayment = (actor: Actor, payment: PaymentFacts): Record<PaymentAction, boolean> =>
  canOf(actor, paymentNeeds, paymentRefusals, payment)

/** What of a customer's money lies on no invoice, in cents. */
export const sumCredit = async (db: TenantDb, customerId: string): Promise<number> => {
  const { sum } = await db
    .selectFrom('payments')
    .where('businessId', '=', db.businessId)
    .where('customerId', '=', customerId)
    .where('status', '=', 'succeeded')
    .where(sql<boolean>`allocated_cents + refunded_cents < amount_cents`)
    .select(sql<number>`coalesce(sum(amount_cents - refunded_cents - allocated_cents), 0)`.as('sum'))
    .executeTakeFirstOrThrow()
  return Number(sum)
}

/** The same of many customers; who has none is left out. */
export const sumCredits = async (db: TenantDb, customerIds: readonly string[]): Promise<Map<string, number>> => {
  if (customerIds.length === 0) return new Map()
  const { rows } = await sql<{ id: string; cents: number }>`
    select customer_id as id, sum(amount_cents - refunded_cents - allocated_cents)::float8 as cents from payments
    where business_id = ${db.businessId} and customer_id = any(${[...customerIds]}::uuid[]) and status = 'succeeded'
      and allocated_cents + refunded_cents < amount_cents
    group by 1`.execute(db)
  return new Map(rows.map(({ id, cents }) => [id, cents]))
}

/** What of the money of many customers lies on no invoice and is bound to no work: a deposit waits for its job or its quote. */
export const sumFreeCredits = async (db: TenantDb, customerIds: readonly string[]): Promise<Map<string, number>> => {
  if (customerIds.length === 0) return new Map()
  const { rows } = await sql<{ id: string; cents: number }>`
    select customer_id as id, sum(amount_cents - refunded_cents - allocated_cents)::float8 as cents from payments
    where business_id = ${db.businessId} and customer_id = any(${[...customerIds]}::uuid[]) and status = 'succeeded'
      and allocated_cents + refunded_cents < amount_cents and ${freeSql('payments')}
    group by 1`.execute(db)
  return new Map(rows.map(({ id, cents }) => [id, cents]))
}

/** The same of one customer: what any invoice may use. */
export const sumFreeCredit = async (db: TenantDb, customerId: string): Promise<number> =>
  (await sumFreeCredits(db, [customerId])).get(customerId) ?? 0

/** So many deposits of a customer are named at once. */
const mostBound = 50

/**
 * What of a customer's money lies on no invoice and waits for work, the oldest first: for a job, or for a quote with all that it becomes.
 * @param invoiceId says of which of it this invoice bills the work
 */
export const listBoundCredit = async (
  db: TenantDb,
  customerId: string,
  invoiceId: string | null,
): Promise<BoundCredit[]> => {
  const { rows } = await sql<{
    paymentId: string
    restCents: number
    quoteNumber: number | null
    jobNumber: number | null
    jobTitle: string | null
    own: boolean
  }>`
    with works as (${worksOf(db, invoiceId)})
    select p.id as "paymentId", (p.amount_cents - p.refunded_cents - p.allocated_cents)::float8 as "restCents", q.number as "quoteNumber",
      j.number as "jobNumber", j.title as "jobTitle",
      coalesce(p.job_id in (select id from works), false) or coalesce(p.job_id is null and (p.quote_id in (select quote_id from works)
        or p.quote_id = (select i.quote_id from invoices i where i.business_id = p.business_id and i.id = ${invoiceId}::uuid)), false) as own
    from payments p
    left join jobs j on j.business_id = p.business_id and j.id = p.job_id
    left join quotes q on q.business_id = p.business_id and q.id = p.quote_id and p.job_id is null
    where p.business_id = ${db.businessId} and p.customer_id = ${customerId} and p.status = 'succeeded'
      and p.allocated_cents + p.refunded_cents < p.amount_cents and not ${freeSql('p')}
    order by p.received_on, p.id limit ${mostBound}`.execute(db)
  return rows.map(({ quoteNumber, jobNumber, jobTitle, ...one }) => ({
    ...one,
    quote: quoteNumber === null ? null : { number: quoteNumber },
    job: jobNumber === null ? null : { number: jobNumber, title: jobTitle ?? '' },
  }))
}

/** What of what is paid of an invoice is credit, no money. For SQL. @param as the name that the invoice has there */
export const creditedSql = (as: string) => {
  const [businessId, id] = [sql.ref(`${as}.business_id`), sql.ref(`${as}.id`)]
  return sql<number>`(case when ${sql.ref(`${as}.paid_cents`)} = 0 then 0 else coalesce((select sum(x.amount_cents)
    from payment_allocations x join payments y on y.business_id = x.business_id and y.id = x.payment_id and y.method = 'credit'
    where x.business_id = ${businessId} and x.invoice_id = ${id}), 0) end)::int8`
}

/**
 * Whether a payment was made ahead for the work of an invoice: for a quote or a job, and where the office kept it as credit since only on the
 * invoice of its own quote. For SQL. @param as the name that the payment has there
 */
export const depositSql = (as: string, invoiceId: string) =>
  sql<boolean>`(${sql.ref(`${as}.job_id`)} is not null or ${sql.ref(`${as}.quote_id`)} is not null and (${sql.ref(`${as}.freed_at`)} is null
    or ${sql.ref(`${as}.quote_id`)} = (select o.quote_id from invoices o where o.business_id = ${sql.ref(`${as}.business_id`)} and o.id = ${invoiceId})))`

/** The invoices that a payment pays, by number. For SQL. @param as the name that the payment has there */
export const paysSql = (as: string) =>
  sql<number[]>`coalesce((select array_agg(y.number order by y.number) from payment_allocations x
    join invoices y on y.business_id = x.business_id and y.id = x.invoice_id
    where x.business_id = ${sql.ref(`${as}.business_id`)} and x.payment_id = ${sql.ref(`${as}.id`)}), '{}')`

/**
 * Whether a row of `allocation_reversals` is a deposit that a voided invoice gave back to its work, with its payment `p` and its invoice `i`. The
 * voiding writes that reason (`giveBackAtVoidTx`).
 */
const isGivenBack = sql<boolean>`(i.status = 'void' and r.refund_id is null and r.dispute_id is null and p.status = 'succeeded'
  and (p.job_id is not null or p.quote_id is not null) and r.reason = ${invoicePrefix}::text || i.number || ${wasVoided('')}::text)`

/** The deposits that a voided invoice gave back to their work, and where that money is now. */
export const listGaveDeposits = async (db: TenantDb, invoiceId: string): Promise<Invoice['gaveDeposits']> => {
  const { rows } = await sql<{
    id: string
    amountCents: number
    restCents: number
    pays: number[]
    quoteNumber: number | null
    jobNumber: number | null
    jobTitle: string | null
  }>`
    select r.id, r.amount_cents::float8 as "amountCents", q.number as "quoteNumber", j.number as "jobNumber", j.title as "jobTitle",
      (p.amount_cents - p.refunded_cents - p.allocated_cents)::float8 as "restCents", ${paysSql('p')} as pays
    from allocation_reversals r join payments p on p.business_id = r.business_id and p.id = r.payment_id
    join invoices i on i.business_id = r.business_id and i.id = r.invoice_id
    left join jobs j on j.business_id = p.business_id and j.id = p.job_id
    left join quotes q on q.business_id = p.business_id and q.id = p.quote_id and p.job_id is null
    where r.business_id = ${db.businessId} and r.invoice_id = ${invoiceId} and ${isGivenBack}
    order by r.created_at, r.id`.execute(db)
  return rows.map(({ quoteNumber, jobNumber, jobTitle, ...one }) => ({
    ...one,
    quote: quoteNumber === null ? null : { number: quoteNumber },
    job: jobNumber === null ? null : { number: jobNumber, title: jobTitle ?? '' },
  }))
}

/** What was set right on an invoice after it was issued, oldest first. */
export const listCorrections = async (db: TenantDb, invoiceId: string): Promise<Invoice['corrections']> => {
  const { rows } = await sql<Omit<Invoice['corrections'][number], 'at'> & { createdAt: string }>`
    select r.id, case when r.dispute_id is not null then 'dispute' when r.refund_id is not null then 'refund'
        when ${isGivenBack} then 'given_back' when p.status = 'succeeded' then 'moved' else 'reversal' end as kind,
        r.amount_cents, case when ${isGivenBack} then '' else r.reason end as reason, r.on_day, null as by, r.created_at
      from allocation_reversals r join payments p on p.business_id = r.business_id and p.id = r.payment_id
      join invoices i on i.business_id = r.business_id and i.id = r.invoice_id
      where r.business_id = ${db.businessId} and r.invoice_id = ${invoiceId}
    union all select id, 'write_off', amount_cents, reason, on_day, null, created_at
      from write_offs where business_id = ${db.businessId} and invoice_id = ${invoiceId}
    union all select id, 'reinstated', amount_cents, '', taken_back_on, null, created_at
      from write_offs where business_id = ${db.businessId} and invoice_id = ${invoiceId} and taken_back_on is not null
    union all select a.id, 'void', coalesce((a.after ->> 'openCents')::int8, i.total_cents), coalesce(a.after ->> 'reason', ''), (a.at at time zone b.time_zone)::date, u.name, a.at
      from audit_log a join businesses b on b.business_id = a.business_id
      join invoices i on i.business_id = a.business_id and i.id = a.entity_id
      left join users u on u.business_id = a.business_id and u.id = a.actor_id
      where a.business_id = ${db.businessId} and a.entity_type = 'invoice' and a.entity_id = ${invoiceId} and a.action = 'invoice.void'
    union all select a.id, 'fee_let_go', coalesce((a.after ->> 'cents')::int8, 0), '', (a.at at time zone b.time_zone)::date, u.name, a.at
      from audit_log a join businesses b on b.business_id = a.business_id left join users u on u.business_id = a.business_id and u.id = a.actor_id
      where a.business_id = ${db.businessId} and a.entity_type = 'invoice' and a.entity_id = ${invoiceId} and a.action = 'invoice.settleFee'
        and a.after ->> 'charge' = 'false'
    union all select f.id, 'fee_waived', f.amount_cents, f.waived_reason, f.waived_on, u.name, coalesce((select max(w.at) from audit_log w
        where w.business_id = f.business_id and w.entity_type = 'invoice' and w.entity_id = f.fee_invoice_id and w.action = 'invoice.waiveFee'), f.created_at)
      from late_fees f left join users u on u.business_id = f.business_id and u.id = f.waived_by
      where f.business_id = ${db.businessId} and f.invoice_id = ${invoiceId} and f.waived_on is not null
    order by created_at, kind desc`.execute(db)
  return rows.map(({ createdAt: at, ...one }) => ({ ...one, at }))
}

/** Payments that came for an invoice and were taken off it since, what of its credit notes became credit for later, and money for it that came when nothing was open any more. */
export const listEarlier = async (db: TenantDb, invoiceId: string): Promise<Invoice['earlier']> => {
  const { rows } = await sql<
    Omit<Invoice['earlier'][number], 'creditNote' | 'at'> & { number: number | null; at: string }
  >`
    select r.id, 'came' as kind, case when r.refund_id is not null then p.id end as payment_id, p.method, r.amount_cents, n.number, '' as reason,
      p.received_on as on_day, p.created_at as at, r.created_at
      from allocation_reversals r join payments p on p.business_id = r.business_id and p.id = r.payment_id
      left join credit_notes n on n.business_id = p.business_id and n.payment_id = p.id
      where r.business_id = ${db.businessId} and r.invoice_id = ${invoiceId}
    union all select n.id, 'credit_note', null, p.method, n.total_cents - coalesce(a.amount_cents, 0), n.number, n.reason, n.on_day, n.created_at as at, n.created_at
      from credit_notes n join payments p on p.business_id = n.business_id and p.id = n.payment_id and p.status = 'succeeded'
      left join payment_allocations a on a.business_id = n.business_id and a.payment_id = n.payment_id and a.invoice_id = n.invoice_id
      where n.business_id = ${db.businessId} and n.invoice_id = ${invoiceId} and n.total_cents > coalesce(a.amount_cents, 0)
    union all select p.id, 'late', null, p.method, p.amount_cents - p.tip_cents, null, '', p.received_on, p.created_at as at, p.created_at
      from checkout_sessions s join payments p on p.business_id = s.business_id and p.checkout_session_id = s.id
      where s.business_id = ${db.businessId} and s.invoice_id = ${invoiceId} and p.status = 'succeeded' and not p.together
      and not exists (select from payment_allocations a where a.business_id = p.business_id and a.payment_id = p.id and a.invoice_id = s.invoice_id)
      and not exists (select from allocation_reversals r where r.business_id = p.business_id and r.payment_id = p.id and r.invoice_id = s.invoice_id)
    order by created_at, id`.execute(db)
  return rows.map(({ id, kind, paymentId, method, amountCents, number, reason, onDay, at }) => ({
    id,
    kind,
    paymentId,
    method,
    amountCents: Number(amountCents),
    creditNote: number === null ? null : creditNoteName(number),
    reason,
    onDay,
    at,
  }))
}

/** What refunds gave back of what came for an invoice, oldest first; one that failed gave nothing back. */
export const listGaveBack = async (db: TenantDb, invoiceId: string): Promise<Invoice['gaveBack']> => {
  const { rows } = await sql<Invoice['gaveBack'][number]>`
    select r.payment_id, f.on_day, f.method, r.amount_cents::float8 as amount_cents from allocation_reversals r
      join refunds f on f.business_id = r.business_id and f.id = r.refund_id and f.status <> 'failed'
      join payments p on p.business_id = r.business_id and p.id = r.payment_id and p.method <> 'credit'
      where r.business_id = ${db.businessId} and r.invoice_id = ${invoiceId}
    order by r.created_at, r.id`.execute(db)
  return rows
}

const refundNeeds = { takeBack: moneyNeed('/api/refunds/:id/take-back') }
const mostRefunds = 50

/** Money that was handed back, the newest first: what was taken off an invoice, or of a customer's money what was taken off none, of the last year. */
export const listHandedRefunds = async (
  db: TenantDb,
  actor: Actor,
  of: { invoiceId: string } | { customerId: string; from: Day },
): Promise<HandedRefund[]> => {
  const invoiceId = 'invoiceId' in of ? of.invoiceId : null
  const [customerId, from] = 'customerId' in of ? [of.customerId, of.from] : [null, null]
  const { rows } = await sql<Omit<HandedRefund, 'can'> & RefundFacts>`
    select f.id, f.on_day, f.method, f.amount_cents, f.reason, f.by_provider, f.status from refunds f
    join payments p on p.business_id = f.business_id and p.id = f.payment_id
    where f.business_id = ${db.businessId} and f.status = 'succeeded' and not f.by_provider
      and (${invoiceId}::uuid is null or f.id in (select r.refund_id from allocation_reversals r
        where r.business_id = ${db.businessId} and r.invoice_id = ${invoiceId}::uuid))
      and (${customerId}::uuid is null or p.customer_id = ${customerId}::uuid and p.refunded_cents > 0 and f.on_day >= ${from}::date
        and not exists (select from allocation_reversals r where r.business_id = f.business_id and r.refund_id = f.id))
    order by f.created_at desc, f.id limit ${mostRefunds}`.execute(db)
  return rows.map(({ byProvider, status, ...refund }) => ({
    ...refund,
    can: canOf(actor, refundNeeds, refundRefusals, { byProvider, status }),
  }))
}
