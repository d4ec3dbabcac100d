import type { Actor } from '../../../../platform/actor.ts'
import { clock } from '../../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { newId } from '../../../../platform/ids.ts'
import { AppError, notFound } from '../../../../shared/errors.ts'
import { addFileTx, storeImage } from '../../../files/server/commands.ts'
import { findOwnReceipt, putCheckPhotoTx } from '../../../payments/door/server/commands.ts'
import { holdClockTx } from '../../../timeclock/server/commands.ts'

/** Photos of checks. One whose money is not booked, because its visit is gone or with another crew, waits with the money: it shows whose it is. */

/** The visit at which this person took money that was not booked, whatever the office has said to it since. */
const findUnbooked = (db: TenantDb, actor: Actor, commandId: string) =>
  db
    .selectFrom('crewCommands')
    .select('visitId')
    .where('businessId', '=', db.businessId)
    .where('id', '=', commandId)
    .where('userId', '=', actor.userId)
    .where('type', '=', 'collect')
    .where('result', '=', 'conflict')
    .forUpdate()
    .executeTakeFirst()

const isHeld = async (db: TenantDb, commandId: string): Promise<boolean> =>
  (await db
    .selectFrom('heldPhotos')
    .select('id')
    .where('businessId', '=', db.businessId)
    .where('commandId', '=', commandId)
    .executeTakeFirst()) !== undefined

/**
 * Keeps the photo of a check: with the receipt of its money, or with the money that waits for a decision. A second one changes nothing.
 * @throws AppError unsupported_media, not_found
 */
export const addCheckPhoto = async (actor: Actor, commandId: string, bytes: unknown): Promise<void> => {
  if (!Buffer.isBuffer(bytes) || bytes.byteLength === 0)
    throw new AppError('unsupported_media', 'Send the photo itself, as JPEG, PNG or WebP. Nothing was changed.')
  /** What waits for a photo; null where it has one. */
  const wanted = async (db: TenantDb) => {
    const receipt = await findOwnReceipt(db, actor, commandId)
    if (receipt) return receipt.photoFileId ? null : ('receipt' as const)
    const unbooked = await findUnbooked(db, actor, commandId)
    if (!unbooked?.visitId) throw notFound('receipt')
    return (await isHeld(db, commandId)) ? null : unbooked.visitId
  }
  if (!(await withTenant(actor, wanted))) return
  const image = await storeImage(actor, bytes)
  await withTenant(actor, async (db) => {
    // a decision that books the money takes this lock, too: its photo is held before it, or goes to the receipt after it
    await holdClockTx(db, actor.userId)
    const place = await wanted(db)
    if (!place) return
    const fileId = await addFileTx(db, actor, 'receipt', image, 'Check')
    if (place === 'receipt') return putCheckPhotoTx(db, commandId, fileId)
    await db
      .insertInto('heldPhotos')
      .values({
        businessId: db.businessId,
        id: newId(),
        userId: actor.userId,
        visitId: place,
        fileId,
        kind: 'check',
        commandId,
        createdAt: clock.iso(),
      })
      .execute()
  })
}

/** The money is booked: what waited with it stands with its receipt. */
export const releaseCheckTx = async (db: TenantDb, commandId: string): Promise<void> => {
  const row = await db
    .deleteFrom('heldPhotos')
    .where('businessId', '=', db.businessId)
    .where('commandId', '=', commandId)
    .returning('fileId')
    .executeTakeFirst()
  if (row) await putCheckPhotoTx(db, commandId, row.fileId)
}
