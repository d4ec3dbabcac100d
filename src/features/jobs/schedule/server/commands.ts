import { sql } from 'kysely'
import { systemActor, type Who } from '../../../../platform/actor.ts'
import { audit } from '../../../../platform/audit.ts'
import { clock } from '../../../../platform/clock.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { addDays, type Day } from '../../../../shared/dates.ts'
import { lineCents } from '../../../../shared/money.ts'
import { createVisitsTx, type NewVisit } from '../../../visits/server/commands.ts'
import { priceOn } from '../../prices/rules.ts'
import {
  type Calendar,
  followsDone,
  horizonOf,
  nextOccurrence,
  type PlannedVisit,
  plannedVisits,
  seasonHorizon,
} from '../../rules.ts'
import { termParts } from '../../terms/rules.ts'
import { later } from '../../undated/rules.ts'
import { syncUndatedTx } from '../../undated/server/commands.ts'
import { openDueTx } from './follow.ts'
import {
  getCalendar,
  listJobIdsToTopUp,
  lockScheduledJobsTx,
  type ScheduledJob,
  type ScheduledLine,
  visitLinesOf,
} from './queries.ts'
import { withoutTwice } from './seam.ts'

const chunkSize = 200

/** Many jobs share a season: the walk over its days is done once. */
const rememberedHorizon = () => {
  const known = new Map<string, Day>()
  return (from: Day, season: readonly { from: string; to: string }[]): Day => {
    const key = `${from} ${season.map((s) => `${s.from}/${s.to}`).join()}`
    const found = known.get(key) ?? seasonHorizon(from, season)
    known.set(key, found)
    return found
  }
}

export type SeasonHorizon = ReturnType<typeof rememberedHorizon>

/** Up to which day the visits of a job should exist today. */
export const horizonOfJob = (
  job: Pick<ScheduledJob, 'startOn' | 'lines'>,
  calendar: Calendar,
  bySeason: SeasonHorizon = seasonHorizon,
): Day => horizonOf(later(calendar.today, job.startOn), job.lines, calendar.season, bySeason)

/** The first day after a day that the rules of a job still name, or null when its schedule is over. */
export const nextOnOf = (job: ScheduledJob, after: Day, calendar: Calendar): Day | null => {
  const start = later(addDays(after, 1), job.startOn)
  const days = termParts(job, start, job.endOn ?? '9999-12-31').flatMap(({ job: part, from, to }) =>
    part.lines.flatMap((line) => {
      const rule = line.recurrence
      const due = line.dueOn !== null && line.dueOn >= from ? line.dueOn : undefined
      const found = followsDone(rule) ? due : rule ? nextOccurrence(rule, from, calendar)?.on : undefined
      return found && found <= to ? [found] : []
    }),
  )
  return [...days, ...(job.opensOn ? [job.opensOn] : [])].sort()[0] ?? null
}

/** What the rules of a job name in a window; none while it rests. */
export const plannedOf = (job: ScheduledJob, from: Day, to: Day, calendar: Calendar): PlannedVisit[] => {
  const resting = job.status === 'paused' ? job.pausedUntil : job.status === 'active' ? from : null
  if (resting === null) return []
  return plannedVisits(job.lines, {
    ...calendar,
    from: later(from, resting),
    to,
    startOn: job.startOn,
    endOn: job.endOn,
  })
}

export type VisitContents = { lines: ScheduledLine[]; priceCents: number; budgetMinutes: number }

export const contentsOf = (job: ScheduledJob, visit: PlannedVisit): VisitContents => {
  const lines = job.lines.filter((line) => visit.lineIds.includes(line.id))
  return {
    lines,
    priceCents: lines.reduce((sum, line) => sum + lineCents(line.quantity, priceOn(line, visit.day)), 0),
    budgetMinutes: lines.reduce((sum, line) => sum + line.budgetMinutes, 0),
  }
}

/** The visit that the rules of a job name, on the day on which it will be. */
export const visitOf = (job: ScheduledJob, planned: PlannedVisit, earliest: Day): NewVisit => {
  const day = planned.day < earliest ? planned.on : planned.day
  const contents = contentsOf(job, { ...planned, day })
  return {
    jobId: job.id,
    customerId: job.customerId,
    propertyId: job.propertyId,
    occurrenceOn: planned.on,
    day,
    crewId: job.crewId,
    budgetMinutes: contents.budgetMinutes,
    priceCents: contents.priceCents,
    billable: job.billing === 'per_visit',
    lines: visitLinesOf(contents.lines, day),
  }
}

/** Notes how far the visits of jobs reach and where their schedule goes on. */
export const setHorizonsTx = async (
  db: TenantDb,
  jobs: readonly { id: string; horizonOn: Day; nextOn: Day | null }[],
): Promise<void> => {
  if (jobs.length === 0) return
  await sql`
    update jobs j set horizon_on = n.horizon_on, next_on = n.next_on
    from unnest(${jobs.map((j) => j.id)}::uuid[], ${jobs.map((j) => j.horizonOn)}::date[], ${jobs.map((j) => j.nextOn)}::date[])
      as n(id, horizon_on, next_on)
    where j.business_id = ${db.businessId} and j.id = n.id`.execute(db)
}

export type Materialize = {
  /** Visits exist up to this day afterwards; without it as far as each job's season asks. */
  untilDay?: Day
  /** Also visits before today, for a job that began in the past. */
  includePast?: boolean
}

const materializeChunkTx = async (
  db: TenantDb,
  jobIds: readonly string[],
  options: Materialize,
  calendar: Calendar,
  bySeason: SeasonHorizon,
): Promise<number> => {
  const who: Who = systemActor(db.businessId)
  let made = 0
  const visits: NewVisit[] = []
  const horizons: { id: string; horizonOn: Day; nextOn: Day | null }[] = []
  for (const job of await lockScheduledJobsTx(db, jobIds)) {
    if (job.status !== 'active' && !(job.status === 'paused' && job.pausedUntil !== null)) continue
    const to = options.untilDay ?? horizonOfJob(job, calendar, bySeason)
    if (job.horizonOn !== null && job.horizonOn >= to) continue
    await openDueTx(db, job, calendar, options.includePast ? job.startOn : later(calendar.today, job.startOn))
    const earliest = options.includePast ? job.startOn : later(calendar.today, job.startOn)
    // On a holiday of the first day the visit may already have been moved before it: it stays on its day.
    const from = job.horizonOn === null ? earliest : later(addDays(job.horizonOn, 1), earliest)
    const [part, ...seams] = termParts(job, from, to)
    for (const planned of part ? plannedOf(part.job, part.from, part.to, calendar) : [])
      visits.push(visitOf(part?.job ?? job, planned, earliest))
    if (seams.length > 0) made += await createVisitsTx(db, visits.splice(0))
    for (const part of seams) {
      const named = plannedOf(part.job, part.from, part.to, calendar)
      const missing = await withoutTwice(db, part.job, named, part.from)
      made += await createVisitsTx(
        db,
        missing.map((planned) => visitOf(part.job, planned, part.from)),
      )
    }
    if (job.status === 'active') made += (await syncUndatedTx(db, who, job, calendar.today)).created
    horizons.push({ id: job.id, horizonOn: to, nextOn: nextOnOf(job, to, calendar) })
  }
  made += await createVisitsTx(db, visits)
  await setHorizonsTx(db, horizons)
  return made
}

/**
 * Makes the visits that are missing, from where each job's visits end. Doing it twice adds nothing. Never before today unless asked.
 * @param jobIds the jobs meant, or 'all' running ones
 * @returns how many visits were made
 */
export const materializeVisitsTx = async (
  db: TenantDb,
  jobIds: readonly string[] | 'all',
  options: Materialize = {},
): Promise<number> => {
  const calendar = await getCalendar(db)
  const bySeason = rememberedHorizon()
  const chunk = async (afterId: string | null, at: number): Promise<readonly string[]> =>
    jobIds === 'all'
      ? listJobIdsToTopUp(db, { before: options.untilDay ?? addDays(calendar.today, 400), afterId, limit: chunkSize })
      : jobIds.slice(at, at + chunkSize)
  let made = 0
  let afterId: string | null = null
  for (let at = 0; ; at += chunkSize) {
    const ids = await chunk(afterId, at)
    if (ids.length === 0) break
    made += await materializeChunkTx(db, ids, options, calendar, bySeason)
    afterId = ids.at(-1) ?? null
  }
  if (made > 0) await publishChange(db, 'visits')
  return made
}

/** Jobs whose pause is over run again; their visits from that day on exist already. Returns how many. */
export const wakeJobsTx = async (db: TenantDb, who: Who): Promise<number> => {
  const { today } = await getCalendar(db)
  const awake = await db
    .updateTable('jobs')
    .set((eb) => ({ status: 'active', pausedUntil: null, version: eb('version', '+', 1), updatedAt: clock.iso() }))
    .where('businessId', '=', db.businessId)
    .where('status', '=', 'paused')
    .where('pausedUntil', '<=', today)
    .returning('id')
    .execute()
  for (const { id } of awake)
    await audit(
      db,
      who,
      'job.resume',
      { type: 'job', id },
      { before: { status: 'paused' }, after: { status: 'active' } },
    )
  const ids = awake.map((job) => job.id)
  if (ids.length > 0) await publishChange(db, 'jobs', ids)
  return ids.length
}
