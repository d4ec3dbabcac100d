import { sql } from 'kysely'
import type { Actor } from '../../../../platform/actor.ts'
import { clock } from '../../../../platform/clock.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { emit } from '../../../../platform/events/events.ts'
import { signedFilePath } from '../../../../platform/links.ts'
import type { StoredImage } from '../../../files/server/commands.ts'
import { addFileTx } from '../../../files/server/commands.ts'
import { commandTypes, conflictKindOf, type HeldType } from '../../rules.ts'
import type { Place } from '../members/queries.ts'

/** Photos of a visit that is with another crew by now, or gone. They wait with the work that they show, and are the visit's once that counts. */

export type PhotoKind = 'before' | 'after' | 'other'
export type NewPhoto = {
  id: string
  kind: PhotoKind
  takenAt?: string
  item?: string
  latitude?: number
  longitude?: number
  accuracyMeters?: number
}

/** Where it was taken: both halves of a place, or none. */
export const placeColumns = ({ latitude, longitude, accuracyMeters }: NewPhoto) =>
  latitude === undefined || longitude === undefined
    ? {}
    : { latitude, longitude, accuracyMeters: accuracyMeters ?? null }

/** What is decided together with photos. Money, treatments, extras and skips are answered by themselves. */
const workTypes = ([...commandTypes, 'photo'] satisfies HeldType[]).filter((type) => conflictKindOf(type) === 'work')

export const findHeld = (db: TenantDb, actor: Actor, id: string) =>
  db
    .selectFrom('heldPhotos')
    .select(['id', 'fileId', 'kind'])
    .where('businessId', '=', db.businessId)
    .where('userId', '=', actor.userId)
    .where('id', '=', id)
    .where('commandId', 'is', null)
    .$narrowType<{ kind: PhotoKind }>()
    .executeTakeFirst()

/** What the office has said about this person's work on a visit: nothing yet, or the newest answer; undefined where it never heard of any. */
export const workHeld = async (
  db: TenantDb,
  actor: Actor,
  visitId: string,
): Promise<{ decision: 'counts' | 'stands' | null } | undefined> =>
  db
    .selectFrom('crewCommands')
    .select('decision')
    .where('businessId', '=', db.businessId)
    .where('userId', '=', actor.userId)
    .where('visitId', '=', visitId)
    .where('result', '=', 'conflict')
    .where('type', 'in', workTypes)
    .orderBy(sql`decided_at is null`, 'desc')
    .orderBy('decidedAt', 'desc')
    .limit(1)
    .executeTakeFirst()

/** Keeps a photo until the office decides. One that comes without a tap tells the office by itself. */
export const holdPhotoTx = async (
  db: TenantDb,
  actor: Actor,
  visitId: string,
  photo: NewPhoto,
  image: StoredImage,
  place: Place,
) => {
  const fileId = await addFileTx(db, actor, 'photo', image)
  const takenAt = photo.takenAt ?? null
  await db
    .insertInto('heldPhotos')
    .values({
      businessId: db.businessId,
      id: photo.id,
      userId: actor.userId,
      visitId,
      fileId,
      kind: photo.kind,
      caption: photo.item ?? '',
      ...placeColumns(photo),
      takenAt,
      createdAt: clock.iso(),
    })
    .execute()
  if (!(await workHeld(db, actor, visitId))) {
    const at = takenAt && Date.parse(takenAt) < clock.nowMs() ? takenAt : clock.iso()
    await db
      .insertInto('crewCommands')
      .values({
        businessId: db.businessId,
        id: photo.id,
        userId: actor.userId,
        type: 'photo',
        visitId,
        payload: '{}',
        deviceAt: at,
        happenedAt: at,
        receivedAt: clock.iso(),
        result: 'conflict',
        reason: place === 'unknown' ? 'not_found' : 'not_yours',
      })
      .execute()
    await emit(db, 'command.conflicted', { commandId: photo.id, visitId })
  }
  return { id: photo.id, kind: photo.kind, url: signedFilePath(db.businessId, fileId) }
}

/** What counts is the visit's, with its photos. */
export const releasePhotosTx = async (db: TenantDb, visitId: string, userIds: readonly string[]): Promise<void> => {
  const rows = await db
    .deleteFrom('heldPhotos')
    .where('businessId', '=', db.businessId)
    .where('visitId', '=', visitId)
    .where('userId', 'in', [...userIds])
    // a check is no photo of the visit, which customers see
    .where('commandId', 'is', null)
    .returning([
      'id',
      'visitId',
      'fileId',
      'kind',
      'caption',
      'takenAt',
      'userId as createdBy',
      'createdAt',
      'latitude',
      'longitude',
      'accuracyMeters',
    ])
    .$narrowType<{ kind: PhotoKind }>()
    .execute()
  if (rows.length === 0) return
  await db
    .insertInto('visitPhotos')
    .values(rows.map((row) => ({ businessId: db.businessId, ...row })))
    .onConflict((c) => c.doNothing())
    .execute()
}
