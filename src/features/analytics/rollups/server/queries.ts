import { type RawBuilder, sql } from 'kysely'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import type { Day } from '../../../../shared/dates.ts'
import type { Figures, Kind } from '../../rules.ts'
import { daysBeside, lastOfMonth, wholeMonths } from '../rules.ts'
import { countDays, countJobs, measured, measures, summed } from './counting.ts'

export type Span = { name: string; from: Day; to: Day }
/** Sums of a span, by the day for the business as a whole, by the key for what it is told apart by. */
export type FigureRow = Figures & { kind: Kind; span: string; day: Day | null; key: string }
export type CustomerRow = {
  id: string
  name: string
  completions: number
  worthCents: number
  capturedCents: number
}

/** Marked days of a span: what is kept of them is older than what they are. */
export const listMarked = async (db: TenantDb, { from, to }: { from: Day; to: Day }): Promise<Day[]> => {
  const { rows } = await sql<{ day: Day }>`select distinct day from analytics_marks
    where business_id = ${db.businessId} and day between ${from}::date and ${to}::date order by day`.execute(db)
  return rows.map(({ day }) => day)
}

const spanTable = (spans: readonly Span[]) =>
  sql`unnest(${spans.map(({ name }) => name)}::text[], ${spans.map(({ from }) => from)}::date[], ${spans.map(({ to }) => to)}::date[])
    as s(span, first, last)`
const daysOf = (days: readonly Day[]) => sql`select unnest(${[...days]}::date[])`
/** The count of marked days, put into a statement only where there are any: without it the statement is planned in a moment. */
const orCounted = (marked: readonly Day[], count: () => RawBuilder<unknown>) =>
  marked.length === 0 ? sql`` : sql`union all select * from (${count()}) c`

/** What is kept of spans, with their marked days counted here and now: a figure is never old. @param marked days of other spans are left out */
export const listFigures = async (
  db: TenantDb,
  spans: readonly Span[],
  kinds: readonly Kind[],
  allMarked: readonly Day[],
): Promise<FigureRow[]> => {
  const marked = allMarked.filter((day) => spans.some(({ from, to }) => day >= from && day <= to))
  const within = sql.join(
    spans.map(({ from, to }) => sql`d.day between ${from}::date and ${to}::date`),
    sql` or `,
  )
  const { rows } = await sql<FigureRow>`
    with kept as (
      select d.kind, d.day, d.key, ${sql.join(measures.map((name) => sql.ref(`d.${name}`)))} from analytics_days d
      where d.business_id = ${db.businessId} and d.kind = any(${[...kinds]}::text[])
        and (${within}) and d.day <> all(${[...marked]}::date[])
      ${orCounted(marked, () => countDays(db, daysOf(marked)))})
    select k.kind, s.span, case when k.kind = 'all' then k.day end as day, k.key, ${summed}
    from kept k join ${spanTable(spans)} on k.day between s.first and s.last where k.kind = any(${[...kinds]}::text[])
    group by 1, 2, 3, 4 order by 1, 2, 3, 4`.execute(db)
  return rows
}

export type JobFigures = {
  /** Jobs with work completed in the span, and those of them of which something is not paid. */
  jobs: number
  waiting: number
  /** Customers with work in the earlier span, and those of them who had none in the later one. */
  before: number
  left: number
  /** Customers with the most work in the span. */
  best: CustomerRow[]
}

/** Months whose sums by job are what their days came to, without those of a marked day. */
const listSummed = async (
  db: TenantDb,
  spans: readonly { from: Day; to: Day }[],
  marked: readonly Day[],
): Promise<Day[]> => {
  const whole = spans
    .flatMap(wholeMonths)
    .filter((month) => !marked.some((day) => day >= month && day <= lastOfMonth(month)))
  if (whole.length === 0) return []
  const { rows } = await sql<{ month: Day }>`select month from analytics_months
    where business_id = ${db.businessId} and month = any(${whole}::date[]) order by month`.execute(db)
  return rows.map(({ month }) => month)
}

/** What can only be said job by job of a span and the one before it. @param marked as for the figures */
export const getJobFigures = async (
  db: TenantDb,
  { current, previous }: { current: { from: Day; to: Day }; previous: { from: Day; to: Day } },
  most: number,
  marked: readonly Day[],
): Promise<JobFigures> => {
  const recent = marked.filter((day) => day >= previous.from && day <= current.to)
  // no month lies in both: each counts for the span that its first day is in
  const months = await listSummed(db, [previous, current], recent)
  // written out, so that the planner knows how few days they are
  const within = sql.join(
    [
      sql`false`,
      ...daysBeside({ from: previous.from, to: current.to }, months).map(
        ({ from, to }) => sql`d.day between ${from}::date and ${to}::date`,
      ),
    ],
    sql` or `,
  )
  // Days by job first, in one pass: a year of days is two hundred times as many rows as jobs. Sums of cents stay exact in a double, and are no numerics.
  const { rows } = await sql<JobFigures>`
    with work as materialized (
      select d.job_id, d.customer_id, bool_or(d.day >= ${current.from}::date) as is_now, bool_or(d.day < ${current.from}::date) as was,
        sum(d.completions) filter (where d.day >= ${current.from}::date) as completions,
        sum(d.worth_cents::float8) filter (where d.day >= ${current.from}::date) as worth_cents,
        sum(d.captured_cents::float8) filter (where d.day >= ${current.from}::date) as captured_cents from (
        select m.month as day, m.job_id, m.customer_id, m.completions, m.worth_cents, m.captured_cents from analytics_job_months m
        where m.business_id = ${db.businessId} and m.month = any(${months}::date[])
        union all select d.day, d.job_id, d.customer_id, d.completions, d.worth_cents, d.captured_cents
        from analytics_jobs d where d.business_id = ${db.businessId} and (${within}) and d.day <> all(${recent}::date[])
        ${orCounted(recent, () => countJobs(db, daysOf(recent)))}) d group by d.job_id, d.customer_id),
    worked as (select sum(worth_cents - captured_cents) as open_cents from work where is_now group by job_id),
    bought as (select customer_id, bool_or(was) as had, bool_or(is_now) as has, sum(completions)::int as completions,
      sum(worth_cents)::int8 as worth_cents, sum(captured_cents)::int8 as captured_cents from work group by customer_id)
    select (select count(*) from worked)::int as jobs, (select count(*) from worked where open_cents > 0)::int as waiting,
      (select count(*) from bought where had)::int as before, (select count(*) from bought where had and not has)::int as left,
      coalesce((select json_agg(json_build_object('id', c.id, 'name', c.name, 'completions', w.completions, 'worthCents', w.worth_cents,
          'capturedCents', w.captured_cents) order by w.worth_cents desc, w.customer_id)
        from (select * from bought where has order by worth_cents desc, customer_id limit ${most}) w
        join customers c on c.business_id = ${db.businessId} and c.id = w.customer_id), '[]') as best`.execute(db)
  return rows[0] ?? { jobs: 0, waiting: 0, before: 0, left: 0, best: [] }
}

/** The first day since a day of which anything is kept or was completed; null without any. */
export const findFirstDay = async (db: TenantDb, since: Day): Promise<Day | null> => {
  const { rows } = await sql<{ day: Day | null }>`
    select least((select min(day) from analytics_days where business_id = ${db.businessId} and kind = 'all' and day >= ${since}::date),
      (select min(day) from visits where business_id = ${db.businessId} and status = 'completed' and day >= ${since}::date)) as day`.execute(
    db,
  )
  return rows[0]?.day ?? null
}

export type Difference = { day: Day; kind: string; key: string }
const mostDifferences = 100

/**
 * Days of a span of which something else is kept than a full count says; marked ones wait to be counted and are left out. And months that begin in it
 * whose sums are not those of their kept days, as their first day.
 */
export const listDifferences = async (db: TenantDb, from: Day, to: Day): Promise<Difference[]> => {
  const days = sql`select generate_series(${from}::date, ${to}::date, interval '1 day')::date
    except select day from analytics_marks where business_id = ${db.businessId}`
  const { rows } = await sql<Difference>`
    with days as materialized (${days}),
    kept as (select kind, day, key, ${measured} from analytics_days where business_id = ${db.businessId} and day in (table days)),
    counted as materialized (select * from (${countDays(db, sql`table days`)}) c),
    kept_jobs as (select day, job_id, customer_id, completions, worth_cents, captured_cents from analytics_jobs
      where business_id = ${db.businessId} and day in (table days)),
    counted_jobs as materialized (select * from (${countJobs(db, sql`table days`)}) c),
    months as materialized (select month from analytics_months where business_id = ${db.businessId} and month between ${from}::date and ${to}::date),
    kept_months as (select month, job_id, customer_id, completions::int8, worth_cents, captured_cents from analytics_job_months
      where business_id = ${db.businessId} and month in (table months)),
    summed_months as (select x.month, d.job_id, d.customer_id, sum(d.completions)::int8 as completions, sum(d.worth_cents)::int8 as worth_cents,
        sum(d.captured_cents)::int8 as captured_cents
      from months x join analytics_jobs d on d.day >= x.month and d.day < x.month + interval '1 month'
      where d.business_id = ${db.businessId} group by x.month, d.job_id, d.customer_id)
    select distinct day, kind, key from (
      (select kind, day, key, ${measured} from kept except select * from counted)
      union all (select * from counted except select kind, day, key, ${measured} from kept)) x
    union select distinct day, 'job', job_id::text from (
      (select * from kept_jobs except select * from counted_jobs) union all (select * from counted_jobs except select * from kept_jobs)) y
    union select distinct month, 'month', job_id::text from (
      (select * from kept_months except select * from summed_months) union all (select * from summed_months except select * from kept_months)) z
    order by 1, 2, 3 limit ${mostDifferences}`.execute(db)
  return rows
}
