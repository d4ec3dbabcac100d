import type { z } from 'zod'
import type { Actor, Who } from '../../../../platform/actor.ts'
import { audit } from '../../../../platform/audit.ts'
import { type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { emit } from '../../../../platform/events/events.ts'
import { refuse } from '../../../../shared/can.ts'
import { conflict, invalid } from '../../../../shared/errors.ts'
import { todayOf } from '../../../businesses/server/queries.ts'
import { getContact } from '../../../customers/server/queries.ts'
import { noteShares, paymentRefusals, takeFrom } from '../../../invoices/corrections/rules.ts'
import { invoiceName, invoiceRefusals } from '../../../invoices/rules.ts'
import { addLedgerEntryTx, type LockedInvoice, lockInvoiceTx } from '../../../invoices/server/commands.ts'
import { loseDiscountTx } from '../../discounts/server/rows.ts'
import { endPagesTx } from '../../server/commands.ts'
import { moveTipTx } from '../../tips/server/rows.ts'
import type { Corrected, correctionsApi } from '../contract.ts'
import { answer, atMost, balanceOf } from './answer.ts'
import { moveMoneyTx } from './moves.ts'
import { addNoteTx, creditedTx, findWorkOfNote } from './notes.ts'
import { allocateTx, isFree, lockPaymentTx, lockRestsTx, takeOffTx } from './rows.ts'

export { moveMoneyTx }

type Body<Name extends keyof typeof correctionsApi> = z.output<
  Extract<(typeof correctionsApi)[Name], { body: z.ZodType }>['body']
>

const sayPaid = async (
  db: TenantDb,
  before: LockedInvoice,
  after: LockedInvoice,
  how: { paymentId: string; by: 'note' | 'credit'; cents: number; isTold?: boolean },
): Promise<void> => {
  if (before.status !== 'paid' && after.status === 'paid')
    await emit(db, 'invoice.paid', { invoiceId: after.id, ...how })
}

/**
 * Puts what lies on no invoice of a customer on an open one, the oldest money first. What was paid for work is used only where it is named, and
 * after what is free.
 * @throws validation_failed for more than there is, and for a deposit that is not there
 */
export const putCredit = (
  actor: Actor,
  invoiceId: string,
  { amountCents, deposits }: Body<'useCredit'>,
): Promise<Corrected> =>
  withTenant(actor, async (db) => {
    const before = await lockInvoiceTx(db, invoiceId)
    const rests = await lockRestsTx(db, before.customerId)
    const sumOf = (list: typeof rests) => list.reduce((sum, { restCents }) => sum + restCents, 0)
    const free = rests.filter(isFree)
    const bound = rests.filter((rest) => !isFree(rest))
    const chosen = bound.filter(({ id }) => deposits.includes(id))
    const customer = await getContact(db, before.customerId)
    refuse(invoiceRefusals.useCredit({ ...before, creditCents: sumOf(free), boundCents: sumOf(bound), customer }))
    if (deposits.some((id) => !rests.some((rest) => rest.id === id)))
      throw invalid([
        { path: 'deposits', message: `This deposit of ${customer.name} is not there any more. Nothing was changed.` },
      ])
    const own = [...free, ...chosen]
    if (own.length === 0)
      throw invalid([
        {
          path: 'deposits',
          message: `All that is there of ${customer.name} was paid for other work. Choose the deposit that pays this. Nothing was changed.`,
        },
      ])
    atMost(amountCents, balanceOf(before), 'so much is open')
    atMost(amountCents, sumOf(own), 'so much credit is there')
    await endPagesTx(db, invoiceId)
    let invoice = before
    const parts = takeFrom(
      own.map((payment) => ({ payment, cents: payment.restCents })),
      amountCents,
    )
    for (const { part, cents } of parts) invoice = await allocateTx(db, part.payment.id, invoice, cents)
    const lastId = parts.at(-1)?.part.payment.id ?? ''
    await sayPaid(db, before, invoice, { paymentId: lastId, by: 'credit', cents: amountCents })
    await audit(db, actor, 'credit.use', { type: 'invoice', id: invoiceId }, { after: { amountCents, deposits } })
    return answer(db, before.customerId, amountCents, null, [invoice])
  })

/** Credits part or all of an issued invoice: first what is open on it, and what is more becomes the customer's credit. */
export const creditInvoice = (
  actor: Actor,
  invoiceId: string,
  { amountCents, reason, tell }: Body<'creditInvoice'>,
): Promise<Corrected> =>
  withTenant(actor, async (db) => {
    const before = await lockInvoiceTx(db, invoiceId)
    refuse(invoiceRefusals.credit(before))
    const credited = await creditedTx(db, invoiceId)
    atMost(
      amountCents,
      before.totalCents - credited.totalCents,
      credited.totalCents > 0 ? 'the rest was credited before' : `${invoiceName(before.number)} is over so much`,
    )
    await endPagesTx(db, invoiceId)
    const { customerId } = before
    const paymentId = await addNoteTx(db, actor, {
      customerId,
      invoice: before,
      shares: noteShares(amountCents, before, credited),
      amountCents,
      reason,
      onDay: await todayOf(db),
    })
    const onInvoice = Math.min(amountCents, balanceOf(before))
    const invoice = onInvoice > 0 ? await allocateTx(db, paymentId, before, onInvoice) : before
    await sayPaid(db, before, invoice, { paymentId, by: 'note', cents: onInvoice, isTold: true })
    if (amountCents > onInvoice) await emit(db, 'credit.added', { customerId, paymentId, deposit: false })
    if (tell) await emit(db, 'credit.noted', { paymentId })
    await audit(db, actor, 'invoice.credit', { type: 'invoice', id: invoiceId }, { after: { amountCents, reason } })
    return answer(db, customerId, amountCents, paymentId, [invoice], true)
  })

/** Credit that no invoice asks for: for a trampled flower bed. */
export const giveCredit = (actor: Actor, customerId: string, given: Body<'giveCredit'>): Promise<Corrected> =>
  withTenant(actor, async (db) => {
    const paymentId = await giveCreditTx(db, actor, customerId, given)
    if (given.tell) await emit(db, 'credit.noted', { paymentId })
    return answer(db, customerId, given.amountCents, paymentId, [], true)
  })

/** The same in the caller's transaction. @returns the payment that carries it */
export const giveCreditTx = async (
  db: TenantDb,
  who: Who,
  customerId: string,
  { amountCents, reason }: Pick<Body<'giveCredit'>, 'amountCents' | 'reason'>,
): Promise<string> => {
  await getContact(db, customerId)
  const onDay = await todayOf(db)
  const paymentId = await addNoteTx(db, who, {
    customerId,
    invoice: null,
    shares: { netCents: amountCents, taxCents: 0 },
    amountCents,
    reason,
    onDay,
  })
  await emit(db, 'credit.added', { customerId, paymentId, deposit: false })
  await audit(db, who, 'credit.give', { type: 'customer', id: customerId }, { after: { amountCents, reason } })
  return paymentId
}

/**
 * Takes what a payment pays of an invoice off it: the invoice is open again by so much, and the money stays the customer's credit. It is not put
 * anywhere by itself now, or it would be back where it was taken from.
 * @throws state_conflict where it does not lie there any more, or the invoice was written off
 */
export const takeOff = (actor: Actor, paymentId: string, { invoiceId, reason }: Body<'takeOff'>): Promise<Corrected> =>
  withTenant(actor, async (db) => {
    const { payment, taken } = await lockPaymentTx(db, paymentId)
    refuse(paymentRefusals.takeOff(payment))
    const here = taken.find(({ invoice }) => invoice.id === invoiceId)
    if (!here) throw conflict('Nothing of this payment is on this invoice any more. Nothing was changed.')
    const others = taken.filter((one) => one !== here)
    const wanted = new Map(others.map(({ invoice, allocatedCents }) => [invoice.id, allocatedCents]))
    await moveMoneyTx(db, actor, [paymentId], wanted, reason)
    return answer(db, payment.customerId, here.allocatedCents, paymentId, [await lockInvoiceTx(db, invoiceId)])
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
  const work = await findWorkOfNote(db, paymentId)
  if (work)
    throw conflict(
      `${invoiceName(work.invoiceNumber)} was credited so that its work could become a job, and the job bills it now. Open again it would be billed twice. Nothing was changed.`,
    )
  const onDay = await todayOf(db)
  const invoices: LockedInvoice[] = []
  for (const one of taken) {
    await endPagesTx(db, one.invoice.id)
    const change = { amountCents: one.allocatedCents, reason, onDay, refundId: null }
    const opened = await takeOffTx(db, actor, paymentId, one, change)
    invoices.push(await loseDiscountTx(db, actor, paymentId, opened, one.allocatedCents, { onDay }))
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
