import type { Actor } from '../../../../platform/actor.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { smallFilePath } from '../../../../platform/links.ts'
import { notFound } from '../../../../shared/errors.ts'
import { placeOf } from '../members/queries.ts'

/** Where the photos of a stop of one's own crew are, small. @throws AppError not_found */
export const listStopPhotos = async (
  db: TenantDb,
  actor: Actor,
  visitId: string,
): Promise<{ id: string; url: string }[]> => {
  if ((await placeOf(db, actor, visitId)) !== 'mine') throw notFound('visit')
  const found = await db
    .selectFrom('visitPhotos')
    .select(['id', 'fileId'])
    .where('businessId', '=', db.businessId)
    .where('visitId', '=', visitId)
    .orderBy('takenAt')
    .orderBy('id')
    .execute()
  return found.map(({ id, fileId }) => ({ id, url: smallFilePath(db.businessId, fileId) }))
}
