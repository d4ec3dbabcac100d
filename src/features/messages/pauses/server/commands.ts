import { sql } from 'kysely'
import { clock } from '../../../../platform/clock.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import type { MessageStatus } from '../../rules.ts'

/**
 * Takes back what about a record has not left: a person stopped it for now. What is leaving at this moment is not among them; where the provider
 * asks for another try it does not come back for one. None of them is sent again from its thread.
 * @returns the messages that nobody got and nobody gets
 */
export const takeBackWaitingTx = async (
  db: TenantDb,
  entity: { type: string; id: string },
  reason: string,
): Promise<string[]> => {
  const taken = await db
    .updateTable('messages')
    .set((eb) => ({
      stoppedReason: reason,
      status: sql<MessageStatus>`case when ${eb.ref('status')} = 'sending' then 'sending' else 'suppressed' end`,
      reason: sql<string | null>`case when ${eb.ref('status')} = 'sending' then ${eb.ref('reason')} else ${reason} end`,
      updatedAt: clock.iso(),
    }))
    .where('businessId', '=', db.businessId)
    .where('entityType', '=', entity.type)
    .where('entityId', '=', entity.id)
    .where('direction', '=', 'outbound')
    .where('status', 'in', ['pending', 'held', 'sending'])
    .returning(['id', 'status'])
    .execute()
  const ids = taken.filter(({ status }) => status === 'suppressed').map(({ id }) => id)
  if (ids.length > 0) await publishChange(db, 'messages', ids)
  return ids
}

/** Messages that did not leave are asked for anew by whoever wanted them: nobody sends them again from their thread. */
export const neverResendTx = async (db: TenantDb, ids: readonly string[]): Promise<void> => {
  if (ids.length === 0) return
  await db
    .updateTable('messages')
    .set((eb) => ({ stoppedReason: eb.fn.coalesce('stoppedReason', 'reason') }))
    .where('businessId', '=', db.businessId)
    .where('id', 'in', [...ids])
    .where('status', '=', 'suppressed')
    .execute()
}
