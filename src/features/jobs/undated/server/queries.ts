import { sql } from 'kysely'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { type Day, dayOf } from '../../../../shared/dates.ts'
import { timeZoneOf } from '../../../businesses/server/queries.ts'
import type { VisitStatus } from '../../../visits/rules.ts'
import { voided } from '../../schedule/server/remove.ts'
import type { LineVisit } from '../rules.ts'

export type OpenVisit = LineVisit & {
  lineId: string
  publishedDay: Day | null
  locked: boolean
  invoiced: boolean
  priceCents: number
  budgetMinutes: number
  billable: boolean
}

/** The visit that was made last for each undated line of a job, also of lines that it had; what a change of its schedule took away is none. */
export const listLineVisits = async (db: TenantDb, jobIds: readonly string[]): Promise<OpenVisit[]> => {
  if (jobIds.length === 0) return []
  const zone = await timeZoneOf(db)
  const { rows } = await sql<Omit<OpenVisit, 'finishedOn'> & { status: VisitStatus; finishedAt: string | null }>`
    select j.id as line_id, last.*
    from job_lines j
    cross join lateral (
      select v.id, v.status, v.day, v.finished_at, v.published_day, v.locked, v.invoice_id is not null as invoiced, v.price_cents, v.budget_minutes, v.billable
      from visit_lines l
      join visits v on v.business_id = l.business_id and v.id = l.visit_id
      where l.business_id = j.business_id and l.job_line_id = j.id and not (v.status = 'canceled' and v.skip_reason is not distinct from ${voided})
      order by v.id desc limit 1
    ) last
    where j.business_id = ${db.businessId} and j.job_id = any(${[...jobIds]}::uuid[]) and j.undated is not null
    order by j.id`.execute(db)
  return rows.map(({ finishedAt, ...row }) => ({
    ...row,
    finishedOn: finishedAt === null ? null : dayOf(new Date(finishedAt), zone),
  }))
}

/** Jobs that run or will again and have work without days, a chunk after an id. */
export const listUndatedJobIds = async (db: TenantDb, afterId: string | null, limit: number): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    select j.id from jobs j
    where j.business_id = ${db.businessId} and j.status = 'active' and j.archived_at is null and j.id > ${afterId ?? '00000000-0000-0000-0000-000000000000'}
      and exists (select 1 from job_lines l where l.business_id = j.business_id and l.job_id = j.id and l.undated is not null and l.archived_at is null)
    order by j.id limit ${limit}`.execute(db)
  return rows.map((row) => row.id)
}
