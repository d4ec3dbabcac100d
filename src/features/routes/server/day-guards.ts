import type { Actor } from '../../../platform/actor.ts'
import { clock } from '../../../platform/clock.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { newId } from '../../../platform/ids.ts'
import type { Day } from '../../../shared/dates.ts'
import { conflict, notFound } from '../../../shared/errors.ts'
import type { Ground } from './policy.ts'
import type { PlanRow } from './save-plan.ts'

export const entity = (id: string | null) => ({ type: 'route', id })

export const assertOpen = (day: Day, today: Day): void => {
  if (day < today) throw conflict('This day is over. Its routes stay as they were.')
}

export const assertCrews = (ground: Ground, crewIds: readonly string[] | undefined): void => {
  const known = new Set(ground.data.crews.map((crew) => crew.id))
  if (crewIds?.some((id) => !known.has(id))) throw notFound('crew')
}

/** Holds the visits of a day until the change is written. */
export const lockDay = async (db: TenantDb, ground: Ground): Promise<void> => {
  const ids = ground.data.visits.map((v) => v.id)
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

export const recordChange = async (
  db: TenantDb,
  actor: Actor,
  day: Day,
  kind: 'optimise' | 'move' | 'pin',
  label: string,
  before: PlanRow[],
  after: PlanRow[],
): Promise<void> => {
  await db
    .insertInto('routeChanges')
    .values({
      businessId: db.businessId,
      id: newId(),
      day,
      kind,
      label,
      before: JSON.stringify(before),
      after: JSON.stringify(after),
      createdBy: actor.userId,
      createdAt: clock.iso(),
    })
    .execute()
}
