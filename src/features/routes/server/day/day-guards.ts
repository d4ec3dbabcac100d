import type { TenantDb } from '../../../../platform/db/tenant.ts'
import type { Day } from '../../../../shared/dates.ts'
import { conflict, notFound } from '../../../../shared/errors.ts'
import type { Ground } from './planning-context.ts'

export const entity = (id: string | null) => ({ type: 'route', id })

export const assertOpen = (day: Day, today: Day): void => {
  if (day < today) throw conflict('This day is over. Its routes stay as they were.')
}

export const assertCrews = (ground: Ground, crewIds: readonly string[] | undefined): void => {
  const known = new Set(ground.data.crews.map((crew) => crew.id))
  if (crewIds?.some((id) => !known.has(id))) throw notFound('crew')
}

/** Holds the visits of days until the change is written. */
export const lockDays = async (db: TenantDb, grounds: readonly Ground[]): Promise<void> => {
  const ids = grounds.flatMap((ground) => ground.data.visits.map((v) => v.id))
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

export const lockDay = (db: TenantDb, ground: Ground): Promise<void> => lockDays(db, [ground])
