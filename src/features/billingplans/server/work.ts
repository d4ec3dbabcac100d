import { sql } from 'kysely'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import type { Day } from '../../../shared/dates.ts'
import { listExpectedWork } from '../../jobs/expected/server/queries.ts'
import { getCalendar } from '../../jobs/schedule/server/queries.ts'
import { scheduleText } from '../../jobs/wording/rules.ts'
import type { PlanLine } from '../contract.ts'
import { type Group, mostLines } from '../rules.ts'

/** What of a customer's work a plan covers: finished, booked and still to come. */

export type Season = { startsOn: Day; endsOn: Day }

export type Finished = Group & { visitLineId: string; visitId: string; lineId: string; day: Day }

/**
 * Finished work of lines in a season that nobody was billed for: what counts against a plan.
 * @param planId what counts against this plan already is in it; what counts against others never is
 */
export const listFinishedWork = async (
  db: TenantDb,
  lineIds: readonly string[],
  { startsOn, endsOn }: Season,
  planId: string | null,
): Promise<Finished[]> => {
  if (lineIds.length === 0) return []
  const { rows } = await sql<Finished>`
    select l.id as visit_line_id, v.id as visit_id, l.job_line_id as line_id, v.property_id, s.tax_category,
      coalesce(v.day, v.occurrence_on) as day, round(l.quantity * l.unit_price_cents)::int8 as cents
    from visit_lines l join visits v on v.business_id = l.business_id and v.id = l.visit_id
    join jobs j on j.business_id = v.business_id and j.id = v.job_id
    join services s on s.business_id = l.business_id and s.id = l.service_id
    where l.business_id = ${db.businessId} and l.job_line_id = any(${[...lineIds]}::uuid[]) and v.status = 'completed'
      and (v.billable or j.billing = 'flat') and coalesce(v.day, v.occurrence_on) between ${startsOn}::date and ${endsOn}::date
      and not exists (select from invoice_lines i where i.business_id = l.business_id and i.visit_line_id = l.id)
      and not exists (select from billing_plan_deliveries d where d.business_id = l.business_id and d.visit_line_id = l.id
        and d.plan_id is distinct from ${planId}::uuid)
    order by day, v.id, l.position`.execute(db)
  return rows.map((row) => ({ ...row, cents: Number(row.cents) }))
}

type Line = Omit<PlanLine, 'visits' | 'cents' | 'covered'> & { taxCategory: string }

/** The lines of a customer's jobs, the ones that run and those that are named; a plan's own first, so that no limit cuts them off. */
const linesOf = async (
  db: TenantDb,
  customerId: string,
  { startsOn, endsOn }: Season,
  planId: string | null,
): Promise<Line[]> => {
  const { season } = await getCalendar(db)
  type Row = Omit<Line, 'schedule' | 'refusal'> & {
    recurrence: never
    onceOn: Day | null
    undated: never
    billing: string
    coveredBy: string | null
  }
  const { rows } = await sql<Row>`
    select l.id as line_id, j.id as job_id, j.number as job_number, j.property_id, p.street as place, s.name as service, s.tax_category,
      l.recurrence, l.once_on, l.undated, j.billing,
      (select b.name from billing_plan_lines c join billing_plans b on b.business_id = c.business_id and b.id = c.plan_id
        where c.business_id = l.business_id and c.job_line_id = l.id and b.status = 'active' and b.id is distinct from ${planId}::uuid
          and b.starts_on <= ${endsOn}::date and b.ends_on >= ${startsOn}::date limit 1) as covered_by
    from job_lines l join jobs j on j.business_id = l.business_id and j.id = l.job_id
    join properties p on p.business_id = j.business_id and p.id = j.property_id
    join services s on s.business_id = l.business_id and s.id = l.service_id
    where j.business_id = ${db.businessId} and j.customer_id = ${customerId} and j.archived_at is null and j.billing <> 'none'
      and ((l.archived_at is null and j.status in ('active', 'paused'))
        or exists (select from billing_plan_lines c where c.business_id = l.business_id and c.job_line_id = l.id and c.plan_id = ${planId}::uuid)
        or exists (select from visit_lines w join visits v on v.business_id = w.business_id and v.id = w.visit_id
          where w.business_id = l.business_id and w.job_line_id = l.id and v.to_bill and v.invoice_id is null
            and coalesce(v.day, v.occurrence_on) between ${startsOn}::date and ${endsOn}::date))
    order by exists (select from billing_plan_lines c where c.business_id = l.business_id and c.job_line_id = l.id and c.plan_id = ${planId}::uuid) desc,
      p.street, j.number, l.position, l.id limit ${mostLines}`.execute(db)
  return rows.map(({ recurrence, onceOn, undated, billing: _billing, coveredBy, ...line }) => ({
    ...line,
    schedule: scheduleText({ recurrence, onceOn, undated }, season),
    refusal: coveredBy === null ? null : `Covered by ${coveredBy}`,
  }))
}

export type CoverableLine = Line & { visits: number; cents: number }

/** What each line of a customer's jobs comes to in a season: finished and not billed, booked, and named by its rules. */
export const listCoverable = async (
  db: TenantDb,
  customerId: string,
  season: Season,
  planId: string | null,
): Promise<CoverableLine[]> => {
  const lines = await linesOf(db, customerId, season, planId)
  const { booked, ahead } = await listExpectedWork(db, [...new Set(lines.map(({ jobId }) => jobId))], {
    from: season.startsOn,
    to: season.endsOn,
  })
  const finished = await listFinishedWork(
    db,
    lines.map(({ lineId }) => lineId),
    season,
    planId,
  )
  const work = Map.groupBy(
    [...finished, ...booked.filter(({ status }) => status !== 'completed'), ...ahead],
    ({ lineId }) => lineId,
  )
  return lines.map((line) => {
    const own = work.get(line.lineId) ?? []
    return { ...line, visits: own.length, cents: own.reduce((sum, { cents }) => sum + cents, 0) }
  })
}

/** Lines as shares, by place and tax category. */
export const sharesOf = (lines: readonly { propertyId: string; taxCategory: string; cents: number }[]): Group[] =>
  lines.map(({ propertyId, taxCategory, cents }) => ({ propertyId, taxCategory, cents }))
