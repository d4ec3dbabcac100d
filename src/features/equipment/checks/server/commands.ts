import { sql } from 'kysely'
import type { Actor } from '../../../../platform/actor.ts'
import { audit } from '../../../../platform/audit.ts'
import { clock } from '../../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import type { Day } from '../../../../shared/dates.ts'
import { AppError, conflict, notFound } from '../../../../shared/errors.ts'
import { linkTo } from '../../../../shared/links.ts'
import { addFileTx, storeImage } from '../../../files/server/commands.ts'
import { notifyOffice, settleNotice } from '../../../notifications/server/commands.ts'
import { bringBackTx, takeOutTx } from '../../server/commands.ts'
import { stopOf } from '../../server/piece.ts'
import { readByPhoneTx } from '../../server/readings.ts'
import type { TruckCheck, TruckDefect } from '../contract.ts'
import { defectTitle } from '../rules.ts'
import { getDefect } from './queries.ts'

type Piece = {
  id: string
  name: string
  meter: 'hours' | 'miles' | null
  archivedAt: string | null
  backSince: string | null
}

/** The pieces that a check names, locked in the order of their ids; what is not of this business, or gone, is none. */
const lockPieces = async (db: TenantDb, check: TruckCheck): Promise<Map<string, Piece>> => {
  const ids = [...check.readings, ...check.answers].flatMap(({ equipmentId }) => equipmentId ?? [])
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('equipment')
    .select(['id', 'name', 'meter', 'archivedAt', 'backSince'])
    .where('businessId', '=', db.businessId)
    .where('id', 'in', [...new Set(ids)])
    .orderBy('id')
    .forUpdate()
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

const reasonOf = (item: string, note: string): string => [item, note].filter(Boolean).join('. ').slice(0, 300)

const noticeKey = (defectId: string): string => `defect:${defectId}`

const keepDefects = async (
  db: TenantDb,
  actor: Actor,
  { id, crewId, at, check }: PhoneCheck,
  pieces: ReadonlyMap<string, Piece>,
): Promise<void> => {
  for (const { equipmentId, item, ok, defect } of check.answers) {
    if (ok || !defect) continue
    const piece = equipmentId ? (pieces.get(equipmentId) ?? null) : null
    const kept = await db
      .insertInto('truckDefects')
      .values({
        businessId: db.businessId,
        id: defect.id,
        checkId: id,
        crewId,
        equipmentId: piece?.id ?? null,
        item,
        note: defect.note,
        stops: defect.stops,
        photoIds: [...new Set(defect.photoIds)],
        userId: actor.userId,
        foundAt: at,
      })
      .onConflict((c) => c.columns(['businessId', 'id']).doNothing())
      .returning('id')
      .executeTakeFirst()
    if (!kept || !defect.stops) continue
    const title = defectTitle({ equipment: piece?.name ?? null, item })
    // a phone without a signal tells late: what was brought back since then is not taken out by what was before
    const wasBack = piece?.backSince != null && Date.parse(at) <= Date.parse(piece.backSince)
    if (piece && !wasBack && piece.archivedAt === null)
      await takeOutTx(db, actor, piece.id, { reason: reasonOf(item, defect.note), at, defectId: defect.id })
    await notifyOffice(db, {
      type: 'other',
      topic: 'needsYou',
      title: wasBack ? `${title}: found before it was back in service` : `${title}: the crew cannot use it`,
      content: defect.note,
      path: piece ? linkTo.equipment(piece.id) : linkTo.equipmentList(),
      dedupeKey: noticeKey(defect.id),
    })
  }
}

export type PhoneCheck = {
  /** Of the phone's command. */
  id: string
  /** The person's crew that day; null for who is on none any more: what was seen is kept all the same. */
  crewId: string | null
  /** When it was done, on our clock. */
  at: string
  day: Day
  check: TruckCheck
}

/**
 * What a crew saw when it looked at its truck. The first check of a crew and day is its check; what a second phone did without a signal is kept
 * beside it, and nothing that it found is lost.
 * @returns false when the id is another check's
 */
export const keepCheckTx = async (db: TenantDb, actor: Actor, one: PhoneCheck): Promise<boolean> => {
  const pieces = await lockPieces(db, one.check)
  const kept = await db
    .insertInto('truckChecks')
    .values({
      businessId: db.businessId,
      id: one.id,
      crewId: one.crewId,
      day: one.day,
      userId: actor.userId,
      checkedAt: one.at,
      answers: JSON.stringify(one.check.answers.map(({ item, equipmentId, ok }) => ({ item, equipmentId, ok }))),
      createdAt: clock.iso(),
    })
    .onConflict((c) => c.columns(['businessId', 'id']).doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!kept) return false
  for (const { equipmentId, tenths } of one.check.readings) {
    const piece = pieces.get(equipmentId)
    if (piece) await readByPhoneTx(db, actor, piece, { tenths, at: one.at, on: one.day })
  }
  await keepDefects(db, actor, one, pieces)
  await publishChange(db, 'equipment', [...pieces.keys()], { days: [one.day], crewIds: [one.crewId] })
  return true
}

/**
 * What becomes of the piece whose defect is dealt with: back in service only where nothing else keeps it out; where another defect does, its reason
 * is that one's.
 * @throws state_conflict when it is to be back and may not
 */
const settleOut = async (
  db: TenantDb,
  actor: Actor,
  equipmentId: string,
  defectId: string,
  back: boolean,
): Promise<void> => {
  const piece = await db
    .selectFrom('equipment')
    .select(['name', 'outSince', 'outReason', 'outDefectId'])
    .where('businessId', '=', db.businessId)
    .where('id', '=', equipmentId)
    .executeTakeFirstOrThrow()
  if (piece.outSince === null) return
  const other = await stopOf(db, equipmentId, defectId)
  if (back && piece.outDefectId === null)
    throw conflict(
      `${piece.name} was taken out of service for another reason: ${piece.outReason}. Say “dealt with” without bringing it back, then bring it back on its own page. Nothing was changed.`,
    )
  if (back && other)
    throw conflict(
      `${piece.name} stays out of service: ${other.item} is not dealt with. Say “dealt with” without bringing it back. Nothing was changed.`,
    )
  if (back) return bringBackTx(db, actor, equipmentId)
  if (other && piece.outDefectId === defectId)
    await db
      .updateTable('equipment')
      .set((eb) => ({
        outReason: reasonOf(other.item, other.note),
        outDefectId: other.id,
        version: eb('version', '+', 1),
        updatedAt: clock.iso(),
      }))
      .where('businessId', '=', db.businessId)
      .where('id', '=', equipmentId)
      .execute()
}

/** A defect is dealt with; what is so already stays. @throws not_found, state_conflict */
export const settleDefect = (
  actor: Actor,
  id: string,
  { note, back }: { note: string; back: boolean },
): Promise<TruckDefect> =>
  withTenant(actor, async (db) => {
    const { equipment, crew } = await getDefect(db, id)
    // in the order in which checks and the office take them: the piece before its defects
    if (equipment)
      await db
        .selectFrom('equipment')
        .select('id')
        .where('businessId', '=', db.businessId)
        .where('id', '=', equipment.id)
        .forUpdate()
        .execute()
    const dealtWith = await db
      .updateTable('truckDefects')
      .set({ settledAt: clock.iso(), settledBy: actor.userId, settledNote: note })
      .where('businessId', '=', db.businessId)
      .where('id', '=', id)
      .where('settledAt', 'is', null)
      .returning('id')
      .executeTakeFirst()
    if (!dealtWith) return getDefect(db, id)
    if (equipment) await settleOut(db, actor, equipment.id, id, back)
    await settleNotice(db, noticeKey(id))
    await audit(
      db,
      actor,
      'defect.settle',
      { type: 'equipment', id: equipment?.id ?? null },
      { after: { id, note, back } },
    )
    await publishChange(db, 'equipment', equipment ? [equipment.id] : [], { crewIds: [crew?.id] })
    return getDefect(db, id)
  })

const findOwn = async (db: TenantDb, actor: Actor, defectId: string) => {
  const defect = await db
    .selectFrom('truckDefects')
    .select(['photoIds', 'equipmentId'])
    .where('businessId', '=', db.businessId)
    .where('id', '=', defectId)
    .where('userId', '=', actor.userId)
    .executeTakeFirst()
  if (!defect) throw notFound('defect')
  return defect
}

const hasPhoto = async (db: TenantDb, defectId: string, photoId: string): Promise<boolean> => {
  const photo = await db
    .selectFrom('truckDefectPhotos')
    .select('defectId')
    .where('businessId', '=', db.businessId)
    .where('id', '=', photoId)
    .executeTakeFirst()
  if (photo && photo.defectId !== defectId) throw conflict('This photo already belongs to another defect.')
  return photo !== undefined
}

/** Keeps a photo of one's own defect; the same id again answers the first one. @throws not_found, unsupported_media, state_conflict */
export const addDefectPhoto = async (
  actor: Actor,
  defectId: string,
  photoId: string,
  bytes: unknown,
): Promise<{ id: string }> => {
  const isKept = await withTenant(actor, async (db) => {
    const { photoIds } = await findOwn(db, actor, defectId)
    if (!photoIds.includes(photoId)) throw notFound('photo')
    return hasPhoto(db, defectId, photoId)
  })
  if (isKept) return { id: photoId }
  if (!Buffer.isBuffer(bytes) || bytes.byteLength === 0)
    throw new AppError('unsupported_media', 'Send the photo itself, as JPEG, PNG or WebP. Nothing was changed.')
  const image = await storeImage(actor, bytes)
  return withTenant(actor, async (db) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`defect-photo:${defectId}`}, 0))`.execute(db)
    const { equipmentId } = await findOwn(db, actor, defectId)
    if (!(await hasPhoto(db, defectId, photoId))) {
      const fileId = await addFileTx(db, actor, 'photo', image)
      await db
        .insertInto('truckDefectPhotos')
        .values({ businessId: db.businessId, id: photoId, defectId, fileId, createdAt: clock.iso() })
        .execute()
      await publishChange(db, 'equipment', equipmentId ? [equipmentId] : [])
    }
    return { id: photoId }
  })
}
