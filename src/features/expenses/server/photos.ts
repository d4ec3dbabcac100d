import { type Actor, userIdOf, type Who } from '../../../platform/actor.ts'
import { clock } from '../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../platform/db/tenant.ts'
import { publishChange } from '../../../platform/events/changes.ts'
import { refuse } from '../../../shared/can.ts'
import { AppError, conflict, notFound } from '../../../shared/errors.ts'
import { addFileTx, type StoredImage, storeImage } from '../../files/server/commands.ts'
import type { Expense, OwnReceipt } from '../contract.ts'
import { expenseRefusals } from '../rules.ts'
import { getOwnReceipt, lockExpense } from './commands.ts'
import { getExpense } from './queries.ts'

const find = (db: TenantDb, id: string) =>
  db
    .selectFrom('expenseReceipts')
    .select(['id', 'expenseId'])
    .where('businessId', '=', db.businessId)
    .where('id', '=', id)
    .executeTakeFirst()

const countOf = async (db: TenantDb, expenseId: string): Promise<number> => {
  const { n } = await db
    .selectFrom('expenseReceipts')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('businessId', '=', db.businessId)
    .where('expenseId', '=', expenseId)
    .where('removedAt', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(n)
}

/** Puts a stored picture, or a file that is registered already, on an expense; the same id again changes nothing. @throws AppError state_conflict */
export const addReceiptTx = async (
  db: TenantDb,
  who: Who,
  expenseId: string,
  id: string,
  file: StoredImage | string,
): Promise<void> => {
  const row = await lockExpense(db, expenseId)
  const known = await find(db, id)
  if (known && known.expenseId !== expenseId) throw conflict('This receipt already belongs to another expense.')
  if (known) return
  refuse(
    expenseRefusals.addPhoto({
      removed: row.deletedAt !== null,
      receiptCount: await countOf(db, expenseId),
      source: row.source,
    }),
  )
  const fileId = typeof file === 'string' ? file : await addFileTx(db, who, 'receipt', file, 'Receipt')
  await db
    .insertInto('expenseReceipts')
    .values({ businessId: db.businessId, id, expenseId, fileId, createdBy: userIdOf(who), createdAt: clock.iso() })
    .execute()
  await publishChange(db, 'expenses', [expenseId])
}

const bytesOf = (bytes: unknown): Buffer => {
  if (!Buffer.isBuffer(bytes) || bytes.byteLength === 0)
    throw new AppError('unsupported_media', 'Send the photo itself, as JPEG, PNG or WebP. Nothing was changed.')
  return bytes
}

/** @throws AppError not_found, unsupported_media, state_conflict */
export const addPhoto = async (actor: Actor, expenseId: string, id: string, bytes: unknown): Promise<Expense> => {
  await withTenant(actor, (db) => lockExpense(db, expenseId))
  const image = await storeImage(actor, bytesOf(bytes))
  return withTenant(actor, async (db) => {
    await addReceiptTx(db, actor, expenseId, id, image)
    return getExpense(db, actor, expenseId)
  })
}

/** A picture of what one handed in oneself, while the office has not looked at it. */
export const addOwnPhoto = async (actor: Actor, expenseId: string, id: string, bytes: unknown): Promise<OwnReceipt> => {
  await withTenant(actor, (db) => getOwnReceipt(db, actor.userId, expenseId))
  const image = await storeImage(actor, bytesOf(bytes))
  return withTenant(actor, async (db) => {
    await addReceiptTx(db, actor, expenseId, id, image)
    return getOwnReceipt(db, actor.userId, expenseId)
  })
}

/** Takes a picture off; its file stays on the disk like that of everything that is undone. */
export const removePhoto = (actor: Actor, expenseId: string, id: string): Promise<Expense> =>
  withTenant(actor, async (db) => {
    await lockExpense(db, expenseId)
    const taken = await db
      .updateTable('expenseReceipts')
      .set((eb) => ({ removedAt: eb.fn.coalesce('removedAt', eb.val(clock.iso())) }))
      .where('businessId', '=', db.businessId)
      .where('expenseId', '=', expenseId)
      .where('id', '=', id)
      .returning('id')
      .executeTakeFirst()
    if (!taken) throw notFound('receipt')
    await publishChange(db, 'expenses', [expenseId])
    return getExpense(db, actor, expenseId)
  })
