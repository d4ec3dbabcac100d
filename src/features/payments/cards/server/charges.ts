import type { SystemActor } from '../../../../platform/actor.ts'
import { clock } from '../../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { newId } from '../../../../platform/ids.ts'
import {
  leastChargeCents,
  missingCode,
  mostChargeCents,
  PaymentRefused,
} from '../../../../platform/payments/provider.ts'
import { providerNamed } from '../../../../platform/payments/providers.ts'
import { addDays } from '../../../../shared/dates.ts'
import { linkTo } from '../../../../shared/links.ts'
import { cashDiscountCents } from '../../../businesses/cashdiscount/rules.ts'
import { getCashDiscount, isClosedTx, todayOf } from '../../../businesses/server/queries.ts'
import { invoiceName, isOpen } from '../../../invoices/rules.ts'
import { type LockedInvoice, lockInvoiceTx } from '../../../invoices/server/commands.ts'
import { isReached, unreachedWords } from '../../../messages/paperways/rules.ts'
import { getPaperReach } from '../../../messages/paperways/server/queries.ts'
import { notifyOffice } from '../../../notifications/server/commands.ts'
import { syncOpenPage } from '../../checkout/server/commands.ts'
import { syncAccount } from '../../connect/server/commands.ts'
import { findCardTaker } from '../../connect/server/queries.ts'
import { endPagesTx } from '../../server/commands.ts'
import { chargeDay } from '../rules.ts'
import { type Method, tellHolderTx } from './commands.ts'
import { isInvoiceHeld, noticeDaysOf } from './queries.ts'
import { endAutopay, methodById, type Outcome, settle } from './settling.ts'
import { failTryTx, goesOn } from './tries.ts'

/** What a charge of an open invoice comes to: from a bank account less the discount for paying without a card. */
const chargeOf = async (db: TenantDb, method: Pick<Method, 'kind'>, invoice: LockedInvoice) => {
  const openCents = invoice.totalCents - invoice.paidCents
  const discountCents = method.kind === 'bank' ? cashDiscountCents(openCents, await getCashDiscount(db)) : 0
  return { amountCents: openCents - discountCents, discountCents }
}

/** Plans the charge of an open invoice and announces it, once. */
export const planCharge = (actor: SystemActor, invoiceId: string): Promise<void> =>
  withTenant(actor, async (db) => {
    const invoice = await lockInvoiceTx(db, invoiceId)
    // its mail would be held back, and would count as told all the same
    if (await isClosedTx(db)) return
    // nobody is told of a charge that nobody makes
    if (!(await findCardTaker(db))) return
    const method = await db
      .selectFrom('paymentMethods')
      .selectAll()
      .where('businessId', '=', db.businessId)
      .where('customerId', '=', invoice.customerId)
      .where('removedAt', 'is', null)
      .where('autopay', '=', true)
      .forUpdate()
      .executeTakeFirst()
    if (!method || !isOpen(invoice.status) || !invoice.dueOn || invoice.disputed || invoice.pendingCents > 0) return
    const reach = await getPaperReach(db, invoice.customerId)
    if (!isReached(reach)) {
      await endAutopay(db, method, `A charge cannot be announced: ${reach.name} ${unreachedWords(reach)}.`, invoiceId)
      return
    }
    const today = await todayOf(db)
    if (await isInvoiceHeld(db, invoiceId, today)) return
    const chargeOn = chargeDay(invoice.dueOn, today, await noticeDaysOf(db, method))
    const { amountCents: announcedCents, discountCents } = await chargeOf(db, method, invoice)
    if (announcedCents < leastChargeCents) return
    const made = await db
      .insertInto('autopayCharges')
      .values({
        businessId: db.businessId,
        invoiceId,
        methodId: method.id,
        chargeOn,
        announcedCents,
        createdAt: clock.iso(),
      })
      .onConflict((c) => c.doNothing())
      .returning('invoiceId')
      .executeTakeFirst()
    if (!made) return
    await tellHolderTx(
      db,
      method,
      {
        kind: 'notice',
        chargeOn,
        amountCents: announcedCents,
        discountCents,
        invoice: invoiceName(invoice.number),
      },
      `autopay-notice:${invoiceId}:${method.id}:${chargeOn}:${clock.iso()}`,
      invoiceId,
    )
    await publishChange(db, 'invoices', [invoiceId])
  })

/** How long a try may stay without an answer before the invoice can be voided under it. */
const tryHours = 24

type Try = { attemptId: string; amountCents: number; number: number; method: Method; accountId: string }

/** The row of a try, under the invoice's lock: the one that was cut off, or a new one. Null where nothing is to be charged now. */
const beginTry = (actor: SystemActor, invoiceId: string): Promise<Try | null> =>
  withTenant(actor, async (db) => {
    const invoice = await lockInvoiceTx(db, invoiceId)
    const charge = await db
      .selectFrom('autopayCharges')
      .selectAll()
      .where('businessId', '=', db.businessId)
      .where('invoiceId', '=', invoiceId)
      .executeTakeFirst()
    if (charge?.status !== 'waiting' || (await isClosedTx(db))) return null
    const close = (status: 'paid' | 'stopped') =>
      db
        .updateTable('autopayCharges')
        .set({ status, updatedAt: clock.iso() })
        .where('businessId', '=', db.businessId)
        .where('invoiceId', '=', invoiceId)
        .execute()
    if (!isOpen(invoice.status)) {
      await close(invoice.status === 'paid' ? 'paid' : 'stopped')
      return null
    }
    const today = await todayOf(db)
    // the bank decides first, and what is on its way arrives first
    if (
      charge.chargeOn > today ||
      invoice.disputed ||
      invoice.pendingCents > 0 ||
      (await isInvoiceHeld(db, invoiceId, today))
    )
      return null
    const method = await methodById(db, charge.methodId)
    if (!method.autopay || method.removedAt) {
      await close('stopped')
      return null
    }
    const taker = await findCardTaker(db)
    // While the business takes no cards nothing is tried: the hourly run lets the charge go where that lasts.
    if (!taker) return null
    if (taker.accountId !== method.accountId) {
      await endAutopay(db, method, 'It was left with an account that is not in use any more.', invoiceId)
      return null
    }
    const open = await db
      .selectFrom('checkoutSessions')
      .selectAll()
      .where('businessId', '=', db.businessId)
      .where('invoiceId', '=', invoiceId)
      .where('status', '=', 'open')
      .executeTakeFirst()
    const mine = { method, accountId: method.accountId }
    if (open?.kind === 'autopay') {
      // One that does not go on as it began is looked up before anything else is charged.
      if (!goesOn(open, { charge, invoice, method })) return null
      await db
        .updateTable('checkoutSessions')
        .set({ updatedAt: clock.iso() })
        .where('businessId', '=', db.businessId)
        .where('id', '=', open.id)
        .execute()
      return { ...mine, attemptId: open.id, amountCents: open.amountCents, number: invoice.number }
    }
    if (open) {
      // Opened since the provider was asked: they pay, or the next run charges.
      if (Date.parse(open.expiresAt) > clock.nowMs()) return null
      await endPagesTx(db, invoiceId, open.id)
    }
    const { amountCents, discountCents } = await chargeOf(db, method, invoice)
    if (amountCents < leastChargeCents) {
      // so little is charged to nobody: it is asked for by reminders, and announced anew should it be more again
      await db
        .deleteFrom('autopayCharges')
        .where('businessId', '=', db.businessId)
        .where('invoiceId', '=', invoiceId)
        .execute()
      return null
    }
    if (amountCents > mostChargeCents) return null
    if (amountCents > charge.announcedCents) {
      // Credit was taken back, or a payment, or the discount ended: more than was announced is never charged, it is announced first.
      const chargeOn = addDays(today, await noticeDaysOf(db, method))
      await db
        .updateTable('autopayCharges')
        .set({ chargeOn, announcedCents: amountCents, updatedAt: clock.iso() })
        .where('businessId', '=', db.businessId)
        .where('invoiceId', '=', invoiceId)
        .execute()
      const news = {
        kind: 'notice' as const,
        chargeOn,
        amountCents,
        discountCents,
        invoice: invoiceName(invoice.number),
      }
      await tellHolderTx(
        db,
        method,
        news,
        `autopay-notice:${invoiceId}:${method.id}:${chargeOn}:${amountCents}`,
        invoiceId,
      )
      return null
    }
    const { tries } = await db
      .selectFrom('checkoutSessions')
      .select((eb) => eb.fn.max('tryNumber').as('tries'))
      .where('businessId', '=', db.businessId)
      .where('invoiceId', '=', invoiceId)
      .executeTakeFirstOrThrow()
    const attempt = await db
      .insertInto('checkoutSessions')
      .values({
        businessId: db.businessId,
        id: newId(),
        invoiceId,
        kind: 'autopay',
        methodId: method.id,
        tryNumber: (tries ?? 0) + 1,
        amountCents,
        discountCents,
        provider: method.provider,
        accountId: method.accountId,
        livemode: method.livemode,
        expiresAt: new Date(clock.nowMs() + tryHours * 3_600_000).toISOString(),
        createdAt: clock.iso(),
        updatedAt: clock.iso(),
      })
      .returning(['id', 'amountCents'])
      .executeTakeFirstOrThrow()
    if (charge.firstOn === null)
      await db
        .updateTable('autopayCharges')
        .set({ firstOn: today })
        .where('businessId', '=', db.businessId)
        .where('invoiceId', '=', invoiceId)
        .execute()
    return { ...mine, attemptId: attempt.id, amountCents: attempt.amountCents, number: invoice.number }
  })

/**
 * Charges the saved card for an invoice whose day has come. The row of the try stands before the provider is asked, and its id is the provider's key:
 * a try that was cut off is gone on with by the next run and charges nobody twice.
 */
export const chargeInvoice = async (actor: SystemActor, invoiceId: string): Promise<void> => {
  if (await syncOpenPage(actor.businessId, invoiceId)) return
  const begun = await beginTry(actor, invoiceId)
  if (!begun) return
  const { attemptId, amountCents, method, accountId, number } = begun
  const provider = providerNamed(method.provider)
  if (!provider) return
  let outcome: Outcome
  try {
    outcome = await provider.chargeMethod(
      {
        customerId: method.providerCustomerId,
        methodId: method.providerMethodId,
        kind: method.kind,
        amountCents,
        description: invoiceName(number),
        mark: { businessId: actor.businessId, invoiceId, checkoutSessionId: attemptId },
        requestKey: `autopay:${attemptId}`,
      },
      accountId,
    )
  } catch (error) {
    // Without an answer it may have been charged: the same try is asked again, with the same key.
    if (!(error instanceof PaymentRefused)) throw error
    if (error.code !== missingCode) {
      await putOff(actor, { invoiceId, attemptId, accountId }, error.message)
      return
    }
    const { name, livemode } = provider
    outcome = {
      id: null,
      madeAt: null,
      status: 'declined',
      declineCode: missingCode,
      method: method.kind,
      amountCents,
      provider: name,
      livemode,
    }
  }
  await settle(actor, invoiceId, attemptId, outcome)
}

/**
 * The provider did not take the charge at all: no word of the bank about the card, so it is neither counted nor told to its holder. Mostly the
 * account was paused a moment ago and its event is on the way; then the charge waits for the account. Else it is tried again tomorrow.
 */
const putOff = async (
  actor: SystemActor,
  { invoiceId, attemptId, accountId }: { invoiceId: string; attemptId: string; accountId: string },
  problem: string,
): Promise<void> => {
  await withTenant(actor, async (db) => {
    const invoice = await lockInvoiceTx(db, invoiceId)
    await failTryTx(db, attemptId)
    await publishChange(db, 'invoices', [invoice.id])
  })
  await syncAccount(actor, accountId)
  await withTenant(actor, async (db) => {
    const taker = await findCardTaker(db)
    if (taker?.accountId !== accountId) return
    const invoice = await lockInvoiceTx(db, invoiceId)
    await db
      .updateTable('autopayCharges')
      .set({ chargeOn: addDays(await todayOf(db), 1), updatedAt: clock.iso() })
      .where('businessId', '=', db.businessId)
      .where('invoiceId', '=', invoiceId)
      .where('status', '=', 'waiting')
      .execute()
    const name = invoiceName(invoice.number)
    await notifyOffice(db, {
      type: 'invoice',
      title: `Autopay could not charge ${name}`,
      content: `${taker.provider.label} did not take it: “${problem}” Nothing was charged, and what is on file stays there. It is tried again tomorrow.`,
      customerId: invoice.customerId,
      path: linkTo.invoice(invoiceId),
      dedupeKey: `autopay-refused:${invoiceId}:${problem}`,
    })
  })
}
