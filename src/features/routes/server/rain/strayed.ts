import type { SystemActor } from '../../../../platform/actor.ts'
import { type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { stopMessagesTx } from '../../../messages/server/commands.ts'
import { noteUntoldTx } from '../../../notices/server/commands.ts'
import type { PlanRow } from '../../../visits/server/commands.ts'
import { type Effects, movesIn } from '../changes/steps.ts'

/** Messages of rain pushes to these customers that have not left, with the moves that each tells of. */
const waitingOf = async (db: TenantDb, customerIds: readonly string[]) =>
  customerIds.length === 0
    ? []
    : db
        .selectFrom('messages as m')
        .innerJoin('routeChanges as c', (x) =>
          x.onRef('c.businessId', '=', 'm.businessId').onRef('c.id', '=', 'm.entityId'),
        )
        .where('m.businessId', '=', db.businessId)
        .where('m.entityType', '=', 'route_change')
        .where('m.status', 'in', ['pending', 'held'])
        .where('m.customerId', 'in', [...customerIds])
        .select(['m.customerId', 'c.id', 'c.before', 'c.after', 'c.effects'])
        .execute()

/**
 * Recalls what a rain push would still say to customers whose visits are somewhere else by now: told as before it, they hear of the day that stands
 * when the look at their moves comes, or of nothing, where the visit is back.
 */
export const recallStrayed = (actor: SystemActor, customerIds: readonly string[]): Promise<void> =>
  withTenant(actor, async (db) => {
    for (const { customerId, id, before, after, effects } of await waitingOf(db, customerIds)) {
      if (!customerId) continue
      const moves = movesIn({
        before: before as unknown as PlanRow[],
        after: after as unknown as PlanRow[],
        effects: effects as Effects,
      }).filter((move) => move.to !== null)
      if (moves.length === 0) continue
      const visits = await db
        .selectFrom('visits')
        .select(['id', 'day', 'status'])
        .where('businessId', '=', db.businessId)
        .where('customerId', '=', customerId)
        .where(
          'id',
          'in',
          moves.map((move) => move.visitId),
        )
        .execute()
      const own = moves.flatMap((move) => {
        const now = visits.find((visit) => visit.id === move.visitId)
        return now ? [{ ...move, now: now.status === 'canceled' ? null : now.day }] : []
      })
      if (own.every((move) => move.now === move.to)) continue
      await stopMessagesTx(db, { type: 'route_change', id, customerId }, 'Its visit was moved again before it left')
      await noteUntoldTx(
        db,
        own.map(({ visitId, from }) => ({ visitId, day: from })),
      )
    }
  })
