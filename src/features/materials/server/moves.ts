import { userIdOf, type Who } from '../../../platform/actor.ts'
import { clock } from '../../../platform/clock.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { publishChange } from '../../../platform/events/changes.ts'
import { newId } from '../../../platform/ids.ts'
import type { MoveKind } from '../rules.ts'

type Move = { materialId: string; kind: MoveKind; packages: number; note: string; visitId?: string | null }

/** Writes a move of a material that is locked, and what there is after it: the sum is never calculated from its history. */
export const moveTx = async (
  db: TenantDb,
  who: Who,
  { materialId, kind, packages, note, visitId = null }: Move,
): Promise<void> => {
  const moved = Math.round(packages * 100) / 100
  const { onHand } = await db
    .updateTable('materials')
    .set((eb) => ({ onHand: eb('onHand', '+', moved as never), updatedAt: clock.iso() }))
    .where('businessId', '=', db.businessId)
    .where('id', '=', materialId)
    .returning('onHand')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('materialMoves')
    .values({
      businessId: db.businessId,
      id: newId(),
      materialId,
      kind,
      packages: moved,
      onHandAfter: onHand,
      note,
      visitId,
      userId: userIdOf(who),
      movedAt: clock.iso(),
    })
    .execute()
  await publishChange(db, 'materials', [materialId])
}
