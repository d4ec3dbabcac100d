import { sql } from 'kysely'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import type { Day } from '../../../../shared/dates.ts'

/** A line of a job as it stands on a visit that nobody has begun or billed. */
export type OpenLineVisit = {
  jobLineId: string
  serviceId: string
  visitId: string
  day: Day
  quantity: number
  unitPriceCents: number
}

/** Visits without a day stand where their rule named them. */
export const openFrom = (fromOn: Day) => sql<boolean>`v.status in ('unscheduled', 'scheduled') and v.invoice_id is null
  and coalesce(v.day, v.occurrence_on) >= ${fromOn}::date`

/** The open visits of lines of jobs from a day on. */
export const openLineVisits = async (
  db: TenantDb,
  jobLineIds: readonly string[],
  fromOn: Day,
): Promise<OpenLineVisit[]> => {
  if (jobLineIds.length === 0) return []
  const { rows } = await sql<OpenLineVisit>`
    select l.job_line_id as "jobLineId", l.service_id as "serviceId", v.id as "visitId", coalesce(v.day, v.occurrence_on) as day, l.quantity, l.unit_price_cents as "unitPriceCents"
    from visit_lines l join visits v on v.business_id = l.business_id and v.id = l.visit_id
    where l.business_id = ${db.businessId} and l.job_line_id = any(${[...jobLineIds]}::uuid[]) and ${openFrom(fromOn)}`.execute(
    db,
  )
  return rows
}
