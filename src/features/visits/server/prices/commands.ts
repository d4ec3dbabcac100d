import { sql } from 'kysely'
import { clock } from '../../../../platform/clock.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import type { Day } from '../../../../shared/dates.ts'
import { openFrom } from './queries.ts'

/** What a line of a job costs on its visits: cents before and after. Only where they are of this service: until a day to come a line may be other work. */
export type Repriced = {
  jobLineId: string
  serviceId: string
  from: number
  to: number
  /** The day from which it costs something else again, or null. */
  until: Day | null
}

/**
 * Gives the open visits of lines of jobs another price from a day on, where they cost the old one. What is begun, finished or billed stays.
 * Answers how many visits that were.
 */
export const repriceLinesTx = async (db: TenantDb, lines: readonly Repriced[], fromOn: Day): Promise<number> => {
  const changed = lines.filter((line) => line.from !== line.to)
  if (changed.length === 0) return 0
  const { rows } = await sql<{ id: string; day: Day | null; crewId: string | null }>`
    with wished as (
      select * from unnest(${changed.map((l) => l.jobLineId)}::uuid[], ${changed.map((l) => l.serviceId)}::uuid[], ${changed.map((l) => l.from)}::int[], ${changed.map((l) => l.to)}::int[], ${changed.map((l) => l.until)}::date[])
        as n(job_line_id, service_id, before, after, until)
    ), open as (
      select v.id, coalesce(v.day, v.occurrence_on) as day from visits v where v.business_id = ${db.businessId} and ${openFrom(fromOn)} and exists (
        select 1 from visit_lines l join wished n on n.job_line_id = l.job_line_id and n.service_id = l.service_id and n.before = l.unit_price_cents
          and (n.until is null or coalesce(v.day, v.occurrence_on) < n.until)
        where l.business_id = v.business_id and l.visit_id = v.id)
      order by v.id for update
    ), written as (
      update visit_lines l set unit_price_cents = n.after from wished n, open o
      where l.business_id = ${db.businessId} and l.visit_id = o.id and (n.until is null or o.day < n.until) and n.job_line_id = l.job_line_id
        and n.service_id = l.service_id and n.before = l.unit_price_cents
      returning l.visit_id, round(l.quantity * n.after) - round(l.quantity * n.before) as more
    )
    update visits v set price_cents = greatest(0, v.price_cents + w.more), version = v.version + 1, updated_at = ${clock.iso()}
    from (select visit_id, sum(more)::int as more from written group by visit_id) w
    where v.business_id = ${db.businessId} and v.id = w.visit_id
    returning v.id, v.day, v.crew_id as "crewId"`.execute(db)
  if (rows.length > 0)
    await publishChange(
      db,
      'visits',
      rows.map((row) => row.id),
      { days: rows.map((row) => row.day), crewIds: rows.map((row) => row.crewId) },
    )
  return rows.length
}
