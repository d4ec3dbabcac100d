import { type RawBuilder, sql } from 'kysely'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { addDays, type Day, instantAt } from '../../../../shared/dates.ts'
import { timeZoneOf, todayOf } from '../../../businesses/server/queries.ts'
import type { QuoteAnalytics } from '../contract.ts'

const won = sql`q.status in ('approved', 'converted')`
const lost = sql`q.status in ('declined', 'expired')`
/** So many names are told apart. */
const mostGroups = 20

type Sums = Omit<QuoteAnalytics, 'days' | 'reasons' | 'bySource' | 'bySeller' | 'byTemplate'>

/** Quotes `q` that were first sent on local days, the first and the last included. What was taken back before it left was with nobody. */
const firstSent = async (db: TenantDb, from: Day, to: Day) => {
  const timeZone = await timeZoneOf(db)
  return sql`q.business_id = ${db.businessId} and q.first_sent_at >= ${instantAt(from, 0, timeZone)}::timestamptz
    and q.first_sent_at < ${instantAt(addDays(to, 1), 0, timeZone)}::timestamptz
    and not (q.status = 'archived' and q.viewed_at is null and q.answered_at is null and not exists (select 1 from messages m where m.business_id = q.business_id
      and m.entity_type = 'quote' and m.entity_id = q.id and m.status in ('sent', 'delivered', 'unknown')))`
}

const sumWhere = async (db: TenantDb, inSpan: RawBuilder<unknown>): Promise<Sums> => {
  const { rows } = await sql<Sums>`
    select count(*)::int as sent, coalesce(sum(total_cents), 0)::float8 as "sentCents",
      count(*) filter (where q.viewed_at is not null or q.answered_at is not null)::int as viewed,
      count(*) filter (where ${won})::int as won, coalesce(sum(total_cents) filter (where ${won}), 0)::float8 as "wonCents",
      count(*) filter (where ${lost})::int as lost, coalesce(sum(total_cents) filter (where ${lost}), 0)::float8 as "lostCents",
      count(*) filter (where q.status in ('sent', 'viewed', 'changes_requested', 'draft'))::int as open,
      coalesce(sum(total_cents) filter (where q.status in ('sent', 'viewed', 'changes_requested', 'draft')), 0)::float8 as "openCents",
      (percentile_cont(0.5) within group (order by extract(epoch from q.answered_at - q.first_sent_at) / 3600)
        filter (where q.answered_at is not null))::float8 as "medianHours"
    from quotes q where ${inSpan}`.execute(db)
  const [figures] = rows
  if (!figures) throw new Error('An aggregate without a row.')
  return figures
}

/** What became of the quotes that were first sent on the days of a span. */
export const sumQuotes = async (db: TenantDb, { from, to }: { from: Day; to: Day }): Promise<Sums> =>
  sumWhere(db, await firstSent(db, from, to))

/** What became of the quotes that were first sent in the last local days, today included: one walk of the index of that span for each table, whatever came before. */
export const getAnalytics = async (db: TenantDb, days: number): Promise<QuoteAnalytics> => {
  const today = await todayOf(db)
  const inSpan = await firstSent(db, addDays(today, 1 - days), today)
  const figures = await sumWhere(db, inSpan)
  const groups = async (name: RawBuilder<unknown>, join: RawBuilder<unknown> = sql``) =>
    (
      await sql<QuoteAnalytics['bySource'][number]>`
        select coalesce(nullif(${name}, ''), 'Not known') as name, count(*)::int as sent, count(*) filter (where ${won})::int as won,
          coalesce(sum(q.total_cents) filter (where ${won}), 0)::float8 as "wonCents"
        from quotes q ${join} where ${inSpan} group by 1 order by 2 desc, 1 limit ${mostGroups}`.execute(db)
    ).rows
  const reasons = await sql<QuoteAnalytics['reasons'][number]>`
    select case when q.status = 'expired' then 'no_answer' else q.lost_reason end as reason, count(*)::int as count,
      coalesce(sum(q.total_cents), 0)::float8 as cents
    from quotes q where ${inSpan} and ${lost} group by 1 order by 2 desc, 1`.execute(db)
  return {
    days,
    ...figures,
    medianHours: figures.medianHours === null ? null : Math.round(figures.medianHours * 10) / 10,
    reasons: reasons.rows,
    bySource: await groups(sql`q.source`),
    bySeller: await groups(sql`s.name`, sql`left join users s on s.business_id = q.business_id and s.id = q.seller_id`),
    byTemplate: await groups(
      sql`coalesce(t.name, 'Without a template')`,
      sql`left join quote_templates t on t.business_id = q.business_id and t.id = q.template_id`,
    ),
  }
}
