import { sql } from 'kysely'
import { z } from 'zod'
import type { Actor, Who } from '../../../platform/actor.ts'
import { audit } from '../../../platform/audit.ts'
import { clock } from '../../../platform/clock.ts'
import { afterCommit, type BusinessId, type TenantDb, withTenant } from '../../../platform/db/tenant.ts'
import { publishChange } from '../../../platform/events/changes.ts'
import { emit } from '../../../platform/events/events.ts'
import { expireCheckout } from '../../../platform/payments/providers.ts'
import { taskName } from '../../../platform/tasks/task.ts'
import { refuse } from '../../../shared/can.ts'
import { dayOf } from '../../../shared/dates.ts'
import { conflict, invalid, notFound } from '../../../shared/errors.ts'
import { cashDiscountCents, discountsOf, isForOthersToo, isWithoutCard } from '../../businesses/cashdiscount/rules.ts'
import { getCashDiscount, timeZoneOf, todayOf } from '../../businesses/server/queries.ts'
import { tooMuch } from '../../invoices/corrections/rules.ts'
import { invoiceRefusals, isOpen } from '../../invoices/rules.ts'
import {
  addLedgerEntryTx,
  type ClosedMonthException,
  checkTaxTx,
  countViewTx,
  issueInvoicesTx,
  type LockedInvoice,
  lockInvoicesTx,
  lockInvoiceTx,
  openDayTx,
} from '../../invoices/server/commands.ts'
import type { RecordedPayment } from '../contract.ts'
import { addPaymentTx, allocateTx } from '../corrections/server/rows.ts'
import { giveDiscountTx } from '../discounts/server/rows.ts'
import { moveTipTx, shareTipTx } from '../tips/server/rows.ts'
import { lockOthersTx } from '../together/server/commands.ts'

/** Asks the provider how an account stands now; the work stands in connect. */
export const syncAccountTask = taskName({
  name: 'payments.syncAccount',
  payload: z.object({ accountId: z.string().max(100) }),
})

/** Ends every open payment page of a business, whose account takes no cards any more; the work stands in connect. */
export const endPagesTask = taskName({ name: 'payments.endPages', payload: z.object({}) })

export type Money = {
  method: 'card' | 'ach' | 'check' | 'cash' | 'other'
  amountCents: number
  receivedOn: string
  note?: string
  provider?: string
  providerPaymentId?: string
  checkoutSessionId?: string
  /** The business's own account that the provider took it into. */
  accountId?: string | null
  livemode?: boolean
  /** What of it is for the crew, on top of what was meant for invoices. */
  tipCents?: number
  /** What of it was meant for which invoice, and what is taken off if that pays it in full; without it all but the tip is for one. */
  shares?: readonly { invoiceId: string; cents: number; discountCents?: number }[]
  /** False where the discount for paying without a card is not meant to be given. */
  cashDiscount?: boolean
  /** What is more than is open on its invoice goes on the others of its customer. */
  others?: boolean
}

const openOf = ({ totalCents, paidCents }: LockedInvoice): number => totalCents - paidCents

/** A day and a reason why it may be one of a closed month. */
type Dated<T> = T & { exceptionReason?: string | undefined }

/** What the owner said about a closed month, if anything. */
export const exceptionOf = (who: Who, { exceptionReason }: { exceptionReason?: string | undefined }) =>
  exceptionReason ? ({ who, reason: exceptionReason } satisfies ClosedMonthException) : undefined

/** Asked before a receipt takes its number: a payment that comes twice leaves no gap. */
const isBooked = async (db: TenantDb, providerPaymentId: string): Promise<boolean> =>
  (await db
    .selectFrom('payments')
    .select('id')
    .where('businessId', '=', db.businessId)
    .where('providerPaymentId', '=', providerPaymentId)
    .executeTakeFirst()) !== undefined

/** What of money goes on which invoice: each its share, up to what is open on it now. */
const partsOf = (
  amountCents: number,
  shares: readonly { invoiceId: string; cents: number; discountCents?: number }[],
  invoices: readonly LockedInvoice[],
): { invoice: LockedInvoice; cents: number; discountCents: number }[] => {
  let left = amountCents
  return shares.flatMap((share) => {
    const invoice = invoices.find(({ id }) => id === share.invoiceId)
    if (!invoice || !isOpen(invoice.status)) return []
    const cents = Math.min(share.cents, invoice.totalCents - invoice.paidCents, left)
    left -= cents
    return cents > 0 ? [{ invoice, cents, discountCents: share.discountCents ?? 0 }] : []
  })
}

/**
 * Books money that came for an invoice, or for several that are paid on one page: payment, allocation up to the balance, ledger, status. What is more than the balance stays
 * on the payment, in the customer's balance, and the office is told; a tip is the crew's whatever became of the invoice. A provider's payment is
 * booked once by its id. The discount for paying without a card comes with it, where it pays its invoice so.
 * @returns what was booked, or null when it was booked before
 */
export const bookPaymentTx = async (
  db: TenantDb,
  who: Who,
  invoiceId: string,
  money: Money,
  exception?: ClosedMonthException,
): Promise<RecordedPayment | null> => {
  const tipCents = Math.min(money.tipCents ?? 0, money.amountCents)
  const forInvoices = money.amountCents - tipCents
  const shares = money.shares ?? [{ invoiceId, cents: forInvoices }]
  const locked = await lockInvoicesTx(
    db,
    shares.map((share) => share.invoiceId),
  )
  const invoice = locked.find(({ id }) => id === invoiceId)
  if (!invoice) throw notFound('invoice')
  if (money.providerPaymentId && (await isBooked(db, money.providerPaymentId))) return null
  const parts = partsOf(forInvoices, shares, locked)
  const allocated = parts.reduce((sum, { cents }) => sum + cents, 0)
  const made = await addPaymentTx(db, who, {
    customerId: invoice.customerId,
    checkoutSessionId: money.checkoutSessionId ?? null,
    method: money.method,
    amountCents: money.amountCents,
    tipInvoiceId: tipCents > 0 ? invoiceId : null,
    provider: money.provider ?? 'manual',
    providerPaymentId: money.providerPaymentId ?? null,
    accountId: money.accountId ?? null,
    livemode: money.livemode ?? false,
    receivedOn: money.receivedOn,
    note: money.note ?? '',
    together: money.others === true && parts.length > 1,
  })
  if (!made) return null
  const { id } = made
  let after: LockedInvoice = invoice
  for (const part of parts) {
    const put = await allocateTx(db, id, part.invoice, part.cents)
    const earned = { paidCents: part.cents, mostCents: part.discountCents, onDay: money.receivedOn, exception }
    const now = await giveDiscountTx(db, who, id, put, earned)
    if (now.id === invoiceId) after = now
    if (now.status === 'paid')
      await emit(db, 'invoice.paid', { invoiceId: now.id, paymentId: id, by: 'money', cents: part.cents })
  }
  // after the invoice, as everywhere: the sums of invoices and of customers are rows that others wait for
  await addLedgerEntryTx(
    db,
    {
      customerId: invoice.customerId,
      kind: 'payment',
      amountCents: -money.amountCents,
      refType: 'payment',
      refId: id,
      onDay: money.receivedOn,
    },
    exception,
  )
  if (tipCents > 0) {
    const { customerId } = invoice
    await moveTipTx(db, { id, customerId }, tipCents, { onDay: money.receivedOn }, exception)
    await shareTipTx(db, id, { invoiceId }, tipCents)
  }
  const stillOpenCents = isOpen(after.status) ? after.totalCents - after.paidCents : 0
  const overpaymentCents = forInvoices - allocated
  await emit(db, 'payment.recorded', { paymentId: id, invoiceId, overpaymentCents, stillOpenCents })
  if (overpaymentCents > 0)
    await emit(db, 'credit.added', { customerId: invoice.customerId, paymentId: id, deposit: false })
  await publishChange(
    db,
    'invoices',
    locked.map((one) => one.id),
  )
  await publishChange(db, 'payments', [id])
  return {
    id,
    invoiceId,
    amountCents: money.amountCents,
    overpaymentCents,
    invoiceStatus: after.status,
    balanceCents: stillOpenCents,
    invoiceCount: parts.length,
  }
}

/**
 * The day under which a provider's money is booked: the one on which it was paid there, or the first open one where that month was closed before
 * word of it came, with a note that says so.
 * @param paidAt null where the provider does not say: today
 */
export const providerDayTx = async (db: TenantDb, paidAt: string | null): Promise<{ day: string; note: string }> => {
  const today = await todayOf(db)
  const paidOn = paidAt ? dayOf(paidAt, await timeZoneOf(db)) : today
  return openDayTx(db, [paidOn, today].sort()[0] ?? today)
}

/**
 * Ends the open payment page of an invoice, also of those that are paid on it along with it: in the books at once, at its provider after the
 * commit. A charge of a saved card that has no answer yet is no page: it stays open until its answer is known, because a second one beside it
 * could charge twice.
 */
export const endPagesTx = async (db: TenantDb, invoiceId: string, only?: string): Promise<void> => {
  const { rows } = await sql<{ id: string }>`
    select l.id from checkout_sessions l where l.business_id = ${db.businessId} and l.id in (
      select coalesce(s.lead_id, s.id) from checkout_sessions s
      where s.business_id = ${db.businessId} and s.invoice_id = ${invoiceId} and s.status = 'open' and s.kind = 'page')
    order by l.id for update`.execute(db)
  const pages = rows.map(({ id }) => id).filter((id) => only === undefined || id === only)
  if (pages.length === 0) return
  const ended = await db
    .updateTable('checkoutSessions')
    .set({ status: 'expired', updatedAt: clock.iso() })
    .where('businessId', '=', db.businessId)
    .where((eb) => eb.or([eb('id', 'in', pages), eb('leadId', 'in', pages)]))
    .where('status', '=', 'open')
    .returning(['providerSessionId', 'accountId'])
    .execute()
  for (const { providerSessionId: page, accountId } of ended)
    if (page) afterCommit(db, () => expireCheckout(page, accountId))
}

/** The customer opened the page of their invoice. */
export const countView = (businessId: BusinessId, invoiceId: string): Promise<unknown> =>
  withTenant({ businessId }, (db) => countViewTx(db, invoiceId))

/** What is open on invoices, and what comes off each where all is paid without a card. */
const sumOpen = (invoices: readonly LockedInvoice[], bps: number): { cents: number; discountCents: number } => {
  const open = invoices.map(openOf)
  return {
    cents: open.reduce((sum, cents) => sum + cents, 0),
    discountCents: open.reduce((sum, cents) => sum + cashDiscountCents(cents, bps), 0),
  }
}

/** What of money is for which of several invoices, the first before the others: it is named also where its credit has paid it as it was issued. */
const sharesOf = (invoices: readonly LockedInvoice[], cents: number, bps: number): NonNullable<Money['shares']> => {
  const off = discountsOf(invoices.map(openOf), cents, bps)
  let left = cents
  return invoices.flatMap((invoice, at) => {
    const discountCents = off[at] ?? 0
    const share = Math.min(left, openOf(invoice) - discountCents)
    left -= share
    return share > 0 || at === 0 ? [{ invoiceId: invoice.id, cents: share, discountCents }] : []
  })
}

/** Money that came outside: cash, a check. A draft is issued first; an open payment page ends, because its amount no longer holds. */
export const recordPayment = (actor: Actor, invoiceId: string, money: Dated<Money>): Promise<RecordedPayment> => {
  return withTenant(actor, async (db) => {
    const others = money.others ? await lockOthersTx(db, invoiceId) : []
    const before = await lockInvoiceTx(db, invoiceId)
    refuse(invoiceRefusals.pay(before))
    if (money.receivedOn > (await todayOf(db)))
      throw invalid([{ path: 'receivedOn', message: 'This day has not come yet' }])
    if ((money.tipCents ?? 0) > money.amountCents)
      throw invalid([{ path: 'tipCents', message: tooMuch(money.amountCents, 'so much came in') }])
    await checkTaxTx(db, before)
    if (before.status === 'draft') await issueInvoicesTx(db, [invoiceId])
    await endPagesTx(db, invoiceId)
    const bps = money.cashDiscount !== false && isWithoutCard(money.method) ? await getCashDiscount(db) : 0
    const cents = money.amountCents - (money.tipCents ?? 0)
    const open = await lockInvoiceTx(db, invoiceId)
    const isForMore = isForOthersToo(cents, sumOpen([open], bps), sumOpen(others, bps))
    const shares = isForMore
      ? sharesOf([open, ...others], cents, bps)
      : [{ invoiceId, cents, discountCents: cashDiscountCents(openOf(open), bps) }]
    // an open payment page of theirs asks for a balance that no longer holds
    if (isForMore) for (const share of shares.slice(1)) await endPagesTx(db, share.invoiceId)
    const booked = await bookPaymentTx(db, actor, invoiceId, { ...money, shares }, exceptionOf(actor, money))
    if (!booked) throw conflict('This payment was booked before. Nothing was changed.')
    await audit(
      db,
      actor,
      'payment.record',
      { type: 'invoice', id: invoiceId },
      { after: { method: money.method, amountCents: money.amountCents, tipCents: money.tipCents } },
    )
    return booked
  })
}
