import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { refuse } from '../../../../shared/can.ts'
import type { Day } from '../../../../shared/dates.ts'
import { notFound } from '../../../../shared/errors.ts'
import { planRefusals } from '../../rules.ts'
import type { PlanningContext } from './planning-context.ts'

export const entity = (id: string | null) => ({ type: 'route', id })

export const assertOpen = (day: Day, today: Day): void => {
  refuse(planRefusals.change({ day, today, isProposal: false }))
}

export const assertCrews = (context: PlanningContext, crewIds: readonly string[] | undefined): void => {
  const known = new Set(context.data.crews.map((crew) => crew.id))
  if (crewIds?.some((id) => !known.has(id))) throw notFound('crew')
}

/** Holds the visits of days until the change is written. */
export const lockDays = async (db: TenantDb, contexts: readonly PlanningContext[]): Promise<void> => {
  const ids = contexts.flatMap((context) => context.data.visits.map((v) => v.id))
  if (!ids.length) return
  await db
    .selectFrom('visits')
    .select('id')
    .where('businessId', '=', db.businessId)
    .where('id', 'in', ids)
    .orderBy('id')
    .forUpdate()
    .execute()
}

export const lockDay = (db: TenantDb, context: PlanningContext): Promise<void> => lockDays(db, [context])
