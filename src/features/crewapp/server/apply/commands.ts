import { sql } from 'kysely'
import type { Actor } from '../../../../platform/actor.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { dayOf, startOfWeek } from '../../../../shared/dates.ts'
import {
  breakEndTx,
  breakStartTx,
  type ClockEvent,
  type ClockOutcome,
  clockInTx,
  clockOutTx,
  switchWorkTx,
} from '../../../timeclock/server/commands.ts'
import { findOpenEntry } from '../../../timeclock/server/queries.ts'
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
import type { CommandResult } from '../../contract.ts'
import {
  type ClockCommand,
  type CommandPayload,
  type CommandReason,
  type SheetCommand,
  type VisitCommand,
  verdictOn,
} from '../../rules.ts'
import { crewIdsOf, mayFinishWithout } from '../members/queries.ts'

type Outcome = { result: Exclude<CommandResult, 'duplicate'>; reason: CommandReason | null }

const applied: Outcome = { result: 'applied', reason: null }

const notOn = (type: ClockCommand): Outcome => ({
  result: 'refused',
  reason: type === 'break_end' ? 'not_on_break' : 'not_clocked_in',
})

/** A command of the time clock. */
export const applyClock = async (
  db: TenantDb,
  type: ClockCommand,
  payload: CommandPayload,
  event: ClockEvent,
  again: boolean,
): Promise<Outcome> => {
  if (again && type !== 'clock_in') {
    // Sent again the next day it must not end what began since.
    const open = await findOpenEntry(db, event.userId)
    if (open && Date.parse(open.startedAt) > Date.parse(event.at)) return notOn(type)
  }
  const does: Record<ClockCommand, () => Promise<ClockOutcome>> = {
    clock_in: () => clockInTx(db, event),
    clock_out: () => clockOutTx(db, event, payload.endedAt),
    break_start: () => breakStartTx(db, event),
    break_end: () => breakEndTx(db, event),
    switch: () => switchWorkTx(db, event, payload.kind ?? 'work'),
  }
  const outcome = await does[type]()
  if (outcome.outcome === 'refused') return notOn(type)
  // The work was done all the same: a person of the office decides.
  if (outcome.outcome === 'locked') return { result: 'conflict', reason: 'locked_week' }
  return outcome.outcome === 'already' ? { result: 'applied', reason: 'already' } : applied
}

/** What a leader does for the crew: everybody else who is there goes in or out with a time of their own. */
export const applyCrewClock = async (
  db: TenantDb,
  actor: Actor,
  type: 'clock_in' | 'clock_out',
  event: ClockEvent,
): Promise<void> => {
  if (!event.crewId) return
  const { rows } = await sql<{ userId: string }>`
    select m.user_id as "userId" from crew_present(${db.businessId}, ${event.crewId}, ${dayOf(event.at, event.timeZone)}) m
    where m.user_id <> ${actor.userId} order by m.user_id`.execute(db)
  for (const { userId } of rows) {
    const theirs = { ...event, userId, by: `By ${actor.name}` }
    await (type === 'clock_in' ? clockInTx(db, theirs) : clockOutTx(db, theirs))
  }
}

/** A week that a person hands in or asks about. */
export const applySheet = async (
  db: TenantDb,
  actor: Actor,
  type: SheetCommand,
  payload: CommandPayload,
): Promise<Outcome> => {
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
 */
export const applyVisit = async (
  db: TenantDb,
  actor: Actor,
  type: VisitCommand,
  visitId: string,
  payload: CommandPayload,
  { at, again }: { at: string; again: boolean },
): Promise<Outcome> => {
  const visit = await lockVisit(db, visitId)
  const billed = visit.invoiceId !== null
  const rebooked = !billed && unskipRefusal(visit) !== null
  const verdict = verdictOn(type, { ...visit, rebooked, billed }, at)
  // The note of a finish that was in conflict stands on the visit.
  const note = again ? undefined : payload.note
  if (verdict.kind === 'already') {
    if (type === 'finish') {
      if (await takeCrewTimesTx(db, actor, visit, { at, note })) return applied
      if (note?.trim()) await noteVisitTx(db, actor, visit, note)
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
    await workWhereDoneTx(db, actor, visit, { at, crewIds }, work)
  }
  if (
    type === 'finish' &&
    payload.without &&
    !(await mayFinishWithout(db, actor, visit.publishedCrewId ?? visit.crewId))
  )
    return { result: 'refused', reason: 'not_leader' }
  if (type === 'en_route') await enRouteVisitTx(db, actor, visit, { at })
  else if (type === 'start' || type === 'resume') await here((one) => startVisitTx(db, actor, one, { at, again }))
  else if (type === 'pause') await pauseVisitTx(db, actor, visit, { at })
  else if (type === 'finish') await here((one) => finishVisitTx(db, actor, one, { at, note, without: payload.without }))
  else if (type === 'skip')
    await skipVisitTx(db, actor, visit, { at, reason: payload.reason ?? 'other', note: payload.note, charge: true })
  else if (type === 'undo_skip') await unskipVisitTx(db, actor, visit)
  else if (type === 'note') await noteVisitTx(db, actor, visit, payload.note ?? '')
  else await checkVisitTx(db, visit, payload.item ?? '', payload.done !== false)
  return applied
}
