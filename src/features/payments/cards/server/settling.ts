import type { Selectable } from 'kysely'
import { type SystemActor, systemActor } from '../../../../platform/actor.ts'
import { clock } from '../../../../platform/clock.ts'
import { asBusinessId, type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import type { CheckoutSessions } from '../../../../platform/db/types.generated.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { log } from '../../../../platform/log.ts'
import type { Charge } from '../../../../platform/payments/provider.ts'
import { findCharge } from '../../../../platform/payments/providers.ts'
import { type Day, formatDay } from '../../../../shared/dates.ts'
import { linkTo } from '../../../../shared/links.ts'
import { formatCents } from '../../../../shared/money.ts'
import { todayOf } from '../../../businesses/server/queries.ts'
import { getContact } from '../../../customers/server/queries.ts'
import { invoiceName } from '../../../invoices/rules.ts'
import { lockInvoiceTx } from '../../../invoices/server/commands.ts'
import { notifyOffice } from '../../../notifications/server/commands.ts'
import { beginDebitTx, endDebitTx, failDebitTx, tellOfDebitTx } from '../../debits/server/commands.ts'
import { bookPaymentTx, providerDayTx } from '../../server/commands.ts'
import { declineMessage, nextDebitOn, nextTryOn, retryDay } from '../rules.ts'
import { type Method, setAutopayTx, tellHolderTx } from './commands.ts'

// What comes of a charge of a saved card: the books, the next try, the end of autopay.

export const methodById = (db: TenantDb, id: string) =>
  db
    .selectFrom('paymentMethods')
    .selectAll()
    .where('businessId', '=', db.businessId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()

/** A card before its charges, whoever changes both: `syncMethod` ends autopay in that order. */
const lockMethodById = (db: TenantDb, id: string) =>
  db
    .selectFrom('paymentMethods')
    .selectAll()
    .where('businessId', '=', db.businessId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow()

export const endAutopay = async (db: TenantDb, method: Method, reason: string, invoiceId: string): Promise<void> => {
  const customer = await getContact(db, method.customerId)
  await setAutopayTx(db, method, false, reason)
  await notifyOffice(db, {
    type: 'invoice',
    title: `Autopay of ${customer.name} is off`,
    content: `${reason} What is open is not charged any more: talk to them about another way to pay.`,
    customerId: method.customerId,
    path: linkTo.invoices({ customerId: method.customerId }),
    dedupeKey: `autopay-ended:${method.id}:${invoiceId}:${reason}`,
  })
}

export type Outcome = Pick<Charge, 'status' | 'method' | 'declineCode' | 'amountCents' | 'provider' | 'livemode'> & {
  id: string | null
  madeAt: string | null
}

/** A declined try: the next day of the plan, or the end of autopay. Counted once for a try. */
const settleDecline = async (
  db: TenantDb,
  invoice: { id: string; number: number },
  attempt: Selectable<CheckoutSessions>,
  code: string | null,
): Promise<void> => {
  const { amountCents, methodId } = attempt
  // before the plan is read: who ends autopay meanwhile has the card, and what they stopped is tried no more
  const method = methodId ? await lockMethodById(db, methodId) : null
  const charge = await db
    .selectFrom('autopayCharges')
    .selectAll()
    .where('businessId', '=', db.businessId)
    .where('invoiceId', '=', invoice.id)
    .executeTakeFirst()
  // a plan that was ended meanwhile, or made anew with another card, has nothing to do with this try
  if (!method || charge?.status !== 'waiting' || charge.methodId !== methodId) {
    // but both have counted on what a bank was asked for
    if (attempt.status === 'processing') await tellOfDebitTx(db, [attempt], { kind: 'failed', problem: code })
    return
  }
  const tries = charge.tries + 1
  const reason = declineMessage(code, method.kind)
  const today = await todayOf(db)
  const planned =
    method.kind === 'bank' ? nextDebitOn(today, tries, code) : nextTryOn(charge.firstOn ?? today, tries, code)
  const nextOn: Day | null = planned && retryDay(planned, today, method)
  await db
    .updateTable('autopayCharges')
    .set({
      tries,
      declined: reason,
      updatedAt: clock.iso(),
      ...(nextOn ? { chargeOn: nextOn } : { status: 'stopped' as const }),
    })
    .where('businessId', '=', db.businessId)
    .where('invoiceId', '=', invoice.id)
    .execute()
  const about = { reason, amountCents, invoice: invoiceName(invoice.number) }
  await tellHolderTx(
    db,
    method,
    nextOn ? { kind: 'declined', nextOn, ...about } : { kind: 'stopped', ...about },
    `autopay-declined:${invoice.id}:${method.id}:${tries}:${charge.firstOn ?? today}`,
    invoice.id,
  )
  if (nextOn && tries === 1)
    await notifyOffice(db, {
      type: 'invoice',
      title: `Autopay could not charge ${about.invoice}`,
      content: `${(await getContact(db, method.customerId)).name}: ${reason} Nothing was charged. They were told, and ${formatCents(amountCents)} is tried again on ${formatDay(nextOn)}.`,
      customerId: method.customerId,
      path: linkTo.invoice(invoice.id),
      dedupeKey: `autopay-declined:${invoice.id}:${method.id}:${charge.firstOn ?? today}`,
    })
  if (!nextOn)
    await endAutopay(
      db,
      method,
      `${formatCents(amountCents)} for ${about.invoice} could not be charged. ${reason}`,
      invoice.id,
    )
}

/**
 * Brings the books in line with what came of a try. Its answer and the webhook both come here, as often as they like.
 * @param answeredAt when a bank answered that had days for it; now where nobody says
 */
export const settle = (
  actor: SystemActor,
  invoiceId: string,
  attemptId: string,
  outcome: Outcome,
  answeredAt: string | null = null,
): Promise<void> =>
  withTenant(actor, async (db) => {
    // a card says yes or no in a moment, a bank in days
    if (outcome.status === 'processing' && outcome.method === 'card') return
    const invoice = await lockInvoiceTx(db, invoiceId)
    const paid = outcome.status === 'paid'
    const attempt = await db
      .selectFrom('checkoutSessions')
      .selectAll()
      .where('businessId', '=', db.businessId)
      .where('id', '=', attemptId)
      .executeTakeFirstOrThrow()
    const isLive = attempt.status === 'open' || attempt.status === 'processing'
    if (isLive || (paid && attempt.status !== 'succeeded'))
      await db
        .updateTable('checkoutSessions')
        .set({ providerSessionId: outcome.id, updatedAt: clock.iso() })
        .where('businessId', '=', db.businessId)
        .where('id', '=', attemptId)
        .execute()
    if (outcome.status === 'processing') await beginDebitTx(db, [attempt], outcome.madeAt)
    else if (!paid) {
      if (isLive && (await failDebitTx(db, [attempt], outcome.declineCode)))
        await settleDecline(db, invoice, attempt, outcome.declineCode)
    } else if (outcome.id) {
      await endDebitTx(db, [attempt])
      const { day, note } = await providerDayTx(db, outcome.method === 'bank' ? answeredAt : outcome.madeAt)
      await bookPaymentTx(db, systemActor(db.businessId), invoiceId, {
        method: outcome.method === 'bank' ? 'ach' : 'card',
        amountCents: outcome.amountCents,
        receivedOn: day,
        note: note ? `Autopay. ${note}` : 'Autopay',
        provider: outcome.provider,
        providerPaymentId: outcome.id,
        accountId: attempt.accountId,
        checkoutSessionId: attempt.id,
        livemode: outcome.livemode,
        shares: [
          {
            invoiceId,
            cents: outcome.amountCents,
            discountCents: outcome.method === 'bank' ? attempt.discountCents : 0,
          },
        ],
      })
      await db
        .updateTable('autopayCharges')
        .set({ status: 'paid', updatedAt: clock.iso() })
        .where('businessId', '=', db.businessId)
        .where('invoiceId', '=', invoiceId)
        .execute()
    }
    await publishChange(db, 'invoices', [invoiceId])
    await publishChange(db, 'customers', [invoice.customerId])
  })

/** What became of a charge, asked of the provider; a charge of a payment page is that page's to book. */
export const syncCharge = async (chargeId: string, account: string, at: string | null = null): Promise<void> => {
  const charge = await findCharge(chargeId, account)
  if (!charge?.mark) return
  const { businessId, invoiceId, checkoutSessionId } = charge.mark
  const actor = systemActor(asBusinessId(businessId))
  const attempt = await withTenant(actor, (db) =>
    db
      .selectFrom('checkoutSessions')
      .select(['invoiceId', 'kind', 'accountId'])
      .where('businessId', '=', db.businessId)
      .where('id', '=', checkoutSessionId)
      .executeTakeFirst(),
  )
  if (attempt?.kind === 'page') return
  if (attempt?.invoiceId !== invoiceId || attempt.accountId !== account) {
    log.error({ chargeId, account }, 'a charge does not fit its try')
    return
  }
  await settle(actor, invoiceId, checkoutSessionId, charge, at)
}
