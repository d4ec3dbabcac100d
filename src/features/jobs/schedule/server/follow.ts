import { sql } from 'kysely'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { type Day, dayOf } from '../../../../shared/dates.ts'
import { timeZoneOf } from '../../../businesses/server/queries.ts'
import { isTerminal, type VisitStatus } from '../../../visits/rules.ts'
import { type Calendar, followsDone, nextAfterDone, nextOccurrence, type Recurrence } from '../../rules.ts'
import { termParts } from '../../terms/rules.ts'
import { later } from '../../undated/rules.ts'
import type { ScheduledJob } from './queries.ts'

/** Work that follows its last visit: its one open day is found again from the visits that there are, whatever happened to them. */

type Last = {
  id: string
  occurrenceOn: Day
  day: Day | null
  status: VisitStatus
  finishedAt: string | null
  origin: string
  touched: boolean
}

/** So many of a job's newest visits are looked at; a job has twelve weeks of others ahead at the most. */
const looked = 120

/** The newest visits of a line, the last that was made first; bounded however long the job runs. */
const lastVisits = async (db: TenantDb, jobId: string, lineId: string): Promise<Last[]> => {
  const { rows } = await sql<Last>`
    select n.id, n.occurrence_on, n.day, n.status, n.finished_at, n.origin, n.touched from (
      select v.id, v.occurrence_on, v.day, v.status, v.finished_at, v.origin, v.skip_reason,
        (v.locked or v.moved_from is not null or v.pinned) as touched
      from visits v where v.business_id = ${db.businessId} and v.job_id = ${jobId}
      order by v.occurrence_on desc limit ${looked}) n
    where not (n.status = 'canceled' and n.skip_reason is not distinct from 'schedule_changed')
      and exists (select 1 from visit_lines l where l.business_id = ${db.businessId} and l.visit_id = n.id and l.job_line_id = ${lineId})
    order by n.id desc limit 2`.execute(db)
  return rows
}

const takenDays = async (db: TenantDb, jobId: string, from: Day): Promise<Set<Day>> => {
  const rows = await db
    .selectFrom('visits')
    .select('occurrenceOn')
    .where('businessId', '=', db.businessId)
    .where('jobId', '=', jobId)
    .where('occurrenceOn', '>=', from)
    .where('status', 'not in', ['scheduled', 'unscheduled'])
    .execute()
  return new Set(rows.map((row) => row.occurrenceOn))
}

const dueOf = async (
  db: TenantDb,
  job: ScheduledJob,
  line: { id: string; recurrence: Recurrence; dueOn: Day | null },
  calendar: Calendar,
  earliest: Day,
): Promise<Day | null> => {
  const [newest, before] = await lastVisits(db, job.id, line.id)
  if (!newest)
    return line.dueOn !== null && line.dueOn >= earliest
      ? line.dueOn
      : (nextOccurrence(line.recurrence, earliest, calendar)?.day ?? null)
  if (isTerminal(newest.status)) {
    const done = newest.status === 'completed' && newest.finishedAt !== null
    const doneOn = done
      ? dayOf(new Date(newest.finishedAt ?? 0), await timeZoneOf(db))
      : (newest.day ?? newest.occurrenceOn)
    const taken = await takenDays(db, job.id, doneOn)
    return nextAfterDone(line.recurrence, doneOn, earliest, { ...calendar, taken })
  }
  // Booked in place of one that was skipped it is the open visit; what was made after the skip goes.
  if (newest.origin === 'rebook') return newest.occurrenceOn
  if (newest.origin !== 'rule') return line.dueOn
  // The visit before was opened again: what was made after it goes, unless somebody has given it its place.
  const again = before !== undefined && !isTerminal(before.status) && !newest.touched
  const waits = newest.status === 'scheduled' || newest.status === 'unscheduled'
  if (again && waits) return before.occurrenceOn
  // A rule that was changed finds its day anew.
  if (line.dueOn !== null || !waits) return newest.occurrenceOn
  const doneOn = before && isTerminal(before.status) ? (before.day ?? before.occurrenceOn) : null
  return doneOn === null
    ? (nextOccurrence(line.recurrence, earliest, calendar)?.day ?? null)
    : nextAfterDone(line.recurrence, doneOn, earliest, { ...calendar, taken: await takenDays(db, job.id, doneOn) })
}

/**
 * Finds the open day of each line that follows its last visit, and notes it on the line. Where its rule changes on a day to come, the open day is
 * the one by the rule that holds then.
 */
export const openDueTx = async (db: TenantDb, job: ScheduledJob, calendar: Calendar, earliest: Day): Promise<void> => {
  const parts = termParts(job, earliest, '9999-12-31')
  const ids = new Set(
    parts.flatMap(({ job }) => job.lines.flatMap((line) => (followsDone(line.recurrence) ? [line.id] : []))),
  )
  for (const id of ids) {
    const lines = [job, ...job.earlier].flatMap((terms) => terms.lines.filter((line) => line.id === id))
    let dueOn: Day | null = null
    for (const part of parts) {
      const line = part.job.lines.find((one) => one.id === id)
      if (!line || !followsDone(line.recurrence)) continue
      const { recurrence } = line
      dueOn = await dueOf(db, job, { ...line, recurrence }, calendar, later(earliest, part.from))
      if (dueOn !== null && dueOn <= part.to) break
    }
    if (lines.every((line) => line.dueOn === dueOn)) continue
    for (const line of lines) line.dueOn = dueOn
    await db
      .updateTable('jobLines')
      .set({ dueOn })
      .where('businessId', '=', db.businessId)
      .where('id', '=', id)
      .execute()
  }
}
