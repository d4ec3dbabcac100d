import type { Actor } from '../../../../platform/actor.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { dayOf } from '../../../../shared/dates.ts'
import { handInReceiptTx } from '../../../expenses/server/commands.ts'
import type { CommandOutcome, CrewCommand } from '../../rules.ts'

/**
 * Something that was paid on the way, under the command's own id, on the day on which it was handed in.
 * @param at when that was, on our clock
 */
export const applyPaid = async (
  db: TenantDb,
  actor: Actor,
  { id, payload }: CrewCommand,
  at: string,
): Promise<CommandOutcome> => {
  if (!payload.paid) return { result: 'refused', reason: 'invalid' }
  await handInReceiptTx(db, actor, payload.paid, { id, day: dayOf(at, actor.timeZone) })
  return { result: 'applied', reason: null }
}
