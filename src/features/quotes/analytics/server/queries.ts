import { type RawBuilder, sql } from 'kysely'
import { clock } from '../../../../platform/clock.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import type { QuoteAnalytics } from '../contract.ts'

const won = sql`q.status in ('approved', 'converted')`
const lost = sql`q.status in ('declined', 'expired')`
/** So many names are told apart. */
const mostGroups = 20

/** What became of the quotes that were first sent in the last days: one walk of the index of that span for each table, whatever came before. */
export const getAnalytics = async (db: TenantDb, days: number): Promise<QuoteAnalytics> => {
  const since = new Date(clock.nowMs() - days * 86_400_000).toISOString()
  // what was taken back before it left was with nobody
  const inSpan = sql`q.business_id = ${db.businessId} and q.first_sent_at >= ${since}::timestamptz
    and not (q.status = 'archived' and q.viewed_at is null and q.answered_at is null and not exists (select 1 from messages m where m.business_id = q.business_id
      and m.entity_type = 'quote' and m.entity_id = q.id and m.status in ('sent', 'delivered', 'unknown')))`
  const { rows } = await sql<Omit<QuoteAnalytics, 'days' | 'reasons' | 'bySource' | 'bySeller' | 'byTemplate'>>`
    select count(*)::int as sent, coalesce(sum(total_cents), 0)::float8 as "sentCents",
      count(*) filter (where q.viewed_at is not null or q.answered_at is not null)::int as viewed,
      count(*) filter (where ${won})::int as won, coalesce(sum(total_cents) filter (where ${won}), 0)::float8 as "wonCents",
      count(*) filter (where ${lost})::int as lost, coalesce(sum(total_cents) filter (where ${lost}), 0)::float8 as "lostCents",
      count(*) filter (where q.status in ('sent', 'viewed', 'changes_requested', 'draft'))::int as open,
      coalesce(sum(total_cents) filter (where q.status in ('sent', 'viewed', 'changes_requested', 'draft')), 0)::float8 as "openCents",
      (percentile_cont(0.5) within group (order by extract(epoch from q.answered_at - q.first_sent_at) / 3600)
        filter (where q.answered_at is not null))::float8 as "medianHours"
    from quotes q where ${inSpan}`.execute(db)
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
  const [figures] = rows
  if (!figures) throw new Error('An aggregate without a row.')
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
