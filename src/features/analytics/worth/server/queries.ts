import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { isClocked } from '../../../visits/clocked/server/queries.ts'

/**
 * What credit takes off what an invoice is worth: credit notes over it, wherever their credit lies, and credit that was given for no invoice where it
 * lies on it. Credit of a note over another invoice takes nothing off: it is what had paid that one. For SQL. @param as the name that the invoice has there; `n`, `y`, `c`, `a` and `x` are taken
 */
const reducedSql = (as: string) => {
  const [businessId, id] = [sql.ref(`${as}.business_id`), sql.ref(`${as}.id`)]
  return sql`least(${sql.ref(`${as}.total_cents`)}, coalesce((select sum(x.cents) from (
    select n.total_cents as cents from credit_notes n join payments y on y.business_id = n.business_id and y.id = n.payment_id and y.status = 'succeeded'
      where n.business_id = ${businessId} and n.invoice_id = ${id}
    union all select c.total_cents from credit_note_parts c join credit_notes n on n.business_id = c.business_id and n.id = c.credit_note_id
      join payments y on y.business_id = n.business_id and y.id = n.payment_id and y.status = 'succeeded'
      where c.business_id = ${businessId} and c.invoice_id = ${id}
    union all select a.amount_cents from payment_allocations a
      join payments y on y.business_id = a.business_id and y.id = a.payment_id and y.method = 'credit'
      left join credit_notes n on n.business_id = y.business_id and n.payment_id = y.id
      where a.business_id = ${businessId} and a.invoice_id = ${id} and n.invoice_id is null
        and not exists (select from credit_note_parts c where c.business_id = n.business_id and c.credit_note_id = n.id)) x), 0))`
}

/** Money that came for a billing plan `b`, without tax: on its invoices, and carried over from the plan before. */
const planMoney = (db: TenantDb) => sql`
  (select coalesce(sum(round((bill.total_cents - bill.tax_cents) * greatest(0, bill.paid_cents - ${reducedSql('bill')})::numeric / nullif(bill.total_cents, 0))), 0)
    - coalesce((select sum((g ->> 'cents')::int8) from jsonb_array_elements(b.carry) g), 0) as cents
  from (select t.invoice_id from billing_plan_months t where t.business_id = ${db.businessId} and t.plan_id = b.id and t.invoice_id is not null
    union select b.settle_invoice_id where b.settle_invoice_id is not null) t
  join invoices bill on bill.business_id = ${db.businessId} and bill.id = t.invoice_id and bill.status not in ('draft', 'void'))`

const drive = sql`coalesce(v.published_drive_seconds, v.planned_drive_seconds, 0)`

/** Labor seconds of a finished visit `v`: on site and on the way there, each person counted. For SQL. */
export const laborSeconds = sql`((v.worked_seconds + ${drive}) * coalesce(v.people, 1))`

/**
 * Finished visits `v` with what each is worth and what of it is paid: the one place that says so for dashboard, analytics, report and statistics.
 * Worth is the net price: of billed work what is left after discounts and credits, else its price; of work that counts against a billing plan its
 * share of the season, rounded so that the visits of a plan come to what was delivered. Captured is what money paid of that, also
 * money that an invoice which was credited had got before: of an invoice in proportion to its lines, of a plan in the order of its days. Invoiced is what stands on an invoice, or was paid by a plan. What was billed nowhere and never will be is worth nothing.
 */
export const finishedWork = (db: TenantDb, which: RawBuilder<SqlBool>) => sql`
  select v.id, v.day, v.crew_id, v.job_id, v.customer_id, v.property_id, v.status = 'completed' as done, v.finished_at,
    v.status = 'completed' and ${isClocked('v')} as clocked,
    case when v.status = 'completed' then ${laborSeconds} else 0 end::int8 as labor_seconds,
    case when v.status = 'completed' then ${drive} * coalesce(v.people, 1) else 0 end::int8 as drive_labor_seconds,
    case when v.status = 'completed' then coalesce(p.counted_cents, 0) + case when i.net_cents is not null then i.net_cents - i.credited_cents
      when v.billable or j.billing = 'flat' then greatest(0, v.price_cents - coalesce(p.list_cents, 0)) else 0 end else 0 end::int8 as worth_cents,
    case when v.status = 'completed' then coalesce(p.captured_cents, 0) + coalesce(greatest(0, i.paid_cents - i.credited_cents), 0) else 0 end::int8 as captured_cents,
    coalesce(p.captured_cents, 0) + coalesce(i.net_cents - i.credited_cents, 0) as invoiced_cents
  from visits v
  join jobs j on j.business_id = v.business_id and j.id = v.job_id
  left join lateral (
    select l.cents as net_cents, coalesce(round(l.cents * ${reducedSql('i')} / nullif(i.total_cents, 0)), 0) as credited_cents,
      coalesce(round(l.cents * i.paid_cents / nullif(i.total_cents, 0)), 0) as paid_cents
    from invoices i
    cross join lateral (select coalesce(sum(coalesce(l.net_cents, l.total_cents)), 0)::numeric as cents from invoice_lines l
      where l.business_id = ${db.businessId} and l.visit_id = v.id and l.invoice_id = i.id) l
    where i.business_id = ${db.businessId} and i.id = v.invoice_id and i.status not in ('draft', 'void')
    limit 1) i on true
  left join lateral (
    select sum(o.list_cents) as list_cents, sum(k.counted_cents) as counted_cents,
      sum(greatest(0, least(k.counted_cents, m.cents - k.before_cents))) as captured_cents
    from (select d.plan_id, d.on_day, sum(d.list_cents) as list_cents from billing_plan_deliveries d
      where d.business_id = ${db.businessId} and d.visit_id = v.id group by d.plan_id, d.on_day) o
    join billing_plans b on b.business_id = ${db.businessId} and b.id = o.plan_id and b.status <> 'discarded'
    cross join lateral (select case when (b.settlement ->> 'atFullPrice')::boolean then 1 else b.season_cents::numeric / b.list_cents end as rate) s
    cross join lateral (select coalesce(sum(e.list_cents), 0) as list_cents from billing_plan_deliveries e
      where e.business_id = ${db.businessId} and e.plan_id = o.plan_id and (e.on_day, e.visit_id) < (o.on_day, v.id)) e
    cross join lateral (select round(e.list_cents * s.rate) as before_cents,
      round((e.list_cents + o.list_cents) * s.rate) - round(e.list_cents * s.rate) as counted_cents) k
    cross join lateral ${planMoney(db)} m
    ) p on true
  where v.business_id = ${db.businessId} and v.status in ('completed', 'skipped') and ${which}`

/** What customers have paid ahead for work that is not done yet: of running plans beyond what was delivered, and money that lies on no invoice. */
export const sumPrepaid = async (db: TenantDb): Promise<number> => {
  const plan = await db
    .selectFrom('billingPlans')
    .select('id')
    .where('businessId', '=', db.businessId)
    .where('status', '=', 'active')
    .limit(1)
    .executeTakeFirst()
  // Without plans their money is not asked for: planning that statement takes longer than all others of a look.
  const ofPlans = plan
    ? sql`coalesce((select sum(greatest(0, m.cents - round(b.delivered_list_cents * b.season_cents::numeric / b.list_cents)))
        from billing_plans b cross join lateral ${planMoney(db)} m where b.business_id = ${db.businessId} and b.status = 'active'), 0)`
    : sql`0`
  const { rows } = await sql<{ cents: number }>`
    select (${ofPlans}
      + coalesce((select sum(y.amount_cents - y.refunded_cents - y.allocated_cents) from payments y where y.business_id = ${db.businessId}
        and y.status = 'succeeded' and y.allocated_cents + y.refunded_cents < y.amount_cents), 0))::int8 as cents`.execute(
    db,
  )
  return rows[0]?.cents ?? 0
}
