import type { Who } from '../../../../platform/actor.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import type { Day } from '../../../../shared/dates.ts'
import {
  cancelVisitTx,
  createVisitsTx,
  deleteVisitsTx,
  markRoutesChangedTx,
  rescheduleVisitTx,
} from '../../../visits/server/commands.ts'
import type { ChangePreview } from '../../contract.ts'
import type { Calendar, PlannedVisit } from '../../rules.ts'
import { contentsOf, horizonOfJob, nextOnOf, plannedOf, setHorizonsTx, visitLinesOf, visitOf } from './commands.ts'
import { getCalendar, lockScheduledJobsTx, type ScheduledJob } from './queries.ts'

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

/** Marks a visit that a change of schedule took away, so that it comes back when the schedule does. */
const voided = 'schedule_changed'

const lockVisitsTx = (db: TenantDb, jobId: string) =>
  db
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
    .orderBy('occurrenceOn')
    .forUpdate()
    .execute()

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

type Line = { jobLineId: string | null; quantity: number; unitPriceCents: number; description: string }
const lineKey = (lines: readonly Line[]): string =>
  lines
    .map((l) => `${l.jobLineId} ${l.quantity} ${l.unitPriceCents} ${l.description}`)
    .sort()
    .join('\n')

const rewriteTx = async (
  db: TenantDb,
  job: ScheduledJob,
  visit: Visit,
  planned: PlannedVisit,
  options: Resync,
): Promise<boolean> => {
  const contents = contentsOf(job, planned)
  const lines = await db
    .selectFrom('visitLines')
    .select(['jobLineId', 'quantity', 'unitPriceCents', 'description'])
    .where('businessId', '=', db.businessId)
    .where('visitId', '=', visit.id)
    .execute()
  const sameLines = lineKey(lines) === lineKey(contents.lines.map((l) => ({ ...l, jobLineId: l.id })))
  const revived = isVoided(visit)
  const crewId = options.setCrew || revived ? job.crewId : visit.crewId
  const day = options.past === 'reprice' && visit.day !== null && visit.day < options.fromOn ? visit.day : planned.day
  const moves = day !== visit.day || crewId !== visit.crewId
  const billable = job.billing === 'per_visit'
  const same =
    sameLines &&
    !moves &&
    !revived &&
    contents.budgetMinutes === visit.budgetMinutes &&
    contents.priceCents === visit.priceCents &&
    billable === visit.billable
  if (same) return false
  await rescheduleVisitTx(db, visit.id, {
    day,
    crewId,
    billable,
    priceCents: contents.priceCents,
    budgetMinutes: contents.budgetMinutes,
    lines: sameLines ? null : visitLinesOf(contents.lines),
    moves,
  })
  if (moves)
    await markRoutesChangedTx(db, [
      { day: visit.publishedDay, crewId: visit.publishedCrewId },
      { day: visit.day, crewId: visit.crewId },
      { day, crewId },
    ])
  return true
}

/** A visit that no crew was sent leaves without a trace; the others stay as canceled, so a phone that has them learns it. */
const removeTx = async (db: TenantDb, who: Who, visits: readonly Visit[]): Promise<void> => {
  await deleteVisitsTx(
    db,
    visits.filter((v) => v.publishedDay === null).map((v) => v.id),
  )
  for (const visit of visits.filter((v) => v.publishedDay !== null))
    await cancelVisitTx(db, who, visit.id, voided, { skipReason: voided })
}

const resyncJobTx = async (
  db: TenantDb,
  who: Who,
  job: ScheduledJob,
  options: Resync,
  calendar: Calendar,
): Promise<ChangePreview> => {
  const result: ChangePreview = { created: 0, changed: 0, removed: 0, kept: [] }
  const visits = await lockVisitsTx(db, job.id)
  const wanted = horizonOfJob(job, calendar)
  const to = job.horizonOn !== null && job.horizonOn > wanted ? job.horizonOn : wanted
  const firstOpen = visits.find(isWaiting)?.occurrenceOn
  const from = options.past !== 'keep' && firstOpen && firstOpen < options.fromOn ? firstOpen : options.fromOn
  const earliest = [options.fromOn, calendar.today].sort()[1] as Day
  const planned = new Map(plannedOf(job, from, to, calendar).map((p) => [p.on, p]))
  const leftover: Visit[] = []
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
    if (reason) result.kept.push({ visitId: visit.id, day: visit.day, reason })
    else if (input) {
      if (await rewriteTx(db, job, visit, input, options)) result.changed += 1
    } else if (isWaiting(visit) && (!inPast || options.past === 'remove')) leftover.push(visit)
  }
  await removeTx(db, who, leftover)
  result.removed = leftover.length
  const missing = [...planned.values()].filter((p) => p.on >= earliest)
  result.created = await createVisitsTx(
    db,
    missing.map((p) => visitOf(job, p, earliest)),
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
  const total: ChangePreview = { created: 0, changed: 0, removed: 0, kept: [] }
  for (const job of await lockScheduledJobsTx(db, jobIds)) {
    const one = await resyncJobTx(db, who, job, options, calendar)
    total.created += one.created
    total.changed += one.changed
    total.removed += one.removed
    total.kept.push(...one.kept)
  }
  if (total.created + total.changed + total.removed > 0) await publishChange(db, 'visits')
  return total
}
