import { type RawBuilder, sql } from 'kysely'
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

/** A visit that went to another day: where it stood before, null where it had none. */
export type DayLeft = { id: string; from: Day | null }

/**
 * Visits that stand on another day by now cost what their lines cost on that day, whichever side of a new price they came from. A price that somebody
 * gave a visit stays, and so does what is finished or billed. Without a day a visit stands where its rule named it.
 * @returns the prices of the visits that cost something else now
 */
export const takeDayPricesTx = async (db: TenantDb, left: readonly DayLeft[]): Promise<ReadonlyMap<string, number>> => {
  if (left.length === 0) return new Map()
  const costs = (day: RawBuilder<unknown>) =>
    sql`line_price_by_terms(j.id, b.earlier_terms, j.unit_price_cents, j.next_unit_price_cents, j.next_price_on, j.later_prices, ${day})`
  const { rows } = await sql<{ id: string; priceCents: number }>`
    with crossed as (
      select l.id, l.visit_id, l.quantity, p.before, p.after
      from unnest(${left.map(({ id }) => id)}::uuid[], ${left.map(({ from }) => from)}::date[]) as n(id, from_day)
      join visits v on v.business_id = ${db.businessId} and v.id = n.id and v.invoice_id is null
        and v.status in ('unscheduled', 'scheduled', 'en_route', 'in_progress', 'paused') and coalesce(v.day, v.occurrence_on) <> coalesce(n.from_day, v.occurrence_on)
      join visit_lines l on l.business_id = v.business_id and l.visit_id = v.id
      join job_lines j on j.business_id = l.business_id and j.id = l.job_line_id and j.service_id = l.service_id
      join jobs b on b.business_id = j.business_id and b.id = j.job_id and (j.next_price_on is not null or b.earlier_terms <> '[]')
      cross join lateral (select ${costs(sql`coalesce(n.from_day, v.occurrence_on)`)} as before, ${costs(sql`coalesce(v.day, v.occurrence_on)`)} as after) p
      where l.unit_price_cents = p.before and p.before <> p.after
    ), written as (
      update visit_lines l set unit_price_cents = c.after from crossed c where l.business_id = ${db.businessId} and l.id = c.id
      returning l.visit_id, round(c.quantity * c.after) - round(c.quantity * c.before) as more
    )
    update visits v set price_cents = greatest(0, v.price_cents + w.more), version = v.version + 1, updated_at = ${clock.iso()}
    from (select visit_id, sum(more)::int as more from written group by visit_id) w
    where v.business_id = ${db.businessId} and v.id = w.visit_id
    returning v.id, v.price_cents as "priceCents"`.execute(db)
  return new Map(rows.map(({ id, priceCents }) => [id, priceCents]))
}

/** What a line of a job is planned with on its visits: labor minutes before and after. */
export type Rebudgeted = { jobLineId: string; serviceId: string; from: number; to: number }

/**
 * Plans the open visits of lines of jobs with other labor minutes from a day on, wherever somebody put them; their place stays, and so do minutes that
 * a visit was given by hand.
 * @returns the visits that changed
 */
export const rebudgetLinesTx = async (db: TenantDb, lines: readonly Rebudgeted[], fromOn: Day): Promise<string[]> => {
  const changed = lines.filter((line) => line.from !== line.to)
  if (changed.length === 0) return []
  const { rows } = await sql<{ id: string; day: Day | null; crewId: string | null }>`
    with wished as (
      select * from unnest(${changed.map((l) => l.jobLineId)}::uuid[], ${changed.map((l) => l.serviceId)}::uuid[], ${changed.map((l) => l.from)}::int[], ${changed.map((l) => l.to)}::int[])
        as n(job_line_id, service_id, before, after)
    ), open as (
      select v.id from visits v where v.business_id = ${db.businessId} and ${openFrom(fromOn)} and exists (
        select 1 from visit_lines l join wished n on n.job_line_id = l.job_line_id and n.service_id = l.service_id and n.before = l.budget_minutes
        where l.business_id = v.business_id and l.visit_id = v.id)
      order by v.id for update
    ), written as (
      update visit_lines l set budget_minutes = n.after from wished n, open o
      where l.business_id = ${db.businessId} and l.visit_id = o.id and n.job_line_id = l.job_line_id and n.service_id = l.service_id
        and n.before = l.budget_minutes
      returning l.visit_id, n.after - n.before as more
    )
    update visits v set budget_minutes = greatest(0, v.budget_minutes + w.more), version = v.version + 1, updated_at = ${clock.iso()}
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
  return rows.map((row) => row.id)
}
