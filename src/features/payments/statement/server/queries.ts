import { sql } from 'kysely'
import { clock } from '../../../../platform/clock.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { linkTokenOf, signedFilePath } from '../../../../platform/links.ts'
import { mostChargeCents } from '../../../../platform/payments/provider.ts'
import { addDays, type Day, dayOf } from '../../../../shared/dates.ts'
import { paths } from '../../../../shared/paths.ts'
import { cashDiscountCents, discountLabel } from '../../../businesses/cashdiscount/rules.ts'
import { getContact } from '../../../customers/server/queries.ts'
import { creditedSql, listBoundCredit, sumFreeCredit } from '../../../invoices/corrections/server/queries.ts'
import { listPending } from '../../../invoices/pending/server/queries.ts'
import { type Age, ageNames, ageOf, isOverdue } from '../../../invoices/rules.ts'
import { toldOf } from '../../../messages/paperways/rules.ts'
import { getPaperReach } from '../../../messages/paperways/server/queries.ts'
import { findMethod, publicAutopayOf } from '../../cards/server/queries.ts'
import { partLimits } from '../../checkout/rules.ts'
import { findCardTaker, takesBankDebits } from '../../connect/server/queries.ts'
import { usesCredit } from '../../credits/server/queries.ts'

/** So many open invoices are on one page, the oldest; and so much of what was paid, of the last year. */
export const mostInvoices = 100
const mostPayments = 40

/** The customer behind a statement's link, or null once it was taken back. */
export const findStatementCustomer = async (db: TenantDb, linkId: string): Promise<string | null> =>
  (
    await db
      .selectFrom('statementLinks')
      .select('customerId')
      .where('businessId', '=', db.businessId)
      .where('id', '=', linkId)
      .where('revokedAt', 'is', null)
      .executeTakeFirst()
  )?.customerId ?? null

type Open = {
  id: string
  number: number
  status: 'issued' | 'partially_paid'
  issueOn: Day
  dueOn: Day
  totalCents: number
  openCents: number
  paidCents: number
  /** What of that is credit, no money. */
  creditedCents: number
  /** What of it is on its way from a bank, so that it is not to pay now. */
  pendingCents: number
  lateFeeFor: number | null
}

/** The open invoices of a customer, the oldest first; what their bank is looking into is nothing to pay now. */
export const listOpen = async (db: TenantDb, customerId: string): Promise<Open[]> => {
  const { rows } = await sql<Open>`
    select i.id, i.number, i.status, i.issue_on as "issueOn", i.due_on as "dueOn", i.total_cents as "totalCents",
      i.total_cents - i.paid_cents as "openCents", i.paid_cents as "paidCents",
      ${creditedSql('i')} as "creditedCents", i.pending_cents as "pendingCents", l.number as "lateFeeFor"
    from invoices i
    left join late_fees f on f.business_id = i.business_id and f.fee_invoice_id = i.id
    left join invoices l on l.business_id = f.business_id and l.id = f.invoice_id
    where i.business_id = ${db.businessId} and i.customer_id = ${customerId} and i.status in ('issued', 'partially_paid') and not i.disputed
    order by i.due_on, i.number limit ${mostInvoices + 1}`.execute(db)
  return rows
}

/** All that is open and payable by the day it is due, however many invoices it is. */
const sumOpen = async (db: TenantDb, customerId: string) => {
  const { rows } = await sql<{ dueOn: Day; count: number; cents: number }>`
    select due_on, count(*)::int as count, sum(total_cents - paid_cents)::int8 as cents from invoices
    where business_id = ${db.businessId} and customer_id = ${customerId} and status in ('issued', 'partially_paid') and not disputed
    group by due_on`.execute(db)
  return rows.map((row) => ({ ...row, cents: Number(row.cents) }))
}

/** Invoices that their bank is looking into: open, and nothing to pay now. */
const listHeld = async (db: TenantDb, customerId: string) => {
  const { rows } = await sql<{ id: string; number: number; cents: number }>`
    select id, number, total_cents - paid_cents as cents from invoices
    where business_id = ${db.businessId} and customer_id = ${customerId} and status in ('issued', 'partially_paid') and disputed
    order by number limit ${mostInvoices}`.execute(db)
  return rows
}

/** What of an open invoice can be paid now. */
export const payable = ({ openCents, pendingCents }: Pick<Open, 'openCents' | 'pendingCents'>): number =>
  Math.max(0, openCents - pendingCents)

const listPaid = async (db: TenantDb, customerId: string, today: Day) => {
  const { rows } = await sql<{
    id: string
    day: Day
    method: string
    cents: number
    tipCents: number
    creditNumber: number | null
    receiptNumber: number | null
    on: number[]
  }>`
    select p.id, p.received_on as day, p.method, p.amount_cents - p.refunded_cents as cents, p.tip_cents as "tipCents", c.number as "creditNumber",
      p.receipt_number as "receiptNumber",
      coalesce((select array_agg(i.number order by i.number) from payment_allocations a
        join invoices i on i.business_id = a.business_id and i.id = a.invoice_id
        where a.business_id = p.business_id and a.payment_id = p.id), '{}') as on
    from payments p left join credit_notes c on c.business_id = p.business_id and c.payment_id = p.id
    where p.business_id = ${db.businessId} and p.customer_id = ${customerId} and p.status = 'succeeded'
      and p.received_on > ${addDays(today, -365)}::date and p.amount_cents > p.refunded_cents
    order by p.received_on desc, p.id desc limit ${mostPayments}`.execute(db)
  return rows
}

/** When the last payment of a customer came by a payment page, as an instant, or null. */
const lastPaidAt = async (db: TenantDb, customerId: string): Promise<string | null> =>
  (
    await db
      .selectFrom('payments')
      .select('createdAt')
      .where('businessId', '=', db.businessId)
      .where('customerId', '=', customerId)
      .where('checkoutSessionId', 'is not', null)
      .orderBy('createdAt', 'desc')
      .limit(1)
      .executeTakeFirst()
  )?.createdAt ?? null

/** So long after it a payment is thanked for on top of the page. */
const thanksMs = 15 * 60_000

/** What a customer sees behind the link of their statement: theirs alone, and nothing of the office. */
export const getStatementPage = async (db: TenantDb, customerId: string) => {
  const business = await db
    .selectFrom('businesses')
    .select([
      'name',
      'phone',
      'email',
      'brandColor',
      'logoFileId',
      'invoiceTerms',
      'timeZone',
      'cashDiscountBps',
      'partPayments',
    ])
    .where('businessId', '=', db.businessId)
    .executeTakeFirstOrThrow()
  const today = dayOf(clock.now(), business.timeZone)
  const { name } = await getContact(db, customerId)
  const found = await listOpen(db, customerId)
  const open = found.slice(0, mostInvoices)
  const provider = (await findCardTaker(db))?.provider ?? null
  const aging = Object.fromEntries(ageNames.map((age) => [age, 0])) as Record<Age, number>
  const sums = await sumOpen(db, customerId)
  for (const { dueOn, cents } of sums) aging[ageOf(dueOn, today)] += cents
  const reach = await getPaperReach(db, customerId)
  const told = toldOf(reach)
  const paidAt = await lastPaidAt(db, customerId)
  const pending = await listPending(
    db,
    open.map(({ id }) => id),
  )
  const { cashDiscountBps: bps } = business
  // each by itself, as the page that takes the money does
  const offOf = (cents: number) => cashDiscountCents(cents, bps)
  const offCents = open.reduce((sum, invoice) => sum + offOf(payable(invoice)), 0)
  const payCents = open.reduce((sum, invoice) => sum + payable(invoice), 0)
  return {
    today,
    name,
    language: reach.language,
    business: {
      ...business,
      color: business.brandColor,
      logoUrl: business.logoFileId ? signedFilePath(db.businessId, business.logoFileId) : null,
    },
    invoices: open.map((invoice) => ({
      ...invoice,
      overdue: isOverdue(invoice, today),
      pending: pending.get(invoice.id) ?? null,
      payCents: payable(invoice),
      /** More than a card or a bank account is charged at once: it is paid in parts, or another way. */
      isTooMuch: payable(invoice) > mostChargeCents,
      /** What a part of it may come to; null where only all of it is paid. */
      parts: business.partPayments && provider !== null ? partLimits(payable(invoice), mostChargeCents) : null,
      bankCents: payable(invoice) - offOf(payable(invoice)),
      path: paths.invoice(linkTokenOf(db, 'invoice', invoice.id)),
    })),
    hasMore: found.length > mostInvoices,
    owedCents: sums.reduce((sum, { cents }) => sum + cents, 0),
    owedCount: sums.reduce((sum, { count }) => sum + count, 0),
    held: await listHeld(db, customerId),
    payCents,
    /** What all of it comes to without a card; null where nothing is taken off. */
    cashDiscount: offCents > 0 ? { percent: discountLabel(bps), cents: offCents, payCents: payCents - offCents } : null,
    pendingCents: open.reduce((sum, { pendingCents }) => sum + pendingCents, 0),
    takesBank: provider !== null && (await takesBankDebits(db)),
    aging,
    /** What of it any invoice may use, whether it does by itself, and what waits for work. */
    creditCents: await sumFreeCredit(db, customerId),
    usesCredit: await usesCredit(db),
    boundCredit: await listBoundCredit(db, customerId, null),
    paid: await listPaid(db, customerId, today),
    takesCards: provider !== null,
    livemode: provider?.livemode ?? true,
    autopay: await publicAutopayOf(db, customerId, reach.language),
    told,
    mayLeaveCard: provider !== null && told !== null && (await findMethod(db, customerId)) === undefined,
    justPaid: paidAt !== null && clock.nowMs() - Date.parse(paidAt) < thanksMs,
  }
}
export type StatementPage = Awaited<ReturnType<typeof getStatementPage>>
