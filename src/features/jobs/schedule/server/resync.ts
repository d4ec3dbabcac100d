import { sql } from 'kysely'
import type { Who } from '../../../../platform/actor.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import type { Day } from '../../../../shared/dates.ts'
import {
  createVisitsTx,
  markRoutesChangedTx,
  type Place,
  type Rewritten,
  renameOccurrenceTx,
  rescheduleVisitsTx,
  rescheduleVisitTx,
  type VisitLine,
} from '../../../visits/server/commands.ts'
import type { ChangePreview } from '../../contract.ts'
import { type Calendar, followsDone, nearestPairs, type PlannedVisit, paceGaps } from '../../rules.ts'
import { termParts } from '../../terms/rules.ts'
import { later } from '../../undated/rules.ts'
import { syncUndatedTx } from '../../undated/server/commands.ts'
import { contentsOf, horizonOfJob, nextOnOf, plannedOf, setHorizonsTx, visitOf } from './commands.ts'
import { openDueTx } from './follow.ts'
import {
  getCalendar,
  listVisitLines,
  lockScheduledJobsTx,
  type ScheduledJob,
  sameLines,
  visitLinesOf,
} from './queries.ts'
import { removeVisitsTx, voided } from './remove.ts'
import { withoutTwice } from './seam.ts'

export type Resync = {
  /** First day by the rule that is looked at again. */
  fromOn: Day
  /** Open visits before today: `keep` them, `reprice` them where they are, or `remove` them. */
  past: 'keep' | 'reprice' | 'remove'
  /** Also visits that somebody moved by hand or locked. */
  includeMoved?: boolean
  /** Give every visit the crew of the job; otherwise a visit keeps the crew that dispatch gave it. */
  setCrew?: boolean
}

/** What lies before `fromOn` and is over matters to no schedule, so that the past of a job is never read. */
const lockVisitsTx = async (db: TenantDb, jobId: string, fromOn: Day) => {
  const visits = await db
    .selectFrom('visits')
    .select([
      'id',
      'occurrenceOn',
      'day',
      'status',
      'origin',
      'locked',
      'movedFrom',
      'crewId',
      'publishedDay',
      'publishedCrewId',
      'invoiceId',
      'skipReason',
      'priceCents',
      'budgetMinutes',
      'billable',
    ])
    .where('businessId', '=', db.businessId)
    .where('jobId', '=', jobId)
    .where((eb) =>
      eb.or([
        eb('occurrenceOn', '>=', fromOn),
        eb('status', 'in', ['unscheduled', 'scheduled', 'en_route', 'in_progress', 'paused']),
      ]),
    )
    // Locked in the order in which the planner does it, so that neither waits for the other.
    .orderBy('id')
    .forUpdate()
    .execute()
  return visits.toSorted((a, b) => (a.occurrenceOn < b.occurrenceOn ? -1 : a.occurrenceOn > b.occurrenceOn ? 1 : 0))
}

type Visit = Awaited<ReturnType<typeof lockVisitsTx>>[number]

const isMoved = (v: Visit): boolean =>
  v.locked || v.movedFrom !== null || v.origin !== 'rule' || v.status === 'unscheduled'
const isWaiting = (v: Visit): boolean => v.status === 'scheduled' || v.status === 'unscheduled'
const isVoided = (v: Visit): boolean => v.status === 'canceled' && v.skipReason === voided

const isStarted = (v: Visit): boolean => v.status === 'en_route' || v.status === 'in_progress' || v.status === 'paused'

/**
 * Why a waiting visit is left alone, or null when the schedule may have it. A job that rests or ends takes its moved visits along, as far
 * as they lie in that time; while it runs, a visit that a person booked beside the rule always stays.
 */
const keptReason = (v: Visit, job: ScheduledJob, includeMoved: boolean): 'moved' | 'invoiced' | null => {
  if (v.invoiceId !== null) return 'invoiced'
  if (!isMoved(v)) return null
  if (job.status !== 'active')
    return job.status === 'paused' && job.pausedUntil !== null && v.day !== null && v.day >= job.pausedUntil
      ? 'moved'
      : null
  return v.origin !== 'rule' || !includeMoved ? 'moved' : null
}

/** What is read and written for all visits of a job together: those that take another day of the rule go one after the other, in their order. */
type Work = { lines: ReadonlyMap<string, VisitLine[]>; together: Rewritten[]; routes: Place[] }

const workOf = async (db: TenantDb, visits: readonly Visit[]): Promise<Work> => ({
  lines: await listVisitLines(
    db,
    visits.map((visit) => visit.id),
  ),
  together: [],
  routes: [],
})

const rewriteTx = async (
  db: TenantDb,
  job: ScheduledJob,
  visit: Visit,
  planned: PlannedVisit,
  options: Resync,
  work: Work,
): Promise<{ day: Day; crewId: string | null } | null> => {
  const contents = contentsOf(job, planned)
  const lines = visitLinesOf(contents.lines, planned.day)
  const asBefore = sameLines(work.lines.get(visit.id), lines)
  const revived = isVoided(visit)
  const crewId = options.setCrew || revived ? job.crewId : visit.crewId
  const day = options.past === 'reprice' && visit.day !== null && visit.day < options.fromOn ? visit.day : planned.day
  const moves = day !== visit.day || crewId !== visit.crewId
  const billable = job.billing === 'per_visit'
  const same =
    asBefore &&
    !moves &&
    !revived &&
    contents.budgetMinutes === visit.budgetMinutes &&
    contents.priceCents === visit.priceCents &&
    billable === visit.billable &&
    planned.on === visit.occurrenceOn
  if (same) return null
  const written = {
    day,
    crewId,
    billable,
    priceCents: contents.priceCents,
    budgetMinutes: contents.budgetMinutes,
    lines: asBefore ? null : lines,
    moves,
  }
  if (planned.on === visit.occurrenceOn) work.together.push({ id: visit.id, ...written })
  else await rescheduleVisitTx(db, visit.id, { occurrenceOn: planned.on, ...written })
  if (moves)
    work.routes.push(
      { day: visit.publishedDay, crewId: visit.publishedCrewId },
      { day: visit.day, crewId: visit.crewId },
      { day, crewId },
    )
  return { day, crewId }
}

const crewNames = async (db: TenantDb, ids: readonly (string | null)[]): Promise<[string, string][]> => {
  const rows = await db
    .selectFrom('crews')
    .select(['id', 'name'])
    .where('businessId', '=', db.businessId)
    .where('id', '=', sql<string>`any(${ids.filter((id) => id !== null)}::uuid[])`)
    .execute()
  return rows.map(({ id, name }) => [id, name])
}

/** Days within which an old visit and a new day are the same work: half of the time to the next one. */
const reachOf = (job: ScheduledJob): number =>
  Math.min(
    ...job.lines.flatMap(({ recurrence }) =>
      recurrence && !followsDone(recurrence) ? [Math.floor(paceGaps(recurrence).shortest / 2)] : [],
    ),
  )

/** What becomes of a job's visits, crews still by their ids. */
type Outcome = Omit<ChangePreview, 'told'> & {
  told: { visitId: string; day: Day; to: Day | null; crewId: string | null }[]
}

/** One stretch of days in which the terms of a job are the same. */
type Part = { job: ScheduledJob; from: Day; to: Day; first: boolean; last: boolean }

/** Brings the visits that the rules name within a part in line; what lies before the first part goes with it. */
const resyncPartTx = async (
  db: TenantDb,
  who: Who,
  { job, from, to, first, last }: Part,
  asked: Resync,
  calendar: Calendar,
  all: readonly Visit[],
  result: Outcome,
): Promise<void> => {
  const options = { ...asked, fromOn: first ? asked.fromOn : from }
  const visits = all.filter((v) => (first || v.occurrenceOn >= from) && (last || v.occurrenceOn <= to))
  const earliest = later(options.fromOn, calendar.today)
  const planned = new Map(plannedOf(job, from, to, calendar).map((p) => [p.on, p]))
  const tell = (visit: Visit, to: { day: Day | null; crewId: string | null }) => {
    if (visit.publishedDay === null || (to.day === visit.publishedDay && to.crewId === visit.publishedCrewId)) return
    result.told.push({ visitId: visit.id, day: visit.publishedDay, to: to.day, crewId: visit.publishedCrewId })
  }
  const rewrite = async (visit: Visit, input: PlannedVisit) => {
    const written = await rewriteTx(db, job, visit, input, options, work)
    if (!written) return
    result.changed += 1
    if (written.day !== visit.day) result.moved += 1
    tell(visit, written)
  }
  const work = await workOf(db, visits)
  const leftover: Visit[] = []
  const stay: Visit[] = []
  for (const visit of visits) {
    const input = planned.get(visit.occurrenceOn)
    const inPast = visit.occurrenceOn < options.fromOn
    if (inPast && (options.past === 'keep' || !isWaiting(visit))) continue
    if (!isWaiting(visit) && !isVoided(visit)) {
      planned.delete(visit.occurrenceOn)
      if (isStarted(visit)) result.kept.push({ visitId: visit.id, day: visit.day, reason: 'started' })
      continue
    }
    const reason = isVoided(visit) ? null : keptReason(visit, job, options.includeMoved ?? false)
    planned.delete(visit.occurrenceOn)
    if (reason) {
      result.kept.push({ visitId: visit.id, day: visit.day, reason })
      if (!input && visit.origin === 'rule') stay.push(visit)
    } else if (input) await rewrite(visit, input)
    else if (isWaiting(visit) && (!inPast || options.past === 'remove')) leftover.push(visit)
  }
  const missing = await withoutTwice(
    db,
    job,
    [...planned.values()].filter((p) => p.on >= earliest),
    options.fromOn,
  )
  const reach = reachOf(job)
  // A visit that somebody gave its place stands for the day that the new rule names near it: that work is not done twice.
  const standing = nearestPairs(stay, missing, reach)
  for (const [visit, input] of standing) await renameOccurrenceTx(db, visit.id, input.on)
  const free = missing.filter((p) => ![...standing.values()].includes(p))
  const going = leftover.filter((v) => v.occurrenceOn >= options.fromOn)
  const moving = nearestPairs(going, free, reach)
  for (const [visit, input] of moving) await rewrite(visit, input)
  await rescheduleVisitsTx(db, work.together)
  await markRoutesChangedTx(db, work.routes)
  const gone = leftover.filter((v) => !moving.has(v))
  for (const visit of gone) tell(visit, { day: null, crewId: null })
  await removeVisitsTx(db, who, gone)
  result.removed += gone.length
  const made = [...moving.values()]
  result.created += await createVisitsTx(
    db,
    free.filter((p) => !made.includes(p)).map((p) => visitOf(job, p, earliest)),
  )
}

const resyncJobTx = async (
  db: TenantDb,
  who: Who,
  job: ScheduledJob,
  options: Resync,
  calendar: Calendar,
): Promise<Outcome> => {
  const result: Outcome = { created: 0, changed: 0, moved: 0, removed: 0, kept: [], told: [] }
  const open = await syncUndatedTx(db, who, job, calendar.today, {
    rewrite: options.past === 'reprice' || options.includeMoved === true ? 'all' : 'untouched',
  })
  result.created += open.created
  result.changed += open.changed
  result.removed += open.removed
  // Work without days has been seen to: no rule speaks of it.
  const visits = (await lockVisitsTx(db, job.id, options.fromOn)).filter((v) => v.origin !== 'undated')
  await openDueTx(db, job, calendar, later(calendar.today, job.startOn))
  const wanted = horizonOfJob(job, calendar)
  const to = job.horizonOn !== null && job.horizonOn > wanted ? job.horizonOn : wanted
  const firstOpen = visits.find(isWaiting)?.occurrenceOn
  const from = options.past !== 'keep' && firstOpen && firstOpen < options.fromOn ? firstOpen : options.fromOn
  const parts = termParts(job, from, to)
  for (const [at, part] of parts.entries())
    await resyncPartTx(
      db,
      who,
      { ...part, first: at === 0, last: at === parts.length - 1 },
      options,
      calendar,
      visits,
      result,
    )
  const runs = job.status === 'active' || (job.status === 'paused' && job.pausedUntil !== null)
  if (runs) await setHorizonsTx(db, [{ id: job.id, horizonOn: to, nextOn: nextOnOf(job, to, calendar) }])
  else await setHorizonsTx(db, [{ id: job.id, horizonOn: calendar.today, nextOn: null }])
  return result
}

/**
 * Brings the open visits of jobs in line with their rules, lines and state: what still fits is changed in place and keeps its id, what
 * does not is taken away, what is missing is made. Finished, started and invoiced visits stay; moved ones too unless asked.
 */
export const resyncVisitsTx = async (
  db: TenantDb,
  who: Who,
  jobIds: readonly string[],
  options: Resync,
): Promise<ChangePreview> => {
  const calendar = await getCalendar(db)
  const total: Outcome = { created: 0, changed: 0, moved: 0, removed: 0, kept: [], told: [] }
  for (const job of await lockScheduledJobsTx(db, jobIds)) {
    const one = await resyncJobTx(db, who, job, options, calendar)
    total.created += one.created
    total.changed += one.changed
    total.moved += one.moved
    total.removed += one.removed
    total.kept.push(...one.kept)
    total.told.push(...one.told)
  }
  if (total.created + total.changed + total.removed > 0) await publishChange(db, 'visits')
  const told = total.told.slice(0, 20)
  const names = new Map(
    told.length > 0
      ? await crewNames(
          db,
          told.map((t) => t.crewId),
        )
      : [],
  )
  return {
    ...total,
    told: told.map(({ crewId, ...one }) => ({ ...one, crewName: names.get(crewId ?? '') ?? 'A crew' })),
  }
}
