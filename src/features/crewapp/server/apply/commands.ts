import type { Actor } from '../../../../platform/actor.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { dayOf } from '../../../../shared/dates.ts'
import { breakEndTx, breakStartTx, type ClockEvent, clockInTx, clockOutTx } from '../../../timeclock/server/commands.ts'
import { findOpenEntry } from '../../../timeclock/server/queries.ts'
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
  const outcome =
    type === 'clock_in'
      ? await clockInTx(db, event)
      : type === 'clock_out'
        ? await clockOutTx(db, event, payload.endedAt)
        : type === 'break_start'
          ? await breakStartTx(db, event)
          : await breakEndTx(db, event)
  if (outcome.outcome === 'refused') return notOn(type)
  return outcome.outcome === 'already' ? { result: 'applied', reason: 'already' } : applied
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
