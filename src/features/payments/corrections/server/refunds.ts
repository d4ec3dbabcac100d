import { z } from 'zod'
import { type Actor, userIdOf, type Who } from '../../../../platform/actor.ts'
import { audit } from '../../../../platform/audit.ts'
import { clock } from '../../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { newId } from '../../../../platform/ids.ts'
import { enqueue, taskName } from '../../../../platform/tasks/task.ts'
import { refuse } from '../../../../shared/can.ts'
import { conflict, invalid } from '../../../../shared/errors.ts'
import { formatCents } from '../../../../shared/money.ts'
import { todayOf } from '../../../businesses/server/queries.ts'
import {
  goesBackByItself,
  noteShares,
  paymentRefusals,
  refundableCents,
  takeFrom,
  tooMuch,
} from '../../../invoices/corrections/rules.ts'
import { invoiceName, isOpen } from '../../../invoices/rules.ts'
import {
  addLedgerEntryTx,
  type ClosedMonthException,
  type LockedInvoice,
  reinstateTx,
  writeOffAgainTx,
} from '../../../invoices/server/commands.ts'
import { loseDiscountTx } from '../../discounts/server/rows.ts'
import { endPagesTx, exceptionOf } from '../../server/commands.ts'
import { moveTipTx } from '../../tips/server/rows.ts'
import type { Corrected, correctionsApi } from '../contract.ts'
import { answer, atMost } from './answer.ts'
import { addNoteTx, creditedTx } from './notes.ts'
import { allocateTx, lockPaymentTx, takeOffTx } from './rows.ts'

type RefundBody = z.output<(typeof correctionsApi)['refundPayment']['body']>

/** Asks the provider to give a card payment back; the work stands in tasks.ts. */
export const refundTask = taskName({ name: 'payments.refund', payload: z.object({ refundId: z.uuid() }) })

/**
 * Gives money back: first what lies on no invoice, then from the newest invoice that it was put on, which is open again or, where asked
 * for, credited. A tip goes back where that is said, else last. What came by card goes back through the provider, after the commit.
 */
export const refundPayment = (actor: Actor, paymentId: string, body: RefundBody): Promise<Corrected> =>
  withTenant(actor, (db) => refundTx(db, actor, paymentId, body))

/**
 * Credits an invoice by what was taken off it: credit of its notes that lies on no invoice stands in for the money, only the rest is a new note.
 * @param isFact the money went already: what cannot be credited any more stays open
 * @throws state_conflict where more would be credited than the invoice is over
 */
const creditInsteadTx = async (
  db: TenantDb,
  who: Who,
  opened: LockedInvoice,
  cents: number,
  { reason, onDay, isFact }: { reason: string; onDay: string; isFact: boolean },
  exception?: ClosedMonthException,
): Promise<LockedInvoice> => {
  const credited = await creditedTx(db, opened.id)
  let [invoice, left] = [opened, cents]
  for (const { part, cents: used } of takeFrom(credited.free, cents)) {
    invoice = await allocateTx(db, part.paymentId, invoice, used)
    left -= used
  }
  const room = opened.totalCents - credited.totalCents
  if (left > room && !isFact)
    throw conflict(
      `${formatCents(credited.totalCents)} of ${invoiceName(opened.number)} was credited before, and that credit paid something else. Nothing was changed: refund it without “They do not owe it again”, or refund less.`,
    )
  left = Math.min(left, room)
  if (left <= 0) return invoice
  const { customerId } = opened
  const shares = noteShares(left, opened, credited)
  const noteId = await addNoteTx(db, who, { customerId, invoice, amountCents: left, shares, reason, onDay }, exception)
  return allocateTx(db, noteId, invoice, left)
}

type Back = {
  amountCents: number
  /** What of it is the tip. */
  tipCents: number
  method: 'card' | 'ach' | 'check' | 'cash' | 'other'
  byProvider: boolean
  /** The provider gave it back already, under this id. */
  providerRefundId?: string
  onDay: string
  reason: string
  creditInvoices: boolean
  /** A credit that takes the place of the money on its invoices, where one is there already. */
  creditId?: string | undefined
  /** The invoice that it is taken off before the others. */
  invoiceId?: string | undefined
  exception?: ClosedMonthException | undefined
}

/** Takes money that goes back off a locked payment, its invoices and its tip, and books it. @returns the refund, and the invoices as they stand then */
export const takeBackTx = async (
  db: TenantDb,
  who: Who,
  { payment, taken }: Awaited<ReturnType<typeof lockPaymentTx>>,
  back: Back,
): Promise<{ refundId: string; invoices: LockedInvoice[] }> => {
  const { amountCents, tipCents, byProvider, providerRefundId, onDay, reason, invoiceId, exception } = back
  const { id: paymentId, customerId } = payment
  const refundId = newId()
  await db
    .insertInto('refunds')
    .values({
      businessId: db.businessId,
      id: refundId,
      paymentId,
      amountCents,
      method: back.method,
      byProvider,
      status: byProvider && !providerRefundId ? 'pending' : 'succeeded',
      providerRefundId: providerRefundId ?? null,
      reason,
      onDay,
      createdBy: userIdOf(who),
      createdAt: clock.iso(),
      updatedAt: clock.iso(),
    })
    .execute()
  const invoices: LockedInvoice[] = []
  const off = takeFrom(
    [
      ...taken.filter(({ invoice }) => invoice.id === invoiceId),
      ...taken.filter(({ invoice }) => invoice.id !== invoiceId),
    ].map((one) => ({ one, cents: one.allocatedCents })),
    amountCents - tipCents - Math.min(amountCents - tipCents, payment.restCents),
  )
  for (const { part, cents } of off) {
    await endPagesTx(db, part.one.invoice.id)
    const change = { amountCents: cents, reason, onDay, refundId }
    const isFact = providerRefundId !== undefined
    // what went already cannot be refused: the write-off stands aside for it, and stands again over what is still open
    const writtenOff = isFact && part.one.invoice.status === 'written_off'
    const from = writtenOff ? await reinstateTx(db, who, part.one.invoice, onDay) : part.one.invoice
    const opened = await takeOffTx(db, who, paymentId, { ...part.one, invoice: from }, change)
    const after = !back.creditInvoices
      ? await loseDiscountTx(db, who, paymentId, opened, cents, { onDay, exception })
      : back.creditId
        ? await allocateTx(db, back.creditId, opened, cents)
        : await creditInsteadTx(db, who, opened, cents, { reason, onDay, isFact }, exception)
    invoices.push(writtenOff && isOpen(after.status) ? await writeOffAgainTx(db, who, after, onDay) : after)
  }
  await moveTipTx(db, payment, -tipCents, { onDay, refundId }, exception)
  await db
    .updateTable('payments')
    .set((eb) => ({ refundedCents: eb('refundedCents', '+', amountCents) }))
    .where('businessId', '=', db.businessId)
    .where('id', '=', paymentId)
    .execute()
  await addLedgerEntryTx(
    db,
    { customerId, kind: 'refund', amountCents, refType: 'refund', refId: refundId, onDay },
    exception,
  )
  await audit(
    db,
    who,
    'payment.refund',
    { type: 'payment', id: paymentId },
    { after: { amountCents, tipCents, reason } },
  )
  return { refundId, invoices }
}

/** @param creditId a credit that takes the place of the money on its invoices, where one is there already */
export const refundTx = async (
  db: TenantDb,
  actor: Actor,
  paymentId: string,
  { amountCents, tipCents: wanted, method: way, onDay, reason, creditInvoices, invoiceId, exceptionReason }: RefundBody,
  creditId?: string,
): Promise<Corrected> => {
  const locked = await lockPaymentTx(db, paymentId)
  const { payment } = locked
  refuse(paymentRefusals.refund(payment))
  const byProvider = (way === 'provider' || way === 'card') && goesBackByItself(payment)
  const method = byProvider ? payment.method : way
  if (method === 'provider' || method === 'credit')
    throw invalid([
      { path: 'method', message: 'This payment did not come through the card provider: say how you give it back' },
    ])
  atMost(amountCents, refundableCents(payment), 'so much of it has not gone back yet')
  const besidesTip = refundableCents(payment) - payment.tipCents
  const tipCents = wanted ?? Math.max(0, amountCents - besidesTip)
  if (tipCents > Math.min(payment.tipCents, amountCents))
    throw invalid([
      { path: 'tipCents', message: tooMuch(Math.min(payment.tipCents, amountCents), 'so much of it is a tip') },
    ])
  atMost(amountCents - tipCents, besidesTip, 'the rest of it is the tip')
  if (onDay > (await todayOf(db))) throw invalid([{ path: 'onDay', message: 'This day has not come yet' }])
  if (onDay < payment.receivedOn) throw invalid([{ path: 'onDay', message: 'The payment came in after this day' }])
  const exception = exceptionOf(actor, { exceptionReason })
  const back = {
    amountCents,
    tipCents,
    method,
    byProvider,
    onDay,
    reason,
    creditInvoices,
    creditId,
    invoiceId,
    exception,
  }
  const { refundId, invoices } = await takeBackTx(db, actor, locked, back)
  if (byProvider) await enqueue(db, refundTask, { refundId }, { key: refundId })
  return answer(db, payment.customerId, amountCents, paymentId, invoices)
}
