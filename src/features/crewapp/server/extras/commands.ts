import type { Actor } from '../../../../platform/actor.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { addOvergrownTx, withdrawExtraTx } from '../../../extras/server/commands.ts'
import type { CommandOutcome, CommandReason, CrewCommand } from '../../rules.ts'
import type { Place } from '../members/queries.ts'

/**
 * What a crew says at a stop that it costs more, under the command's own id.
 * @param byOffice the office says that it counts, although another crew has the stop
 */
export const applyExtra = async (
  db: TenantDb,
  actor: Actor,
  { id, type, visitId = '', payload }: CrewCommand,
  { at, place, byOffice }: { at: string; place: Place; byOffice: boolean },
): Promise<CommandOutcome> => {
  if (place === 'unknown') return { result: 'conflict', reason: 'not_found' }
  if (place === 'notMine' && !byOffice) return { result: 'conflict', reason: 'not_yours' }
  const outcome =
    type === 'drop_extra'
      ? await withdrawExtraTx(db, { extraId: payload.extraId ?? '', visitId })
      : await addOvergrownTx(db, actor, {
          id,
          visitId,
          at,
          ...(payload.overgrown ?? { stepId: '', note: '', photoIds: [] }),
        })
  return { result: outcome.result, reason: outcome.reason as CommandReason | null }
}
