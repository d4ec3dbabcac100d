import type { z } from 'zod'
import type { Actor } from '../../../../platform/actor.ts'
import { audit } from '../../../../platform/audit.ts'
import { clock } from '../../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { emit } from '../../../../platform/events/events.ts'
import { newId } from '../../../../platform/ids.ts'
import { dayOf } from '../../../../shared/dates.ts'
import { conflict, invalid, notFound } from '../../../../shared/errors.ts'
import { linkTo } from '../../../../shared/links.ts'
import { formatCents } from '../../../../shared/money.ts'
import { toE164 } from '../../../../shared/phone.ts'
import { discountsOf } from '../../../businesses/cashdiscount/rules.ts'
import { getCashDiscount, todayOf } from '../../../businesses/server/queries.ts'
import { getContact } from '../../../customers/server/queries.ts'
import { checkOpenDaysTx } from '../../../invoices/closing/server/commands.ts'
import { receiptName } from '../../../invoices/papers/rules.ts'
import { isOpen } from '../../../invoices/rules.ts'
import { addLedgerEntryTx, type LockedInvoice, lockInvoicesTx, openDayTx } from '../../../invoices/server/commands.ts'
import { recordConsent } from '../../../messages/server/commands.ts'
import { notifyOffice } from '../../../notifications/server/commands.ts'
import { addOwnPaymentTx, allocateTx } from '../../corrections/server/rows.ts'
import { giveDiscountTx } from '../../discounts/server/rows.ts'
import { endPagesTx } from '../../server/commands.ts'
import { moveTipTx, shareTipTx } from '../../tips/server/rows.ts'
import type { doorApi, FieldCash } from '../contract.ts'
import { type DoorMethod, type ReceiptWay, reasonMissing, referenceOf } from '../rules.ts'
import { findReceiptContact, getFieldCash, listOpenOf } from './queries.ts'

export type DoorMoney = {
  /** The id of the phone's command, and of the receipt. */
  id: string
  /** Null where the visit is deleted by now. */
  visitId: string | null
  /** Whose money it is, where no visit says so. */
  customerId?: string
  amountCents: number
  /** What of it is for the crew. */
  tipCents?: number
  method: DoorMethod
  checkNumber: string
  /** ISO instant at which it was taken, on our clock. */
  at: string
}

const openCentsOf = ({ totalCents, paidCents }: LockedInvoice): number => totalCents - paidCents

/**
 * Books money that a crew took at the door: on the customer's open invoices, the oldest first, and what is more is their credit. It was really
 * taken, so nothing refuses it, also a tip that the business does not ask for: what was taken in a month that is closed by now is booked in the open one, and the payment says so.
 */
export const collectTx = async (
  db: TenantDb,
  actor: Actor,
  { id, visitId, customerId: payer = '', amountCents, tipCents: wanted = 0, method, checkNumber, at }: DoorMoney,
): Promise<void> => {
  const { customerId } = visitId
    ? await db
        .selectFrom('visits')
        .select('customerId')
        .where('businessId', '=', db.businessId)
        .where('id', '=', visitId)
        .executeTakeFirstOrThrow()
    : { customerId: payer }
  const tipCents = Math.min(wanted, amountCents)
  const { day, note } = await openDayTx(db, dayOf(at, actor.timeZone))
  const open = await listOpenOf(db, customerId)
  const locked = new Map((await lockInvoicesTx(db, open)).map((invoice) => [invoice.id, invoice]))
  const { id: paymentId } = await addOwnPaymentTx(db, actor, {
    customerId,
    method,
    amountCents,
    receivedOn: day,
    note: [method === 'check' ? `Check ${checkNumber}` : '', note].filter(Boolean).join('. '),
    tipVisitId: tipCents > 0 ? visitId : null,
  })
  await db
    .insertInto('doorReceipts')
    .values({
      businessId: db.businessId,
      id,
      paymentId,
      userId: actor.userId,
      visitId,
      reference: referenceOf(id),
      checkNumber: method === 'check' ? checkNumber : '',
      collectedAt: at,
      createdAt: clock.iso(),
    })
    .execute()
  let left = amountCents - tipCents
  // asked once more under the lock: what was voided, written off, paid or disputed while we waited for it takes no money
  const invoices = open
    .flatMap((invoiceId) => locked.get(invoiceId) ?? [])
    .filter(({ status, disputed }) => isOpen(status) && !disputed)
  const off = discountsOf(invoices.map(openCentsOf), left, await getCashDiscount(db))
  const touched: { id: string; openCents: number }[] = []
  for (const [at, before] of invoices.entries()) {
    const mostCents = off[at] ?? 0
    const cents = Math.min(left, openCentsOf(before) - mostCents)
    if (cents <= 0) continue
    left -= cents
    // an open payment page asks for a balance that no longer holds
    await endPagesTx(db, before.id)
    const put = await allocateTx(db, paymentId, before, cents)
    const after = await giveDiscountTx(db, actor, paymentId, put, { paidCents: cents, mostCents, onDay: day })
    if (after.status === 'paid') await emit(db, 'invoice.paid', { invoiceId: before.id, paymentId, by: 'money', cents })
    touched.push({ id: before.id, openCents: openCentsOf(after) })
  }
  await addLedgerEntryTx(db, {
    customerId,
    kind: 'payment',
    amountCents: -amountCents,
    refType: 'payment',
    refId: paymentId,
    onDay: day,
  })
  if (tipCents > 0) {
    await moveTipTx(db, { id: paymentId, customerId }, tipCents, { onDay: day })
    await shareTipTx(db, paymentId, { visitId, takenBy: actor.userId }, tipCents)
  }
  const last = touched.at(-1)
  if (last)
    await emit(db, 'payment.recorded', {
      paymentId,
      invoiceId: last.id,
      overpaymentCents: left,
      stillOpenCents: last.openCents,
    })
  else if (left > 0)
    await notifyOffice(db, {
      type: 'invoice',
      title: `${(await getContact(db, customerId)).name} paid ${formatCents(left)} at the door, and nothing was open`,
      content: 'All of it stands as their credit. Give it back, or use it on an invoice.',
      customerId,
      path: linkTo.customer(customerId, { part: 'invoices' }),
      dedupeKey: `surplus:${paymentId}`,
    })
  if (left > 0) await emit(db, 'credit.added', { customerId, paymentId, deposit: false })
  await audit(
    db,
    actor,
    'payment.door',
    { type: 'payment', id: paymentId },
    { after: { method, amountCents, tipCents, visitId } },
  )
  await publishChange(
    db,
    'invoices',
    touched.map((one) => one.id),
  )
  await publishChange(db, 'payments', [paymentId])
  await publishChange(db, 'customers', [customerId])
}

/**
 * Asks for the receipt of money taken at the door; the same key sends it once.
 * @param atDoor the customer asked for it in person, which is their word on texts of this kind
 * @throws not_found, state_conflict where there is no way
 */
export const wantReceiptTx = async (
  db: TenantDb,
  actor: Actor,
  receiptId: string,
  { by, key, atDoor }: { by: ReceiptWay; key: string; atDoor: boolean },
): Promise<void> => {
  const contact = await findReceiptContact(db, receiptId)
  if (!contact) throw notFound('receipt')
  if (contact.status === 'reversed') throw conflict('This receipt was voided, so it is not sent any more.')
  if (by === 'email' ? !contact.email : !contact.phone)
    throw conflict(
      by === 'email'
        ? `${contact.name} has no e-mail address on file. Add one first.`
        : `${contact.name} has no phone number on file. Add one first.`,
    )
  const number = by === 'sms' && contact.phone ? toE164(contact.phone) : null
  if (by === 'sms' && !number)
    throw conflict(`The phone number of ${contact.name} is not one that texts reach. Put it right first.`)
  if (atDoor && number)
    await recordConsent(db, {
      channel: 'sms',
      address: number,
      purpose: 'transactional',
      action: 'grant',
      source: 'door receipt',
      wording: 'The customer asked for the receipt as a text when they paid at the door.',
      actorId: actor.userId,
    })
  await emit(db, 'door.receiptWanted', { receiptId, by, key })
}

/** The office sends a receipt once more. */
export const sendReceiptAgain = (actor: Actor, receiptId: string, by: ReceiptWay): Promise<void> =>
  withTenant(actor, async (db) => {
    await wantReceiptTx(db, actor, receiptId, { by, key: newId(), atDoor: false })
    await audit(db, actor, 'receipt.send', { type: 'doorReceipt', id: receiptId }, { after: { by } })
  })

/** A person's own receipt, and whether the photo of its check is there; none where the money is not booked. */
export const findOwnReceipt = (db: TenantDb, actor: Actor, receiptId: string) =>
  db
    .selectFrom('doorReceipts')
    .select(['paymentId', 'photoFileId'])
    .where('businessId', '=', db.businessId)
    .where('id', '=', receiptId)
    .where('userId', '=', actor.userId)
    .forUpdate()
    .executeTakeFirst()

/** The photo of a check stands with its money; the first one stays. */
export const putCheckPhotoTx = async (db: TenantDb, receiptId: string, fileId: string): Promise<void> => {
  const row = await db
    .updateTable('doorReceipts')
    .set({ photoFileId: fileId })
    .where('businessId', '=', db.businessId)
    .where('id', '=', receiptId)
    .where('photoFileId', 'is', null)
    .returning('paymentId')
    .executeTakeFirst()
  if (row) await publishChange(db, 'payments', [row.paymentId])
}

type Body<Name extends 'handIn' | 'undoHandIn'> = z.output<(typeof doorApi)[Name]['body']>

/** The office has counted what a person brought. What is handed in already, was voided or is somebody else's refuses the whole. */
export const handInCash = (
  actor: Actor,
  { userId, receiptIds, countedCents, reason }: Body<'handIn'>,
): Promise<FieldCash> =>
  withTenant(actor, async (db) => {
    const ids = [...new Set(receiptIds)].sort()
    const rows = await db
      .selectFrom('doorReceipts as d')
      .innerJoin('payments as p', (join) =>
        join.onRef('p.businessId', '=', 'd.businessId').onRef('p.id', '=', 'd.paymentId'),
      )
      .select(['d.id', 'd.handInId', 'p.method', 'p.amountCents', 'p.status', 'p.receiptNumber'])
      .where('d.businessId', '=', db.businessId)
      .where('d.userId', '=', userId)
      .where('d.id', 'in', ids)
      .orderBy('p.id')
      .forUpdate()
      .execute()
    if (rows.length < ids.length) throw notFound('receipt')
    const gone = rows.find((row) => row.handInId !== null || row.status === 'reversed')
    if (gone)
      throw conflict(
        `${receiptName(gone.receiptNumber ?? 0)} was ${gone.handInId === null ? 'voided' : 'handed in'} meanwhile. Nothing was changed: look at the list again.`,
      )
    const sumOf = (method: DoorMethod) =>
      rows.filter((row) => row.method === method).reduce((sum, row) => sum + row.amountCents, 0)
    const cashCents = sumOf('cash')
    if (countedCents !== cashCents && !reason) throw invalid([{ path: 'reason', message: reasonMissing }])
    const id = newId()
    const onDay = await todayOf(db)
    await checkOpenDaysTx(db, [{ onDay, what: 'Cash handed in' }], { who: actor })
    const handIn = {
      userId,
      onDay,
      cashCents,
      countedCents,
      checkCents: sumOf('check'),
      checkCount: rows.filter(({ method }) => method === 'check').length,
      reason,
    }
    await db
      .insertInto('cashHandIns')
      .values({ businessId: db.businessId, id, ...handIn, confirmedBy: actor.userId, createdAt: clock.iso() })
      .execute()
    await db
      .updateTable('doorReceipts')
      .set({ handInId: id })
      .where('businessId', '=', db.businessId)
      .where('id', 'in', ids)
      .execute()
    await audit(db, actor, 'cash.handIn', { type: 'cashHandIn', id }, { after: handIn })
    await publishChange(db, 'payments')
    return getFieldCash(db)
  })

/** Takes a hand-in back that was confirmed by mistake: the person holds the money again. */
export const undoHandIn = (actor: Actor, id: string, { reason }: Body<'undoHandIn'>): Promise<FieldCash> =>
  withTenant(actor, async (db) => {
    const row = await db
      .selectFrom('cashHandIns')
      .select(['undoneOn'])
      .where('businessId', '=', db.businessId)
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst()
    if (!row) throw notFound('hand-in')
    if (row.undoneOn) throw conflict('This hand-in was undone before. Nothing was changed.')
    // one that was voided since was given back out of the till, so it is in nobody's hands
    const voided = await db
      .selectFrom('doorReceipts as d')
      .innerJoin('payments as p', (join) =>
        join.onRef('p.businessId', '=', 'd.businessId').onRef('p.id', '=', 'd.paymentId'),
      )
      .select(['p.receiptNumber', 'p.status'])
      .where('d.businessId', '=', db.businessId)
      .where('d.handInId', '=', id)
      .orderBy('p.id')
      .forUpdate()
      .execute()
    const gone = voided.find(({ status }) => status === 'reversed')
    if (gone)
      throw conflict(
        `${receiptName(gone.receiptNumber ?? 0)} of this hand-in was voided since, so it cannot be undone. Nothing was changed.`,
      )
    const undoneOn = await todayOf(db)
    await checkOpenDaysTx(db, [{ onDay: undoneOn, what: 'Hand-in undone' }], { who: actor })
    await db
      .updateTable('cashHandIns')
      .set({ undoneOn, undoneReason: reason, undoneBy: actor.userId })
      .where('businessId', '=', db.businessId)
      .where('id', '=', id)
      .execute()
    await db
      .updateTable('doorReceipts')
      .set({ handInId: null })
      .where('businessId', '=', db.businessId)
      .where('handInId', '=', id)
      .execute()
    await audit(db, actor, 'cash.handIn.undo', { type: 'cashHandIn', id }, { after: { reason } })
    await publishChange(db, 'payments')
    return getFieldCash(db)
  })
