import { sql } from 'kysely'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { addDays, type Day } from '../../../../shared/dates.ts'
import { todayOf } from '../../../businesses/server/queries.ts'
import { getUsualWage, listWages } from '../../../employees/wages/server/queries.ts'
import { listRecurring } from '../../../expenses/recurring/server/queries.ts'
import { paidLately } from '../../../invoices/aging/server/queries.ts'
import { termsOf } from '../../../timeclock/payroll/rules.ts'
import type { CashFlow, CashItem } from '../contract.ts'
import {
  type Basis,
  bankDays,
  cashDays,
  cashWeeks,
  doubtfulDays,
  type IncomeKind,
  incomeKinds,
  type ListedKind,
  laborCents,
  lateDays,
  leastPaid,
  recurringDays,
  weekOf,
  weeksFrom,
} from '../rules.ts'

type Known = { today: Day; daysToPay: number | null; daysToBill: number | null }

/** Days from work to its invoice, of the invoices of the last 90 days. */
const billDelay = async (db: TenantDb, today: Day): Promise<number | null> => {
  const { rows } = await sql<{ days: number | null }>`
    select round(avg(greatest(0, i.issue_on - l.service_on)))::int as days from invoices i
    join invoice_lines l on l.business_id = i.business_id and l.invoice_id = i.id and l.visit_id is not null
    where i.business_id = ${db.businessId} and i.issue_on >= ${addDays(today, -90)}::date and i.status <> 'void'`.execute(
    db,
  )
  return rows[0]?.days ?? null
}

const readKnown = async (db: TenantDb): Promise<Known> => {
  const today = await todayOf(db)
  return { today, daysToPay: (await paidLately(db, today)).daysToPay, daysToBill: await billDelay(db, today) }
}

/**
 * `expected`: each amount that is to come with its day and why then. What a customer paid with until now tells when they pay: their own median of the
 * last year, else the usual days of the business, else the terms. It reads what is open and planned, and a year of days to pay.
 */
const expected = (db: TenantDb, { today, daysToPay, daysToBill }: Known) => {
  const day = sql`${today}::date`
  const last = sql`${addDays(today, cashDays - 1)}::date`
  const usual = sql`${daysToPay}::int`
  // what is billed is paid by habit, but never before today and with autopay on its due day
  const payDays = sql`case when c.pays_by_itself then c.terms_days else coalesce(h.days, ${usual}, c.terms_days) end`
  const payBasis = sql`case when c.pays_by_itself then 'autopay' when h.days is not null then 'own' when ${usual} is not null then 'usual' else 'terms' end`
  return sql`
    habits as (
      select customer_id, round(percentile_cont(0.5) within group (order by paid_on - issue_on))::int as days from invoices
      where business_id = ${db.businessId} and paid_on >= ${addDays(today, -365)}::date group by customer_id having count(*) >= ${leastPaid}),
    payers as (
      select c.id, c.name, coalesce(c.terms_days, b.terms_days) as terms_days, exists (select from payment_methods m
        where m.business_id = c.business_id and m.customer_id = c.id and m.autopay and m.removed_at is null) as pays_by_itself
      from customers c join businesses b on b.business_id = c.business_id where c.business_id = ${db.businessId}),
    open_invoices as (
      select i.id, i.customer_id, i.number, i.due_on, i.disputed, i.total_cents - i.paid_cents - i.pending_cents as cents, i.pending_cents,
        case when i.promised_on >= ${day} then i.promised_on
          when c.pays_by_itself then greatest(i.due_on, ${day})
          else coalesce(i.issue_on + coalesce(h.days, ${usual}), i.due_on) end as day,
        case when i.promised_on >= ${day} then 'promised' else ${payBasis} end as basis, c.name
      from invoices i join payers c on c.id = i.customer_id left join habits h on h.customer_id = i.customer_id
      where i.business_id = ${db.businessId} and i.status in ('issued', 'partially_paid')),
    covered as (
      select l.job_line_id, p.starts_on, p.ends_on from billing_plans p
      join billing_plan_lines l on l.business_id = p.business_id and l.plan_id = p.id
      where p.business_id = ${db.businessId} and p.status = 'active'),
    to_bill as (
      select v.id, v.customer_id, v.day, v.price_cents as cents from visits v
      where v.business_id = ${db.businessId} and v.to_bill and v.invoice_id is null
      union all
      select v.id, v.customer_id, v.day, v.price_cents - coalesce((
        select sum(round(l.quantity * l.unit_price_cents)) from visit_lines l join covered k on k.job_line_id = l.job_line_id and v.day between k.starts_on and k.ends_on
        where l.business_id = v.business_id and l.visit_id = v.id), 0)
      from visits v where v.business_id = ${db.businessId} and v.status in ('scheduled', 'en_route', 'in_progress', 'paused') and v.day <= ${last}
        and v.billable and v.covered_by is null and v.invoice_id is null),
    expected as (
      select 'invoices' as kind, id, id::text as key, name, number, due_on as on_day, cents,
        case when day < ${day} then ${day} + ${lateDays}::int else day end as day, case when day < ${day} then 'late' else basis end as basis
      from open_invoices where not disputed and cents > 0 and (due_on is null or due_on >= ${addDays(today, -doubtfulDays)}::date or basis in ('promised', 'autopay'))
      union all
      select 'invoices', id, id || ' bank', name, number, due_on, pending_cents, ${day} + ${bankDays}::int, 'bank' from open_invoices where pending_cents > 0
      union all
      select 'work', v.id, v.id::text, c.name, null, v.day, v.cents::int8, greatest(${day}, v.day + ${daysToBill ?? 0}::int) + (${payDays}), ${payBasis}
      from to_bill v join payers c on c.id = v.customer_id left join habits h on h.customer_id = v.customer_id where v.cents > 0
      union all
      select 'plans', p.customer_id, m.id::text, c.name, null, m.bill_on, m.cents, greatest(${day}, m.bill_on) + (${payDays}), ${payBasis}
      from billing_plan_months m join billing_plans p on p.business_id = m.business_id and p.id = m.plan_id and p.status = 'active'
      join payers c on c.id = p.customer_id left join habits h on h.customer_id = p.customer_id
      where m.business_id = ${db.businessId} and m.status = 'planned' and m.bill_on <= ${last} and m.cents > 0)`
}

const recurringOf = async (db: TenantDb, today: Day) => {
  const to = addDays(today, cashDays - 1)
  const { items } = await listRecurring(db)
  return items.flatMap((cost) =>
    // what should have been booked already is paid now
    recurringDays(cost, cost.nextOn, to).map((day) => ({ cost, day: day < today ? today : day })),
  )
}

/** What an hour of those who work costs, with taxes and insurance: the mean of the crews' people, else what is usual. */
const hourCost = async (db: TenantDb, today: Day): Promise<number> => {
  const usual = await getUsualWage(db)
  const { rows } = await sql<{ userId: string }>`
    select distinct m.user_id as "userId" from crew_members m where m.business_id = ${db.businessId} and m.valid_from <= ${today}::date
      and coalesce(m.valid_to, ${today}::date) >= ${today}::date`.execute(db)
  const people = rows.map(({ userId }) => userId)
  const wages = Map.groupBy(await listWages(db, people, today), (one) => one.userId)
  const hours = people
    .map((id) => termsOf(wages.get(id) ?? [], usual)(today))
    .map(({ centsPerHour, burdenPercent }) => (centsPerHour * (100 + burdenPercent)) / 100)
    .filter((cents) => cents > 0)
  return Math.round(
    hours.length > 0
      ? hours.reduce((all, one) => all + one, 0) / hours.length
      : (usual.defaultWageCents * (100 + usual.burdenPercent)) / 100,
  )
}

/** Planned minutes on site by the week in which they are paid, the one after the work; the first week pays the hours of the last seven days. */
const laborOf = async (db: TenantDb, today: Day) => {
  const { rows } = await sql<{ week: number; minutes: number }>`
    select (greatest(v.day, ${today}::date) - ${today}::date) / 7 as week, sum(v.budget_minutes)::float8 as minutes from visits v
    where v.business_id = ${db.businessId} and v.status in ('scheduled', 'en_route', 'in_progress', 'paused') and v.day between ${addDays(today, -30)}::date
      and ${addDays(today, cashDays - 1)}::date group by 1`.execute(db)
  const {
    rows: [lately],
  } = await sql<{ weekSeconds: number; laborSeconds: number; driveSeconds: number }>`
    select coalesce(sum(labor_seconds) filter (where day > ${addDays(today, -8)}::date and day < ${today}::date), 0)::float8 as "weekSeconds",
      coalesce(sum(labor_seconds), 0)::float8 as "laborSeconds", coalesce(sum(drive_labor_seconds), 0)::float8 as "driveSeconds" from analytics_days
    where business_id = ${db.businessId} and kind = 'all' and day between ${addDays(today, -30)}::date and ${today}::date`.execute(
    db,
  )
  const hourCents = await hourCost(db, today)
  const driveShare = lately && lately.laborSeconds > 0 ? lately.driveSeconds / lately.laborSeconds : 0
  const planned = new Map(rows.map(({ week, minutes }) => [week, minutes]))
  return {
    hourCents,
    driveShare,
    byWeek: Array.from({ length: cashWeeks }, (_, week) =>
      week === 0
        ? Math.round(((lately?.weekSeconds ?? 0) * hourCents) / 3600)
        : laborCents(planned.get(week - 1) ?? 0, driveShare, hourCents),
    ),
  }
}

/** What was spent in a week of the last twelve on what does not come again by itself. */
const otherCosts = async (db: TenantDb, today: Day): Promise<number> => {
  const { rows } = await sql<{ cents: number }>`
    select round(coalesce(sum(total_cents), 0) / ${cashWeeks}::numeric)::int8 as cents from expenses
    where business_id = ${db.businessId} and deleted_at is null and recurring_id is null and not review
      and day >= ${addDays(today, -cashDays)}::date and day < ${today}::date`.execute(db)
  return rows[0]?.cents ?? 0
}

/** What is expected to come in and to go out in the next twelve weeks. */
export const getCashFlow = async (db: TenantDb): Promise<CashFlow> => {
  const known = await readKnown(db)
  const { today } = known
  const { rows } = await sql<{ kind: IncomeKind | 'doubtful' | 'disputed'; week: number; cents: number }>`
    with ${expected(db, known)}
    select kind, (day - ${today}::date) / 7 as week, sum(cents)::int8 as cents from expected group by 1, 2
    union all
    select case when disputed then 'disputed' else 'doubtful' end, 0, sum(cents)::int8 from open_invoices
    where cents > 0 and (disputed or (due_on < ${addDays(today, -doubtfulDays)}::date and basis not in ('promised', 'autopay'))) group by 1`.execute(
    db,
  )
  const cents = (test: (row: (typeof rows)[number]) => boolean) =>
    rows.filter(test).reduce((all, row) => all + row.cents, 0)
  const labor = await laborOf(db, today)
  const recurring = await recurringOf(db, today)
  const otherCents = await otherCosts(db, today)
  return {
    today,
    weeks: weeksFrom(today).map(({ from, to }, week) => ({
      from,
      to,
      in: Object.fromEntries(
        incomeKinds.map((kind) => [kind, cents((row) => row.kind === kind && row.week === week)]),
      ) as Record<IncomeKind, number>,
      out: {
        labor: labor.byWeek[week] ?? 0,
        recurring: recurring
          .filter(({ day }) => weekOf(today, day) === week)
          .reduce((all, { cost }) => all + cost.totalCents, 0),
        other: otherCents,
      },
    })),
    known: {
      daysToPay: known.daysToPay,
      daysToBill: known.daysToBill,
      hourCents: labor.hourCents,
      drivePercent: Math.round(labor.driveShare * 1000) / 10,
      otherCents,
    },
    leftOut: {
      doubtfulCents: cents(({ kind }) => kind === 'doubtful'),
      disputedCents: cents(({ kind }) => kind === 'disputed'),
      laterCents: cents(({ kind, week }) => incomeKinds.some((one) => one === kind) && week >= cashWeeks),
    },
  }
}

const mostItems = 200

/** The single amounts of a figure, the largest first. */
export const listCashItems = async (
  db: TenantDb,
  { week, kind }: { week: number; kind: ListedKind },
): Promise<{ items: CashItem[]; count: number }> => {
  const known = await readKnown(db)
  if (kind === 'recurring') {
    const found = (await recurringOf(db, known.today)).filter(({ day }) => weekOf(known.today, day) === week)
    const items = found.map(({ cost, day }) => ({
      key: `${cost.id} ${day}`,
      id: cost.id,
      title: cost.vendor || cost.category.name,
      number: null,
      onDay: null,
      day,
      cents: cost.totalCents,
      basis: null,
    }))
    return { items: items.sort((a, b) => b.cents - a.cents).slice(0, mostItems), count: items.length }
  }
  const { rows } = await sql<Omit<CashItem, 'title'> & { name: string; basis: Basis; count: number }>`
    with ${expected(db, known)}
    select id, key, name, number, on_day, day, cents::int8 as cents, basis, (count(*) over ())::int as count from expected
    where kind = ${kind} and (day - ${known.today}::date) / 7 = ${week} order by cents desc, key limit ${mostItems}`.execute(
    db,
  )
  return {
    items: rows.map(({ name, count: _, ...row }) => ({ ...row, title: name })),
    count: rows[0]?.count ?? 0,
  }
}
