import { type SystemActor, systemActor } from '../../../../platform/actor.ts'
import { clock } from '../../../../platform/clock.ts'
import { asBusinessId, type BusinessId, type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { log } from '../../../../platform/log.ts'
import { type Checkout, goodPageUrl, PaymentRefused } from '../../../../platform/payments/provider.ts'
import { expireCheckout, findCheckout } from '../../../../platform/payments/providers.ts'
import { requestKeyOf } from '../../../../platform/payments/request-key.ts'
import { enqueue } from '../../../../platform/tasks/task.ts'
import { forEach } from '../../../../platform/tasks/walk.ts'
import type { StoredWebhook } from '../../../../platform/webhooks.ts'
import { conflict, invalid } from '../../../../shared/errors.ts'
import { formatCents } from '../../../../shared/money.ts'
import { paths } from '../../../../shared/paths.ts'
import type { Language } from '../../../businesses/notices/rules.ts'
import { getCashDiscount, getTips, takesParts } from '../../../businesses/server/queries.ts'
import { mostTipCents } from '../../../businesses/tips/rules.ts'
import { openFees } from '../../../invoices/latefees/rules.ts'
import { getLateFees } from '../../../invoices/latefees/server/queries.ts'
import { invoiceName } from '../../../invoices/rules.ts'
import { lockInvoicesTx, lockInvoiceTx } from '../../../invoices/server/commands.ts'
import { getInvoiceContent } from '../../../invoices/server/queries.ts'
import { listIn } from '../../../invoices/words/rules.ts'
import { isReached } from '../../../messages/paperways/rules.ts'
import { getPaperReach } from '../../../messages/paperways/server/queries.ts'
import { syncCard } from '../../cardlinks/server/commands.ts'
import { type Mandate, saveMethodTx } from '../../cards/server/commands.ts'
import { mandateOf } from '../../cards/server/queries.ts'
import { findCardTaker, takesBankDebits } from '../../connect/server/queries.ts'
import { beginDebitTx, endDebitTx, failDebitTx, tellOfDebitTx } from '../../debits/server/commands.ts'
import { bookPaymentTx, endPagesTx, providerDayTx, syncAccountTask } from '../../server/commands.ts'
import { payTexts } from '../rules.ts'
import { type Attempt, beginPage, listPage, pageCents, saveSession } from './attempts.ts'

type Page = Pick<Attempt, 'id' | 'invoiceId' | 'providerSessionId' | 'accountId'>

/** Whether a page is finished and its money on the way: neither another page nor a card may be asked meanwhile. */
const isOnItsWay = (state: Checkout | null): boolean => state?.processing ?? false

/** The language of the papers of who pays an invoice. */
const languageFor = (businessId: BusinessId, invoiceId: string): Promise<Language> =>
  withTenant({ businessId }, async (db) => {
    const invoice = await db
      .selectFrom('invoices')
      .select('customerId')
      .where('businessId', '=', db.businessId)
      .where('id', '=', invoiceId)
      .executeTakeFirst()
    return invoice ? (await getPaperReach(db, invoice.customerId)).language : 'en'
  })

/** The words for who pays an invoice, in that language. */
const wordsFor = async (businessId: BusinessId, invoiceId: string) => payTexts[await languageFor(businessId, invoiceId)]

/**
 * Ends a page that no longer holds, at the provider first: what was paid there meanwhile is booked.
 * @returns whether it is over; false where its money is on the way
 */
const endIfOpen = async (businessId: BusinessId, attempt: Page): Promise<boolean> => {
  if (attempt.providerSessionId) {
    if (isOnItsWay(await syncCheckout(attempt.providerSessionId, attempt.accountId))) return false
    await expireCheckout(attempt.providerSessionId, attempt.accountId)
  }
  await withTenant({ businessId }, async (db) => {
    await lockInvoiceTx(db, attempt.invoiceId)
    await endPagesTx(db, attempt.invoiceId, attempt.id)
  })
  return true
}

const endAttempt = async (businessId: BusinessId, attempt: Page): Promise<void> => {
  if (!(await endIfOpen(businessId, attempt))) throw conflict((await wordsFor(businessId, attempt.invoiceId)).onItsWay)
}

/**
 * Ends the open payment pages of invoices that the office lets go: what was paid on one meanwhile is booked, and one whose money is on its way
 * from a bank stays what it is.
 * @throws state_conflict while the provider does not answer
 */
export const endPagesOf = async (businessId: BusinessId, invoiceIds: readonly string[]): Promise<void> => {
  const leads = await withTenant({ businessId }, async (db) => {
    const open = await db
      .selectFrom('checkoutSessions')
      .select(['id', 'leadId'])
      .where('businessId', '=', db.businessId)
      .where('invoiceId', 'in', [...invoiceIds])
      .where('kind', '=', 'page')
      .where('status', '=', 'open')
      .where('expiresAt', '>', clock.iso())
      .execute()
    const ids = [...new Set(open.map((one) => one.leadId ?? one.id))]
    return (await Promise.all(ids.map((id) => listPage(db, id)))).flatMap(([lead]) => lead ?? [])
  })
  for (const lead of leads)
    try {
      await endIfOpen(businessId, lead)
    } catch (err) {
      log.warn({ err, businessId, attempt: lead.id }, 'a payment page could not be ended')
      throw conflict(
        'The customer has the payment page open, and it could not be closed, because the card provider does not answer. Nothing was changed; please try again in a minute.',
      )
    }
}

/** Asks the provider after the open payment page of an invoice: what was paid on it is booked. @returns whether money may still come by it */
export const syncOpenPage = async (businessId: BusinessId, invoiceId: string): Promise<boolean> => {
  const open = await withTenant({ businessId }, async (db) => {
    const one = await db
      .selectFrom('checkoutSessions')
      .select(['id', 'leadId'])
      .where('businessId', '=', db.businessId)
      .where('invoiceId', '=', invoiceId)
      .where('kind', '=', 'page')
      .where('status', '=', 'open')
      .executeTakeFirst()
    return one ? (await listPage(db, one.leadId ?? one.id))[0] : undefined
  })
  if (!open) return false
  const state = open.providerSessionId ? await syncCheckout(open.providerSessionId, open.accountId) : null
  return state ? state.status === 'open' || isOnItsWay(state) : Date.parse(open.expiresAt) > clock.nowMs()
}

/** The open payment pages of a business. @param before only those that were begun before this instant */
const listOpenPages = (businessId: BusinessId, before: string | null = null): Promise<Attempt[]> =>
  withTenant({ businessId }, (db) => {
    const pages = db
      .selectFrom('checkoutSessions')
      .selectAll()
      .where('businessId', '=', db.businessId)
      .where('kind', '=', 'page')
      .where('leadId', 'is', null)
    const open = pages.where('status', '=', 'open')
    return (before === null ? open : open.where('createdAt', '<', before)).execute()
  })

/** Ends every open payment page of a business, whose account takes no cards any more. @throws Error when one stayed open: again ends the rest */
export const endAllPages = async (businessId: BusinessId): Promise<void> =>
  forEach(
    'the end of the payment pages',
    await listOpenPages(businessId),
    ({ id }) => ({ attempt: id }),
    (attempt) => endAttempt(businessId, attempt),
  )

/** How long a payer may take before the provider is asked what became of the page. */
const quietMinutes = 30

/**
 * Asks the provider after every payment page of a business that has stood open for a while: a webhook that got lost and a tab that was closed would
 * otherwise leave a paid invoice open, or keep an expired page in the way. A page that never reached the provider ends with its time.
 * @throws Error when one could not be looked at: the next hour looks again
 */
export const sweepPages = async (actor: SystemActor): Promise<void> =>
  forEach(
    'the look after open payment pages',
    await listOpenPages(actor.businessId, new Date(clock.nowMs() - quietMinutes * 60_000).toISOString()),
    ({ id }) => ({ attempt: id }),
    async ({ id, invoiceId, providerSessionId, accountId, expiresAt }) => {
      const state = providerSessionId ? await syncCheckout(providerSessionId, accountId) : null
      if (state !== null || Date.parse(expiresAt) > clock.nowMs()) return
      await withTenant(actor, async (db) => {
        await lockInvoiceTx(db, invoiceId)
        await endPagesTx(db, invoiceId, id)
      })
    },
  )

/** What a customer agrees to now; words that they did not see are not agreed to. */
const readMandate = async (
  db: TenantDb,
  [invoiceId]: readonly string[],
  { mandate, ip }: { mandate: string; ip: string },
): Promise<Mandate> => {
  const { customerId } = await db
    .selectFrom('invoices')
    .select('customerId')
    .where('businessId', '=', db.businessId)
    .where('id', '=', invoiceId ?? '')
    .executeTakeFirstOrThrow()
  const reach = await getPaperReach(db, customerId)
  if (!isReached(reach)) throw conflict(payTexts[reach.language].notTold)
  const now = await mandateOf(db, reach.language)
  if (now.text !== mandate) throw conflict(payTexts[reach.language].termsChanged)
  return { ...now, at: clock.iso(), ip, page: 'invoice' }
}

/** What a page is for, as its payer reads it. */
const pageWords = (invoices: readonly { number: number }[], language: Language): string => {
  const names = invoices.map(({ number }) => invoiceName(number))
  if (names.length < 3) return listIn(language, names)
  return payTexts[language].andMore(names.slice(0, 2).join(', '), names.length - 2)
}

type Wish = {
  invoiceIds: readonly string[]
  /** Where who paid comes back to, and who did not. */
  successPath: string
  cancelPath: string
  saving?: { mandate: string; ip: string } | null
  /** For the crew, on top. */
  tipCents?: number
  /** From a bank account alone, less the discount for that. */
  byBank?: boolean
  /** So much of what is open, not all of it. */
  partCents?: number | null
}

/**
 * The hosted checkout for the balance of one invoice or of several of a customer, into the business's own account. The rows of the attempt stand
 * before the provider is asked, and the provider is asked with the attempt's id and all that it is asked as its key: presses at once lead to one
 * page, and one that was cut off in between is gone on with by the next, on a page of its own where that one comes from elsewhere: nobody was
 * handed the first. An invoice that is voided meanwhile ends them, and nobody is handed the page.
 */
export const payInvoices = async (businessId: BusinessId, wish: Wish): Promise<{ url: string }> => {
  const { invoiceIds, successPath, cancelPath, saving = null, tipCents = 0, byBank = false, partCents = null } = wish
  const language = await languageFor(businessId, invoiceIds[0] ?? '')
  const t = payTexts[language]
  const taken = await withTenant({ businessId }, findCardTaker)
  if (!taken) throw conflict(t.notSetUp)
  const bank = await withTenant({ businessId }, async (db) => ({
    taken: await takesBankDebits(db),
    discountBps: await getCashDiscount(db),
  }))
  if (byBank && !(bank.taken && bank.discountBps > 0)) throw conflict(t.discountEnded)
  // where a bank payment is less, it has a button of its own: nobody pays more by choosing the bank on the other page
  const takesBank = bank.taken && (byBank || bank.discountBps === 0)
  const mandate = saving ? await withTenant({ businessId }, (db) => readMandate(db, invoiceIds, saving)) : null
  const taker = { ...taken, mandate, tipCents, partCents, discountBps: byBank ? bank.discountBps : 0 }
  const { provider, accountId } = taker
  for (let tries = 0; tries < 3; tries++) {
    const { page, stale, invoices } = await beginPage(businessId, invoiceIds, taker)
    for (const old of stale) await endAttempt(businessId, old)
    const [lead] = page
    if (!lead) continue
    if (lead.providerSessionId) {
      const known = await findCheckout(lead.providerSessionId, accountId)
      // its address is a key to it, so it is asked for and not kept
      const url = goodPageUrl(known, clock.nowMs())
      if (url !== null) return { url }
      await endAttempt(businessId, lead)
      continue
    }
    const business = await withTenant({ businessId }, (db) =>
      db.selectFrom('businesses').select('name').where('businessId', '=', businessId).executeTakeFirstOrThrow(),
    )
    const asked = {
      purpose: 'invoice' as const,
      closesAt: lead.expiresAt,
      savesCard: mandate !== null,
      takesBank,
      bankOnly: byBank,
      mark: { businessId, invoiceId: lead.invoiceId, checkoutSessionId: lead.id },
      amountCents: pageCents(page),
      tipCents,
      description: pageWords(invoices, language),
      language,
      payeeName: business.name,
      email: null,
      successPath,
      cancelPath,
    }
    const session = await provider
      .openCheckout({ ...asked, requestKey: requestKeyOf(`invoice:${lead.id}`, asked) }, accountId)
      .catch(async (error: unknown) => {
        if (!(error instanceof PaymentRefused)) throw error
        // The account was paused a moment ago, and its event is still on the way; or the provider does not take this payment.
        log.warn({ err: error, businessId, attempt: lead.id }, 'a payment page was refused')
        await endAttempt(businessId, lead)
        await withTenant({ businessId }, (db) => enqueue(db, syncAccountTask, { accountId }, { key: accountId }))
        throw conflict(t.notSetUp)
      })
    if (await saveSession(businessId, page, session)) return { url: session.url }
    // Money came another way, or an invoice was voided, while the page was being opened: nobody may pay on it.
    await expireCheckout(session.id, accountId)
  }
  throw conflict(t.amountChanged)
}

/** What a payer chose on the page of an invoice. */
type Choice = {
  /** Its open late fees in the same payment. */
  withFees?: boolean
  /** For the crew, on top. */
  tipCents?: number
  /** The words that were agreed to, where the card or the account is kept; not with late fees. */
  mandate?: string | null
  ip?: string
  byBank?: boolean
}

/** The hosted checkout for the balance of an invoice, from its own page. */
const payFromPage = async (
  businessId: BusinessId,
  invoiceId: string,
  token: string,
  { withFees = false, tipCents = 0, mandate = null, ip = '', byBank = false }: Choice,
): Promise<{ url: string }> => {
  const fees = withFees
    ? await withTenant({ businessId }, async (db) => openFees(await getLateFees(db, invoiceId)))
    : []
  const back = `${paths.invoice(token)}?paid=1`
  return payInvoices(businessId, {
    invoiceIds: [invoiceId, ...fees.map(({ id }) => id)],
    successPath: back,
    cancelPath: back,
    saving: mandate === null || withFees ? null : { mandate, ip },
    tipCents,
    byBank,
  })
}

/** The hosted checkout for the balance of an invoice alone. */
export const payInvoice = (
  businessId: BusinessId,
  invoiceId: string,
  token: string,
  saving: { mandate: string; ip: string } | null = null,
): Promise<{ url: string }> => payFromPage(businessId, invoiceId, token, saving ?? {})

/** The same for an invoice and its open late fees, in one payment. */
export const payWithFees = (businessId: BusinessId, invoiceId: string, token: string): Promise<{ url: string }> =>
  payFromPage(businessId, invoiceId, token, { withFees: true })

type Wanted = { tipCents: number; withFees: boolean; mandate: string | null; ip: string }

/** @throws state_conflict where the business takes no tips by now, validation_failed for more than a slip of the keys can mean */
const checkTip = async (businessId: BusinessId, invoiceId: string, tipCents: number): Promise<void> => {
  if (tipCents === 0) return
  const t = await wordsFor(businessId, invoiceId)
  await withTenant({ businessId }, async (db) => {
    const { kind } = await getTips(db)
    if (kind === 'off') throw conflict(t.noTips)
    const { balanceCents } = await getInvoiceContent(db, invoiceId)
    const most = mostTipCents(balanceCents)
    if (tipCents > most) throw invalid([{ path: 'tipCents', message: t.atMost(formatCents(most)) }])
  })
}

/** The same with something for the crew on top, which the payer chose. @throws as `checkTip` */
export const payWithTip = async (
  businessId: BusinessId,
  invoiceId: string,
  token: string,
  wanted: Wanted,
): Promise<{ url: string }> => {
  await checkTip(businessId, invoiceId, wanted.tipCents)
  return payFromPage(businessId, invoiceId, token, wanted)
}

/**
 * The same from a bank account alone, less the discount for paying without a card.
 * @throws state_conflict where there is none any more, else as `checkTip`
 */
export const payByBank = async (
  businessId: BusinessId,
  invoiceId: string,
  token: string,
  wanted: Wanted,
): Promise<{ url: string }> => {
  await checkTip(businessId, invoiceId, wanted.tipCents)
  return payFromPage(businessId, invoiceId, token, { ...wanted, byBank: true })
}

/**
 * The hosted checkout for a part of what is open on an invoice, from whichever page.
 * @throws as `payPart`
 */
export const payPartFrom = async (
  businessId: BusinessId,
  invoiceId: string,
  wish: Pick<Wish, 'successPath' | 'cancelPath'> & { partCents: number },
): Promise<{ url: string }> => {
  const t = await wordsFor(businessId, invoiceId)
  if (!(await withTenant({ businessId }, takesParts))) throw conflict(t.noParts)
  return payInvoices(businessId, { ...wish, invoiceIds: [invoiceId] })
}

/**
 * The same for a part of what is open, which the payer chose. Who comes back waits until so much is left.
 * @throws state_conflict where the business wants all of it, validation_failed for too little or too much
 */
export const payPart = async (
  businessId: BusinessId,
  invoiceId: string,
  token: string,
  partCents: number,
): Promise<{ url: string }> => {
  const balanceCents = await withTenant(
    { businessId },
    async (db) => (await getInvoiceContent(db, invoiceId)).balanceCents,
  )
  const back = `${paths.invoice(token)}?paid=1&left=${balanceCents - partCents}`
  return payPartFrom(businessId, invoiceId, { successPath: back, cancelPath: back, partCents })
}

/**
 * Brings the books in line with what the provider says of a checkout. The return page and the webhook both come here, as often as they like and in any order:
 * a payment is booked once by its id. Money for an invoice that was voided meanwhile is booked too, on no invoice, and the office is told.
 * What was paid in a month that was closed before word of it came is booked in the open one, and the payment says so.
 * @param account the business's own account at the provider, null for ours
 * @param toldAt the instant of the event that told of it; the charge of a card tells its own, and without either it is now
 * @returns the page as the provider tells of it; null where it knows none
 */
export const syncCheckout = async (
  sessionId: string,
  account: string | null,
  toldAt: string | null = null,
): Promise<Checkout | null> => {
  const state = await findCheckout(sessionId, account)
  if (!state) {
    log.warn({ sessionId, account }, 'a checkout that the provider does not know')
    return null
  }
  if (state.card) {
    await syncCard(state, account)
    return state
  }
  // What is paid to us at the same provider is not ours to book here.
  if (!state.invoice) return state
  const { businessId, invoiceId, checkoutSessionId } = state.invoice
  await withTenant({ businessId: asBusinessId(businessId) }, async (db) => {
    const checkoutSession = await db
      .selectFrom('checkoutSessions')
      .select(['id', 'invoiceId', 'providerSessionId', 'accountId', 'mandate'])
      .where('businessId', '=', db.businessId)
      .where('id', '=', checkoutSessionId)
      .executeTakeFirst()
    const known = checkoutSession?.providerSessionId ?? sessionId
    // The session's own words, its account and our row must name the same invoice: anything else is somebody's mistake or worse.
    if (
      checkoutSession?.invoiceId !== invoiceId ||
      known !== sessionId ||
      (checkoutSession.accountId ?? null) !== account
    ) {
      log.error({ sessionId, account }, 'a checkout does not fit its attempt')
      return
    }
    const page = await listPage(db, checkoutSession.id)
    const [{ customerId } = { customerId: '' }] = await lockInvoicesTx(
      db,
      page.map((one) => one.invoiceId),
    )
    if (state.status === 'expired') await endPagesTx(db, invoiceId, checkoutSession.id)
    if (state.status !== 'complete') return
    await db
      .updateTable('checkoutSessions')
      .set({ providerSessionId: sessionId, updatedAt: clock.iso() })
      .where('businessId', '=', db.businessId)
      .where('id', '=', checkoutSession.id)
      .execute()
    if (!state.paymentId) {
      if (state.processing && (await beginDebitTx(db, page, toldAt))) await tellOfDebitTx(db, page, { kind: 'begun' })
      const { problem } = state
      if (problem && (await failDebitTx(db, page, problem))) await tellOfDebitTx(db, page, { kind: 'failed', problem })
      return
    }
    await endDebitTx(db, page)
    if (checkoutSession.mandate && account)
      await saveMethodTx(db, customerId, state, account, checkoutSession.mandate as unknown as Mandate)
    const { day, note } = await providerDayTx(db, state.paidAt ?? toldAt)
    await bookPaymentTx(db, systemActor(db.businessId), invoiceId, {
      method: state.method === 'bank' ? 'ach' : 'card',
      amountCents: state.amountCents,
      receivedOn: day,
      note,
      provider: state.provider,
      providerPaymentId: state.paymentId,
      accountId: account,
      checkoutSessionId: checkoutSession.id,
      livemode: state.livemode,
      tipCents: page[0]?.tipCents ?? 0,
      shares: page.map((one) => ({
        invoiceId: one.invoiceId,
        cents: one.amountCents,
        discountCents: state.method === 'bank' ? one.discountCents : 0,
      })),
    })
  })
  return state
}

/** Works off a stored event of the payment provider: it names a checkout, the provider is asked for its state. */
export const processPaymentEvent = async (event: StoredWebhook): Promise<void> => {
  const { data, created } = event.payload as { data?: { object?: { id?: string } }; created?: number }
  if (!event.type.startsWith('checkout.session.') || !data?.object?.id) return
  const toldAt = typeof created === 'number' ? new Date(created * 1000).toISOString() : null
  await syncCheckout(data.object.id, event.account || null, toldAt)
}
