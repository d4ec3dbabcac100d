import { sql } from 'kysely'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { addDays, type Day, daysBetween } from '../../../../shared/dates.ts'
import { followsDone, type PlannedVisit, paceGaps, type Recurrence, weekOf } from '../../rules.ts'
import type { ScheduledJob } from './queries.ts'

/** Where a changed schedule begins: the visit that stands before that day is the visit of its week, whatever the new rule says. */

type Standing = { on: Day; lineIds: string[] }

/** Half of the time between two visits, as a count of days that the same work does not come within. */
const halfGap = (rule: Recurrence): number => paceGaps(rule).shortest / 2

const standingBefore = async (db: TenantDb, jobId: string, fromOn: Day, days: number): Promise<Standing[]> => {
  const { rows } = await sql<Standing>`
    select case when v.origin = 'rule' then v.occurrence_on else coalesce(v.day, v.occurrence_on) end as "on",
      array(select l.job_line_id from visit_lines l
        where l.business_id = v.business_id and l.visit_id = v.id and l.job_line_id is not null) as "lineIds"
    from visits v
    where v.business_id = ${db.businessId} and v.job_id = ${jobId} and v.occurrence_on < ${fromOn}
      and v.occurrence_on >= ${addDays(fromOn, -days)} and v.status not in ('canceled', 'skipped', 'missed')`.execute(
    db,
  )
  return rows
}

const sameTurn = (rule: Recurrence, a: Day, b: Day): boolean =>
  Math.abs(daysBetween(a, b)) < halfGap(rule) ||
  (rule.freq === 'week' && rule.weekdays.length < 2 && weekOf(a) === weekOf(b))

/**
 * Days that a schedule would add, without work that a visit before its first day does already in the same turn.
 * @param fromOn the first day by the rule that is looked at again
 */
export const withoutTwice = async (
  db: TenantDb,
  job: ScheduledJob,
  missing: readonly PlannedVisit[],
  fromOn: Day,
): Promise<PlannedVisit[]> => {
  const rules = new Map(
    job.lines.flatMap(({ id, recurrence }) =>
      recurrence && !followsDone(recurrence) ? [[id, recurrence] as const] : [],
    ),
  )
  if (rules.size === 0 || missing.length === 0) return [...missing]
  const days = Math.max(7, ...[...rules.values()].map((rule) => Math.ceil(halfGap(rule))))
  const standing = await standingBefore(db, job.id, fromOn, days)
  if (standing.length === 0) return [...missing]
  return missing.flatMap((planned) => {
    const lineIds = planned.lineIds.filter((id) => {
      const rule = rules.get(id)
      return !rule || !standing.some((one) => one.lineIds.includes(id) && sameTurn(rule, one.on, planned.on))
    })
    return lineIds.length > 0 ? [{ ...planned, lineIds }] : []
  })
}
