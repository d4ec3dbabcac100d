import { clock } from '../../../platform/clock.ts'
import type { ProspectsDb } from '../../../platform/db/prospects.ts'
import { newId } from '../../../platform/ids.ts'

/** Appends to the funnel's audit log in the transaction of the change. */
export const auditProspects = async (
  db: ProspectsDb,
  actor: 'visitor' | 'owner' | 'system',
  action: string,
  entity: { type: string; id: string },
  change: unknown = null,
): Promise<void> => {
  await db
    .insertInto('auditLog')
    .values({
      id: newId(),
      actor,
      action,
      entityType: entity.type,
      entityId: entity.id,
      change: change === null ? null : JSON.stringify(change),
      at: clock.iso(),
    })
    .execute()
}
