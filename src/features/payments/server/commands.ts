import type { Actor, Who } from '../../../platform/actor.ts'
import { audit } from '../../../platform/audit.ts'
import { todayOf } from '../../../platform/calendar.ts'
import { clock } from '../../../platform/clock.ts'
import { afterCommit, asBusinessId, type BusinessId, type TenantDb, withTenant } from '../../../platform/db/tenant.ts'
import { publishChange } from '../../../platform/events/changes.ts'
import { emit } from '../../../platform/events/events.ts'
import { newId } from '../../../platform/ids.ts'
import { log } from '../../../platform/log.ts'
import type { PaymentProvider } from '../../../platform/payments/provider.ts'
import { expireCheckout, findCheckout, paymentProvider } from '../../../platform/payments/providers.ts'
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
 * on the payment, in the customer's balance, and the office is told. A provider's payment is booked once by its id.
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
  return (await query.returning('providerSessionId').execute()).flatMap((row) => row.providerSessionId ?? [])
}

/** The customer opened the page of their invoice. */
export const countView = (businessId: BusinessId, invoiceId: string): Promise<unknown> =>
  withTenant({ businessId }, (db) => countViewTx(db, invoiceId))

/** Money that came outside: cash, a check. A draft is issued first; an open payment page ends, because its amount no longer holds. */
export const recordPayment = (actor: Actor, invoiceId: string, money: Money): Promise<RecordedPayment> => {
  return withTenant(actor, async (db) => {
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
    for (const session of ended) afterCommit(db, () => expireCheckout(session))
    return booked
  })
}

const openAttempt = (db: TenantDb, invoiceId: string) =>
  db
    .selectFrom('paymentAttempts')
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
    const invoice = await lockInvoiceIn(db, invoiceId)
    if (!isOpen(invoice.status))
      throw conflict(
        invoice.status === 'paid'
          ? 'This invoice is paid. Thank you!'
          : 'This invoice can not be paid any more. Please contact the business.',
      )
    const amountCents = invoice.totalCents - invoice.paidCents
    const open = await openAttempt(db, invoiceId)
    if (open) {
      const fits = open.amountCents === amountCents && Date.parse(open.expiresAt) > clock.nowMs() + lastMinute
      return { attempt: open, invoice, fits }
    }
    const attempt = await db
      .insertInto('paymentAttempts')
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
    return { attempt, invoice, fits: true }
  })

/** Ends an attempt that no longer holds, at the provider first: what was paid there meanwhile is booked. */
const endAttempt = async (
  businessId: BusinessId,
  invoiceId: string,
  attempt: { id: string; providerSessionId: string | null },
) => {
  if (attempt.providerSessionId) {
    await syncCheckout(attempt.providerSessionId)
    await expireCheckout(attempt.providerSessionId)
  }
  await withTenant({ businessId }, async (db) => {
    await lockInvoiceIn(db, invoiceId)
    await closeAttemptsIn(db, invoiceId, 'expired', attempt.id)
  })
}

/**
 * The hosted checkout for the balance of an invoice. The row of the attempt stands before the provider is asked, and the provider is asked with the
 * attempt's id as its key: presses at once lead to one page, and one that was cut off in between is gone on with by the next.
 * While the row is open the invoice can not be voided.
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
    const { attempt, invoice, fits } = await beginAttempt(businessId, invoiceId, provider)
    if (fits && attempt.url && attempt.providerSessionId) {
      const known = await findCheckout(attempt.providerSessionId)
      if (known?.status === 'open') return { url: attempt.url }
    }
    if (!fits || attempt.providerSessionId) {
      await endAttempt(businessId, invoiceId, attempt)
      continue
    }
    const business = await withTenant({ businessId }, (db) =>
      db.selectFrom('businesses').select('name').where('businessId', '=', businessId).executeTakeFirstOrThrow(),
    )
    const back = `${paths.invoice(token)}?paid=1`
    const session = await provider.openCheckout({
      purpose: 'invoice',
      mark: { businessId, invoiceId, attemptId: attempt.id },
      amountCents: attempt.amountCents,
      description: invoiceName(invoice.number),
      payeeName: business.name,
      email: null,
      successPath: back,
      cancelPath: back,
      requestKey: `invoice:${attempt.id}`,
    })
    if (await keepSession(businessId, invoiceId, attempt.id, session)) return { url: session.url }
    // Money came another way, or the invoice was voided, while the page was being opened: nobody may pay on it.
    await expireCheckout(session.id)
  }
  throw conflict('The amount changed a moment ago. Reload the page to see what is open.')
}

/** Notes the provider's page on its attempt. @returns false when the attempt or its invoice is not open any more */
const keepSession = (
  businessId: BusinessId,
  invoiceId: string,
  attemptId: string,
  session: { id: string; url: string; expiresAt: string },
): Promise<boolean> =>
  withTenant({ businessId }, async (db) => {
    const invoice = await lockInvoiceIn(db, invoiceId)
    const attempt = await openAttempt(db, invoiceId)
    if (attempt?.id !== attemptId) return false
    if (!isOpen(invoice.status) || invoice.totalCents - invoice.paidCents !== attempt.amountCents) {
      await closeAttemptsIn(db, invoiceId, 'expired', attemptId)
      return false
    }
    await db
      .updateTable('paymentAttempts')
      .set({ providerSessionId: session.id, url: session.url, expiresAt: session.expiresAt, updatedAt: clock.iso() })
      .where('businessId', '=', businessId)
      .where('id', '=', attemptId)
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
  const { businessId, invoiceId, attemptId } = state.invoice
  await withTenant({ businessId: asBusinessId(businessId) }, async (db) => {
    const attempt = await db
      .selectFrom('paymentAttempts')
      .select(['id', 'invoiceId', 'providerSessionId'])
      .where('businessId', '=', db.businessId)
      .where('id', '=', attemptId)
      .executeTakeFirst()
    const known = attempt?.providerSessionId ?? sessionId
    // The session's own words and our row must name the same invoice: anything else is somebody's mistake or worse.
    if (attempt?.invoiceId !== invoiceId || known !== sessionId) {
      log.error({ sessionId }, 'a checkout does not fit its attempt')
      return
    }
    await lockInvoiceIn(db, invoiceId)
    if (state.status === 'expired') await closeAttemptsIn(db, invoiceId, 'expired', attempt.id)
    if (state.status !== 'complete' || !state.paymentId) return
    await db
      .updateTable('paymentAttempts')
      .set({ status: 'succeeded', providerSessionId: sessionId, updatedAt: clock.iso() })
      .where('businessId', '=', db.businessId)
      .where('id', '=', attempt.id)
      .execute()
    await bookPaymentIn(db, { kind: 'system', businessId: db.businessId }, invoiceId, {
      method: 'card',
      amountCents: state.amountCents,
      receivedOn: await todayOf(db),
      provider: state.provider,
      providerPaymentId: state.paymentId,
      attemptId: attempt.id,
      livemode: state.livemode,
    })
  })
}

/** Works off a stored event of the payment provider: it names a checkout, the provider is asked for its state. */
export const processPaymentEvent = async (event: StoredWebhook): Promise<void> => {
  const object = (event.payload as { data?: { object?: { id?: string; object?: string } } }).data?.object
  if (event.type.startsWith('checkout.session.') && object?.id) await syncCheckout(object.id, event.account || null)
}
