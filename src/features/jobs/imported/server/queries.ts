import { sql } from 'kysely'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import type { Day } from '../../../../shared/dates.ts'
import type { Recurrence } from '../../rules.ts'

/** Jobs that go on, as far as a row of a file may say one of them again. */

export type KnownJob = {
  customerId: string
  propertyId: string
  title: string
  startOn: Day
  lines: { service: string; recurrence: Recurrence | null; onceOn: Day | null; undated: unknown }[]
}

/** The jobs of some customers that are not over. */
export const listJobsOf = async (db: TenantDb, customerIds: readonly string[]): Promise<KnownJob[]> => {
  if (customerIds.length === 0) return []
  const { rows } = await sql<KnownJob>`
    select j.customer_id, j.property_id, j.title, j.start_on,
      (select jsonb_agg(jsonb_build_object('service', s.name, 'recurrence', l.recurrence, 'onceOn', l.once_on, 'undated', l.undated) order by l.position, l.id)
        from job_lines l join services s on s.business_id = l.business_id and s.id = l.service_id
        where l.business_id = j.business_id and l.job_id = j.id and l.archived_at is null) as lines
    from jobs j where j.business_id = ${db.businessId} and j.customer_id = any(${[...customerIds]}::uuid[])
      and j.status in ('draft', 'active', 'paused') and j.archived_at is null
    order by j.number`.execute(db)
  return rows.map((row) => ({ ...row, lines: row.lines ?? [] }))
}
