import type { Who } from './actor.ts'
import { userIdOf } from './actor.ts'
import { clock } from './clock.ts'
import type { TenantDb } from './db/tenant.ts'
import { newId } from './ids.ts'
import { requestIdOf } from './request-context.ts'

/** Appends to the audit log in the transaction of the change. `before` and `after` hold what changed, never secrets. */
export const audit = async (
  db: TenantDb,
  who: Who,
  action: string,
  entity: { type: string; id: string | null },
  change: { before?: unknown; after?: unknown } = {},
): Promise<void> => {
  await db
    .insertInto('auditLog')
    .values({
      businessId: db.businessId,
      id: newId(),
      actorKind: who.kind,
      actorId: userIdOf(who),
      action,
      entityType: entity.type,
      entityId: entity.id,
      before: change.before === undefined ? null : JSON.stringify(change.before),
      after: change.after === undefined ? null : JSON.stringify(change.after),
      requestId: requestIdOf(),
      at: clock.iso(),
    })
    .execute()
}
