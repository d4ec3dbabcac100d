import type { Actor } from '../../../../platform/actor.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { breakEndIn, breakStartIn, type ClockEvent, clockInIn, clockOutIn } from '../../../timeclock/server/commands.ts'
import {
  checkVisitIn,
  enRouteVisitIn,
  finishVisitIn,
  keepWorkIn,
  lockVisit,
  noteVisitIn,
  pauseVisitIn,
  skipVisitIn,
  startVisitIn,
  unskipVisitIn,
} from '../../../visits/server/commands.ts'
import type { CommandResult } from '../../contract.ts'
import {
  type ClockCommand,
  type CommandPayload,
  type CommandReason,
  type VisitCommand,
  verdictOn,
} from '../../rules.ts'

type Outcome = { result: Exclude<CommandResult, 'duplicate'>; reason: CommandReason | null }

const applied: Outcome = { result: 'applied', reason: null }

/** A command of the time clock. */
export const applyClock = async (
  db: TenantDb,
  type: ClockCommand,
  payload: CommandPayload,
  event: ClockEvent,
): Promise<Outcome> => {
  const outcome =
    type === 'clock_in'
      ? await clockInIn(db, event)
      : type === 'clock_out'
        ? await clockOutIn(db, event, payload.endedAt)
        : type === 'break_start'
          ? await breakStartIn(db, event)
          : await breakEndIn(db, event)
  if (outcome.outcome === 'refused')
    return { result: 'refused', reason: type === 'break_end' ? 'not_on_break' : 'not_clocked_in' }
  return outcome.outcome === 'already' ? { result: 'applied', reason: 'already' } : applied
}

/** A command on a visit of one's own crew. */
export const applyVisit = async (
  db: TenantDb,
  actor: Actor,
  type: VisitCommand,
  visitId: string,
  payload: CommandPayload,
  at: string,
): Promise<Outcome> => {
  const visit = await lockVisit(db, visitId)
  const verdict = verdictOn(type, visit.status)
  if (verdict.kind === 'already') return { result: 'applied', reason: 'already' }
  if (verdict.kind === 'refused') return { result: 'refused', reason: verdict.reason }
  if (verdict.kind === 'conflict') {
    // The lawn was mown all the same: its time is kept, and a person decides.
    if (type === 'start' || type === 'resume' || type === 'pause' || type === 'finish')
      await keepWorkIn(db, actor, visitId, type === 'start' || type === 'resume' ? 'begin' : 'end', { at, ...payload })
    return { result: 'conflict', reason: verdict.reason }
  }
  if (type === 'undo_skip' && visit.rebookedAs) return { result: 'conflict', reason: 'rebooked' }
  if (type === 'en_route') await enRouteVisitIn(db, actor, visitId, { at })
  else if (type === 'start' || type === 'resume') await startVisitIn(db, actor, visitId, { at })
  else if (type === 'pause') await pauseVisitIn(db, actor, visitId, { at })
  else if (type === 'finish') await finishVisitIn(db, actor, visitId, { at, note: payload.note })
  else if (type === 'skip')
    await skipVisitIn(db, actor, visitId, { at, reason: payload.reason ?? 'other', note: payload.note })
  else if (type === 'undo_skip') await unskipVisitIn(db, actor, visitId)
  else if (type === 'note') await noteVisitIn(db, actor, visitId, payload.note ?? '')
  else await checkVisitIn(db, visitId, payload.item ?? '', payload.done !== false)
  return applied
}
