import { sql } from 'kysely'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { addDays, type Day } from '../../../../shared/dates.ts'
import { lineCents } from '../../../../shared/money.ts'
import { priceOn } from '../../prices/rules.ts'
import { type Calendar, followsDone } from '../../rules.ts'
import { plannedOf } from '../../schedule/server/commands.ts'
import { getCalendar, readScheduledJobs, type ScheduledJob } from '../../schedule/server/queries.ts'
import { termParts } from '../../terms/rules.ts'
import { later } from '../../undated/rules.ts'

/** Work of a line that is done, booked, or that its rule will name: what a season comes to. */
export type ExpectedWork = { lineId: string; cents: number; day: Day }

type Booked = ExpectedWork & { visitId: string; visitLineId: string; status: string }

/** Visits of jobs from a day to a day that were or are to be done, line by line; without a day they count by the day they are due. */
const bookedOf = async (db: TenantDb, jobIds: readonly string[], from: Day, to: Day): Promise<Booked[]> => {
  const { rows } = await sql<Booked>`
    select l.job_line_id as line_id, l.id as visit_line_id, v.id as visit_id, v.status,
      round(l.quantity * l.unit_price_cents)::int8 as cents, coalesce(v.day, v.occurrence_on) as day
    from visits v join visit_lines l on l.business_id = v.business_id and l.visit_id = v.id
    where v.business_id = ${db.businessId} and v.job_id = any(${[...jobIds]}::uuid[]) and l.job_line_id is not null
      and coalesce(v.day, v.occurrence_on) between ${from}::date and ${to}::date
      and v.status not in ('canceled', 'skipped', 'missed')`.execute(db)
  return rows.map((row) => ({ ...row, cents: Number(row.cents) }))
}

/** What the rules of a job name beyond its visits. Work that follows the last time is expected at its usual pace. */
const namedOf = (job: ScheduledJob, from: Day, to: Day, calendar: Calendar): ExpectedWork[] => {
  const start = later(later(calendar.today, from), addDays(job.horizonOn ?? addDays(calendar.today, -1), 1))
  const fixed = termParts(job, start, to).flatMap(({ job: part, from: first, to: last }) => {
    const own = { ...part, lines: part.lines.filter(({ recurrence }) => !followsDone(recurrence)) }
    return plannedOf(own, first, last, calendar).flatMap((visit) =>
      own.lines.flatMap((line) =>
        visit.lineIds.includes(line.id)
          ? [{ lineId: line.id, day: visit.day, cents: lineCents(line.quantity, priceOn(line, visit.day)) }]
          : [],
      ),
    )
  })
  const following = job.lines.flatMap((line) => {
    if (!followsDone(line.recurrence)) return []
    const { dueOn, ...free } = line
    const first = later(later(calendar.today, from), dueOn === null ? calendar.today : addDays(dueOn, 1))
    return plannedOf({ ...job, lines: [free as typeof line] }, first, to, calendar).map(({ day }) => ({
      lineId: line.id,
      day,
      cents: lineCents(line.quantity, priceOn(line, day)),
    }))
  })
  return [...fixed, ...following]
}

/** Rounds and waiting work that no visit was made for yet. */
const undatedOf = async (db: TenantDb, jobs: readonly ScheduledJob[], from: Day, to: Day): Promise<ExpectedWork[]> => {
  const open = jobs.flatMap((job) =>
    job.status === 'active' || job.status === 'paused' ? job.lines.filter(({ undated }) => undated !== null) : [],
  )
  if (open.length === 0) return []
  const { rows } = await sql<{ id: string }>`
    select distinct job_line_id as id from visit_lines
    where business_id = ${db.businessId} and job_line_id = any(${open.map(({ id }) => id)}::uuid[])`.execute(db)
  const made = new Set(rows.map(({ id }) => id))
  return open.flatMap((line) => {
    const { undated } = line
    if (made.has(line.id) || undated === null || undated.kind === 'on_demand') return []
    const [first, last] =
      undated.kind === 'step' ? [undated.opensOn, undated.closesOn] : [undated.fromOn, undated.fromOn]
    const day = later(first, from)
    return first > to || last < from
      ? []
      : [{ lineId: line.id, day, cents: lineCents(line.quantity, priceOn(line, day)) }]
  })
}

/**
 * What the lines of jobs come to from a day to a day: visits that are there, and what their rules name beyond them, at the prices of those days.
 * Work on demand and what was skipped is not expected.
 */
export const listExpectedWork = async (
  db: TenantDb,
  jobIds: readonly string[],
  { from, to }: { from: Day; to: Day },
): Promise<{ booked: Booked[]; ahead: ExpectedWork[] }> => {
  if (jobIds.length === 0) return { booked: [], ahead: [] }
  const calendar = await getCalendar(db)
  const jobs = await readScheduledJobs(db, jobIds)
  return {
    booked: await bookedOf(db, jobIds, from, to),
    ahead: [...jobs.flatMap((job) => namedOf(job, from, to, calendar)), ...(await undatedOf(db, jobs, from, to))],
  }
}
