import { type RawBuilder, sql } from 'kysely'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import type { Day } from '../../../../shared/dates.ts'
import type { Figures, Kind } from '../../rules.ts'
import { countDays, countJobs, measured, measures, summed } from './counting.ts'

export type Span = { name: string; from: Day; to: Day }
/** Sums of a span, by the day for the business as a whole, by the key for what it is told apart by. */
export type FigureRow = Figures & { kind: Kind; span: string; day: Day | null; key: string }
export type JobRow = { jobs: number; waiting: number }
export type CustomerRow = {
  id: string
  name: string
  completions: number
  worthCents: number
  capturedCents: number
}

/** Marked days of spans: what is kept of them is older than what they are. */
const marked = (db: TenantDb, spans: RawBuilder<unknown>) => sql`
  select distinct m.day from analytics_marks m join ${spans} on m.day between s.first and s.last where m.business_id = ${db.businessId}`

const spanTable = (spans: readonly Span[]) =>
  sql`unnest(${spans.map(({ name }) => name)}::text[], ${spans.map(({ from }) => from)}::date[], ${spans.map(({ to }) => to)}::date[])
    as s(span, first, last)`

/** What is kept of spans, with marked days counted here and now: a figure is never old. One statement, so that all of it is of one moment. */
export const listFigures = async (
  db: TenantDb,
  spans: readonly Span[],
  kinds: readonly Kind[],
): Promise<FigureRow[]> => {
  const days = spans.flatMap(({ from, to }) => [from, to]).sort()
  const { rows } = await sql<FigureRow>`
    with dirty as materialized (${marked(db, spanTable(spans))}),
    kept as (
      select d.kind, d.day, d.key, ${sql.join(measures.map((name) => sql.ref(`d.${name}`)))} from analytics_days d
      where d.business_id = ${db.businessId} and d.kind = any(${[...kinds]}::text[])
        and d.day between ${days[0]}::date and ${days.at(-1)}::date and not exists (select from dirty x where x.day = d.day)
      union all select * from (${countDays(db, sql`table dirty`)}) c where c.kind = any(${[...kinds]}::text[]))
    select k.kind, s.span, case when k.kind = 'all' then k.day end as day, k.key, ${summed}
    from kept k join ${spanTable(spans)} on k.day between s.first and s.last group by 1, 2, 3, 4 order by 1, 2, 3, 4`.execute(
    db,
  )
  return rows
}

const jobsOf = (db: TenantDb, { from, to }: Span) => {
  const dirty = marked(db, spanTable([{ name: 'one', from, to }]))
  return sql`dirty as materialized (${dirty}),
    work as (
      select d.day, d.job_id, d.customer_id, d.completions, d.worth_cents, d.captured_cents from analytics_jobs d
      where d.business_id = ${db.businessId} and d.day between ${from}::date and ${to}::date and not exists (select from dirty x where x.day = d.day)
      union all select * from (${countJobs(db, sql`table dirty`)}) c)`
}

/** Jobs with work completed in a span, and those of them of which something is not paid. */
export const countWorkedJobs = async (db: TenantDb, span: Span): Promise<JobRow> => {
  const { rows } = await sql<JobRow>`
    with ${jobsOf(db, span)}
    select count(*)::int as jobs, count(*) filter (where open_cents > 0)::int as waiting
    from (select sum(worth_cents - captured_cents) as open_cents from work group by job_id) j`.execute(db)
  return rows[0] ?? { jobs: 0, waiting: 0 }
}

/** Customers with the most work in a span. */
export const listBestCustomers = async (db: TenantDb, span: Span, most: number): Promise<CustomerRow[]> => {
  const { rows } = await sql<CustomerRow>`
    with ${jobsOf(db, span)}
    select w.customer_id as id, c.name, w.completions, w.worth_cents, w.captured_cents from (
      select customer_id, sum(completions)::int as completions, sum(worth_cents)::int8 as worth_cents, sum(captured_cents)::int8 as captured_cents
      from work group by customer_id order by 3 desc, 1 limit ${most}) w
    join customers c on c.business_id = ${db.businessId} and c.id = w.customer_id order by w.worth_cents desc, w.customer_id`.execute(
    db,
  )
  return rows
}

/** Of the customers with work in an earlier span, how many had none in a later one. */
export const countLeft = async (
  db: TenantDb,
  earlier: Span,
  later: Span,
): Promise<{ before: number; left: number }> => {
  const { rows } = await sql<{ before: number; left: number }>`
    with ${jobsOf(db, { name: 'both', from: earlier.from, to: later.to })}
    select count(*) filter (where had)::int as before, count(*) filter (where had and not has)::int as left from (
      select bool_or(day <= ${earlier.to}::date) as had, bool_or(day >= ${later.from}::date) as has from work group by customer_id) c`.execute(
    db,
  )
  return rows[0] ?? { before: 0, left: 0 }
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

/** Days of a span of which something else is kept than a full count says; marked ones wait to be counted and are left out. */
export const listDifferences = async (db: TenantDb, from: Day, to: Day): Promise<Difference[]> => {
  const days = sql`select generate_series(${from}::date, ${to}::date, interval '1 day')::date
    except select day from analytics_marks where business_id = ${db.businessId}`
  const { rows } = await sql<Difference>`
    with days as materialized (${days}),
    kept as (select kind, day, key, ${measured} from analytics_days where business_id = ${db.businessId} and day in (table days)),
    counted as materialized (select * from (${countDays(db, sql`table days`)}) c),
    kept_jobs as (select day, job_id, customer_id, completions, worth_cents, captured_cents from analytics_jobs
      where business_id = ${db.businessId} and day in (table days)),
    counted_jobs as materialized (select * from (${countJobs(db, sql`table days`)}) c)
    select distinct day, kind, key from (
      (select kind, day, key, ${measured} from kept except select * from counted)
      union all (select * from counted except select kind, day, key, ${measured} from kept)) x
    union select distinct day, 'job', job_id::text from (
      (select * from kept_jobs except select * from counted_jobs) union all (select * from counted_jobs except select * from kept_jobs)) y
    order by 1, 2, 3 limit ${mostDifferences}`.execute(db)
  return rows
}
