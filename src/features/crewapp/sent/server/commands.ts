import type { Actor } from '../../../../platform/actor.ts'
import { audit } from '../../../../platform/audit.ts'
import { clock } from '../../../../platform/clock.ts'
import { withTenant } from '../../../../platform/db/tenant.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { newId } from '../../../../platform/ids.ts'
import { isStored } from '../../../../platform/storage.ts'
import { conflict, notFound } from '../../../../shared/errors.ts'
import type { PhotoVisit } from '../../../messages/kept/contract.ts'
import { scopeOfVisit } from '../../server/members/queries.ts'
import { lockPhotos, requireRoomTx } from '../../server/photos/commands.ts'
import { findPhotoVisit, getSentPhoto } from './queries.ts'

/**
 * Adds a photo that a customer sent to the photos of one of their visits, where the crew sees it. It is the same file: done twice, it stands there once.
 * @throws not_found, state_conflict for a photo that is gone and for a visit that is full
 */
export const keepSentPhoto = (
  actor: Actor,
  messageId: string,
  { fileId, visitId }: { fileId: string; visitId: string },
): Promise<PhotoVisit> =>
  withTenant(actor, async (db) => {
    const { customerId, storageKey } = await getSentPhoto(db, messageId, fileId)
    if (storageKey === null || !(await isStored(storageKey)))
      throw conflict('This photo is not there any more, so it was not added. Ask them to send it again.')
    await lockPhotos(db, visitId)
    const visit = await findPhotoVisit(db, { customerId, fileId, visitId })
    if (!visit) throw notFound('visit')
    if (visit.isKept) return visit
    await requireRoomTx(db, 'visitPhotos', visitId)
    const id = newId()
    await db
      .insertInto('visitPhotos')
      .values({
        businessId: db.businessId,
        id,
        visitId,
        fileId,
        kind: 'other',
        createdBy: actor.userId,
        createdAt: clock.iso(),
      })
      .execute()
    await audit(db, actor, 'visit.photo', { type: 'visit', id: visitId }, { after: { photoId: id, messageId } })
    await publishChange(db, 'visits', [visitId], await scopeOfVisit(db, visitId))
    return { ...visit, isKept: true }
  })
