import type { Who } from '../../../../platform/actor.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import type { Day } from '../../../../shared/dates.ts'
import { cancelVisitTx, deleteVisitsTx } from '../../../visits/server/commands.ts'

/** Marks a visit that a change of schedule took away, so that it comes back when the schedule does. */
export const voided = 'schedule_changed'

/** A visit that no crew was sent leaves without a trace; the others stay as canceled, so a phone that has them learns it. */
export const removeVisitsTx = async (
  db: TenantDb,
  who: Who,
  visits: readonly { id: string; publishedDay: Day | null }[],
): Promise<void> => {
  await deleteVisitsTx(
    db,
    visits.filter((v) => v.publishedDay === null).map((v) => v.id),
  )
  for (const visit of visits.filter((v) => v.publishedDay !== null))
    await cancelVisitTx(db, who, visit.id, voided, { skipReason: voided })
}
