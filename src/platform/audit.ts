import type { Who } from './actor.ts'
import { userIdOf } from './actor.ts'
import { clock } from './clock.ts'
import type { TenantDb } from './db/tenant.ts'
import { newId } from './ids.ts'

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
      at: clock.iso(),
    })
    .execute()
}

/** The next number of a counter of the business (job, invoice), from a locked row: no two get the same. */
export const nextNumber = async (db: TenantDb, name: 'job' | 'invoice', count = 1): Promise<number> => {
  const row = await db
    .insertInto('counters')
    .values({ businessId: db.businessId, name, next: 1001 + count })
    .onConflict((c) =>
      c.columns(['businessId', 'name']).doUpdateSet((eb) => ({ next: eb('counters.next', '+', count) })),
    )
    .returning('next')
    .executeTakeFirstOrThrow()
  return row.next - count
}

/**
 * Makes a counter go on from a number. The counter is locked, so that nobody takes a number in between.
 * @returns null, or the next number when that one may have been given; then nothing was changed
 */
export const raiseNumber = async (db: TenantDb, name: 'job' | 'invoice', to: number): Promise<number | null> => {
  const { next } = await db
    .insertInto('counters')
    .values({ businessId: db.businessId, name, next: 1001 })
    .onConflict((c) => c.columns(['businessId', 'name']).doUpdateSet((eb) => ({ next: eb.ref('counters.next') })))
    .returning('next')
    .executeTakeFirstOrThrow()
  if (to < next) return next
  await db
    .updateTable('counters')
    .set({ next: to })
    .where('businessId', '=', db.businessId)
    .where('name', '=', name)
    .execute()
  return null
}
