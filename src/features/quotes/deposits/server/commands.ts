import type { Selectable } from 'kysely'
import { systemActor } from '../../../../platform/actor.ts'
import { clock } from '../../../../platform/clock.ts'
import { asBusinessId, type BusinessId, type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import type { QuoteDeposits } from '../../../../platform/db/types.generated.ts'
import { newId } from '../../../../platform/ids.ts'
import { log } from '../../../../platform/log.ts'
import { type Checkout, goodPageUrl, leastChargeCents, PaymentRefused } from '../../../../platform/payments/provider.ts'
import { expireCheckout, findCheckout } from '../../../../platform/payments/providers.ts'
import { requestKeyOf } from '../../../../platform/payments/request-key.ts'
import { enqueue } from '../../../../platform/tasks/task.ts'
import type { StoredWebhook } from '../../../../platform/webhooks.ts'
import { conflict, notFound } from '../../../../shared/errors.ts'
import { linkTo } from '../../../../shared/links.ts'
import { formatCents } from '../../../../shared/money.ts'
import { paths } from '../../../../shared/paths.ts'
import { getContact } from '../../../customers/server/queries.ts'
import { notifyOffice } from '../../../notifications/server/commands.ts'
import { findCardTaker } from '../../../payments/connect/server/queries.ts'
import { bookQuoteDepositTx, freeQuoteDepositTx } from '../../../payments/credits/server/commands.ts'
import { findBillOfQuote } from '../../billing/server/queries.ts'
import { bookRenewal } from '../../renewals/server/booking.ts'
import { isRenewal } from '../../renewals/server/rows.ts'
import { quoteName } from '../../rules.ts'
import { lockQuoteTx, noteTx, setQuoteTx } from '../../server/rows.ts'
import { findQuotePage } from '../../viewer/server/queries.ts'
import { comeBack, viewerTexts } from '../../viewer/server/texts.ts'

type Deposit = Selectable<QuoteDeposits>

const openMinutes = 60
const lastMinute = 60_000

const findOpen = (db: TenantDb, quoteId: string): Promise<Deposit | undefined> =>
  db
    .selectFrom('quoteDeposits')
    .selectAll()
    .where('businessId', '=', db.businessId)
    .where('quoteId', '=', quoteId)
    .where('status', '=', 'open')
    .executeTakeFirst()

const endTx = (db: TenantDb, id: string) =>
  db
    .updateTable('quoteDeposits')
    .set({ status: 'expired' })
    .where('businessId', '=', db.businessId)
    .where('id', '=', id)
    .where('status', '=', 'open')
    .execute()

/** The attempt that stands for the provider's page: the open one, or a new row; it stands before the provider is asked. */
const begin = (businessId: BusinessId, revisionId: string) =>
  withTenant({ businessId }, async (db) => {
    const page = await findQuotePage(db, revisionId)
    if (!page) throw notFound('quote')
    const t = viewerTexts[page.language]
    await lockQuoteTx(db, page.quoteId)
    const now = await findQuotePage(db, revisionId)
    const cents = now?.signature?.depositCents ?? 0
    if (!now?.signature || cents === 0) throw conflict(t.notSigned)
    if (now.depositPaidCents > 0) throw conflict(t.paid(formatCents(now.depositPaidCents)))
    if (now.invoiced) throw conflict(t.onInvoice)
    const taken = await findCardTaker(db)
    if (!taken || cents < leastChargeCents) throw conflict(t.notSetUp(comeBack(page.language, page.business.phone)))
    const open = await findOpen(db, now.quoteId)
    if (
      open &&
      open.accountId === taken.accountId &&
      open.amountCents === cents &&
      Date.parse(open.expiresAt) > clock.nowMs() + lastMinute
    )
      return { page: now, deposit: open, taken, cents, stale: null }
    if (open) return { page: now, deposit: null, taken, cents, stale: open }
    const deposit = {
      businessId,
      id: newId(),
      quoteId: now.quoteId,
      amountCents: cents,
      provider: taken.provider.name,
      accountId: taken.accountId,
      livemode: taken.provider.livemode,
      expiresAt: new Date(clock.nowMs() + openMinutes * 60_000).toISOString(),
      createdAt: clock.iso(),
    }
    await db.insertInto('quoteDeposits').values(deposit).execute()
    return {
      page: now,
      deposit: { ...deposit, status: 'open' as const, providerSessionId: null, paymentId: null },
      taken,
      cents,
      stale: null,
    }
  })

/** A page that no longer holds ends at the provider first: what was paid on it meanwhile is booked. */
const endStale = async (businessId: BusinessId, { id, providerSessionId, accountId }: Deposit): Promise<void> => {
  if (providerSessionId) {
    const state = await findCheckout(providerSessionId, accountId)
    if (state) await syncDeposit(state, accountId)
    await expireCheckout(providerSessionId, accountId)
    // paid in the moment before it ended
    const ended = await findCheckout(providerSessionId, accountId)
    if (ended?.status === 'complete') await syncDeposit(ended, accountId)
  }
  await withTenant({ businessId }, (db) => endTx(db, id))
}

/** The hosted checkout for the deposit of a signed quote. Presses at once lead to one page. @throws state_conflict */
export const payDeposit = async (
  businessId: BusinessId,
  revisionId: string,
  token: string,
): Promise<{ url: string }> => {
  for (let tries = 0; tries < 3; tries++) {
    const { page, deposit, taken, cents, stale } = await begin(businessId, revisionId)
    if (stale) {
      await endStale(businessId, stale)
      continue
    }
    if (!deposit) continue
    if (deposit.providerSessionId) {
      const known = await findCheckout(deposit.providerSessionId, deposit.accountId)
      const url = goodPageUrl(known, clock.nowMs())
      if (url !== null) return { url }
      await endStale(businessId, deposit)
      continue
    }
    const asked = {
      purpose: 'deposit' as const,
      mark: { businessId, quoteDepositId: deposit.id },
      amountCents: cents,
      description: quoteName(page.number),
      language: page.language,
      payeeName: page.business.name,
      email: null,
      successPath: `${paths.quote(token)}?paid=1`,
      cancelPath: paths.quote(token),
    }
    const session = await taken.provider
      .openCheckout({ ...asked, requestKey: requestKeyOf(`deposit:${deposit.id}`, asked) }, taken.accountId)
      .catch(async (error: unknown) => {
        if (!(error instanceof PaymentRefused)) throw error
        await withTenant({ businessId }, (db) => endTx(db, deposit.id))
        throw conflict(viewerTexts[page.language].notSetUp(comeBack(page.language, page.business.phone)))
      })
    const { numUpdatedRows } = await withTenant({ businessId }, (db) =>
      db
        .updateTable('quoteDeposits')
        .set({ providerSessionId: session.id, expiresAt: session.expiresAt })
        .where('businessId', '=', businessId)
        .where('id', '=', deposit.id)
        .where('status', '=', 'open')
        .executeTakeFirstOrThrow(),
    )
    if (numUpdatedRows > 0n) return { url: session.url }
    await expireCheckout(session.id, taken.accountId)
  }
  const last = await withTenant({ businessId }, (db) => findQuotePage(db, revisionId))
  const language = last?.language ?? 'en'
  throw conflict(viewerTexts[language].notSetUp(comeBack(language, last?.business.phone ?? null)))
}

/**
 * Brings the books in line with what the provider says of a deposit's page. The return and the webhook both come here, as often as they like and in
 * any order: the payment is booked once by its id.
 */
export const syncDeposit = async (state: Checkout, account: string | null): Promise<void> => {
  if (!state.deposit) return
  const { businessId, quoteDepositId } = state.deposit
  await withTenant({ businessId: asBusinessId(businessId) }, async (db) => {
    const before = await db
      .selectFrom('quoteDeposits')
      .select('quoteId')
      .where('businessId', '=', db.businessId)
      .where('id', '=', quoteDepositId)
      .executeTakeFirst()
    const quote = before ? await lockQuoteTx(db, before.quoteId) : null
    const deposit = await db
      .selectFrom('quoteDeposits')
      .selectAll()
      .where('businessId', '=', db.businessId)
      .where('id', '=', quoteDepositId)
      .executeTakeFirst()
    if (!quote || !deposit || deposit.accountId !== account || (deposit.providerSessionId ?? state.id) !== state.id) {
      log.error({ sessionId: state.id, account }, 'the page of a deposit does not fit its quote')
      return
    }
    if (state.status === 'expired') await endTx(db, deposit.id)
    if (state.status !== 'complete' || !state.paymentId) return
    const paymentId = await bookQuoteDepositTx(db, systemActor(db.businessId), {
      quoteId: quote.id,
      customerId: quote.customerId,
      method: state.method === 'bank' ? 'ach' : 'card',
      amountCents: state.amountCents,
      paidAt: state.paidAt,
      note: quoteName(quote.number),
      provider: state.provider,
      providerPaymentId: state.paymentId,
      accountId: deposit.accountId,
      livemode: state.livemode,
    })
    if (!paymentId) return
    // its invoice asks for all of the work and took what it could: a draft takes it when it is issued
    const bill = await findBillOfQuote(db, quote.id)
    if (bill && bill.status !== 'draft') await freeQuoteDepositTx(db, quote.customerId, quote.id)
    await db
      .updateTable('quoteDeposits')
      .set({ status: 'succeeded', paymentId, providerSessionId: state.id })
      .where('businessId', '=', db.businessId)
      .where('id', '=', deposit.id)
      .execute()
    await setQuoteTx(db, quote, {})
    await noteTx(db, quote, 'deposit_paid', { words: formatCents(state.amountCents) })
    if (await isRenewal(db, quote.id)) await enqueue(db, bookRenewal, { quoteId: quote.id }, { key: quote.id })
    await notifyOffice(db, {
      type: 'quote',
      title: `${(await getContact(db, quote.customerId)).name} paid the deposit of ${quoteName(quote.number)}`,
      content: formatCents(state.amountCents),
      customerId: quote.customerId,
      path: linkTo.quote(quote.id),
      dedupeKey: `quote-deposit:${paymentId}`,
    })
  })
}

/** A bank was asked and has not answered yet. */
const isOnItsWay = async ({ providerSessionId, accountId }: Deposit): Promise<boolean> => {
  const state = providerSessionId ? await findCheckout(providerSessionId, accountId) : null
  return state?.status === 'complete' && state.paymentId === null
}

/**
 * Ends the payment page of a quote's deposit, so that what is recorded by hand is not paid there too; what was paid on it is booked.
 * @throws state_conflict where a bank payment of it is on its way
 */
export const endOpenPage = async (businessId: BusinessId, quoteId: string): Promise<void> => {
  const deposit = await withTenant({ businessId }, (db) => findOpen(db, quoteId))
  if (!deposit) return
  if (await isOnItsWay(deposit))
    throw conflict(
      `A bank payment of ${formatCents(deposit.amountCents)} for this deposit is on its way. Nothing was booked: it is recorded by itself when the bank has paid.`,
    )
  await endStale(businessId, deposit)
}

/**
 * Ends the payment page of a deposit that nobody asks for any more, because the whole work is invoiced; what was paid on it is booked. A bank payment
 * that is on its way cannot be called back: it is booked when it comes.
 * @returns the deposit whose bank payment is on its way
 */
export const endPageOfInvoiced = async (businessId: BusinessId, quoteId: string): Promise<string | null> => {
  const deposit = await withTenant({ businessId }, (db) => findOpen(db, quoteId))
  if (!deposit) return null
  if (await isOnItsWay(deposit)) return deposit.id
  await endStale(businessId, deposit)
  return null
}

/** @throws state_conflict where the customer went to pay a moment ago, so that no page asks for a deposit of what is invoiced */
export const assertNoPageTx = async (db: TenantDb, quoteId: string, onItsWay: string | null): Promise<void> => {
  const open = await findOpen(db, quoteId)
  if (open && open.id !== onItsWay)
    throw conflict(
      'The customer opened the payment page of the deposit a moment ago. Nothing was changed: try it again.',
    )
}

/** Back from the payment page: asks what became of it. @returns whether money may still come by it */
export const syncOpenDeposit = async (businessId: BusinessId, revisionId: string): Promise<boolean> => {
  const deposit = await withTenant({ businessId }, async (db) => {
    const page = await findQuotePage(db, revisionId)
    return page ? await findOpen(db, page.quoteId) : undefined
  })
  if (!deposit?.providerSessionId) return false
  const state = await findCheckout(deposit.providerSessionId, deposit.accountId)
  if (!state) return false
  await syncDeposit(state, deposit.accountId)
  return state.status === 'complete' && state.paymentId === null
}

/** Works off a stored event of the payment provider that is about the deposit of a quote. */
export const processDepositEvent = async (event: StoredWebhook): Promise<void> => {
  const object = (event.payload as { data?: { object?: { id?: string; metadata?: { quoteDepositId?: string } } } }).data
    ?.object
  if (!event.type.startsWith('checkout.session.') || !object?.id || !event.account) return
  const state = await findCheckout(object.id, event.account)
  if (state?.deposit) await syncDeposit(state, event.account)
}
