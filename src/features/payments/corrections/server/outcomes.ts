import type { Actor, SystemActor, Who } from '../../../../platform/actor.ts'
import { audit } from '../../../../platform/audit.ts'
import { clock } from '../../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { absoluteUrl, linkToken } from '../../../../platform/links.ts'
import type { PaidTo, Refund } from '../../../../platform/payments/provider.ts'
import { refuse } from '../../../../shared/can.ts'
import { conflict, notFound } from '../../../../shared/errors.ts'
import { linkTo } from '../../../../shared/links.ts'
import { formatCents } from '../../../../shared/money.ts'
import { paths } from '../../../../shared/paths.ts'
import { todayOf } from '../../../businesses/server/queries.ts'
import { getContact } from '../../../customers/server/queries.ts'
import { refundableCents, refundRefusals } from '../../../invoices/corrections/rules.ts'
import { invoiceName, isOpen } from '../../../invoices/rules.ts'
import {
  addLedgerEntryTx,
  getSender,
  type LockedInvoice,
  lockInvoicesTx,
  openDayTx,
} from '../../../invoices/server/commands.ts'
import { listIn } from '../../../invoices/words/rules.ts'
import { queuePaperTx } from '../../../messages/paperways/server/commands.ts'
import { getPaperReach } from '../../../messages/paperways/server/queries.ts'
import { notifyOffice } from '../../../notifications/server/commands.ts'
import { regainDiscountsTx } from '../../discounts/server/rows.ts'
import { putTipBackTx } from '../../tips/server/rows.ts'
import type { Corrected } from '../contract.ts'
import { answer } from './answer.ts'
import { takeBackTx } from './refunds.ts'
import { coverDisputesTx, lockPaymentTx, putBackTx } from './rows.ts'
import { refundMail, refundText } from './templates.ts'

/** What becomes of a refund: it went, it did not, or somebody gave money back where we did not ask. */

/** A refund with its payment and customer, or undefined. */
export const readRefund = (db: TenantDb, refundId: string) =>
  db
    .selectFrom('refunds')
    .innerJoin('payments', (join) =>
      join.onRef('payments.businessId', '=', 'refunds.businessId').onRef('payments.id', '=', 'refunds.paymentId'),
    )
    .innerJoin('customers', (join) =>
      join.onRef('customers.businessId', '=', 'payments.businessId').onRef('customers.id', '=', 'payments.customerId'),
    )
    .where('refunds.businessId', '=', db.businessId)
    .where('refunds.id', '=', refundId)
    .select([
      'refunds.status',
      'refunds.byProvider',
      'refunds.amountCents',
      'refunds.paymentId',
      'refunds.providerRefundId',
      'refunds.createdAt',
      'payments.provider',
      'payments.providerPaymentId',
      'payments.accountId',
      'payments.method',
      'payments.tipInvoiceId',
      'customers.id as customerId',
      'customers.name as customerName',
    ])
    .executeTakeFirst()

type RefundRow = NonNullable<Awaited<ReturnType<typeof readRefund>>>

const setRefundTx = (
  db: TenantDb,
  refundId: string,
  change: { status: 'succeeded'; providerRefundId: string } | { status: 'failed'; problem: string },
) =>
  db
    .updateTable('refunds')
    .set({ ...change, updatedAt: clock.iso() })
    .where('businessId', '=', db.businessId)
    .where('id', '=', refundId)
    .where('status', change.status === 'failed' ? '!=' : '=', change.status === 'failed' ? 'failed' : 'pending')
    .returning('id')
    .executeTakeFirst()

/** Tells a customer what went back and to what, as their papers reach them, with the page of the invoice it was taken off. */
const tellRefundTx = async (
  db: TenantDb,
  refundId: string,
  { customerId, amountCents, method, tipInvoiceId }: RefundRow,
  to: PaidTo | null,
): Promise<void> => {
  const taken = await db
    .selectFrom('allocationReversals')
    .select('invoiceId')
    .where('businessId', '=', db.businessId)
    .where('refundId', '=', refundId)
    .execute()
  const ids = taken.length > 0 ? taken.map(({ invoiceId }) => invoiceId) : tipInvoiceId ? [tipInvoiceId] : []
  const invoices = await lockInvoicesTx(db, ids)
  const [first] = invoices
  const { name, language } = await getPaperReach(db, customerId)
  const sender = await getSender(db)
  const news = {
    name,
    language,
    cents: amountCents,
    to,
    isBank: method === 'ach',
    invoices: listIn(
      language,
      invoices.map(({ number }) => invoiceName(number)),
    ),
    openCents: invoices.reduce(
      (sum, { status, totalCents, paidCents }) => (isOpen(status) ? sum + totalCents - paidCents : sum),
      0,
    ),
    url: first ? absoluteUrl(paths.invoice(await linkToken(db, 'invoice', first.id))) : null,
  }
  await queuePaperTx(db, {
    dedupeKey: `refund:${refundId}`,
    customerId,
    ...(first ? { entity: { type: 'invoice', id: first.id } } : {}),
    mail: async () => refundMail(news, sender),
    text: () => refundText(news, sender.name),
  })
}

/**
 * The money is the customer's again, on the invoices that it was taken off as far as they are open.
 * @returns what of it made up for what a dispute took, and its invoices; null where the refund had failed before
 */
export const undoRefundTx = async (
  db: TenantDb,
  who: Who,
  refundId: string,
  { paymentId, customerId, amountCents }: Pick<RefundRow, 'paymentId' | 'customerId' | 'amountCents'>,
  problem: string,
): Promise<{ coveredCents: number; invoices: LockedInvoice[] } | null> => {
  const reversals = await db
    .selectFrom('allocationReversals')
    .select(['invoiceId', 'amountCents'])
    .where('businessId', '=', db.businessId)
    .where('refundId', '=', refundId)
    .execute()
  const invoices = await lockInvoicesTx(
    db,
    reversals.map(({ invoiceId }) => invoiceId),
  )
  await lockPaymentTx(db, paymentId)
  if (!(await setRefundTx(db, refundId, { status: 'failed', problem }))) return null
  const { day: onDay } = await openDayTx(db, await todayOf(db))
  await addLedgerEntryTx(db, {
    customerId,
    kind: 'adjustment',
    amountCents: -amountCents,
    refType: 'refund',
    refId: refundId,
    onDay,
  })
  // what a dispute took a second time it took once, now that the refund did not go
  const coveredCents = await coverDisputesTx(db, { refundId, paymentId, customerId }, amountCents, onDay)
  const backCents = amountCents - coveredCents
  if (backCents > 0) {
    await db
      .updateTable('payments')
      .set((eb) => ({ refundedCents: eb('refundedCents', '-', backCents) }))
      .where('businessId', '=', db.businessId)
      .where('id', '=', paymentId)
      .execute()
    const back = await putBackTx(db, paymentId, reversals, invoices)
    await regainDiscountsTx(db, who, paymentId, invoices, back, { onDay })
    await putTipBackTx(db, { id: paymentId, customerId }, { refundId }, { onDay, refundId })
  }
  return { coveredCents, invoices }
}

/** The provider or a bank did not give the money back: it is the customer's again, and the office is told. */
export const failRefund = (
  actor: SystemActor,
  refundId: string,
  problem: string,
  advice = 'Give it back another way, or keep it as credit.',
): Promise<void> =>
  withTenant(actor, async (db) => {
    const refund = await readRefund(db, refundId)
    if (!refund) return
    const { paymentId, customerId, amountCents } = refund
    const undone = await undoRefundTx(db, actor, refundId, refund, problem)
    if (!undone) return
    const { coveredCents, invoices } = undone
    const backCents = amountCents - coveredCents
    await notifyOffice(db, {
      type: 'invoice',
      title: `The refund of ${formatCents(amountCents)} to ${refund.customerName} did not go through`,
      content: `${problem} ${
        coveredCents > 0
          ? `${formatCents(coveredCents)} of it ${backCents > 0 ? 'makes' : 'made'} up for what their bank took of the same payment${
              backCents > 0 ? `; ${formatCents(backCents)} is booked as before` : ''
            }.`
          : `The money is booked as before. ${advice}`
      }${refund.status === 'succeeded' ? ` ${refund.customerName} had word that it was on its way: tell them.` : ''}`,
      customerId,
      path: linkTo.customer(customerId),
      dedupeKey: `refund-failed:${refundId}`,
    })
    await publishChange(db, 'payments', [paymentId])
    if (invoices.length > 0)
      await publishChange(
        db,
        'invoices',
        invoices.map(({ id }) => id),
      )
  })

/**
 * Takes back a refund that was handed over by nobody: it was recorded by mistake. The money is booked as before, on its invoices as far as they are
 * open; what they were credited instead stays, and the money is credit then.
 * @throws not_found, state_conflict for one that the provider gave and for one that was taken back
 */
export const takeRefundBack = (actor: Actor, refundId: string, reason: string): Promise<Corrected> =>
  withTenant(actor, async (db) => {
    const refund = await readRefund(db, refundId)
    if (!refund) throw notFound('refund')
    refuse(refundRefusals.takeBack(refund))
    const undone = await undoRefundTx(db, actor, refundId, refund, reason)
    // somebody else was quicker
    if (!undone) throw conflict(refundRefusals.takeBack({ ...refund, status: 'failed' }) ?? '')
    await audit(
      db,
      actor,
      'refund.takeBack',
      { type: 'payment', id: refund.paymentId },
      { after: { refundId, reason } },
    )
    const { customerId, amountCents, paymentId } = refund
    const invoices = await lockInvoicesTx(
      db,
      undone.invoices.map(({ id }) => id),
    )
    return answer(db, customerId, amountCents, paymentId, invoices)
  })

/** What the provider says of a refund that was asked for: it went, or it did not. Said twice, it is the same. */
export const settleRefund = async (actor: SystemActor, refundId: string, given: Refund): Promise<void> => {
  if (given.failed) {
    await failRefund(actor, refundId, 'The payment provider did not give it back.')
    return
  }
  await withTenant(actor, async (db) => {
    const refund = await readRefund(db, refundId)
    if (!refund || !(await setRefundTx(db, refundId, { status: 'succeeded', providerRefundId: given.id }))) return
    await tellRefundTx(db, refundId, refund, given.to)
    await publishChange(db, 'payments', [refund.paymentId])
  })
}

const findKnown = (db: TenantDb, providerRefundId: string) =>
  db
    .selectFrom('refunds')
    .select(['id', 'status'])
    .where('businessId', '=', db.businessId)
    .where('providerRefundId', '=', providerRefundId)
    .executeTakeFirst()

/**
 * Books what somebody gave back in the provider's own dashboard. It is credited to its invoices as far as nothing of them was credited before, so that
 * nobody is asked, or charged, for it again; the office hears of it.
 */
export const bookElsewhere = async (actor: SystemActor, given: Refund, account: string): Promise<void> => {
  const failed = await withTenant(actor, async (db) => {
    const payment = await db
      .selectFrom('payments')
      .select(['id', 'accountId'])
      .where('businessId', '=', db.businessId)
      .where('providerPaymentId', '=', given.paymentId)
      .executeTakeFirst()
    // what the business takes in its account beside us is not ours to book
    if (payment?.accountId !== account) return null
    const locked = await lockPaymentTx(db, payment.id)
    const known = await findKnown(db, given.id)
    if (known) return given.failed && known.status !== 'failed' ? known.id : null
    if (given.failed) return null
    const { customerId, tipCents: tip, method } = locked.payment
    const leftCents = refundableCents(locked.payment)
    const amountCents = Math.min(given.amountCents, leftCents)
    const { day: onDay } = await openDayTx(db, await todayOf(db))
    const reason = 'Refunded in the account of the card provider'
    const invoices =
      amountCents > 0 && method !== 'credit'
        ? (
            await takeBackTx(db, actor, locked, {
              amountCents,
              tipCents: Math.max(0, amountCents - (leftCents - tip)),
              method,
              byProvider: true,
              providerRefundId: given.id,
              onDay,
              reason,
              creditInvoices: true,
            })
          ).invoices
        : []
    const { name } = await getContact(db, customerId)
    const named = invoices.map(({ number }) => invoiceName(number)).join(', ')
    const beyond = given.amountCents - amountCents
    await notifyOffice(db, {
      type: 'invoice',
      title: `${formatCents(given.amountCents)} went back to ${name} outside Swath`,
      content: [
        'Somebody refunded it in your account at the card provider.',
        amountCents > 0 ? `${beyond > 0 ? formatCents(amountCents) : 'It'} is booked as a refund.` : '',
        named
          ? `${named} is credited, so nobody is asked for it again; if it is still owed, take the credit back.`
          : '',
        beyond > 0
          ? `${formatCents(beyond)} is more than was left of the payment here, so no book has it: look at both.`
          : '',
      ]
        .filter(Boolean)
        .join(' '),
      customerId,
      path: linkTo.customer(customerId),
      dedupeKey: `refund-elsewhere:${given.id}`,
    })
    await publishChange(db, 'payments', [payment.id])
    await publishChange(db, 'customers', [customerId])
    if (invoices.length > 0)
      await publishChange(
        db,
        'invoices',
        invoices.map(({ id }) => id),
      )
    return null
  })
  if (failed) await failRefund(actor, failed, 'The customer’s bank did not take the money.')
}
