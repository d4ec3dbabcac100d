import { sql } from 'kysely'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { addDays, type Day } from '../../../../shared/dates.ts'
import type { Recurrence } from '../../rules.ts'
import { getCalendar } from '../../schedule/server/queries.ts'
import { goingLines, type JobSlots, slotsOf } from '../rules.ts'

/** Work that ends sooner is not worth another day. */
const leastDaysLeft = 28

/** A recurring job with where it is and where it stands in the week. */
export type SlotJob = JobSlots & {
  jobId: string
  title: string
  customerId: string
  customerName: string
  customerCompany: string | null
  propertyId: string
  street: string
  city: string
  zip: string
  latitude: number | null
  longitude: number | null
  crewId: string | null
  keepDay: boolean
  /** What whoever does it needs a license or a skill for. */
  skills: string[]
}

type Row = Omit<SlotJob, keyof JobSlots> & {
  startOn: Day
  endOn: Day | null
  lines: { recurrence: Recurrence | null; budgetMinutes: number }[]
}

/**
 * Every recurring job that goes on, as its rules stand now.
 * @param only these, however soon they end
 */
export const listSlotJobs = async (db: TenantDb, only?: readonly string[]): Promise<SlotJob[]> => {
  const { today, season } = await getCalendar(db)
  const until: Day = only ? today : addDays(today, leastDaysLeft)
  const { rows } = await sql<Row>`
    select j.id as "jobId", j.title, j.customer_id as "customerId", c.name as "customerName", c.company as "customerCompany",
      j.property_id as "propertyId", p.street, p.city, p.zip, p.latitude, p.longitude, j.crew_id as "crewId", j.keep_day as "keepDay",
      j.start_on as "startOn", j.end_on as "endOn",
      l.lines, coalesce((select array_agg(distinct tag order by tag) from job_lines k
        join services s on s.business_id = k.business_id and s.id = k.service_id, unnest(s.skills) as tag
        where k.business_id = j.business_id and k.job_id = j.id and k.archived_at is null), '{}') as skills
    from jobs j
    join customers c on c.business_id = j.business_id and c.id = j.customer_id
    join properties p on p.business_id = j.business_id and p.id = j.property_id
    cross join lateral (
      select jsonb_agg(jsonb_build_object('recurrence', k.recurrence, 'budgetMinutes', k.budget_minutes) order by k.position, k.id) as lines
      from job_lines k where k.business_id = j.business_id and k.job_id = j.id and k.archived_at is null and k.recurrence is not null
    ) l
    where j.business_id = ${db.businessId} and j.archived_at is null and c.archived_at is null and l.lines is not null
      and (j.status = 'active' or (j.status = 'paused' and j.paused_until is not null))
      and (j.end_on is null or j.end_on >= ${until})
      and (${only === undefined} or j.id = any(${[...(only ?? [])]}::uuid[]))
    order by j.id`.execute(db)
  return rows.flatMap(({ lines, startOn, endOn, ...row }) => {
    const going = goingLines(lines, until, season)
    return going.length === 0 ? [] : [{ ...row, ...slotsOf(going, season, { today, startOn, endOn }) }]
  })
}
