import { type RawBuilder, sql } from 'kysely'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import type { Day } from '../../../../shared/dates.ts'
import { finishedWork } from '../../worth/server/queries.ts'
import { lastOfMonth } from '../rules.ts'

/** What is kept of a day, in the order of the columns. */
export const measures = [
  'completions',
  'worth_cents',
  'captured_cents',
  'labor_seconds',
  'drive_labor_seconds',
  'clocked_worth_cents',
  'clocked_labor_seconds',
  'clocked_drive_labor_seconds',
  'stops',
  'skips',
  'runs',
  'run_stops',
  'driven_stops',
  'drive_meters',
  'invoices',
  'invoices_paid',
  'invoiced_cents',
  'received_cents',
  'returned_cents',
] as const

const list = (of: readonly string[], each: (name: string) => RawBuilder<unknown>) => sql.join(of.map(each))
/** The columns by name, and their sums under the same names. */
export const measured = list(measures, (name) => sql.ref(name))
export const summed = list(measures, (name) => sql`sum(${sql.ref(name)})::int8 as ${sql.ref(name)}`)

/** Of visits `w` whose time is known alone. */
const clockedSum = (of: string) => sql`coalesce(sum(${sql.ref(`w.${of}`)}) filter (where clocked), 0)`

const known = sql`count(*) filter (where w.done), sum(w.worth_cents), sum(w.captured_cents), sum(w.labor_seconds), sum(w.drive_labor_seconds),
  ${clockedSum('worth_cents')}, ${clockedSum('labor_seconds')}, ${clockedSum('drive_labor_seconds')},
  count(*), count(*) filter (where not w.done)`

/**
 * `lines`, `shares` and `parts`: of the visits in `work` that are done a row a line, with its part of the money by price and of the time by minutes.
 * `money_to` and `time_to` sum up to the line, so that what is rounded at both ends adds up to the visit.
 */
export const lineParts = (db: TenantDb) => sql`
  lines as (
    select w.*, l.service_id, l.position, l.id as line_id, round(l.quantity * l.unit_price_cents) as cents, l.budget_minutes as minutes,
      count(*) over visit as lines, sum(round(l.quantity * l.unit_price_cents)) over visit as all_cents, sum(l.budget_minutes) over visit as all_minutes
    from work w join visit_lines l on l.business_id = ${db.businessId} and l.visit_id = w.id where w.done window visit as (partition by w.id)),
  shares as (
    select *, case when all_cents > 0 then cents / all_cents else 1.0 / lines end as money,
      case when all_minutes > 0 then minutes::numeric / all_minutes when all_cents > 0 then cents / all_cents else 1.0 / lines end as time from lines),
  parts as (
    select *, sum(money) over so_far as money_to, sum(time) over so_far as time_to from shares
    window so_far as (partition by id order by position, line_id))`

/** Of rows of `parts` what falls on them of a sum of their visits. */
export const partSum = (of: string, by: 'money' | 'time') =>
  sql`sum(round(${sql.ref(of)} * ${sql.ref(`${by}_to`)}) - round(${sql.ref(of)} * (${sql.ref(`${by}_to`)} - ${sql.ref(by)})))`
/** The same of visits whose time is known alone. */
export const clockedPart = (of: string, by: 'money' | 'time') =>
  sql`coalesce(${partSum(of, by)} filter (where clocked), 0)`

/**
 * The rows of some days, counted from the visits, invoices and payments of those days alone.
 * @param days a subquery of days
 */
export const countDays = (db: TenantDb, days: RawBuilder<unknown>) => sql`
  with work as materialized (${finishedWork(db, sql`v.day in (${days})`)}),
  crew_days as (
    select w.day, w.crew_id, count(*) as stops, max(r.meters) as meters from work w
    left join lateral (select round((r.planned ->> 'driveMeters')::numeric) as meters from routes r
      where r.business_id = ${db.businessId} and r.day = w.day and r.crew_id = w.crew_id and (r.planned ->> 'driveMeters')::numeric > 0 limit 1) r on true
    where w.crew_id is not null group by w.day, w.crew_id),
  ${lineParts(db)}
  select kind, day, key, ${summed} from (
    select 'all' as kind, w.day, '' as key, ${known}, 0, 0, 0, 0, 0, 0, 0, 0, 0 from work w group by w.day
    union all select 'all', day, '', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, count(*), sum(stops), coalesce(sum(stops) filter (where meters is not null), 0), coalesce(sum(meters), 0),
      0, 0, 0, 0, 0 from crew_days group by day
    union all select 'all', i.issue_on, '', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, count(*), count(*) filter (where i.status = 'paid'), sum(i.total_cents), 0, 0
      from invoices i where i.business_id = ${db.businessId} and i.issue_on in (${days}) and i.status not in ('draft', 'void') and i.opening_from is null
      group by i.issue_on
    union all select 'all', e.on_day, '', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -coalesce(sum(e.amount_cents) filter (where e.kind = 'payment'), 0),
      coalesce(sum(e.amount_cents) filter (where e.kind <> 'payment'), 0)
      from ledger_entries e where e.business_id = ${db.businessId} and e.on_day in (${days}) and e.kind in ('payment', 'refund', 'dispute', 'tip')
      group by e.on_day
    union all select 'crew', w.day, coalesce(w.crew_id::text, ''), ${known}, 0, 0, 0, 0, 0, 0, 0, 0, 0 from work w group by w.day, w.crew_id
    union all select 'crew', day, crew_id::text, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, stops, case when meters is null then 0 else stops end, coalesce(meters, 0),
      0, 0, 0, 0, 0 from crew_days
    union all select 'service', day, service_id::text, count(distinct id), ${partSum('worth_cents', 'money')}, ${partSum('captured_cents', 'money')},
      ${partSum('labor_seconds', 'time')}, ${partSum('drive_labor_seconds', 'time')}, ${clockedPart('worth_cents', 'money')},
      ${clockedPart('labor_seconds', 'time')}, ${clockedPart('drive_labor_seconds', 'time')}, count(distinct id), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
      from parts group by day, service_id
    union all select 'city', w.day, coalesce(p.city, ''), ${known}, 0, 0, 0, 0, 0, 0, 0, 0, 0 from work w
      join properties p on p.business_id = ${db.businessId} and p.id = w.property_id group by w.day, coalesce(p.city, '')
    union all select 'source', w.day, c.source, ${known}, 0, 0, 0, 0, 0, 0, 0, 0, 0 from work w
      join customers c on c.business_id = ${db.businessId} and c.id = w.customer_id group by w.day, c.source
  ) as counted (kind, day, key, ${measured}) group by kind, day, key`

/** What the kept days of a month come to by job, as it is kept. */
export const sumMonths = (db: TenantDb, month: Day) => sql`
  select d.business_id, ${month}::date as month, d.job_id, d.customer_id, sum(d.completions)::int as completions, sum(d.worth_cents)::int8 as worth_cents,
    sum(d.captured_cents)::int8 as captured_cents
  from analytics_jobs d where d.business_id = ${db.businessId} and d.day >= ${month}::date and d.day <= ${lastOfMonth(month)}::date
  group by d.business_id, d.job_id, d.customer_id`

/** The same by job. @param days a subquery of days */
export const countJobs = (db: TenantDb, days: RawBuilder<unknown>) => sql`
  select w.day, w.job_id, (array_agg(w.customer_id order by w.id desc))[1] as customer_id, count(*)::int as completions, sum(w.worth_cents)::int8 as worth_cents, sum(w.captured_cents)::int8 as captured_cents
  from (${finishedWork(db, sql`v.day in (${days})`)}) w where w.done group by w.day, w.job_id`
