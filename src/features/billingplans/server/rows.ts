import { sql } from 'kysely'
import { clock } from '../../../platform/clock.ts'
import { inPieces } from '../../../platform/db/rows.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { publishChange } from '../../../platform/events/changes.ts'
import { newId } from '../../../platform/ids.ts'
import { notFound } from '../../../shared/errors.ts'
import { planInvoices } from '../../invoices/ahead/server/queries.ts'
import { coverVisitsTx } from '../../visits/server/commands.ts'
import { addGroups, type Group, negated, type SettleChoice, spreadOver, sumOf } from '../rules.ts'
import { listFinishedWork } from './work.ts'

/** The rows of billing plans: locked, and kept in step with the work, in the caller's transaction. */

export const lockPlanTx = (db: TenantDb, id: string) => readPlan(db, id, { lock: true })

/** The same, for a look only. @throws not_found */
export const readPlan = async (db: TenantDb, id: string, options: { lock?: true } = {}) => {
  const wanted = db.selectFrom('billingPlans').selectAll().where('businessId', '=', db.businessId).where('id', '=', id)
  const plan = await (options.lock ? wanted.forUpdate() : wanted).executeTakeFirst()
  if (!plan) throw notFound('billing plan')
  return { ...plan, carry: plan.carry as unknown as Group[] }
}
export type LockedPlan = Awaited<ReturnType<typeof lockPlanTx>>

/** What a settlement keeps of itself, on the plan. */
export type Settled = {
  choice: SettleChoice
  totalCents: number
  reason: string
  sent: boolean
  refundedCents: number
  atFullPrice: boolean
  /** What the next plan takes over. */
  groups: Group[]
  /** Months that it stopped. */
  stopped: string[]
}

/** What a change keeps of a plan, to take it back by. */
export type Kept = {
  seasonCents: number
  listCents: number
  months: { id: string; cents: number }[]
  lines: { jobLineId: string; propertyId: string; taxCategory: string; listCents: number; visits: number }[]
}

/** The order is: the customer's plans one after the other, then invoices, then payments. */
export const lockCustomerPlansTx = async (db: TenantDb, customerId: string): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`billing-plans:${db.businessId}:${customerId}`}, 0))`.execute(
    db,
  )
}

export const listLines = (db: TenantDb, planId: string) =>
  db
    .selectFrom('billingPlanLines')
    .selectAll()
    .where('businessId', '=', db.businessId)
    .where('planId', '=', planId)
    .execute()

export const listMonths = (db: TenantDb, planId: string) =>
  db
    .selectFrom('billingPlanMonths')
    .selectAll()
    .where('businessId', '=', db.businessId)
    .where('planId', '=', planId)
    .orderBy('month')
    .execute()

/** Visits of which all lines count against a plan are billed by it; of others what is left is billed by the visit. */
const markVisitsTx = async (db: TenantDb, visitIds: readonly string[]): Promise<void> => {
  if (visitIds.length === 0) return
  const { rows } = await sql<{ visitId: string; planId: string | null }>`
    select v.id as visit_id, case when bool_and(d.id is not null) then (array_agg(d.plan_id))[1] end as plan_id
    from visits v join visit_lines l on l.business_id = v.business_id and l.visit_id = v.id
    left join billing_plan_deliveries d on d.business_id = l.business_id and d.visit_line_id = l.id
    where v.business_id = ${db.businessId} and v.id = any(${[...visitIds]}::uuid[])
    group by v.id, v.covered_by
    having v.covered_by is distinct from case when bool_and(d.id is not null) then (array_agg(d.plan_id))[1] end`.execute(
    db,
  )
  await coverVisitsTx(db, rows)
}

/**
 * Brings what counts against a running plan in step with what is finished now. Doing it again changes nothing.
 * @returns the plan with what was delivered at the visits' prices
 */
export const deliverTx = async (db: TenantDb, planId: string): Promise<LockedPlan> => {
  const plan = await lockPlanTx(db, planId)
  if (plan.status !== 'active') return plan
  const lines = await listLines(db, planId)
  const wanted = await listFinishedWork(
    db,
    lines.map(({ jobLineId }) => jobLineId),
    plan,
    planId,
  )
  const had = await db
    .selectFrom('billingPlanDeliveries')
    .select(['id', 'visitId', 'visitLineId', 'listCents', 'onDay'])
    .where('businessId', '=', db.businessId)
    .where('planId', '=', planId)
    .execute()
  const now = new Map(wanted.map((one) => [one.visitLineId, one]))
  const same = new Set(
    had.flatMap(({ visitLineId, listCents, onDay }) => {
      const one = now.get(visitLineId)
      return one && one.cents === listCents && one.day === onDay ? [visitLineId] : []
    }),
  )
  const gone = had.filter(({ visitLineId }) => !same.has(visitLineId))
  const fresh = wanted.filter(({ visitLineId }) => !same.has(visitLineId))
  if (gone.length > 0)
    await db
      .deleteFrom('billingPlanDeliveries')
      .where('businessId', '=', db.businessId)
      .where(sql<boolean>`id = any(${gone.map(({ id }) => id)}::uuid[])`)
      .execute()
  for (const some of inPieces(fresh))
    await db
      .insertInto('billingPlanDeliveries')
      .values(
        some.map(({ visitLineId, visitId, propertyId, taxCategory, day, cents }) => ({
          businessId: db.businessId,
          planId,
          id: newId(),
          visitId,
          visitLineId,
          propertyId,
          taxCategory,
          onDay: day,
          listCents: cents,
        })),
      )
      .execute()
  await markVisitsTx(db, [...new Set([...had, ...wanted].map(({ visitId }) => visitId))])
  const deliveredListCents = sumOf(wanted)
  if (deliveredListCents !== plan.deliveredListCents || gone.length + fresh.length > 0) {
    await setPlanTx(db, planId, { deliveredListCents })
    await publishChange(db, 'invoices', [planId])
  }
  return { ...plan, deliveredListCents }
}

/** Takes all work off a plan: each visit is billed by itself again. */
export const releaseTx = async (db: TenantDb, planId: string): Promise<void> => {
  const gone = await db
    .deleteFrom('billingPlanDeliveries')
    .where('businessId', '=', db.businessId)
    .where('planId', '=', planId)
    .returning('visitId')
    .execute()
  await markVisitsTx(db, [...new Set(gone.map(({ visitId }) => visitId))])
}

type Change = Partial<Omit<LockedPlan, 'id' | 'businessId' | 'carry' | 'settlement'>> & { settlement?: string | null }

export const setPlanTx = async (
  db: TenantDb,
  id: string,
  change: Change,
  options: { version?: true } = {},
): Promise<void> => {
  await db
    .updateTable('billingPlans')
    .set((eb) => ({
      ...change,
      ...(options.version ? { version: eb('version', '+', 1) } : {}),
      updatedAt: clock.iso(),
    }))
    .where('businessId', '=', db.businessId)
    .where('id', '=', id)
    .execute()
}

export type PlanSums = {
  /** Before tax, by place and category, less what was credited on those invoices. */
  billed: Group[]
  billedCents: number
  paidCents: number
  openCents: number
}

/** Credit notes of plans that stand: those on their invoices, and the one of a settlement. */
export const planNotes = sql`(select m.business_id, m.plan_id, n.invoice_id, n.number, n.on_day, n.net_cents, n.payment_id
    from ${planInvoices} m join invoices i on i.business_id = m.business_id and i.id = m.invoice_id and i.status <> 'void'
    join credit_notes n on n.business_id = i.business_id and n.invoice_id = i.id
  union all select p.business_id, p.id, null, n.number, n.on_day, n.net_cents, n.payment_id
    from billing_plans p join credit_notes n on n.business_id = p.business_id and n.payment_id = p.settle_payment_id)`

/** What plans have billed and brought, from their invoices that were not voided, less what was credited. */
export const sumPlans = async (db: TenantDb, planIds: readonly string[]): Promise<Map<string, PlanSums>> => {
  const empty = (): PlanSums => ({ billed: [], billedCents: 0, paidCents: 0, openCents: 0 })
  const sums = new Map(planIds.map((id) => [id, empty()]))
  if (planIds.length === 0) return sums
  const ofPlans = sql`from ${planInvoices} m join invoices i on i.business_id = m.business_id and i.id = m.invoice_id and i.status <> 'void'`
  const those = sql`m.business_id = ${db.businessId} and m.plan_id = any(${[...planIds]}::uuid[])`
  const { rows: lines } = await sql<Group & { planId: string }>`
    select m.plan_id, l.property_id, l.tax_category, sum(l.total_cents)::int8 as cents ${ofPlans}
    join invoice_lines l on l.business_id = i.business_id and l.invoice_id = i.id
    where ${those} group by 1, 2, 3 order by 1, 2, 3`.execute(db)
  const { rows: money } = await sql<{ planId: string; paidCents: number; openCents: number; creditedCents: number }>`
    select m.plan_id, coalesce(sum((select sum(a.amount_cents) from payment_allocations a join payments p on p.business_id = a.business_id and p.id = a.payment_id
        where a.business_id = i.business_id and a.invoice_id = i.id and p.method <> 'credit')), 0)::int8 as paid_cents,
      coalesce(sum(i.total_cents - i.paid_cents) filter (where i.status in ('issued', 'partially_paid')), 0)::int8 as open_cents,
      coalesce((select sum(n.net_cents) from ${planNotes} n join payments p on p.business_id = n.business_id and p.id = n.payment_id
        where n.business_id = ${db.businessId} and n.plan_id = m.plan_id and p.status = 'succeeded'), 0)::int8 as credited_cents
    ${ofPlans} where ${those} group by 1`.execute(db)
  const byPlan = Map.groupBy(lines, ({ planId }) => planId)
  for (const { planId, paidCents, openCents, creditedCents } of money) {
    const gross = (byPlan.get(planId) ?? []).map(({ propertyId, taxCategory, cents }) => ({
      propertyId,
      taxCategory,
      cents: Number(cents),
    }))
    const billed = addGroups(gross, negated(spreadOver(Number(creditedCents), gross)))
    sums.set(planId, {
      billed,
      billedCents: sumOf(billed),
      paidCents: Number(paidCents),
      openCents: Number(openCents),
    })
  }
  return sums
}

/** What was delivered against a plan at the visits' prices, by place and category. */
export const listDelivered = async (db: TenantDb, planId: string): Promise<Group[]> => {
  const { rows } = await sql<Group>`
    select property_id, tax_category, sum(list_cents)::int8 as cents from billing_plan_deliveries
    where business_id = ${db.businessId} and plan_id = ${planId} group by 1, 2 order by 1, 2`.execute(db)
  return rows.map((row) => ({ ...row, cents: Number(row.cents) }))
}
