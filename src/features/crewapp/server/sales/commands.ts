import type { Actor } from '../../../../platform/actor.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { addSaleTx } from '../../../extras/sales/server/commands.ts'
import { isClockInstant } from '../../../timeclock/rules.ts'
import type { CommandOutcome, CommandReason, CrewCommand } from '../../rules.ts'
import type { Place } from '../members/queries.ts'

/** Further work that was sold at a stop, whatever became of the visit meanwhile: the customer has agreed to it. */
export const applySale = async (
  db: TenantDb,
  actor: Actor,
  { id, visitId = '', at: deviceAt, payload }: CrewCommand,
  { at, place, byOffice }: { at: string; place: Place; byOffice: boolean },
): Promise<CommandOutcome> => {
  // Somebody has signed: what they agreed to waits for the office, with the price and the strokes, also where the visit is gone.
  if (place === 'unknown') return { result: 'conflict', reason: 'not_found' }
  if (place === 'notMine' && !byOffice) return { result: 'conflict', reason: 'not_yours' }
  if (!payload.sale) return { result: 'refused', reason: 'invalid' }
  const outcome = await addSaleTx(db, actor, {
    id,
    visitId,
    at,
    deviceAt: isClockInstant(deviceAt) ? new Date(deviceAt).toISOString() : at,
    ...payload.sale,
  })
  return { result: outcome.result, reason: outcome.reason as CommandReason | null }
}
