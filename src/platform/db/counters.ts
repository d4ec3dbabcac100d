import type { TenantDb } from './tenant.ts'

/** The next number of a counter of the business, from a locked row: no two get the same. The first is 1001. */
export const nextNumber = async (db: TenantDb, name: string, count = 1): Promise<number> => {
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
export const raiseNumber = async (db: TenantDb, name: string, to: number): Promise<number | null> => {
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
