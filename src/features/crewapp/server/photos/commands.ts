import { sql } from 'kysely'
import type { Actor } from '../../../../platform/actor.ts'
import { clock } from '../../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { signedFilePath } from '../../../../platform/links.ts'
import { AppError, conflict, notFound } from '../../../../shared/errors.ts'
import { addFileTx, storeImage } from '../../../files/server/commands.ts'
import { placeOf, scopeOfVisit } from '../members/queries.ts'

export type PhotoKind = 'before' | 'after' | 'other'
export type NewPhoto = { id: string; kind: PhotoKind; takenAt?: string; item?: string }

/** The most photos of one visit. */
const mostPhotos = 40

const find = async (db: TenantDb, id: string) =>
  db
    .selectFrom('visitPhotos')
    .select(['id', 'visitId', 'fileId', 'kind'])
    .where('businessId', '=', db.businessId)
    .where('id', '=', id)
    .executeTakeFirst()

type Row = NonNullable<Awaited<ReturnType<typeof find>>>

const shown = (db: TenantDb, row: Row) => ({
  id: row.id,
  kind: row.kind,
  url: signedFilePath(db.businessId, row.fileId),
})

const sameVisit = (row: Row, visitId: string): void => {
  if (row.visitId !== visitId) throw conflict('This photo already belongs to another visit.')
}

/**
 * Keeps a photo of a visit of one's own crew; the same id again answers the first one.
 * @throws AppError not_found, unsupported_media, state_conflict
 */
export const addVisitPhoto = async (actor: Actor, visitId: string, photo: NewPhoto, bytes: unknown) => {
  if (!Buffer.isBuffer(bytes) || bytes.byteLength === 0)
    throw new AppError('unsupported_media', 'Send the photo itself, as JPEG, PNG or WebP. Nothing was changed.')
  const first = await withTenant(actor, async (db) => {
    if ((await placeOf(db, actor, visitId)) !== 'mine') throw notFound('visit')
    const row = await find(db, photo.id)
    if (row) sameVisit(row, visitId)
    return row ? shown(db, row) : null
  })
  if (first) return first
  const image = await storeImage(actor, bytes)
  return withTenant(actor, async (db) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`photos:${visitId}`}, 0))`.execute(db)
    const row = await find(db, photo.id)
    if (row) {
      sameVisit(row, visitId)
      return shown(db, row)
    }
    const { n } = await db
      .selectFrom('visitPhotos')
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .where('businessId', '=', db.businessId)
      .where('visitId', '=', visitId)
      .executeTakeFirstOrThrow()
    if (Number(n) >= mostPhotos) throw conflict(`A visit keeps up to ${mostPhotos} photos. This one was not added.`)
    const fileId = await addFileTx(db, actor, 'photo', image)
    const made = { id: photo.id, visitId, fileId, kind: photo.kind }
    await db
      .insertInto('visitPhotos')
      .values({
        businessId: db.businessId,
        ...made,
        takenAt: photo.takenAt ?? null,
        caption: photo.item ?? '',
        createdBy: actor.userId,
        createdAt: clock.iso(),
      })
      .execute()
    await publishChange(db, 'visits', [visitId], await scopeOfVisit(db, visitId))
    return shown(db, made)
  })
}
