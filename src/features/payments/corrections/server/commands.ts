import { z } from 'zod'
import { type Actor, userIdOf, type Who } from '../../../../platform/actor.ts'
import { audit } from '../../../../platform/audit.ts'
import { clock } from '../../../../platform/clock.ts'
import { nextNumber } from '../../../../platform/db/counters.ts'
import { type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { emit } from '../../../../platform/events/events.ts'
import { newId } from '../../../../platform/ids.ts'
import { enqueue, taskName } from '../../../../platform/tasks/task.ts'
import { refuse } from '../../../../shared/can.ts'
import { invalid } from '../../../../shared/errors.ts'
import { todayOf } from '../../../businesses/server/queries.ts'
import { getContact } from '../../../customers/server/queries.ts'
import { noteShares, paymentRefusals, refundableCents, takeFrom, tooMuch } from '../../../invoices/corrections/rules.ts'
import { sumCredit } from '../../../invoices/corrections/server/queries.ts'
import { invoiceName, invoiceRefusals, isOpen } from '../../../invoices/rules.ts'
import {
  addLedgerEntryTx,
  type ClosedMonthException,
  type LockedInvoice,
  lockInvoiceTx,
} from '../../../invoices/server/commands.ts'
import { endPagesTx, exceptionOf } from '../../server/commands.ts'
import { moveTipTx } from '../../tips/server/rows.ts'
import type { Corrected, correctionsApi } from '../contract.ts'
import { allocateTx, listRests, lockPaymentTx, takeOffTx } from './rows.ts'

type Body<Name extends keyof typeof correctionsApi> = z.output<
  Extract<(typeof correctionsApi)[Name], { body: z.ZodType }>['body']
>

/** Asks the provider to give a card payment back; the work stands in tasks.ts. */
export const refundTask = taskName({ name: 'payments.refund', payload: z.object({ refundId: z.uuid() }) })

const balanceOf = ({ status, totalCents, paidCents }: LockedInvoice): number =>
  isOpen(status) ? totalCents - paidCents : 0

const answer = async (
  db: TenantDb,
  customerId: string,
  amountCents: number,
  paymentId: string | null,
  invoices: readonly LockedInvoice[],
): Promise<Corrected> => {
  if (invoices.length > 0)
    await publishChange(
      db,
      'invoices',
      invoices.map(({ id }) => id),
    )
  if (paymentId) await publishChange(db, 'payments', [paymentId])
  await publishChange(db, 'customers', [customerId])
  return {
    paymentId,
    amountCents,
    creditCents: await sumCredit(db, customerId),
    invoices: invoices.map((invoice) => ({
      id: invoice.id,
      number: invoice.number,
      status: invoice.status,
      balanceCents: balanceOf(invoice),
    })),
  }
}

const atMost = (amountCents: number, mostCents: number, of: string): void => {
  if (amountCents > mostCents) throw invalid([{ path: 'amountCents', message: tooMuch(mostCents, of) }])
}

const sayPaid = async (
  db: TenantDb,
  before: LockedInvoice,
  after: LockedInvoice,
  how: { paymentId: string; by: 'note' | 'credit'; cents: number },
): Promise<void> => {
  if (before.status !== 'paid' && after.status === 'paid')
    await emit(db, 'invoice.paid', { invoiceId: after.id, ...how })
}

/** Puts what lies on no invoice of a customer on an open one, the oldest money first. */
export const putCredit = (actor: Actor, invoiceId: string, { amountCents }: Body<'useCredit'>): Promise<Corrected> =>
  withTenant(actor, async (db) => {
    const before = await lockInvoiceTx(db, invoiceId)
    const rests = await listRests(db, before.customerId).forUpdate().execute()
    const creditCents = rests.reduce((sum, { restCents }) => sum + restCents, 0)
    const customer = await getContact(db, before.customerId)
    refuse(invoiceRefusals.useCredit({ ...before, creditCents, customer }))
    atMost(amountCents, balanceOf(before), 'so much is open')
    atMost(amountCents, creditCents, 'so much credit is there')
    await endPagesTx(db, invoiceId)
    let invoice = before
    const parts = takeFrom(
      // a deposit is kept for its job as long as other money is there
      [...rests.filter(({ jobId }) => !jobId), ...rests.filter(({ jobId }) => jobId)].map((payment) => ({
        payment,
        cents: payment.restCents,
      })),
      amountCents,
    )
    for (const { part, cents } of parts) invoice = await allocateTx(db, part.payment.id, invoice, cents)
    const lastId = parts.at(-1)?.part.payment.id ?? ''
    await sayPaid(db, before, invoice, { paymentId: lastId, by: 'credit', cents: amountCents })
    await audit(db, actor, 'credit.use', { type: 'invoice', id: invoiceId }, { after: { amountCents } })
    return answer(db, before.customerId, amountCents, null, [invoice])
  })

type Note = {
  customerId: string
  invoice: LockedInvoice | null
  amountCents: number
  /** How it divides into work and tax, where that is not as its invoice does. */
  shares?: { netCents: number; taxCents: number }
  reason: string
  onDay: string
}

/** Writes a credit note and the credit it carries. @returns the payment that carries it */
export const addNoteTx = async (
  db: TenantDb,
  who: Who,
  note: Note,
  exception?: ClosedMonthException,
): Promise<string> => {
  const [id, paymentId] = [newId(), newId()]
  const { customerId, invoice, amountCents, reason, onDay } = note
  await db
    .insertInto('payments')
    .values({
      businessId: db.businessId,
      id: paymentId,
      customerId,
      method: 'credit',
      amountCents,
      provider: 'manual',
      receivedOn: onDay,
      note: reason,
      createdBy: userIdOf(who),
      createdAt: clock.iso(),
    })
    .execute()
  await db
    .insertInto('creditNotes')
    .values({
      businessId: db.businessId,
      id,
      number: await nextNumber(db, 'credit_note'),
      customerId,
      invoiceId: invoice?.id ?? null,
      paymentId,
      ...(note.shares ?? noteShares(amountCents, invoice ?? { totalCents: 0, taxCents: 0 })),
      totalCents: amountCents,
      reason,
      onDay,
      createdBy: userIdOf(who),
      createdAt: clock.iso(),
    })
    .execute()
  await addLedgerEntryTx(
    db,
    { customerId, kind: 'credit', amountCents: -amountCents, refType: 'credit_note', refId: id, onDay },
    exception,
  )
  return paymentId
}

/** What credit notes that still stand took off an invoice's total. */
const sumNotes = async (db: TenantDb, invoiceId: string): Promise<number> => {
  const { sum } = await db
    .selectFrom('creditNotes')
    .innerJoin('payments', (join) =>
      join
        .onRef('payments.businessId', '=', 'creditNotes.businessId')
        .onRef('payments.id', '=', 'creditNotes.paymentId'),
    )
    .where('creditNotes.businessId', '=', db.businessId)
    .where('creditNotes.invoiceId', '=', invoiceId)
    .where('payments.status', '=', 'succeeded')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('creditNotes.totalCents'), eb.val(0)).as('sum'))
    .executeTakeFirstOrThrow()
  return Number(sum)
}

/** Credits part or all of an issued invoice: first what is open on it, and what is more becomes the customer's credit. */
export const creditInvoice = (
  actor: Actor,
  invoiceId: string,
  { amountCents, reason }: Body<'creditInvoice'>,
): Promise<Corrected> =>
  withTenant(actor, async (db) => {
    const before = await lockInvoiceTx(db, invoiceId)
    refuse(invoiceRefusals.credit(before))
    const credited = await sumNotes(db, invoiceId)
    atMost(
      amountCents,
      before.totalCents - credited,
      credited > 0 ? 'the rest was credited before' : `${invoiceName(before.number)} is over so much`,
    )
    await endPagesTx(db, invoiceId)
    const { customerId } = before
    const paymentId = await addNoteTx(db, actor, {
      customerId,
      invoice: before,
      amountCents,
      reason,
      onDay: await todayOf(db),
    })
    const onInvoice = Math.min(amountCents, balanceOf(before))
    const invoice = onInvoice > 0 ? await allocateTx(db, paymentId, before, onInvoice) : before
    await sayPaid(db, before, invoice, { paymentId, by: 'note', cents: onInvoice })
    if (amountCents > onInvoice) await emit(db, 'credit.added', { customerId, paymentId, deposit: false })
    await audit(db, actor, 'invoice.credit', { type: 'invoice', id: invoiceId }, { after: { amountCents, reason } })
    return answer(db, customerId, amountCents, paymentId, [invoice])
  })

/** Credit that no invoice asks for: for a trampled flower bed. */
export const giveCredit = (
  actor: Actor,
  customerId: string,
  { amountCents, reason }: Body<'giveCredit'>,
): Promise<Corrected> =>
  withTenant(actor, async (db) => {
    await getContact(db, customerId)
    const onDay = await todayOf(db)
    const paymentId = await addNoteTx(db, actor, { customerId, invoice: null, amountCents, reason, onDay })
    await emit(db, 'credit.added', { customerId, paymentId, deposit: false })
    await audit(db, actor, 'credit.give', { type: 'customer', id: customerId }, { after: { amountCents, reason } })
    return answer(db, customerId, amountCents, paymentId, [])
  })

/** Takes back a payment that never came, or a credit that was not meant. */
export const reversePayment = (actor: Actor, paymentId: string, body: Body<'reversePayment'>): Promise<Corrected> =>
  withTenant(actor, (db) => reversePaymentTx(db, actor, paymentId, body))

/** The same in the caller's transaction. */
export const reversePaymentTx = async (
  db: TenantDb,
  actor: Actor,
  paymentId: string,
  { reason }: Body<'reversePayment'>,
): Promise<Corrected> => {
  const { payment, taken } = await lockPaymentTx(db, paymentId)
  refuse(paymentRefusals.reverse(payment))
  const onDay = await todayOf(db)
  const invoices: LockedInvoice[] = []
  for (const one of taken) {
    await endPagesTx(db, one.invoice.id)
    const change = { amountCents: one.allocatedCents, reason, onDay, refundId: null }
    invoices.push(await takeOffTx(db, actor, paymentId, one, change))
  }
  await moveTipTx(db, payment, -payment.tipCents, { onDay })
  await db
    .updateTable('payments')
    .set({ status: 'reversed' })
    .where('businessId', '=', db.businessId)
    .where('id', '=', paymentId)
    .execute()
  await addLedgerEntryTx(db, {
    customerId: payment.customerId,
    kind: 'adjustment',
    amountCents: payment.amountCents,
    refType: 'payment',
    refId: paymentId,
    onDay,
  })
  await audit(db, actor, 'payment.reverse', { type: 'payment', id: paymentId }, { after: { reason } })
  return answer(db, payment.customerId, payment.amountCents, paymentId, invoices)
}

/**
 * Gives money back: first what lies on no invoice, then from the newest invoice that it was put on, which is open again or, where asked
 * for, credited. A tip goes back where that is said, else last. What came by card goes back through the provider, after the commit.
 */
export const refundPayment = (actor: Actor, paymentId: string, body: Body<'refundPayment'>): Promise<Corrected> =>
  withTenant(actor, (db) => refundTx(db, actor, paymentId, body))

/** The same in the caller's transaction. @param creditId a credit that takes the place of the money on its invoices, where one is there already */
export const refundTx = async (
  db: TenantDb,
  actor: Actor,
  paymentId: string,
  { amountCents, tipCents: wanted, method, onDay, reason, creditInvoices, exceptionReason }: Body<'refundPayment'>,
  creditId?: string,
): Promise<Corrected> => {
  const { payment, taken } = await lockPaymentTx(db, paymentId)
  refuse(paymentRefusals.refund(payment))
  const { customerId } = payment
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
  const byProvider = method === 'card' && payment.providerPaymentId !== null
  const refundId = newId()
  await db
    .insertInto('refunds')
    .values({
      businessId: db.businessId,
      id: refundId,
      paymentId,
      amountCents,
      method,
      status: byProvider ? 'pending' : 'succeeded',
      reason,
      onDay,
      createdBy: userIdOf(actor),
      createdAt: clock.iso(),
      updatedAt: clock.iso(),
    })
    .execute()
  const invoices: LockedInvoice[] = []
  const off = takeFrom(
    taken.map((one) => ({ one, cents: one.allocatedCents })),
    amountCents - tipCents - Math.min(amountCents - tipCents, payment.restCents),
  )
  for (const { part, cents } of off) {
    await endPagesTx(db, part.one.invoice.id)
    const change = { amountCents: cents, reason, onDay, refundId }
    const opened = await takeOffTx(db, actor, paymentId, part.one, change)
    if (!creditInvoices) {
      invoices.push(opened)
      continue
    }
    const note = { customerId, invoice: opened, amountCents: cents, reason, onDay }
    const noteId = creditId ?? (await addNoteTx(db, actor, note, exception))
    invoices.push(await allocateTx(db, noteId, opened, cents))
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
  if (byProvider) await enqueue(db, refundTask, { refundId }, { key: refundId })
  await audit(
    db,
    actor,
    'payment.refund',
    { type: 'payment', id: paymentId },
    { after: { amountCents, tipCents, reason } },
  )
  return answer(db, customerId, amountCents, paymentId, invoices)
}
