import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { z } from 'zod'
import type { Actor } from '../../../platform/actor.ts'
import { keyset } from '../../../platform/db/cursor.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { canOf, type Need } from '../../../shared/can.ts'
import type { Day } from '../../../shared/dates.ts'
import { notFound } from '../../../shared/errors.ts'
import { todayOf } from '../../businesses/server/queries.ts'
import { sumPaidAhead } from '../../invoices/ahead/server/queries.ts'
import { isClosedDay } from '../../invoices/closing/rules.ts'
import { closedThrough } from '../../invoices/closing/server/queries.ts'
import { creditNoteName } from '../../invoices/corrections/rules.ts'
import { type InvoiceStatus, statusFromMoney } from '../../invoices/rules.ts'
import { billingPlansApi, type Plan, type PlanRow } from '../contract.ts'
import { countedCents, type Group, monthOf, type PlanAction, type PlanFacts, planRefusals, sumOf } from '../rules.ts'
import { listEntries } from './entries.ts'
import { readPayer, whyHeld } from './papers.ts'
import { type Kept, type LockedPlan, listLines, listMonths, type PlanSums, type Settled, sumPlans } from './rows.ts'
import { listCoverable } from './work.ts'

type Query = z.output<(typeof billingPlansApi)['list']['query']>
type Found = Omit<LockedPlan, 'carry' | 'settlement'> & {
  carry: Group[]
  settlement: Settled | null
  customerName: string
  nextOn: Day | null
  nextCents: number | null
}

const base = (db: TenantDb) =>
  sql`from billing_plans p join customers c on c.business_id = p.business_id and c.id = p.customer_id
    left join lateral (select m.bill_on, m.cents from billing_plan_months m where m.business_id = p.business_id and m.plan_id = p.id
      and m.status = 'planned' order by m.bill_on limit 1) n on true
    where p.business_id = ${db.businessId}`

const columns = sql`p.*, c.name as customer_name, n.bill_on as next_on, n.cents as next_cents`

const asRow = (plan: Found, sums: PlanSums | undefined, today: Day): PlanRow => {
  const active = plan.status === 'active'
  const full = plan.settlement?.atFullPrice === true
  const deliveredCents = full ? plan.deliveredListCents : countedCents(plan.deliveredListCents, plan)
  const billedCents = sums?.billedCents ?? 0
  return {
    id: plan.id,
    name: plan.name,
    kind: plan.kind,
    status: plan.status,
    customer: { id: plan.customerId, name: plan.customerName },
    startsOn: plan.startsOn,
    endsOn: plan.endsOn,
    isOver: active && plan.endsOn < today,
    seasonCents: plan.seasonCents,
    deliveredCents,
    billedCents,
    paidCents: sums?.paidCents ?? 0,
    differenceCents: deliveredCents + sumOf(plan.carry) - billedCents,
    next: active && plan.nextOn !== null ? { billOn: plan.nextOn, cents: Number(plan.nextCents) } : null,
    isChanged: active && plan.expectedListCents !== plan.listCents,
    heldSince: active ? plan.heldSince : null,
  }
}

/** Delivered as it counts and carried over, less billed; of a running plan, by what stands on it and its months alone. */
const difference = sql`(round(p.delivered_list_cents * p.season_cents::numeric / p.list_cents)
  + coalesce((select sum((g ->> 'cents')::int8) from jsonb_array_elements(p.carry) g), 0)
  - coalesce((select sum(i.subtotal_cents - coalesce((select sum(n.net_cents) from credit_notes n
      join payments y on y.business_id = n.business_id and y.id = n.payment_id
      where n.business_id = i.business_id and n.invoice_id = i.id and y.status = 'succeeded'), 0))
    from billing_plan_months m join invoices i on i.business_id = m.business_id and i.id = m.invoice_id and i.status <> 'void'
    where m.business_id = p.business_id and m.plan_id = p.id), 0))`

const views = (today: Day): Record<NonNullable<Query['view']>, RawBuilder<SqlBool>> => ({
  running: sql`p.status = 'active'`,
  to_settle: sql`(p.status = 'active' and p.ends_on < ${today}::date or p.unsettled_on is not null)`,
  delivered_more: sql`p.status = 'active' and ${difference} > 0`,
  billed_more: sql`p.status = 'active' and ${difference} < 0`,
  over: sql`p.status = 'settled'`,
})

/** Billing plans of a view, or those of a customer, whichever state they are in. */
export const listPlans = async (db: TenantDb, { view, customerId, ...page }: Query) => {
  const today = await todayOf(db)
  const {
    beyond,
    order,
    values,
    limit,
    page: cut,
  } = keyset(
    [
      { of: sql`p.ends_on`, type: 'day' },
      { of: sql`p.id`, type: 'uuid' },
    ],
    { order: customerId || view === 'over' ? 'desc' : 'asc', ...page },
  )
  const which = customerId
    ? sql`p.customer_id = ${customerId} and p.status <> 'discarded'`
    : views(today)[view ?? 'running']
  const { rows } = await sql<Found & { cursorKeys: string[] }>`
    select ${columns}, ${values} as cursor_keys ${base(db)} and ${which} and ${beyond} order by ${order} limit ${limit}`.execute(
    db,
  )
  const { items, nextCursor } = cut(rows)
  const sums = await sumPlans(
    db,
    items.map(({ id }) => id),
  )
  return { items: items.map((plan) => asRow(plan as Found, sums.get(plan.id), today)), nextCursor }
}

/** Seasons that are over and wait to be settled, those whose settlement was voided, and months that are held. */
export const listPlansToSettle = async (db: TenantDb) => {
  const { rows } = await sql<{
    id: string
    name: string
    endsOn: Day
    heldSince: Day | null
    unsettledOn: Day | null
    customer: string
  }>`
    select p.id, p.name, p.ends_on, p.held_since, p.unsettled_on, c.name as customer ${base(db)} and (p.unsettled_on is not null
      or p.status = 'active' and (p.ends_on < ${await todayOf(db)}::date or p.held_since is not null)) order by p.ends_on, p.id limit 20`.execute(
    db,
  )
  return rows
}

const listChanges = (db: TenantDb, planId: string) =>
  db
    .selectFrom('billingPlanChanges as h')
    .leftJoin('users as u', (x) => x.onRef('u.businessId', '=', 'h.businessId').onRef('u.id', '=', 'h.createdBy'))
    .where('h.businessId', '=', db.businessId)
    .where('h.planId', '=', planId)
    .select([
      'h.id',
      'h.onDay',
      'h.before',
      'h.after',
      'h.reason',
      'h.told',
      'h.undoneOn',
      'h.createdAt',
      'u.name as by',
    ])
    .orderBy('h.createdAt')
    .orderBy('h.id')
    .execute()

/** Whether nothing came of an issued invoice but what was paid ahead for its work, which lay on it from the first moment. */
const isUntouched = async (
  db: TenantDb,
  { id, status, totalCents, paidCents }: { id: string; status: InvoiceStatus; totalCents: number; paidCents: number },
): Promise<boolean> =>
  status === statusFromMoney('issued', totalCents, paidCents) &&
  (paidCents === 0 || paidCents <= (await sumPaidAhead(db, id)))

/** What of a plan decides what can be done with it. */
export const planFacts = async (
  db: TenantDb,
  plan: Pick<LockedPlan, 'id' | 'name' | 'status' | 'settlement' | 'settleInvoiceId' | 'settlePaymentId'>,
): Promise<PlanFacts> => {
  const { rows } = await sql<{ billed: number; planned: number; lastIssued: string | null }>`
    select count(*) filter (where m.status = 'billed' and i.status <> 'void')::int as billed,
      count(*) filter (where m.status = 'planned')::int as planned, max(i.created_at) as last_issued
    from billing_plan_months m left join invoices i on i.business_id = m.business_id and i.id = m.invoice_id
    where m.business_id = ${db.businessId} and m.plan_id = ${plan.id}`.execute(db)
  const counts = rows[0]
  const last = (await listChanges(db, plan.id)).findLast(({ undoneOn }) => undoneOn === null)
  const kept = (last?.before as unknown as Kept | undefined)?.months ?? []
  // a month that a change made nothing of is stopped on its day
  const past =
    plan.status === 'active' && kept.length > 0
      ? (await listMonths(db, plan.id)).filter(
          (one) => one.status !== 'planned' && kept.some(({ id }) => id === one.id),
        )
      : []
  const settled = plan.settlement as unknown as Settled | null
  const invoice = plan.settleInvoiceId
    ? await db
        .selectFrom('invoices')
        .select(['id', 'status', 'totalCents', 'paidCents', 'sentAt', 'lastRemindedAt'])
        .where('businessId', '=', db.businessId)
        .where('id', '=', plan.settleInvoiceId)
        .executeTakeFirst()
    : null
  const credit = plan.settlePaymentId
    ? await db
        .selectFrom('payments')
        .select(['status', 'refundedCents'])
        .where('businessId', '=', db.businessId)
        .where('id', '=', plan.settlePaymentId)
        .executeTakeFirst()
    : null
  const taken = await db
    .selectFrom('billingPlans')
    .select('id')
    .where('businessId', '=', db.businessId)
    .where('carriedFrom', '=', plan.id)
    .executeTakeFirst()
  const used = credit
    ? await sql`
        select from payment_allocations a where a.business_id = ${db.businessId} and a.payment_id = ${plan.settlePaymentId}
          and not exists (select from billing_plan_months m where m.business_id = a.business_id and m.plan_id = ${plan.id}
            and m.invoice_id = a.invoice_id) limit 1`.execute(db)
    : null
  const newer = await sql<{ name: string }>`
    select n.name from billing_plans p join billing_plans n on n.business_id = p.business_id and n.customer_id = p.customer_id
      and n.id <> p.id and n.status = 'active' and n.starts_on <= p.ends_on and n.ends_on >= p.starts_on
    where p.business_id = ${db.businessId} and p.id = ${plan.id} and p.status = 'settled' and exists (
      select from billing_plan_lines a join billing_plan_lines b on b.business_id = a.business_id and b.job_line_id = a.job_line_id
      where a.business_id = p.business_id and a.plan_id = p.id and b.plan_id = n.id)
    order by n.starts_on limit 1`.execute(db)
  return {
    name: plan.name,
    status: plan.status,
    billedMonths: counts?.billed ?? 0,
    plannedMonths: counts?.planned ?? 0,
    change: last
      ? { billedSince: (counts?.lastIssued != null && counts.lastIssued > last.createdAt) || past.length > 0 }
      : null,
    settled: settled && {
      choice: settled.choice,
      sent: settled.sent || invoice?.sentAt != null || invoice?.lastRemindedAt != null,
      touched:
        (invoice != null && !(await isUntouched(db, invoice))) ||
        (credit != null && (credit.status !== 'succeeded' || credit.refundedCents > 0)) ||
        (used?.rows.length ?? 0) > 0,
      voided: settled.choice === 'bill' && invoice?.status === 'void',
      taken: taken !== undefined,
      newer: newer.rows[0]?.name ?? null,
    },
  }
}

const needs: Record<PlanAction, Need> = {
  change: billingPlansApi.change,
  undoChange: billingPlansApi.undoChange,
  settle: billingPlansApi.settle,
  undoSettlement: billingPlansApi.undoSettlement,
  discard: billingPlansApi.discard,
}

const listPlanMonths = async (db: TenantDb, planId: string): Promise<Plan['months']> => {
  const invoices = new Map(
    (
      await db
        .selectFrom('billingPlanMonths as m')
        .innerJoin('invoices as i', (x) =>
          x.onRef('i.businessId', '=', 'm.businessId').onRef('i.id', '=', 'm.invoiceId'),
        )
        .where('m.businessId', '=', db.businessId)
        .where('m.planId', '=', planId)
        .select(['i.id', 'i.number', 'i.totalCents', 'i.paidCents', 'i.status'])
        .select(
          sql<number>`coalesce((select sum(a.amount_cents) from payment_allocations a join payments p on p.business_id = a.business_id
            and p.id = a.payment_id where a.business_id = i.business_id and a.invoice_id = i.id and p.method = 'credit'), 0)::int8`.as(
            'creditedCents',
          ),
        )
        .execute()
    ).map((invoice) => [invoice.id, { ...invoice, creditedCents: Number(invoice.creditedCents) }]),
  )
  return (await listMonths(db, planId)).map(({ month, billOn, cents, status, invoiceId }) => {
    const invoice = invoices.get(invoiceId ?? '') ?? null
    return {
      month: monthOf(month),
      billOn,
      cents,
      state: status === 'billed' && invoice?.status === 'void' ? 'voided' : status,
      invoice,
    }
  })
}

const settledOf = async (db: TenantDb, plan: Found): Promise<Plan['settled']> => {
  const { settlement, settledOn } = plan
  if (!settlement || !settledOn) return null
  const by = plan.settledBy
    ? await db
        .selectFrom('users')
        .select('name')
        .where('businessId', '=', db.businessId)
        .where('id', '=', plan.settledBy)
        .executeTakeFirst()
    : null
  const invoice = plan.settleInvoiceId
    ? await db
        .selectFrom('invoices')
        .select(['id', 'number', 'status'])
        .where('businessId', '=', db.businessId)
        .where('id', '=', plan.settleInvoiceId)
        .executeTakeFirst()
    : null
  const note = plan.settlePaymentId
    ? await db
        .selectFrom('creditNotes')
        .select('number')
        .where('businessId', '=', db.businessId)
        .where('paymentId', '=', plan.settlePaymentId)
        .executeTakeFirst()
    : null
  const { choice, totalCents, reason, sent, refundedCents } = settlement
  return {
    onDay: settledOn,
    choice,
    totalCents,
    reason,
    sent,
    refundedCents,
    invoice: invoice ? { id: invoice.id, number: invoice.number } : null,
    voided: choice === 'bill' && invoice?.status === 'void',
    creditNote: note ? creditNoteName(note.number) : null,
    by: by?.name ?? null,
  }
}

const heldWhy = async (db: TenantDb, plan: Found): Promise<string> =>
  (await whyHeld(db, plan, await readPayer(db, plan.customerId))) ??
  (isClosedDay(await closedThrough(db), await todayOf(db))
    ? 'Today is in a month that is closed.'
    : 'What kept it is mended.')

/** One billing plan with its months, its ledger and what may be done with it. @throws not_found */
export const getPlan = async (db: TenantDb, actor: Actor, id: string): Promise<Plan> => {
  const { rows } = await sql<Found>`select ${columns} ${base(db)} and p.id = ${id}`.execute(db)
  const plan = rows[0]
  if (!plan) throw notFound('billing plan')
  const today = await todayOf(db)
  const sums = (await sumPlans(db, [id])).get(id)
  const covered = await listLines(db, id)
  const lines = await listCoverable(db, plan.customerId, plan, id)
  const own = lines.filter(({ lineId }) => covered.some(({ jobLineId }) => jobLineId === lineId))
  const listCents = sumOf(own)
  const from = plan.carriedFrom
    ? await db
        .selectFrom('billingPlans')
        .select(['id', 'name'])
        .where('businessId', '=', db.businessId)
        .where('id', '=', plan.carriedFrom)
        .executeTakeFirst()
    : null
  const active = plan.status === 'active'
  return {
    ...asRow(plan, sums, today),
    isChanged: active && listCents !== plan.listCents,
    version: plan.version,
    billDay: plan.billDay,
    reason: plan.reason,
    listCents: plan.listCents,
    carryCents: sumOf(plan.carry),
    carriedFrom: from ?? null,
    heldWhy: active && plan.heldSince ? await heldWhy(db, plan) : null,
    lines: own.map(({ lineId, jobId, jobNumber, place, service, visits, cents }) => {
      const agreed = covered.find(({ jobLineId }) => jobLineId === lineId)
      return {
        lineId,
        jobId,
        jobNumber,
        place,
        service,
        visits: active ? visits : (agreed?.visits ?? 0),
        cents: active ? cents : (agreed?.listCents ?? 0),
      }
    }),
    months: await listPlanMonths(db, id),
    entries: await listEntries(db, plan),
    expected: active
      ? { listCents, seasonCents: countedCents(listCents, plan), isChanged: listCents !== plan.listCents }
      : null,
    changes: (await listChanges(db, id)).map(({ before, after, createdAt: _at, ...change }) => ({
      ...change,
      beforeCents: (before as unknown as Kept).seasonCents,
      afterCents: (after as unknown as Kept).seasonCents,
    })),
    settled: await settledOf(db, plan),
    can: canOf(actor, needs, planRefusals, await planFacts(db, plan as never)),
  }
}
