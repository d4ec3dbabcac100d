import type { Actor } from '../../../../platform/actor.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { threadRefusals } from '../../../chat/rules.ts'
import { sayTx } from '../../../chat/server/commands.ts'
import { findThread } from '../../../chat/server/queries.ts'
import type { CommandOutcome, CrewCommand } from '../../rules.ts'
import { placeOf } from '../members/queries.ts'

/**
 * A message of a phone, under the command's own id. A visit that is not this person's any more, or is gone, is left out: the words count without it.
 * @param at when it was written, on our clock
 */
export const applyChat = async (
  db: TenantDb,
  actor: Actor,
  command: CrewCommand,
  at: string,
): Promise<CommandOutcome> => {
  const { threadId = '', text = '', aboutVisitId, photoIds = [] } = command.payload
  const thread = await findThread(db, actor, threadId)
  if (!thread || threadRefusals.write(thread) !== null) return { result: 'refused', reason: 'chat_closed' }
  const visitId = aboutVisitId && (await placeOf(db, actor, aboutVisitId)) === 'mine' ? aboutVisitId : null
  const said = await sayTx(db, actor, thread, { id: command.id, text, visitId, photoIds: [...new Set(photoIds)], at })
  return said ? { result: 'applied', reason: null } : { result: 'refused', reason: 'invalid' }
}
