import { type RawBuilder, sql } from 'kysely'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { addDays, type Day } from '../../../../shared/dates.ts'
import { todayOf } from '../../../businesses/server/queries.ts'
import { getUsualWage, listWages } from '../../../employees/wages/server/queries.ts'
import { listRecurring } from '../../../expenses/recurring/server/queries.ts'
import { paidLately } from '../../../invoices/aging/server/queries.ts'
import { freeSql } from '../../../invoices/ahead/server/queries.ts'
import { termsOf } from '../../../timeclock/payroll/rules.ts'
import { listFigures, listMarked } from '../../rollups/server/queries.ts'
import type { CashFlow, CashItem } from '../contract.ts'
import {
  type Basis,
  bankDays,
  cashDays,
  cashWeeks,
  costWeeks,
  doubtfulDays,
  type IncomeKind,
  incomeKinds,
  type ListedKind,
  laborCents,
  lateDays,
  leastPaid,
  neverClosedDays,
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

/** The job of a list of jobs where it is but one: money that was paid ahead for a job pays that. */
const onlyOne = (ids: RawBuilder<unknown>) => sql`case when cardinality(${ids}) = 1 then (${ids})[1] end`

/**
 * `expected`: each amount that is to come with its day and why then, before sales tax: that is the state's. What a customer paid with until now tells when
 * they pay: their own median of the last year, else the usual days of the business, else the terms. It reads what is open and planned, and a year of days
 * to pay. What was paid ahead is there already: it is taken off the first work to come that it pays, as `readSpendable` would put it on its invoice.
 */
const expected = (db: TenantDb, { today, daysToPay, daysToBill }: Known) => {
  const day = sql`${today}::date`
  const last = sql`${addDays(today, cashDays - 1)}::date`
  const usual = sql`${daysToPay}::int`
  // what is billed is paid by habit, but never before today and with autopay on its due day
  const payDays = sql`case when c.pays_by_itself then c.terms_days else coalesce(h.days, ${usual}, c.terms_days) end`
  const payBasis = sql`case when c.pays_by_itself then 'autopay' when h.days is not null then 'own' when ${usual} is not null then 'usual' else 'terms' end`
  const untaxed = (cents: RawBuilder<unknown>) =>
    sql`round(${cents} * (i.total_cents - i.tax_cents)::numeric / nullif(i.total_cents, 0))::int8`
  const open = sql`(i.total_cents - i.paid_cents - i.pending_cents)`
  /** Takes what is left of the money of one owner (a job, a quote, a customer) off its first rows, one after the other. */
  const takeOff = (from: string, owner: 'job_id' | 'quote_id' | 'customer_id', which: RawBuilder<unknown>) => sql`
    select t.kind, t.id, t.key, t.name, t.number, t.on_day, t.customer_id, t.job_id, t.quote_id, t.day, t.basis, t.cents - t.taken as cents,
      t.ahead_cents + t.taken as ahead_cents from (
      select s.*, greatest(0, least(s.cents, coalesce(r.cents, 0) - (sum(s.cents) over (partition by s.${sql.ref(owner)} order by s.day, s.key) - s.cents)))::int8 as taken
      from ${sql.ref(from)} s left join (select ${sql.ref(owner)} as owner, sum(cents) as cents from rests where ${which} group by 1) r on r.owner = s.${sql.ref(owner)}) t`
  return sql`
    habits as (
      select customer_id, round(percentile_cont(0.5) within group (order by paid_on - issue_on))::int as days from invoices
      where business_id = ${db.businessId} and paid_on >= ${addDays(today, -365)}::date group by customer_id having count(*) >= ${leastPaid}),
    payers as (
      select c.id, c.name, coalesce(c.terms_days, b.terms_days) as terms_days, exists (select from payment_methods m
        where m.business_id = c.business_id and m.customer_id = c.id and m.autopay and m.removed_at is null) as pays_by_itself
      from customers c join businesses b on b.business_id = c.business_id where c.business_id = ${db.businessId}),
    open_invoices as (
      select i.id, i.customer_id, i.number, i.due_on, i.disputed, ${open} as open_cents, ${untaxed(open)} as cents,
        i.pending_cents as pending_open_cents, ${untaxed(sql`i.pending_cents`)} as pending_cents,
        case when i.promised_on >= ${day} then i.promised_on
          when c.pays_by_itself and a.status is distinct from 'stopped' then greatest(coalesce(a.charge_on, i.due_on), ${day})
          else coalesce(i.issue_on + coalesce(h.days, ${usual}), i.due_on) end as day,
        case when i.promised_on >= ${day} then 'promised' when c.pays_by_itself and a.status is distinct from 'stopped' then 'autopay'
          when h.days is not null then 'own' when ${usual} is not null then 'usual' else 'terms' end as basis, c.name
      from invoices i join payers c on c.id = i.customer_id left join habits h on h.customer_id = i.customer_id
      left join autopay_charges a on a.business_id = i.business_id and a.invoice_id = i.id and a.status <> 'paid'
      where i.business_id = ${db.businessId} and i.status in ('issued', 'partially_paid')),
    covered as (
      select l.job_line_id, p.starts_on, p.ends_on from billing_plans p
      join billing_plan_lines l on l.business_id = p.business_id and l.plan_id = p.id
      where p.business_id = ${db.businessId} and p.status = 'active'),
    all_to_bill as (
      select v.id, v.customer_id, v.job_id, v.day, v.price_cents as cents, case when v.day < ${addDays(today, -doubtfulDays)}::date then 'neverBilled' end as left_out
      from visits v where v.business_id = ${db.businessId} and v.to_bill and v.invoice_id is null
      union all
      select v.id, v.customer_id, v.job_id, v.day, v.price_cents - coalesce((
        select sum(round(l.quantity * l.unit_price_cents)) from visit_lines l join covered k on k.job_line_id = l.job_line_id and v.day between k.starts_on and k.ends_on
        where l.business_id = v.business_id and l.visit_id = v.id), 0),
        case when v.day < ${addDays(today, -neverClosedDays)}::date then 'neverClosed' when not v.billable then 'byContract' end
      from visits v join jobs j on j.business_id = v.business_id and j.id = v.job_id
      where v.business_id = ${db.businessId} and v.status in ('scheduled', 'en_route', 'in_progress', 'paused') and v.day <= ${last}
        and (v.billable or (j.billing = 'flat' and v.day >= ${addDays(today, -neverClosedDays)}::date)) and v.covered_by is null and v.invoice_id is null),
    to_issue as (
      select 'drafts' as kind, i.id, i.id::text as key, c.name, i.number, null::date as on_day, i.customer_id, ${onlyOne(sql`w.jobs`)} as job_id,
        coalesce(i.quote_id, ${onlyOne(sql`w.quotes`)}) as quote_id, ${day} + (${payDays}) as day, ${payBasis} as basis, (i.total_cents - i.tax_cents)::int8 as cents
      from invoices i join payers c on c.id = i.customer_id left join habits h on h.customer_id = i.customer_id
      cross join lateral (select array_agg(distinct j.id) filter (where j.id is not null) as jobs, array_agg(distinct j.quote_id) filter (where j.quote_id is not null) as quotes
        from invoice_lines l left join visits v on v.business_id = l.business_id and v.id = l.visit_id
        left join jobs j on j.business_id = v.business_id and j.id = v.job_id where l.business_id = i.business_id and l.invoice_id = i.id) w
      where i.business_id = ${db.businessId} and i.status = 'draft' and i.total_cents > i.tax_cents
      union all
      select 'work', v.id, v.id::text, c.name, null, v.day, v.customer_id, v.job_id, j.quote_id,
        greatest(${day}, v.day + ${daysToBill ?? 0}::int) + (${payDays}), ${payBasis}, v.cents::int8
      from all_to_bill v join jobs j on j.business_id = ${db.businessId} and j.id = v.job_id
      join payers c on c.id = v.customer_id left join habits h on h.customer_id = v.customer_id where v.cents > 0 and v.left_out is null
      union all
      select 'plans', p.customer_id, m.id::text, c.name, null, m.bill_on, p.customer_id, ${onlyOne(sql`w.jobs`)}, ${onlyOne(sql`w.quotes`)},
        greatest(${day}, m.bill_on) + (${payDays}), ${payBasis}, m.cents
      from billing_plan_months m join billing_plans p on p.business_id = m.business_id and p.id = m.plan_id and p.status = 'active'
      join payers c on c.id = p.customer_id left join habits h on h.customer_id = p.customer_id
      cross join lateral (select array_agg(distinct j.id) as jobs, array_agg(distinct j.quote_id) filter (where j.quote_id is not null) as quotes
        from billing_plan_lines l join job_lines o on o.business_id = l.business_id and o.id = l.job_line_id
        join jobs j on j.business_id = o.business_id and j.id = o.job_id where l.business_id = p.business_id and l.plan_id = p.id) w
      where m.business_id = ${db.businessId} and m.status = 'planned' and m.bill_on <= ${last} and m.cents > 0),
    rests as materialized (
      select y.customer_id, case when not ${freeSql('y')} then y.job_id end as job_id, case when not ${freeSql('y')} and y.job_id is null then y.quote_id end as quote_id,
        ${freeSql('y')} as is_free, y.amount_cents - y.refunded_cents - y.allocated_cents as cents
      from payments y join businesses b on b.business_id = y.business_id
      where y.business_id = ${db.businessId} and y.status = 'succeeded' and y.allocated_cents + y.refunded_cents < y.amount_cents
        and (b.use_credit or not ${freeSql('y')})),
    paid_ahead as (select s.*, 0::int8 as ahead_cents from to_issue s where s.customer_id in (select customer_id from rests)),
    for_job as (${takeOff('paid_ahead', 'job_id', sql`job_id is not null`)}),
    for_quote as (${takeOff('for_job', 'quote_id', sql`quote_id is not null`)}),
    for_customer as (${takeOff('for_quote', 'customer_id', sql`is_free`)}),
    expected as (
      select 'invoices' as kind, id, id::text as key, name, number, due_on as on_day, cents, open_cents - cents as tax_cents, 0::int8 as ahead_cents,
        case when day < ${day} then ${day} + ${lateDays}::int else day end as day, case when day < ${day} then 'late' else basis end as basis
      from open_invoices where not disputed and cents > 0 and (due_on is null or due_on >= ${addDays(today, -doubtfulDays)}::date or basis in ('promised', 'autopay'))
      union all
      select 'invoices', id, id || ' bank', name, number, due_on, pending_cents, pending_open_cents - pending_cents, 0, ${day} + ${bankDays}::int, 'bank'
      from open_invoices where pending_cents > 0
      union all
      select kind, id, key, name, number, on_day, cents, 0, 0, day, basis from to_issue where customer_id not in (select customer_id from rests)
      union all
      select kind, id, key, name, number, on_day, cents, 0, ahead_cents, day, basis from for_customer)`
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

/**
 * Planned minutes on site by the week in which they are paid, the one after the work; the first week pays the hours of the seven days before today. What
 * was finished today stands in the plan no more and is paid in the week after, as the rest of today's work is.
 */
const laborOf = async (db: TenantDb, today: Day) => {
  const { rows } = await sql<{ week: number; minutes: number }>`
    select (greatest(v.day, ${today}::date) - ${today}::date) / 7 as week, sum(v.budget_minutes)::float8 as minutes from visits v
    where v.business_id = ${db.businessId} and v.status in ('scheduled', 'en_route', 'in_progress', 'paused')
      and v.day between ${addDays(today, -neverClosedDays)}::date and ${addDays(today, cashDays - 1)}::date group by 1`.execute(
    db,
  )
  const span = { from: addDays(today, -30), to: today }
  const days = await listFigures(db, [{ name: 'lately', ...span }], ['all'], await listMarked(db, span))
  const secondsOf = (of: 'laborSeconds' | 'driveLaborSeconds', from: Day, to: Day): number =>
    days.reduce((all, one) => all + (one.day !== null && one.day >= from && one.day <= to ? one[of] : 0), 0)
  const hourCents = await hourCost(db, today)
  const laborSeconds = secondsOf('laborSeconds', span.from, today)
  const driveShare = laborSeconds > 0 ? secondsOf('driveLaborSeconds', span.from, today) / laborSeconds : 0
  const planned = new Map(rows.map(({ week, minutes }) => [week, minutes]))
  const done = (from: Day, to: Day): number => Math.round((secondsOf('laborSeconds', from, to) * hourCents) / 3600)
  return {
    hourCents,
    driveShare,
    byWeek: Array.from({ length: cashWeeks }, (_, week) =>
      week === 0
        ? done(addDays(today, -7), addDays(today, -1))
        : laborCents(planned.get(week - 1) ?? 0, driveShare, hourCents) + (week === 1 ? done(today, today) : 0),
    ),
  }
}

/** What was spent in a week of the last ones on what does not come again by itself. */
const otherCosts = async (db: TenantDb, today: Day): Promise<{ cents: number; weeks: number }> => {
  const { rows } = await sql<{ day: Day | null }>`
    select min(day) as day from expenses where business_id = ${db.businessId} and deleted_at is null and not review`.execute(
    db,
  )
  const weeks = costWeeks(today, rows[0]?.day ?? null)
  const {
    rows: [sum],
  } = await sql<{ cents: number }>`
    select coalesce(sum(total_cents), 0)::int8 as cents from expenses
    where business_id = ${db.businessId} and deleted_at is null and recurring_id is null and not review
      and day >= ${addDays(today, -weeks * 7)}::date and day < ${today}::date`.execute(db)
  return { cents: Math.round((sum?.cents ?? 0) / weeks), weeks }
}

type LeftKind = 'doubtful' | 'disputed' | 'neverBilled' | 'neverClosed' | 'byContract'

/** What is expected to come in and to go out in the next twelve weeks. */
export const getCashFlow = async (db: TenantDb): Promise<CashFlow> => {
  const known = await readKnown(db)
  const { today } = known
  type Sums = { kind: IncomeKind | LeftKind; week: number; cents: number; aheadCents: number; from: Day | null }
  const { rows } = await sql<Sums>`
    with ${expected(db, known)}
    select kind, (day - ${today}::date) / 7 as week, sum(cents)::int8 as cents, sum(ahead_cents)::int8 as ahead_cents, null::date as "from"
    from expected group by 1, 2
    union all
    select case when disputed then 'disputed' else 'doubtful' end, 0, sum(open_cents)::int8, 0, null from open_invoices
    where open_cents > 0 and (disputed or (due_on < ${addDays(today, -doubtfulDays)}::date and basis not in ('promised', 'autopay'))) group by 1
    union all
    select left_out, 0, sum(cents)::int8, 0, min(day) from all_to_bill where left_out is not null and cents > 0 group by 1`.execute(
    db,
  )
  const cents = (test: (row: (typeof rows)[number]) => boolean) =>
    rows.filter(test).reduce((all, row) => all + row.cents, 0)
  const labor = await laborOf(db, today)
  const recurring = await recurringOf(db, today)
  const other = await otherCosts(db, today)
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
        other: other.cents,
      },
    })),
    known: {
      daysToPay: known.daysToPay,
      daysToBill: known.daysToBill,
      hourCents: labor.hourCents,
      drivePercent: Math.round(labor.driveShare * 1000) / 10,
      otherCents: other.cents,
      otherWeeks: other.weeks,
      aheadCents: rows.reduce((all, row) => all + (row.week < cashWeeks ? row.aheadCents : 0), 0),
    },
    leftOut: {
      doubtfulCents: cents(({ kind }) => kind === 'doubtful'),
      disputedCents: cents(({ kind }) => kind === 'disputed'),
      laterCents: cents(({ kind, week }) => incomeKinds.some((one) => one === kind) && week >= cashWeeks),
      neverBilledCents: cents(({ kind }) => kind === 'neverBilled'),
      neverClosedCents: cents(({ kind }) => kind === 'neverClosed'),
      byContractCents: cents(({ kind }) => kind === 'byContract'),
      neverClosedFrom: rows.find(({ kind }) => kind === 'neverClosed')?.from ?? null,
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
      taxCents: 0,
      aheadCents: 0,
      basis: null,
    }))
    return { items: items.sort((a, b) => b.cents - a.cents).slice(0, mostItems), count: items.length }
  }
  const { rows } = await sql<Omit<CashItem, 'title'> & { name: string; basis: Basis; count: number }>`
    with ${expected(db, known)}
    select id, key, name, number, on_day, day, cents::int8 as cents, tax_cents::int8 as tax_cents, ahead_cents::int8 as ahead_cents, basis,
      (count(*) over ())::int as count from expected
    where kind = ${kind} and cents > 0 and (day - ${known.today}::date) / 7 = ${week} order by cents desc, key limit ${mostItems}`.execute(
    db,
  )
  return {
    items: rows.map(({ name, count: _, ...row }) => ({ ...row, title: name })),
    count: rows[0]?.count ?? 0,
  }
}
