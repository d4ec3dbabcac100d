import type { Actor } from '../../../../platform/actor.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { dayOf } from '../../../../shared/dates.ts'
import { keepCheckTx } from '../../../equipment/checks/server/commands.ts'
import type { CommandOutcome, CrewCommand } from '../../rules.ts'
import { crewIdsOf } from '../members/queries.ts'

/** The look at the truck, under the command's own id and for the crew of the day on which it was done. */
export const applyTruckCheck = async (
  db: TenantDb,
  actor: Actor,
  { id, payload }: CrewCommand,
  at: string,
): Promise<CommandOutcome> => {
  const day = dayOf(at, actor.timeZone)
  const [crewId = null] = await crewIdsOf(db, actor.userId, day)
  const check = payload.truckCheck
  const kept = check && (await keepCheckTx(db, actor, { id, crewId, at, day, check }))
  return kept ? { result: 'applied', reason: null } : { result: 'refused', reason: 'invalid' }
}
