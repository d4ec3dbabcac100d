import type { TenantDb } from '../../../../platform/db/tenant.ts'
import type { Day } from '../../../../shared/dates.ts'
import { placesFor, withStop } from '../../fill/server/places.ts'
import { lockDay } from '../../server/day/day-guards.ts'
import { ordersOf } from '../../server/day/planning-context.ts'
import { readPlanningContext } from '../../server/day/read-day.ts'
import { savePlan } from '../../server/plan/save-plan.ts'

/** Puts visits that were just booked with a crew where they add the least driving on its day; all other stops keep their turn. */
export const sequenceBookedTx = async (
  db: TenantDb,
  { day, crewId, visitIds }: { day: Day; crewId: string; visitIds: readonly string[] },
): Promise<void> => {
  const context = await readPlanningContext(db, day)
  await lockDay(db, context)
  const crews = context.data.crews.filter((crew) => crew.id === crewId)
  const orders = ordersOf(context)
  orders.set(
    crewId,
    (orders.get(crewId) ?? []).filter((id) => !visitIds.includes(id)),
  )
  for (const id of visitIds) {
    const [place] = placesFor(context, crews, orders, id).places
    const ids = orders.get(crewId) ?? []
    orders.set(crewId, place ? withStop(context, ids, id, place.position) : [...ids, id])
  }
  await savePlan(db, context, orders, { crewIds: [crewId] })
}
