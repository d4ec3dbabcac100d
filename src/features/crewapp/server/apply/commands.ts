import { sql } from 'kysely'
import type { Actor } from '../../../../platform/actor.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { type Day, dayOf, startOfWeek } from '../../../../shared/dates.ts'
import { crewPresent } from '../../../employees/staffing/server/queries.ts'
import { type ClockEvent, clockTx, holdClockTx } from '../../../timeclock/server/commands.ts'
import { askForWeekTx, submitWeekTx } from '../../../timeclock/sheets/server/commands.ts'
import { unskipRefusal } from '../../../visits/rules.ts'
import {
  checkVisitTx,
  enRouteVisitTx,
  finishVisitTx,
  type LockedVisit,
  lockVisit,
  noteVisitTx,
  pauseVisitTx,
  saveWorkTx,
  skipVisitTx,
  startVisitTx,
  takeCrewTimesTx,
  unskipVisitTx,
  workWhereDoneTx,
} from '../../../visits/server/commands.ts'
import {
  type ClockCommand,
  type CommandOutcome,
  type CommandPayload,
  type SheetCommand,
  type VisitCommand,
  verdictOn,
} from '../../rules.ts'
import { crewIdsOf, mayFinishWithout } from '../members/queries.ts'

const applied: CommandOutcome = { result: 'applied', reason: null }

const notOn = (type: ClockCommand): CommandOutcome => ({
  result: 'refused',
  reason: type === 'break_end' ? 'not_on_break' : 'not_clocked_in',
})

/** A command of the time clock. */
export const applyClock = async (
  db: TenantDb,
  type: ClockCommand,
  payload: CommandPayload,
  event: ClockEvent,
): Promise<CommandOutcome> => {
  const outcome = await clockTx(db, { action: type, kind: payload.kind, endedAt: payload.endedAt }, event)
  if (outcome.outcome === 'refused') return notOn(type)
  // The work was done all the same: a person of the office decides.
  if (outcome.outcome === 'locked') return { result: 'conflict', reason: 'locked_week' }
  return outcome.outcome === 'already' ? { result: 'applied', reason: 'already' } : applied
}

/**
 * What a leader does for the crew: everybody else who is there goes in or out with a time of their own. Only once the leader's own was not refused:
 * that changes nobody. In a locked week each one's is kept.
 * @param crewDay the day whose crew it is: work that goes on after midnight is of the day before
 */
export const applyCrewClock = async (
  db: TenantDb,
  actor: Actor,
  type: 'clock_in' | 'clock_out',
  { event, crewDay }: { event: ClockEvent; crewDay: Day },
): Promise<void> => {
  if (!event.crewId) return
  const { rows } = await sql<{ userId: string }>`
    select m.user_id as "userId" from ${crewPresent(db, event.crewId, crewDay)} m
    where m.user_id <> ${actor.userId} order by m.user_id`.execute(db)
  for (const { userId } of rows) {
    await holdClockTx(db, userId)
    const theirs = { ...event, userId, crewIds: [event.crewId], by: `By ${actor.name}` }
    await clockTx(db, { action: type }, theirs)
  }
}

/** A week that a person hands in or asks about. */
export const applySheet = async (
  db: TenantDb,
  actor: Actor,
  type: SheetCommand,
  payload: CommandPayload,
): Promise<CommandOutcome> => {
  const week = startOfWeek(payload.week ?? '')
  const reason =
    type === 'submit_week'
      ? await submitWeekTx(db, actor, week)
      : await askForWeekTx(db, actor, week, payload.note?.trim() ?? '')
  return reason ? { result: 'refused', reason } : applied
}

/**
 * A command on a visit of one's own crew.
 * @param again a further try of what was in conflict: its time is kept already
 * @param decided the office says that it counts, whoever has the stop: the visit goes to the crew that worked
 */
export const applyVisit = async (
  db: TenantDb,
  actor: Actor,
  type: VisitCommand,
  visitId: string,
  payload: CommandPayload,
  { at, again, decided = false }: { at: string; again: boolean; decided?: boolean },
): Promise<CommandOutcome> => {
  const visit = await lockVisit(db, visitId)
  const billed = visit.invoiceId !== null
  const rebooked = !billed && unskipRefusal(visit) !== null
  const verdict = verdictOn(type, { ...visit, rebooked, billed }, at)
  // The note of a finish that was in conflict stands on the visit.
  const note = again ? undefined : payload.note
  if (verdict.kind === 'already') {
    if (type === 'finish') {
      if (await takeCrewTimesTx(db, actor, visit, { at, note })) return applied
      if (note?.trim()) await noteVisitTx(db, actor, visit, { note })
    }
    return { result: 'applied', reason: 'already' }
  }
  if (verdict.kind === 'refused') return { result: 'refused', reason: verdict.reason }
  if (verdict.kind === 'conflict') {
    // The lawn was mowed all the same: its time is kept, and a person decides.
    if (!again && (type === 'start' || type === 'resume' || type === 'pause' || type === 'finish'))
      await saveWorkTx(db, actor, visit, type === 'start' || type === 'resume' ? 'begin' : 'end', { at, ...payload })
    return { result: 'conflict', reason: verdict.reason }
  }
  const here = async (work: (visit: LockedVisit) => Promise<void>) => {
    const crewIds = await crewIdsOf(db, actor.userId, dayOf(at, actor.timeZone))
    await workWhereDoneTx(db, actor, visit, { at, crewIds, decided }, work)
  }
  if (
    type === 'finish' &&
    payload.without &&
    !decided &&
    !(await mayFinishWithout(
      db,
      actor,
      visit.publishedCrewId ?? visit.crewId,
      visit.publishedDay ?? visit.day ?? dayOf(at, actor.timeZone),
    ))
  )
    return { result: 'refused', reason: 'not_leader' }
  if (type === 'en_route') await enRouteVisitTx(db, actor, visit, { at })
  else if (type === 'start' || type === 'resume') await here((one) => startVisitTx(db, actor, one, { at, again }))
  else if (type === 'pause') await pauseVisitTx(db, actor, visit, { at })
  else if (type === 'finish') await here((one) => finishVisitTx(db, actor, one, { at, note, without: payload.without }))
  else if (type === 'skip')
    await skipVisitTx(db, actor, visit, { at, reason: payload.reason ?? 'other', note: payload.note, charge: true })
  else if (type === 'undo_skip') await unskipVisitTx(db, actor, visit)
  else if (type === 'note')
    await noteVisitTx(db, actor, visit, {
      note: payload.note,
      changes: payload,
    })
  else await checkVisitTx(db, visit, payload.item ?? '', payload.done !== false)
  return applied
}
