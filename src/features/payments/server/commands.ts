import type { Actor, Who } from '../../../platform/actor.ts'
import { audit } from '../../../platform/audit.ts'
import { todayOf } from '../../../platform/calendar.ts'
import { clock } from '../../../platform/clock.ts'
import { asBusinessId, type BusinessId, type TenantDb, withTenant } from '../../../platform/db/tenant.ts'
import { publishChange } from '../../../platform/events/changes.ts'
import { emit } from '../../../platform/events/events.ts'
import { newId } from '../../../platform/ids.ts'
import { log } from '../../../platform/log.ts'
import { canTakeCards, expireCheckout, findCheckout, openCheckout } from '../../../platform/payments/checkout.ts'
import type { StoredWebhook } from '../../../platform/webhooks.ts'
import { conflict } from '../../../shared/errors.ts'
import { paths } from '../../../shared/paths.ts'
import { invoiceName, isOpen, isPayable } from '../../invoices/rules.ts'
import {
  addLedgerEntryTx,
  addPaidTx,
  countViewTx,
  issueInvoiceIn,
  lockInvoiceIn,
} from '../../invoices/server/commands.ts'
import type { RecordedPayment } from '../contract.ts'

export type Money = {
  method: 'card' | 'ach' | 'check' | 'cash' | 'other'
  amountCents: number
  receivedOn: string
  note?: string
  provider?: string
  providerPaymentId?: string
  attemptId?: string
  livemode?: boolean
}

/**
 * Books money that came for a locked invoice: payment, allocation up to the balance, ledger, status. What is more than the balance stays
 * on the payment as the customer's credit and the office is told. A provider's payment is booked once by its id.
 * @returns what was booked, or null when it was booked before
 */
export const bookPaymentIn = async (
  db: TenantDb,
  who: Who,
  invoiceId: string,
  money: Money,
): Promise<RecordedPayment | null> => {
  const invoice = await lockInvoiceIn(db, invoiceId)
  const id = newId()
  const made = await db
    .insertInto('payments')
    .values({
      businessId: db.businessId,
      id,
      customerId: invoice.customerId,
      attemptId: money.attemptId ?? null,
      method: money.method,
      amountCents: money.amountCents,
      provider: money.provider ?? 'manual',
      providerPaymentId: money.providerPaymentId ?? null,
      livemode: money.livemode ?? false,
      receivedOn: money.receivedOn,
      note: money.note ?? '',
      createdBy: who.kind === 'user' ? who.userId : null,
      createdAt: clock.iso(),
    })
    .onConflict((c) => c.columns(['businessId', 'providerPaymentId']).doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!made) return null
  const owes = isOpen(invoice.status)
  const allocated = owes ? Math.min(money.amountCents, invoice.totalCents - invoice.paidCents) : 0
  await addLedgerEntryTx(db, {
    customerId: invoice.customerId,
    kind: 'payment',
    amountCents: -money.amountCents,
    refType: 'payment',
    refId: id,
    onDay: money.receivedOn,
  })
  let status = invoice.status
  if (allocated > 0) {
    await db
      .insertInto('paymentAllocations')
      .values({
        businessId: db.businessId,
        id: newId(),
        paymentId: id,
        invoiceId,
        amountCents: allocated,
        createdAt: clock.iso(),
      })
      .execute()
    status = await addPaidTx(db, invoice, allocated)
    if (status === 'paid') await emit(db, 'invoice.paid', { invoiceId, paymentId: id })
  }
  await emit(db, 'payment.recorded', { paymentId: id, surplusCents: money.amountCents - allocated })
  await publishChange(db, 'invoices', [invoiceId])
  await publishChange(db, 'payments', [id])
  return {
    id,
    invoiceId,
    amountCents: money.amountCents,
    surplusCents: money.amountCents - allocated,
    invoiceStatus: status,
    balanceCents: owes ? invoice.totalCents - invoice.paidCents - allocated : 0,
  }
}

/** Ends the open payment pages of an invoice in the books; the provider's side is ended by the caller after the commit. */
const closeAttemptsIn = async (
  db: TenantDb,
  invoiceId: string,
  status: 'expired' | 'succeeded',
  only?: string,
): Promise<string[]> => {
  let query = db
    .updateTable('paymentAttempts')
    .set({ status, updatedAt: clock.iso() })
    .where('businessId', '=', db.businessId)
    .where('invoiceId', '=', invoiceId)
    .where('status', '=', 'open')
  if (only) query = query.where('id', '=', only)
  return (await query.returning('providerSessionId').execute()).map((row) => row.providerSessionId)
}

/** The customer opened the page of their invoice. */
export const countView = (businessId: BusinessId, invoiceId: string): Promise<unknown> =>
  withTenant({ businessId }, (db) => countViewTx(db, invoiceId))

/** Money that came outside: cash, a check. A draft is issued first; an open payment page ends, because its amount no longer holds. */
export const recordPayment = async (actor: Actor, invoiceId: string, money: Money): Promise<RecordedPayment> => {
  const { booked, ended } = await withTenant(actor, async (db) => {
    const before = await lockInvoiceIn(db, invoiceId)
    const name = invoiceName(before.number)
    if (!isPayable(before.status))
      throw conflict(
        before.status === 'paid'
          ? `${name} is paid in full already. Nothing was changed.`
          : `${name} was taken back, so nothing can be paid on it.`,
      )
    if (before.status === 'draft') await issueInvoiceIn(db, invoiceId)
    const ended = await closeAttemptsIn(db, invoiceId, 'expired')
    const booked = await bookPaymentIn(db, actor, invoiceId, money)
    if (!booked) throw conflict('This payment was booked before. Nothing was changed.')
    await audit(
      db,
      actor,
      'payment.record',
      { type: 'invoice', id: invoiceId },
      { after: { method: money.method, amountCents: money.amountCents } },
    )
    return { booked, ended }
  })
  for (const session of ended) await expireCheckout(session)
  return booked
}

const openAttempt = (db: TenantDb, invoiceId: string) =>
  db
    .selectFrom('paymentAttempts')
    .selectAll()
    .where('businessId', '=', db.businessId)
    .where('invoiceId', '=', invoiceId)
    .where('status', '=', 'open')
    .executeTakeFirst()

/**
 * The hosted checkout for the balance of an invoice. An open one over the same balance is used again, so a doubled click leads to one page;
 * one over another amount ends first. The row of the attempt stands before the provider is asked.
 */
export const payInvoice = async (
  businessId: BusinessId,
  invoiceId: string,
  token: string,
): Promise<{ url: string }> => {
  if (!canTakeCards())
    throw conflict('Card payments are not set up here yet. Please contact the business to pay another way.')
  const scope = { businessId }
  const plan = await withTenant(scope, async (db) => {
    const invoice = await lockInvoiceIn(db, invoiceId)
    const balance = invoice.totalCents - invoice.paidCents
    if (invoice.status !== 'issued' && invoice.status !== 'partially_paid')
      throw conflict(
        invoice.status === 'paid'
          ? 'This invoice is paid. Thank you!'
          : 'This invoice can not be paid any more. Please contact the business.',
      )
    const open = await openAttempt(db, invoiceId)
    const business = await db
      .selectFrom('businesses')
      .select('name')
      .where('businessId', '=', businessId)
      .executeTakeFirstOrThrow()
    const isFresh = open && open.amountCents === balance && Date.parse(open.expiresAt) > clock.nowMs() + 60_000
    return { balance, number: invoice.number, businessName: business.name, open: open ? { ...open, isFresh } : null }
  })
  if (plan.open?.isFresh && (await findCheckout(plan.open.providerSessionId))?.status === 'open')
    return { url: plan.open.url }
  if (plan.open) {
    await syncCheckout(plan.open.providerSessionId)
    await expireCheckout(plan.open.providerSessionId)
  }
  const attemptId = newId()
  const session = await openCheckout({
    amountCents: plan.balance,
    description: invoiceName(plan.number),
    businessName: plan.businessName,
    returnPath: `${paths.invoice(token)}?paid=1`,
    metadata: { businessId, invoiceId, attemptId },
  })
  const url = await withTenant(scope, async (db) => {
    const invoice = await lockInvoiceIn(db, invoiceId)
    await db
      .updateTable('paymentAttempts')
      .set({ status: 'expired', updatedAt: clock.iso() })
      .where('businessId', '=', businessId)
      .where('invoiceId', '=', invoiceId)
      .where('status', '=', 'open')
      .where((eb) =>
        eb.or([
          eb('expiresAt', '<', clock.iso()),
          eb('amountCents', '!=', plan.balance),
          eb('id', '=', plan.open?.id ?? attemptId),
        ]),
      )
      .execute()
    // Somebody else may have opened one between the two locks: theirs holds, ours ends unused.
    const other = await openAttempt(db, invoiceId)
    if (other) return other.url
    if (invoice.totalCents - invoice.paidCents !== plan.balance) return null
    await db
      .insertInto('paymentAttempts')
      .values({
        businessId,
        id: attemptId,
        invoiceId,
        amountCents: plan.balance,
        provider: 'local',
        providerSessionId: session.id,
        url: session.url,
        expiresAt: session.expiresAt,
        createdAt: clock.iso(),
        updatedAt: clock.iso(),
      })
      .execute()
    return session.url
  })
  if (url !== session.url) await expireCheckout(session.id)
  if (url === null) throw conflict('The amount changed a moment ago. Reload the page to see what is open.')
  return { url }
}

/**
 * Brings the books in line with what the provider says of a checkout. The return page and the webhook both come here, as often as they like and in any order:
 * a payment is booked once by its id.
 */
export const syncCheckout = async (sessionId: string): Promise<void> => {
  const state = await findCheckout(sessionId)
  if (!state) {
    log.warn({ sessionId }, 'a checkout that the provider does not know')
    return
  }
  // A prospect's fee is paid at the same provider and is not ours to book.
  if (!('invoiceId' in state.metadata)) return
  const { businessId, invoiceId } = state.metadata
  await withTenant({ businessId: asBusinessId(businessId) }, async (db) => {
    const attempt = await db
      .selectFrom('paymentAttempts')
      .select(['id', 'invoiceId'])
      .where('businessId', '=', db.businessId)
      .where('providerSessionId', '=', sessionId)
      .executeTakeFirst()
    // The session's own words and our row must name the same invoice: anything else is somebody's mistake or worse.
    if (!attempt || attempt.invoiceId !== invoiceId) {
      log.error({ sessionId }, 'a checkout does not fit its attempt')
      return
    }
    await lockInvoiceIn(db, invoiceId)
    if (state.status === 'expired') await closeAttemptsIn(db, invoiceId, 'expired', attempt.id)
    if (state.status !== 'complete' || !state.paymentId) return
    await db
      .updateTable('paymentAttempts')
      .set({ status: 'succeeded', updatedAt: clock.iso() })
      .where('businessId', '=', db.businessId)
      .where('id', '=', attempt.id)
      .execute()
    await bookPaymentIn(db, { kind: 'system', businessId: db.businessId }, invoiceId, {
      method: 'card',
      amountCents: state.amountCents,
      receivedOn: await todayOf(db),
      provider: 'local',
      providerPaymentId: state.paymentId,
      attemptId: attempt.id,
      livemode: state.livemode,
    })
  })
}

/** Works off a stored event of the payment provider: it names a checkout, the provider is asked for its state. */
export const processPaymentEvent = async (event: StoredWebhook): Promise<void> => {
  const object = (event.payload as { data?: { object?: { id?: string; object?: string } } }).data?.object
  if (event.type.startsWith('checkout.session.') && object?.id) await syncCheckout(object.id)
}
