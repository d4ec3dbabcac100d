import { sql } from 'kysely'
import type { Actor } from '../../../../platform/actor.ts'
import { clock } from '../../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { signedFilePath } from '../../../../platform/links.ts'
import { AppError, conflict, notFound } from '../../../../shared/errors.ts'
import { addFileTx, storeImage } from '../../../files/server/commands.ts'
import { placeOf, scopeOfVisit } from '../members/queries.ts'
import { findHeld, holdPhotoTx, type NewPhoto, placeColumns, workHeld } from './held.ts'

/** The most photos of one visit. */
const mostPhotos = 40

const find = async (db: TenantDb, id: string) =>
  db
    .selectFrom('visitPhotos')
    .select(['id', 'visitId', 'fileId', 'kind', 'createdBy'])
    .where('businessId', '=', db.businessId)
    .where('id', '=', id)
    .executeTakeFirst()

type Row = NonNullable<Awaited<ReturnType<typeof find>>>

const shown = (db: TenantDb, row: Pick<Row, 'id' | 'fileId' | 'kind'>) => ({
  id: row.id,
  kind: row.kind,
  url: signedFilePath(db.businessId, row.fileId),
})

const sameVisit = (row: Pick<Row, 'visitId'>, visitId: string): void => {
  if (row.visitId !== visitId) throw conflict('This photo already belongs to another visit.')
}

/** One at a time adds photos to a visit. */
export const lockPhotos = (db: TenantDb, visitId: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`photos:${visitId}`}, 0))`.execute(db)

/** @throws state_conflict for a visit that has as many photos as one can have */
export const requireRoomTx = async (
  db: TenantDb,
  table: 'visitPhotos' | 'heldPhotos',
  visitId: string,
): Promise<void> => {
  const { n } = await db
    .selectFrom(table)
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('businessId', '=', db.businessId)
    .where('visitId', '=', visitId)
    .executeTakeFirstOrThrow()
  if (Number(n) >= mostPhotos) throw conflict(`A visit keeps up to ${mostPhotos} photos. This one was not added.`)
}

/** Whether a photo goes on the visit: its own crew's does, and another's once the office has said that the work counts. */
const goesOn = async (db: TenantDb, actor: Actor, visitId: string) => {
  const place = await placeOf(db, actor, visitId)
  const counts = place === 'notMine' && (await workHeld(db, actor, visitId))?.decision === 'counts'
  return { place, isOn: place === 'mine' || counts }
}

/**
 * Keeps a photo of a visit; the same id again answers the first one. Where another crew has the visit by now, or it is gone, the photo waits with
 * the work until the office decides.
 * @throws AppError unsupported_media, state_conflict
 */
export const addVisitPhoto = async (actor: Actor, visitId: string, photo: NewPhoto, bytes: unknown) => {
  if (!Buffer.isBuffer(bytes) || bytes.byteLength === 0)
    throw new AppError('unsupported_media', 'Send the photo itself, as JPEG, PNG or WebP. Nothing was changed.')
  const known = async (db: TenantDb) => {
    const row = await find(db, photo.id)
    if (row) {
      if ((await goesOn(db, actor, row.visitId)).place === 'notMine' && row.createdBy !== actor.userId)
        throw notFound('visit')
      sameVisit(row, visitId)
      return shown(db, row)
    }
    const held = await findHeld(db, actor, photo.id)
    return held ? shown(db, held) : null
  }
  const first = await withTenant(actor, known)
  if (first) return first
  const image = await storeImage(actor, bytes)
  return withTenant(actor, async (db) => {
    await lockPhotos(db, visitId)
    const before = await known(db)
    if (before) return before
    const { place, isOn } = await goesOn(db, actor, visitId)
    await requireRoomTx(db, isOn ? 'visitPhotos' : 'heldPhotos', visitId)
    if (!isOn) return holdPhotoTx(db, actor, visitId, photo, image, place)
    const fileId = await addFileTx(db, actor, 'photo', image)
    const made = { id: photo.id, visitId, fileId, kind: photo.kind }
    await db
      .insertInto('visitPhotos')
      .values({
        businessId: db.businessId,
        ...made,
        takenAt: photo.takenAt ?? null,
        caption: photo.item ?? '',
        ...placeColumns(photo),
        createdBy: actor.userId,
        createdAt: clock.iso(),
      })
      .execute()
    await publishChange(db, 'visits', [visitId], await scopeOfVisit(db, visitId))
    return shown(db, made)
  })
}
