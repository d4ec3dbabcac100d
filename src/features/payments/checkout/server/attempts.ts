import type { Selectable } from 'kysely'
import { clock } from '../../../../platform/clock.ts'
import { type BusinessId, type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import type { CheckoutSessions } from '../../../../platform/db/types.generated.ts'
import { newId } from '../../../../platform/ids.ts'
import {
  lastMinuteMs,
  leastChargeCents,
  mostChargeCents,
  type PaymentProvider,
} from '../../../../platform/payments/provider.ts'
import { conflict, invalid, notFound } from '../../../../shared/errors.ts'
import { formatCents } from '../../../../shared/money.ts'
import { cashDiscountCents } from '../../../businesses/cashdiscount/rules.ts'
import { isClosedTx } from '../../../businesses/server/queries.ts'
import { invoiceName, isOpen } from '../../../invoices/rules.ts'
import { type LockedInvoice, lockInvoicesTx } from '../../../invoices/server/commands.ts'
import { getPaperReach } from '../../../messages/paperways/server/queries.ts'
import type { Mandate } from '../../cards/server/commands.ts'
import { endPagesTx } from '../../server/commands.ts'
import { partLimits, payTexts } from '../rules.ts'

/** The attempts to pay: one row an invoice, and of invoices that are paid on one page the first row leads the others. */

export type Attempt = Selectable<CheckoutSessions>
export type Taker = {
  provider: PaymentProvider
  accountId: string
  mandate: Mandate | null
  tipCents: number
  /** What its payer chose to pay of what is open; null for all of it. */
  partCents: number | null
  /** The discount on what is paid from a bank account alone, in hundredths of a percent; 0 for a page that takes cards. */
  discountBps: number
}

const attemptMinutes = 60
/** The provider opens no page for less than half an hour: an attempt that has not got its page by then makes way for another. */
const leastOpenMs = 31 * 60_000

/** The attempts of one page, the page's own first. */
export const listPage = (db: TenantDb, leadId: string): Promise<Attempt[]> =>
  db
    .selectFrom('checkoutSessions')
    .selectAll()
    .where('businessId', '=', db.businessId)
    .where((eb) => eb.or([eb('id', '=', leadId), eb('leadId', '=', leadId)]))
    .orderBy('leadId', (order) => order.asc().nullsFirst())
    .orderBy('invoiceId')
    .execute()

/** What a page asks for together, a tip included. */
export const pageCents = (page: readonly Attempt[]): number =>
  page.reduce((sum, { amountCents, tipCents }) => sum + amountCents + tipCents, 0)

/** What is to pay now: what is on its way from a bank is not asked for twice. */
const openCents = ({ totalCents, paidCents, pendingCents }: LockedInvoice): number =>
  Math.max(0, totalCents - paidCents - pendingCents)

/** What an attempt asks for with its discount. */
const askedCents = (invoice: LockedInvoice, { partCents }: Taker): number => partCents ?? openCents(invoice)

const discountOf = (invoice: LockedInvoice, { discountBps }: Taker): number =>
  cashDiscountCents(openCents(invoice), discountBps)

const closedMessage = (t: (typeof payTexts)['en'], { status, number }: LockedInvoice, count: number): string =>
  count > 1
    ? (status === 'paid' ? t.paidOfSeveral : t.closedOfSeveral)(invoiceName(number))
    : status === 'paid'
      ? t.paid
      : t.closed

const isFor = (page: readonly Attempt[], invoices: readonly LockedInvoice[], taker: Taker): boolean =>
  page.length === invoices.length &&
  page[0]?.tipCents === taker.tipCents &&
  invoices.every((invoice) =>
    page.some(
      ({ invoiceId, amountCents, discountCents }) =>
        invoiceId === invoice.id &&
        amountCents + discountCents === askedCents(invoice, taker) &&
        discountCents === discountOf(invoice, taker),
    ),
  ) &&
  page.every(
    (one) =>
      one.isPart === (taker.partCents !== null) &&
      (one.mandate === null) === (taker.mandate === null) &&
      one.accountId === taker.accountId &&
      Date.parse(one.expiresAt) > clock.nowMs() + (page[0]?.providerSessionId ? lastMinuteMs : leastOpenMs),
  )

const insertPageTx = async (db: TenantDb, invoices: readonly LockedInvoice[], taker: Taker): Promise<Attempt[]> => {
  const { provider, accountId, mandate, tipCents } = taker
  const leadId = newId()
  await db
    .insertInto('checkoutSessions')
    .values(
      invoices.map((invoice, at) => ({
        businessId: db.businessId,
        id: at === 0 ? leadId : newId(),
        leadId: at === 0 ? null : leadId,
        invoiceId: invoice.id,
        amountCents: askedCents(invoice, taker) - discountOf(invoice, taker),
        isPart: taker.partCents !== null,
        discountCents: discountOf(invoice, taker),
        tipCents: at === 0 ? tipCents : 0,
        provider: provider.name,
        accountId,
        livemode: provider.livemode,
        mandate: mandate ? JSON.stringify(mandate) : null,
        expiresAt: new Date(clock.nowMs() + attemptMinutes * 60_000).toISOString(),
        createdAt: clock.iso(),
        updatedAt: clock.iso(),
      })),
    )
    .execute()
  return listPage(db, leadId)
}

/**
 * The attempts that stand for a payment page of some invoices of one customer: those that are open over just these balances and this tip, or new rows.
 * `stale` are the pages that are open and no longer fit: they are for the caller to end.
 * @throws not_found, state_conflict for one that cannot be paid now
 */
export const beginPage = (businessId: BusinessId, invoiceIds: readonly string[], taker: Taker) =>
  withTenant({ businessId }, async (db) => {
    const locked = await lockInvoicesTx(db, invoiceIds)
    const invoices = invoiceIds.flatMap((id) => locked.find((invoice) => invoice.id === id) ?? [])
    const [first] = invoices
    if (!first || invoices.length !== invoiceIds.length) throw notFound('invoice')
    const t = payTexts[(await getPaperReach(db, first.customerId)).language]
    if (await isClosedTx(db)) throw conflict(t.notSetUp)
    const closed = invoices.find(({ status }) => !isOpen(status))
    if (closed) throw conflict(closedMessage(t, closed, invoices.length))
    const covered = invoices.find((invoice) => invoice.pendingCents > 0 && openCents(invoice) === 0)
    if (covered) throw conflict(t.bankOnItsWay(formatCents(covered.pendingCents), invoiceName(covered.number)))
    if (invoices.reduce((sum, invoice) => sum + openCents(invoice), 0) < leastChargeCents) throw conflict(t.tooLittle)
    if (taker.partCents !== null) {
      const limits = partLimits(openCents(first), mostChargeCents)
      if (!limits) throw conflict(t.noParts)
      if (taker.partCents < limits.leastCents || taker.partCents > limits.mostCents) {
        const message = t.partBetween(formatCents(limits.leastCents), formatCents(limits.mostCents))
        throw invalid([{ path: 'amountCents', message }])
      }
    }
    const askedOfAll = invoices.reduce(
      (sum, one) => sum + askedCents(one, taker) - discountOf(one, taker),
      taker.tipCents,
    )
    if (askedOfAll > mostChargeCents) throw conflict(invoices.length > 1 ? t.tooMuchTogether : t.tooMuch)
    const held = invoices.find(({ disputed }) => disputed)
    if (held) throw conflict(t.disputed(invoiceName(held.number)))
    const open = await db
      .selectFrom('checkoutSessions')
      .select(['id', 'leadId', 'kind'])
      .where('businessId', '=', db.businessId)
      .where('invoiceId', 'in', [...invoiceIds])
      .where('status', '=', 'open')
      .execute()
    if (open.some(({ kind }) => kind === 'autopay')) throw conflict(t.charging)
    const pages: Attempt[][] = []
    for (const leadId of new Set(open.map(({ id, leadId }) => leadId ?? id))) pages.push(await listPage(db, leadId))
    const [page] = pages
    if (page && pages.length === 1 && isFor(page, invoices, taker)) return { page, invoices, stale: [] }
    if (pages.length > 0) return { page: [], invoices, stale: pages.flatMap(([lead]) => lead ?? []) }
    return { page: await insertPageTx(db, invoices, taker), invoices, stale: [] }
  })

/** Notes the provider's page on its attempt. @returns false when an attempt or its invoice is not open any more */
export const saveSession = (
  businessId: BusinessId,
  begun: readonly Attempt[],
  session: { id: string; expiresAt: string },
): Promise<boolean> =>
  withTenant({ businessId }, async (db) => {
    const [lead] = begun
    if (!lead) return false
    const invoices = await lockInvoicesTx(
      db,
      begun.map(({ invoiceId }) => invoiceId),
    )
    const page = await listPage(db, lead.id)
    if (page.some(({ status }) => status !== 'open')) return false
    if (await isClosedTx(db)) {
      await endPagesTx(db, lead.invoiceId, lead.id)
      return false
    }
    const holds = page.every(({ invoiceId, amountCents, discountCents, isPart }) =>
      invoices.some(
        (one) =>
          one.id === invoiceId &&
          isOpen(one.status) &&
          (isPart ? openCents(one) > amountCents : openCents(one) === amountCents + discountCents),
      ),
    )
    if (!holds) {
      await endPagesTx(db, lead.invoiceId, lead.id)
      return false
    }
    await db
      .updateTable('checkoutSessions')
      .set({ expiresAt: session.expiresAt, updatedAt: clock.iso() })
      .where('businessId', '=', businessId)
      .where((eb) => eb.or([eb('id', '=', lead.id), eb('leadId', '=', lead.id)]))
      .execute()
    await db
      .updateTable('checkoutSessions')
      .set({ providerSessionId: session.id })
      .where('businessId', '=', businessId)
      .where('id', '=', lead.id)
      .execute()
    return true
  })
