import { systemActor } from '../../../../platform/actor.ts'
import { asBusinessId, type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { newId } from '../../../../platform/ids.ts'
import type { ReceiptMail } from '../../../../platform/mail/inbound.ts'
import { type StoredObject, storeObject } from '../../../../platform/storage.ts'
import { linkTo } from '../../../../shared/links.ts'
import { todayOf } from '../../../businesses/server/queries.ts'
import { imageKindOf, isPdf } from '../../../files/rules.ts'
import { addDocumentTx, type StoredImage, storeImage } from '../../../files/server/commands.ts'
import { notifyOffice } from '../../../notifications/server/commands.ts'
import { mostReceipts } from '../../rules.ts'
import { addExpenseTx, categoryOf } from '../../server/commands.ts'
import { addReceiptTx } from '../../server/photos.ts'
import { totalIn, vendorOf } from '../rules.ts'

type Kept = { image: StoredImage } | { pdf: StoredObject; name: string }

/** A picture or a PDF; what is neither, or broken, is left out. */
const keep = async (businessId: string, { bytes, name }: ReceiptMail['files'][number]): Promise<Kept | null> => {
  const who = systemActor(asBusinessId(businessId))
  if (isPdf(bytes)) return { pdf: await storeObject(who.businessId, Buffer.from(bytes)), name }
  if (!imageKindOf(bytes)) return null
  return storeImage(who, bytes).then(
    (image) => ({ image }),
    () => null,
  )
}

const knows = async (db: TenantDb): Promise<boolean> =>
  (await db
    .selectFrom('businesses')
    .select('businessId')
    .where('businessId', '=', db.businessId)
    .executeTakeFirst()) !== undefined

const attach = async (db: TenantDb, expenseId: string, kept: Kept): Promise<void> => {
  const who = systemActor(db.businessId)
  const file =
    'image' in kept
      ? kept.image
      : await addDocumentTx(db, 'receipt', { ...kept.pdf, mime: 'application/pdf', name: kept.name || 'Receipt.pdf' })
  await addReceiptTx(db, who, expenseId, newId(), file)
}

/**
 * Takes in a receipt by mail: an expense that waits for the office, with what came with it. A mail that comes twice is one expense.
 * @returns false when the business is not there any more
 */
export const receiveReceiptMail = async (businessId: string, mail: ReceiptMail): Promise<boolean> => {
  const who = systemActor(asBusinessId(businessId))
  if (!(await withTenant(who, knows))) return false
  const found = await Promise.all(mail.files.map((file) => keep(businessId, file)))
  const kept = found.filter((one) => one !== null).slice(0, mostReceipts)
  const left = mail.files.length - kept.length
  return withTenant(who, async (db) => {
    const cents = totalIn(mail.text) ?? 0
    const vendor = vendorOf(mail.from)
    const note = [
      mail.subject,
      left > 0 ? `${left === 1 ? 'A file' : `${left} files`} of the mail from ${mail.from} could not be kept.` : '',
    ]
    const id = await addExpenseTx(db, who, {
      day: await todayOf(db),
      categoryId: await categoryOf(db, 'other'),
      vendor,
      note: note.filter(Boolean).join('\n').slice(0, 1000),
      totalCents: cents,
      taxCents: 0,
      method: 'card',
      paidByUserId: null,
      reimbursedOn: null,
      parts: [],
      source: 'mail',
      review: true,
      ...(mail.messageId ? { sourceKey: `mail:${mail.messageId}` } : {}),
    })
    if (id === null) return true
    for (const one of kept) await attach(db, id, one)
    await notifyOffice(db, {
      type: 'system',
      title: `A receipt came by mail${vendor ? ` from ${vendor}` : ''}`,
      content: 'Look at it once, then it is in the books.',
      path: linkTo.expense(id),
      dedupeKey: `receipt-mail:${id}`,
    })
    return true
  })
}
