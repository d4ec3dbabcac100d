import { sql } from 'kysely'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { addDays, type Day } from '../../../shared/dates.ts'
import type { SeasonState } from './state.ts'

/** What each crew did lately, so that a plan hands nobody work that they never do. */

const yearDays = 365

/** The services that each crew finished in the last year; one that finished nothing has no entry. */
const listDone = async (db: TenantDb, today: Day): Promise<Map<string, string[]>> => {
  const { rows } = await sql<{ crewId: string; services: string[] }>`
    select v.crew_id as "crewId", array_agg(distinct l.service_id::text order by l.service_id::text) as services
    from visits v join visit_lines l on l.business_id = v.business_id and l.visit_id = v.id
    where v.business_id = ${db.businessId} and v.crew_id is not null and v.day >= ${addDays(today, -yearDays)} and v.day <= ${today}
      and v.status = 'completed'
    group by v.crew_id`.execute(db)
  return new Map(rows.map(({ crewId, services }) => [crewId, services]))
}

/** The services of recurring work, by job. */
const listServicesOf = async (db: TenantDb, jobIds: readonly string[]): Promise<Map<string, string[]>> => {
  const { rows } = await sql<{ jobId: string; services: string[] }>`
    select job_id as "jobId", array_agg(distinct service_id::text order by service_id::text) as services
    from job_lines where business_id = ${db.businessId} and job_id = any(${[...jobIds]}::uuid[]) and archived_at is null and recurrence is not null
    group by job_id`.execute(db)
  return new Map(rows.map(({ jobId, services }) => [jobId, services]))
}

/** The state with what its crews did in the last year and what its jobs ask for; read once for a search, for it looks at a year of visits. */
export const withHabits = async (db: TenantDb, state: SeasonState): Promise<SeasonState> => {
  const done = await listDone(db, addDays(state.day, -1))
  const asked = await listServicesOf(
    db,
    state.jobs.map((job) => job.jobId),
  )
  return {
    ...state,
    jobs: state.jobs.map((job) => ({ ...job, services: asked.get(job.jobId) ?? [] })),
    crews: state.crews.map((crew) => ({ ...crew, services: done.get(crew.id) ?? null })),
  }
}
