import { sql } from 'kysely'
import type { Actor, Who } from '../../../../platform/actor.ts'
import { audit } from '../../../../platform/audit.ts'
import { type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { refuse } from '../../../../shared/can.ts'
import { addDays, type Day } from '../../../../shared/dates.ts'
import { notFound } from '../../../../shared/errors.ts'
import { lineCents } from '../../../../shared/money.ts'
import { assertCrewTx } from '../../../employees/server/queries.ts'
import { isTerminal } from '../../../visits/rules.ts'
import {
  createVisitsTx,
  freeOccurrence,
  refuseDayTx,
  rescheduleVisitTx,
  settleUndatedTx,
  type VisitLine,
} from '../../../visits/server/commands.ts'
import type { JobRecord } from '../../contract.ts'
import { priceOn } from '../../prices/rules.ts'
import {
  getCalendar,
  listVisitLines,
  lockScheduledJobsTx,
  type ScheduledJob,
  type ScheduledLine,
  sameLines,
  visitLinesOf,
} from '../../schedule/server/queries.ts'
import { removeVisitsTx } from '../../schedule/server/remove.ts'
import { getJob } from '../../server/queries.ts'
import { jobOn } from '../../terms/rules.ts'
import { decisionRefusal, type StepDecision, seasonOf, type Undated, type UndatedLine } from '../rules.ts'
import { listLineVisits, type OpenVisit } from './queries.ts'

/** The visits of work without days: opened when its time comes, closed when it is over. */

type Standing = ScheduledLine & { undated: Undated }
const isUndated = (line: ScheduledLine): line is Standing => line.undated !== null

const openTx = (
  db: TenantDb,
  job: ScheduledJob,
  line: ScheduledLine,
  on: Day,
  to: { day: Day | null; crewId: string | null },
): Promise<number> =>
  freeOccurrence(db, job.id, addDays(on, 1)).then((occurrenceOn) =>
    createVisitsTx(db, [
      {
        jobId: job.id,
        customerId: job.customerId,
        propertyId: job.propertyId,
        occurrenceOn,
        ...to,
        origin: 'undated',
        budgetMinutes: line.budgetMinutes,
        priceCents: lineCents(line.quantity, priceOn(line, to.day ?? on)),
        billable: job.billing === 'per_visit',
        lines: visitLinesOf([line], to.day ?? on),
      },
    ]),
  )

const isOpen = (visit: OpenVisit): boolean => visit.status === 'unscheduled' || visit.status === 'scheduled'

/** What a job that rests or is over leaves of its open visits: those after a pause that has an end. */
const staysOf = (job: ScheduledJob, visit: OpenVisit): boolean =>
  job.status === 'active' ||
  (job.status === 'paused' && job.pausedUntil !== null && visit.day !== null && visit.day >= job.pausedUntil)

const rewriteTx = async (
  db: TenantDb,
  job: ScheduledJob,
  line: Standing,
  visit: OpenVisit,
  today: Day,
  before: readonly VisitLine[] | undefined,
): Promise<number> => {
  const on = visit.day ?? today
  const priceCents = lineCents(line.quantity, priceOn(line, on))
  const billable = job.billing === 'per_visit'
  const lines = visitLinesOf([line], on)
  const asBefore = sameLines(before, lines)
  const same =
    asBefore &&
    priceCents === visit.priceCents &&
    line.budgetMinutes === visit.budgetMinutes &&
    billable === visit.billable
  if (same) return 0
  await rescheduleVisitTx(db, visit.id, {
    day: visit.day,
    billable,
    priceCents,
    budgetMinutes: line.budgetMinutes,
    lines: asBefore ? null : lines,
    moves: false,
  })
  return 1
}

type Synced = { created: number; changed: number; removed: number }

/**
 * Brings the visits of a job's undated lines in line with the day: windows that opened, windows that are past, lines and jobs that ended. Doing it
 * twice does nothing more. The job has to be locked.
 * @param options which open visits take price and minutes of their line anew
 */
export const syncUndatedTx = async (
  db: TenantDb,
  who: Who,
  job: ScheduledJob,
  today: Day,
  options: { rewrite?: 'untouched' | 'all' } = {},
): Promise<Synced> => {
  const done: Synced = { created: 0, changed: 0, removed: 0 }
  const visits = await listLineVisits(db, [job.id])
  const lines = jobOn(job, today).lines.filter(isUndated)
  job.opensOn = null
  if (lines.length === 0 && visits.length === 0) return done
  const line = (id: string) => lines.find((one) => one.id === id)
  const gone = visits.filter((v) => isOpen(v) && !v.invoiced && (!line(v.lineId) || !staysOf(job, v)))
  await removeVisitsTx(db, who, gone)
  done.removed += gone.length
  let left = visits.filter((v) => !gone.includes(v))
  const open = options.rewrite
    ? left.filter((v) => isOpen(v) && !v.invoiced && (!v.locked || options.rewrite === 'all'))
    : []
  const contents =
    open.length > 0
      ? await listVisitLines(
          db,
          open.map((visit) => visit.id),
        )
      : null
  for (const visit of open) {
    // It is what the job says of the day on which it will be.
    const then = jobOn(job, visit.day ?? today)
    const own = then.lines.filter(isUndated).find((one) => one.id === visit.lineId) ?? line(visit.lineId)
    if (own) done.changed += await rewriteTx(db, then, own, visit, today, contents?.get(visit.id))
  }
  if (job.status === 'active') {
    const asked = (): UndatedLine[] =>
      lines.map(({ id, undated }) => ({ id, undated, visit: left.find((v) => v.lineId === id) ?? null }))
    let season = seasonOf(asked(), today)
    // Each turn settles one round; a program has few.
    for (let turn = 0; season.deeds.length > 0 && turn < 3 * lines.length + 3; turn++) {
      for (const deed of season.deeds) {
        const own = line(deed.lineId)
        if (deed.do === 'open' && own) done.created += await openTx(db, job, own, deed.on, { day: null, crewId: null })
        if (deed.do === 'miss') await settleUndatedTx(db, who, deed.visitId, 'miss')
        if (deed.do === 'withdraw') {
          await removeVisitsTx(
            db,
            who,
            left.filter((v) => v.id === deed.visitId),
          )
          done.removed += 1
        }
      }
      left = await listLineVisits(db, [job.id])
      season = seasonOf(asked(), today)
    }
    job.opensOn = season.nextOn
  }
  if (done.created + done.removed > 0) await publishChange(db, 'visits')
  return done
}

/** The same for many jobs, and where each goes on; what the night does. */
export const openUndatedTx = async (db: TenantDb, who: Who, jobIds: readonly string[], today: Day): Promise<void> => {
  for (const job of await lockScheduledJobsTx(db, jobIds)) {
    // What waits without a day costs what it costs by now.
    await syncUndatedTx(db, who, job, today, { rewrite: 'untouched' })
    if (job.lines.some((line) => !isUndated(line))) continue
    await db
      .updateTable('jobs')
      .set({ nextOn: job.opensOn ?? null })
      .where('businessId', '=', db.businessId)
      .where('id', '=', job.id)
      .execute()
  }
}

/** A line as it is now, or as it will begin. */
const lockLine = async (db: TenantDb, jobId: string, lineId: string, today: Day) => {
  const [job] = await lockScheduledJobsTx(db, [jobId])
  const line = [job && jobOn(job, today), job].flatMap((one) => one?.lines.filter(({ id }) => id === lineId) ?? [])[0]
  if (!job || !line || !isUndated(line)) throw notFound(job ? 'line' : 'job')
  const visit = (await listLineVisits(db, [jobId])).find((one) => one.lineId === lineId) ?? null
  return { job, line, visit }
}

/** Noted on the line alone: what it is from a later day on stays, and what holds until then reads the note there. */
const noteLate = async (db: TenantDb, lineId: string, late: boolean): Promise<void> => {
  await db
    .updateTable('jobLines')
    .set({ undated: late ? sql`undated || '{"late": true}'` : sql`undated - 'late'` })
    .where('businessId', '=', db.businessId)
    .where('id', '=', lineId)
    .execute()
}

/**
 * What becomes of a round whose window went by: it is done late, let go without a charge, or open to be decided again.
 * @throws AppError not_found, state_conflict
 */
export const decideStep = (
  actor: Actor,
  { id, lineId }: { id: string; lineId: string },
  decision: StepDecision,
): Promise<JobRecord> =>
  withTenant(actor, async (db) => {
    const { today } = await getCalendar(db)
    const { job, line, visit } = await lockLine(db, id, lineId, today)
    if (line.undated.kind !== 'step' || !visit) throw notFound('round')
    const undated = jobOn(job, today).lines.filter(isUndated)
    const visits = await listLineVisits(db, [id])
    const { standings } = seasonOf(
      undated.map((one) => ({
        id: one.id,
        undated: one.undated,
        visit: visits.find((v) => v.lineId === one.id) ?? null,
      })),
      today,
    )
    refuse(decisionRefusal(standings.get(lineId)?.state ?? 'upcoming', decision))
    refuse(job.status === 'active' ? null : 'This job does not run. Resume it first. Nothing was changed.')
    if (decision === 'skip') await settleUndatedTx(db, actor, visit.id, 'forgo')
    else {
      if (visit.status !== 'unscheduled') await settleUndatedTx(db, actor, visit.id, 'revive')
      // Without the decision its window closes it again at once.
      await noteLate(db, lineId, decision === 'late')
    }
    await audit(db, actor, 'job.round', { type: 'job', id }, { after: { lineId, decision } })
    const [fresh] = await lockScheduledJobsTx(db, [id])
    if (fresh) await syncUndatedTx(db, actor, fresh, today)
    await publishChange(db, 'jobs', [id])
    await publishChange(db, 'visits', [visit.id])
    return getJob(db, actor, id)
  })

/**
 * Makes the visit of work on demand, or takes work off the waiting list: on a day, or for the due list.
 * @throws AppError not_found, state_conflict while one of it is open
 */
export const bookLine = (
  actor: Actor,
  { id, lineId }: { id: string; lineId: string },
  to: { day: Day | null; crewId: string | null },
): Promise<JobRecord> =>
  withTenant(actor, async (db) => {
    const { today } = await getCalendar(db)
    const { job, line, visit } = await lockLine(db, id, lineId, today)
    refuse(job.status === 'active' ? null : 'This job does not run. Resume it first. Nothing was changed.')
    refuse(line.undated.kind === 'on_demand' ? null : 'Only work on demand is booked here. Nothing was changed.')
    refuse(
      visit && !isTerminal(visit.status)
        ? 'A visit of it is open already. Finish or cancel that one before you book the next.'
        : null,
    )
    await assertCrewTx(db, to.crewId)
    if (to.day !== null) await refuseDayTx(db, to.day, to.crewId)
    const then = jobOn(job, to.day ?? today)
    const own = then.lines.find((one) => one.id === lineId) ?? line
    await openTx(db, then, own, to.day !== null && to.day < today ? to.day : today, to)
    await audit(db, actor, 'job.book', { type: 'job', id }, { after: { lineId, day: to.day } })
    await publishChange(db, 'jobs', [id])
    await publishChange(db, 'visits', [], { days: [to.day], crewIds: [to.crewId] })
    return getJob(db, actor, id)
  })
