import type { Actor } from '../../../../platform/actor.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { dayOf } from '../../../../shared/dates.ts'
import { noteQuoteTx } from '../../../quotes/crew/server/commands.ts'
import type { CommandOutcome, CrewCommand } from '../../rules.ts'

/** What a customer would like, noted on site, as a quote under the command's own id: its photos follow it there. */
export const applyNoted = async (
  db: TenantDb,
  actor: Actor,
  { id, payload }: CrewCommand,
  at: string,
): Promise<CommandOutcome> => {
  if (!payload.noted) return { result: 'refused', reason: 'invalid' }
  const reason = await noteQuoteTx(db, actor, { id, ...payload.noted }, dayOf(at, actor.timeZone))
  return reason ? { result: 'refused', reason } : { result: 'applied', reason: null }
}
