import { type Actor, userIdOf, type Who } from '../../../platform/actor.ts'
import { audit } from '../../../platform/audit.ts'
import { clock } from '../../../platform/clock.ts'
import { nextNumber } from '../../../platform/db/counters.ts'
import { afterCommit, asBusinessId, type BusinessId, type TenantDb, withTenant } from '../../../platform/db/tenant.ts'
import { publishChange } from '../../../platform/events/changes.ts'
import { emit } from '../../../platform/events/events.ts'
import { newId } from '../../../platform/ids.ts'
import { log } from '../../../platform/log.ts'
import type { PaymentProvider } from '../../../platform/payments/provider.ts'
import { expireCheckout, findCheckout, paymentProvider } from '../../../platform/payments/providers.ts'
import type { StoredWebhook } from '../../../platform/webhooks.ts'
import { refuse } from '../../../shared/can.ts'
import { conflict, invalid } from '../../../shared/errors.ts'
import { paths } from '../../../shared/paths.ts'
import { todayOf } from '../../businesses/server/queries.ts'
import { invoiceName, invoiceRefusals, isOpen } from '../../invoices/rules.ts'
import { addLedgerEntryTx, countViewTx, issueInvoicesTx, lockInvoiceTx } from '../../invoices/server/commands.ts'
import type { RecordedPayment } from '../contract.ts'
import { allocateTx } from '../corrections/server/rows.ts'

export type Money = {
  method: 'card' | 'ach' | 'check' | 'cash' | 'other'
  amountCents: number
  receivedOn: string
  note?: string
  provider?: string
  providerPaymentId?: string
  checkoutSessionId?: string
  livemode?: boolean
}

/** Asked before a receipt takes its number: a payment that comes twice leaves no gap. */
const isBooked = async (db: TenantDb, providerPaymentId: string): Promise<boolean> =>
  (await db
    .selectFrom('payments')
    .select('id')
    .where('businessId', '=', db.businessId)
    .where('providerPaymentId', '=', providerPaymentId)
    .executeTakeFirst()) !== undefined

/**
 * Books money that came for a locked invoice: payment, allocation up to the balance, ledger, status. What is more than the balance stays
 * on the payment, in the customer's balance, and the office is told. A provider's payment is booked once by its id.
 * @returns what was booked, or null when it was booked before
 */
export const bookPaymentTx = async (
  db: TenantDb,
  who: Who,
  invoiceId: string,
  money: Money,
): Promise<RecordedPayment | null> => {
  const invoice = await lockInvoiceTx(db, invoiceId)
  if (money.providerPaymentId && (await isBooked(db, money.providerPaymentId))) return null
  const id = newId()
  const owes = isOpen(invoice.status)
  const allocated = owes ? Math.min(money.amountCents, invoice.totalCents - invoice.paidCents) : 0
  const made = await db
    .insertInto('payments')
    .values({
      businessId: db.businessId,
      id,
      customerId: invoice.customerId,
      checkoutSessionId: money.checkoutSessionId ?? null,
      method: money.method,
      amountCents: money.amountCents,
      receiptNumber: await nextNumber(db, 'receipt'),
      provider: money.provider ?? 'manual',
      providerPaymentId: money.providerPaymentId ?? null,
      livemode: money.livemode ?? false,
      receivedOn: money.receivedOn,
      note: money.note ?? '',
      createdBy: userIdOf(who),
      createdAt: clock.iso(),
    })
    .onConflict((c) => c.columns(['businessId', 'providerPaymentId']).doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!made) return null
  let status = invoice.status
  if (allocated > 0) {
    status = (await allocateTx(db, id, invoice, allocated)).status
    if (status === 'paid') await emit(db, 'invoice.paid', { invoiceId, paymentId: id })
  }
  // after the invoice, as everywhere: the sums of invoices and of customers are rows that others wait for
  await addLedgerEntryTx(db, {
    customerId: invoice.customerId,
    kind: 'payment',
    amountCents: -money.amountCents,
    refType: 'payment',
    refId: id,
    onDay: money.receivedOn,
  })
  const stillOpenCents = owes ? invoice.totalCents - invoice.paidCents - allocated : 0
  const overpaymentCents = money.amountCents - allocated
  await emit(db, 'payment.recorded', { paymentId: id, invoiceId, overpaymentCents, stillOpenCents })
  if (overpaymentCents > 0)
    await emit(db, 'credit.added', { customerId: invoice.customerId, paymentId: id, deposit: false })
  await publishChange(db, 'invoices', [invoiceId])
  await publishChange(db, 'payments', [id])
  return {
    id,
    invoiceId,
    amountCents: money.amountCents,
    overpaymentCents,
    invoiceStatus: status,
    balanceCents: stillOpenCents,
  }
}

/** Ends the open payment pages of an invoice in the books; the provider's side is ended by the caller after the commit. */
export const closeCheckoutSessionsTx = async (
  db: TenantDb,
  invoiceId: string,
  status: 'expired' | 'succeeded',
  only?: string,
): Promise<string[]> => {
  let query = db
    .updateTable('checkoutSessions')
    .set({ status, updatedAt: clock.iso() })
    .where('businessId', '=', db.businessId)
    .where('invoiceId', '=', invoiceId)
    .where('status', '=', 'open')
  if (only) query = query.where('id', '=', only)
  return (await query.returning('providerSessionId').execute()).flatMap((row) => row.providerSessionId ?? [])
}

/** The customer opened the page of their invoice. */
export const countView = (businessId: BusinessId, invoiceId: string): Promise<unknown> =>
  withTenant({ businessId }, (db) => countViewTx(db, invoiceId))

/** Money that came outside: cash, a check. A draft is issued first; an open payment page ends, because its amount no longer holds. */
export const recordPayment = (actor: Actor, invoiceId: string, money: Money): Promise<RecordedPayment> => {
  return withTenant(actor, async (db) => {
    const before = await lockInvoiceTx(db, invoiceId)
    refuse(invoiceRefusals.pay(before))
    if (money.receivedOn > (await todayOf(db)))
      throw invalid([{ path: 'receivedOn', message: 'This day has not come yet' }])
    if (before.status === 'draft') await issueInvoicesTx(db, [invoiceId])
    const ended = await closeCheckoutSessionsTx(db, invoiceId, 'expired')
    const booked = await bookPaymentTx(db, actor, invoiceId, money)
    if (!booked) throw conflict('This payment was booked before. Nothing was changed.')
    await audit(
      db,
      actor,
      'payment.record',
      { type: 'invoice', id: invoiceId },
      { after: { method: money.method, amountCents: money.amountCents } },
    )
    for (const session of ended) afterCommit(db, () => expireCheckout(session))
    return booked
  })
}

const openCheckoutSession = (db: TenantDb, invoiceId: string) =>
  db
    .selectFrom('checkoutSessions')
    .selectAll()
    .where('businessId', '=', db.businessId)
    .where('invoiceId', '=', invoiceId)
    .where('status', '=', 'open')
    .executeTakeFirst()

/** A page is not handed out in its last minute. */
const lastMinute = 60_000
const attemptMinutes = 60

/** The attempt that stands for a payment page: the open one over this balance, or a new row. What is open but no longer fits is for the caller to end. */
const beginAttempt = (businessId: BusinessId, invoiceId: string, provider: PaymentProvider) =>
  withTenant({ businessId }, async (db) => {
    const invoice = await lockInvoiceTx(db, invoiceId)
    if (!isOpen(invoice.status))
      throw conflict(
        invoice.status === 'paid'
          ? 'This invoice is paid. Thank you!'
          : 'This invoice cannot be paid any more. Please contact the business.',
      )
    const amountCents = invoice.totalCents - invoice.paidCents
    const open = await openCheckoutSession(db, invoiceId)
    if (open) {
      const fits = open.amountCents === amountCents && Date.parse(open.expiresAt) > clock.nowMs() + lastMinute
      return { checkoutSession: open, invoice, fits }
    }
    const checkoutSession = await db
      .insertInto('checkoutSessions')
      .values({
        businessId,
        id: newId(),
        invoiceId,
        amountCents,
        provider: provider.name,
        livemode: provider.livemode,
        expiresAt: new Date(clock.nowMs() + attemptMinutes * 60_000).toISOString(),
        createdAt: clock.iso(),
        updatedAt: clock.iso(),
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    return { checkoutSession, invoice, fits: true }
  })

/** Ends an attempt that no longer holds, at the provider first: what was paid there meanwhile is booked. */
const endAttempt = async (
  businessId: BusinessId,
  invoiceId: string,
  checkoutSession: { id: string; providerSessionId: string | null },
) => {
  if (checkoutSession.providerSessionId) {
    await syncCheckout(checkoutSession.providerSessionId)
    await expireCheckout(checkoutSession.providerSessionId)
  }
  await withTenant({ businessId }, async (db) => {
    await lockInvoiceTx(db, invoiceId)
    await closeCheckoutSessionsTx(db, invoiceId, 'expired', checkoutSession.id)
  })
}

/**
 * The hosted checkout for the balance of an invoice. The row of the attempt stands before the provider is asked, and the provider is asked with the
 * attempt's id as its key: presses at once lead to one page, and one that was cut off in between is gone on with by the next.
 * While the row is open the invoice cannot be voided.
 */
export const payInvoice = async (
  businessId: BusinessId,
  invoiceId: string,
  token: string,
): Promise<{ url: string }> => {
  const provider = paymentProvider('invoice')
  if (!provider)
    throw conflict('Card payments are not set up here yet. Please contact the business to pay another way.')
  for (let tries = 0; tries < 3; tries++) {
    const { checkoutSession, invoice, fits } = await beginAttempt(businessId, invoiceId, provider)
    if (fits && checkoutSession.url && checkoutSession.providerSessionId) {
      const known = await findCheckout(checkoutSession.providerSessionId)
      if (known?.status === 'open') return { url: checkoutSession.url }
    }
    if (!fits || checkoutSession.providerSessionId) {
      await endAttempt(businessId, invoiceId, checkoutSession)
      continue
    }
    const business = await withTenant({ businessId }, (db) =>
      db.selectFrom('businesses').select('name').where('businessId', '=', businessId).executeTakeFirstOrThrow(),
    )
    const back = `${paths.invoice(token)}?paid=1`
    const session = await provider.openCheckout({
      purpose: 'invoice',
      mark: { businessId, invoiceId, checkoutSessionId: checkoutSession.id },
      amountCents: checkoutSession.amountCents,
      description: invoiceName(invoice.number),
      payeeName: business.name,
      email: null,
      successPath: back,
      cancelPath: back,
      requestKey: `invoice:${checkoutSession.id}`,
    })
    if (await saveSession(businessId, invoiceId, checkoutSession.id, session)) return { url: session.url }
    // Money came another way, or the invoice was voided, while the page was being opened: nobody may pay on it.
    await expireCheckout(session.id)
  }
  throw conflict('The amount changed a moment ago. Reload the page to see what is open.')
}

/** Notes the provider's page on its attempt. @returns false when the attempt or its invoice is not open any more */
const saveSession = (
  businessId: BusinessId,
  invoiceId: string,
  checkoutSessionId: string,
  session: { id: string; url: string; expiresAt: string },
): Promise<boolean> =>
  withTenant({ businessId }, async (db) => {
    const invoice = await lockInvoiceTx(db, invoiceId)
    const checkoutSession = await openCheckoutSession(db, invoiceId)
    if (checkoutSession?.id !== checkoutSessionId) return false
    if (!isOpen(invoice.status) || invoice.totalCents - invoice.paidCents !== checkoutSession.amountCents) {
      await closeCheckoutSessionsTx(db, invoiceId, 'expired', checkoutSessionId)
      return false
    }
    await db
      .updateTable('checkoutSessions')
      .set({ providerSessionId: session.id, url: session.url, expiresAt: session.expiresAt, updatedAt: clock.iso() })
      .where('businessId', '=', businessId)
      .where('id', '=', checkoutSessionId)
      .execute()
    return true
  })

/**
 * Brings the books in line with what the provider says of a checkout. The return page and the webhook both come here, as often as they like and in any order:
 * a payment is booked once by its id. Money for an invoice that was voided meanwhile is booked too, on no invoice, and the office is told.
 * @param account the business's own account at the provider, null for ours
 */
export const syncCheckout = async (sessionId: string, account: string | null = null): Promise<void> => {
  const state = await findCheckout(sessionId, account)
  if (!state) {
    log.warn({ sessionId }, 'a checkout that the provider does not know')
    return
  }
  // What is paid to us at the same provider is not ours to book here.
  if (!state.invoice) return
  const { businessId, invoiceId, checkoutSessionId } = state.invoice
  await withTenant({ businessId: asBusinessId(businessId) }, async (db) => {
    const checkoutSession = await db
      .selectFrom('checkoutSessions')
      .select(['id', 'invoiceId', 'providerSessionId'])
      .where('businessId', '=', db.businessId)
      .where('id', '=', checkoutSessionId)
      .executeTakeFirst()
    const known = checkoutSession?.providerSessionId ?? sessionId
    // The session's own words and our row must name the same invoice: anything else is somebody's mistake or worse.
    if (checkoutSession?.invoiceId !== invoiceId || known !== sessionId) {
      log.error({ sessionId }, 'a checkout does not fit its attempt')
      return
    }
    await lockInvoiceTx(db, invoiceId)
    if (state.status === 'expired') await closeCheckoutSessionsTx(db, invoiceId, 'expired', checkoutSession.id)
    if (state.status !== 'complete' || !state.paymentId) return
    await db
      .updateTable('checkoutSessions')
      .set({ status: 'succeeded', providerSessionId: sessionId, updatedAt: clock.iso() })
      .where('businessId', '=', db.businessId)
      .where('id', '=', checkoutSession.id)
      .execute()
    await bookPaymentTx(db, { kind: 'system', businessId: db.businessId }, invoiceId, {
      method: 'card',
      amountCents: state.amountCents,
      receivedOn: await todayOf(db),
      provider: state.provider,
      providerPaymentId: state.paymentId,
      checkoutSessionId: checkoutSession.id,
      livemode: state.livemode,
    })
  })
}

/** Works off a stored event of the payment provider: it names a checkout, the provider is asked for its state. */
export const processPaymentEvent = async (event: StoredWebhook): Promise<void> => {
  const object = (event.payload as { data?: { object?: { id?: string; object?: string } } }).data?.object
  if (event.type.startsWith('checkout.session.') && object?.id) await syncCheckout(object.id, event.account || null)
}
