import { type Expression, type SqlBool, sql } from 'kysely'
import type { Actor } from '../../../platform/actor.ts'
import { clock } from '../../../platform/clock.ts'
import { countUpTo, type Key, keyset } from '../../../platform/db/cursor.ts'
import { containing, numbersStarting } from '../../../platform/db/like.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { linkTokenOf } from '../../../platform/links.ts'
import { canOf } from '../../../shared/can.ts'
import { cardLabel } from '../../../shared/cardLabel.ts'
import { addDays, type Day, daysBetween } from '../../../shared/dates.ts'
import { notFound } from '../../../shared/errors.ts'
import { paths } from '../../../shared/paths.ts'
import { cashDiscountCents, discountLabel } from '../../businesses/cashdiscount/rules.ts'
import type { Language } from '../../businesses/notices/rules.ts'
import { getCashDiscount, getTips, todayOf } from '../../businesses/server/queries.ts'
import { getPaperReach } from '../../messages/paperways/server/queries.ts'
import { findMadeAgain, findOtherBill, findReplacement } from '../again/server/queries.ts'
import { byAge, paidLately, sumByAge } from '../aging/server/queries.ts'
import { sumPaidAhead } from '../ahead/server/queries.ts'
import { readAtIssue } from '../ahead/server/spendable.ts'
import type { Invoice, InvoiceListed, InvoiceSummary } from '../contract.ts'
import {
  canPayment,
  creditedSql,
  depositSql,
  listBoundCredit,
  listCorrections,
  listEarlier,
  listGaveBack,
  listGaveDeposits,
  listHandedRefunds,
  paysSql,
  sumFreeCredit,
} from '../corrections/server/queries.ts'
import { getLateFees, listRestingFees } from '../latefees/server/queries.ts'
import { withMailKinds, withPapers } from '../papers/rules.ts'
import {
  countPending,
  findAutopay,
  findPending,
  isBeingCharged,
  isCheckoutOpen,
  listAutopay,
  listFailedDebits,
} from '../pending/server/queries.ts'
import { readPlan, remindersOf } from '../reminders/server/queries.ts'
import { type Age, type InvoiceStatus, invoiceRefusals, invoiceStatuses, isOpen, isOverdue } from '../rules.ts'
import { findAlsoOpen } from '../together/server/queries.ts'
import { needs } from './needs.ts'
import { type View, views } from './views.ts'

export type InvoiceFilter = {
  view: View
  search?: string
  customerId?: string
  batchId?: string
  cursor?: string
  limit: number
  sort: 'number' | 'due' | 'total' | 'customer'
  order: 'asc' | 'desc'
}

const base = (db: TenantDb) =>
  db
    .selectFrom('invoices')
    .innerJoin('customers', (join) =>
      join.onRef('customers.businessId', '=', 'invoices.businessId').onRef('customers.id', '=', 'invoices.customerId'),
    )
    .where('invoices.businessId', '=', db.businessId)
    .select([
      'invoices.id',
      'invoices.number',
      'invoices.status',
      'invoices.disputed',
      'invoices.pendingCents',
      'invoices.issueOn',
      'invoices.dueOn',
      'invoices.totalCents',
      'invoices.paidCents',
      creditedSql('invoices').as('creditedCents'),
      'invoices.sentAt',
      'invoices.printedAt',
      'invoices.viewedAt',
      'invoices.lastRemindedAt',
      'invoices.paidOn',
      'invoices.createdAt',
      'customers.id as customerId',
      'customers.name as customerName',
      'customers.email as customerEmail',
    ])

type Row = Awaited<ReturnType<ReturnType<typeof base>['executeTakeFirstOrThrow']>>

const toSummary = (row: Row, today: Day): InvoiceSummary => ({
  id: row.id,
  number: row.number,
  customer: { id: row.customerId, name: row.customerName, email: row.customerEmail },
  status: row.status,
  overdue: isOverdue({ status: row.status, dueOn: row.dueOn }, today),
  disputed: row.disputed,
  pendingCents: row.pendingCents,
  issueOn: row.issueOn,
  dueOn: row.dueOn,
  totalCents: row.totalCents,
  paidCents: row.paidCents,
  creditedCents: row.creditedCents,
  balanceCents: row.status === 'void' || row.status === 'written_off' ? 0 : Math.max(0, row.totalCents - row.paidCents),
  sentAt: row.sentAt,
  printedAt: row.printedAt,
  viewedAt: row.viewedAt,
  lastRemindedAt: row.lastRemindedAt,
  paidOn: row.paidOn,
  daysToPay: row.paidOn && row.issueOn ? daysBetween(row.issueOn, row.paidOn) : null,
  createdAt: row.createdAt,
})

const sorts: Record<InvoiceFilter['sort'], Key> = {
  number: { of: sql`invoices.number`, type: 'int' },
  due: { of: sql`coalesce(invoices.due_on, '9999-12-31'::date)`, type: 'day' },
  total: { of: sql`invoices.total_cents`, type: 'int' },
  customer: { of: sql`lower(customers.name)`, type: 'text' },
}

type Which = Pick<InvoiceFilter, 'view' | 'search' | 'customerId' | 'batchId'>

/**
 * The customers first, so that only their invoices are read; a number by how it begins. Both are answered by an index. As one query, with the customers
 * in it, the planner reads all invoices there are (`history.test.ts`).
 */
const wordOf = async (db: TenantDb, search: string): Promise<Expression<SqlBool>> => {
  const word = search.replace(/^(?:inv[-\s]*|#\s*)(?=\d)/i, '')
  const like = containing(word)
  const { rows } = await sql<{ id: string }>`select c.id from customers c
    where c.business_id = ${db.businessId} and (c.name ilike ${like} or c.company ilike ${like})`.execute(db)
  const ways = [
    sql<SqlBool>`invoices.customer_id = any(${rows.map(({ id }) => id)}::uuid[])`,
    ...numbersStarting(word).map(({ from, to }) => sql<SqlBool>`invoices.number between ${from} and ${to}`),
  ]
  return sql<SqlBool>`(${sql.join(ways, sql` or `)})`
}

const matching = async (db: TenantDb, filter: Which, today: Day) => {
  let query = base(db).where(views(today)[filter.view])
  if (filter.customerId) query = query.where('invoices.customerId', '=', filter.customerId)
  if (filter.batchId) query = query.where('invoices.batchId', '=', filter.batchId)
  if (filter.search) query = query.where(await wordOf(db, filter.search))
  // a builder can be awaited, so it comes in a shell
  return { query }
}

/** So many invoices are sent in one go. */
export const mostChosen = 1000

/** The invoices that somebody picked, or all that a filter means, by number: one more than may be sent tells that there are too many. @throws not_found for a picked one that is not there */
export const listChosen = async (db: TenantDb, choice: { ids: readonly string[] } | { filter: Which }) => {
  const today = await todayOf(db)
  if ('filter' in choice)
    return (await matching(db, choice.filter, today)).query
      .orderBy('invoices.number')
      .limit(mostChosen + 1)
      .execute()
  const ids = [...new Set(choice.ids)]
  const rows = await base(db).where('invoices.id', 'in', ids).orderBy('invoices.number').execute()
  if (rows.length !== ids.length) throw notFound('invoice')
  return rows
}

/** From the counts that the table keeps of itself: a business's years of paid invoices are not counted again for each look. */
const countByView = async (
  db: TenantDb,
): Promise<Record<Exclude<View, 'unsent' | 'overdue' | 'pending' | 'autopay' | 'paid_lately' | Age>, number>> => {
  const rows = await db
    .selectFrom('invoiceTotals')
    .select(['status', 'count'])
    .where('businessId', '=', db.businessId)
    .execute()
  const of = (...statuses: InvoiceStatus[]): number =>
    rows.reduce((sum, row) => (statuses.includes(row.status as InvoiceStatus) ? sum + row.count : sum), 0)
  return {
    all: of(...invoiceStatuses),
    drafts: of('draft'),
    open: of('issued', 'partially_paid'),
    paid: of('paid'),
    void: of('void'),
    written_off: of('written_off'),
  }
}

/** When autopay charges what is open of a page, and from what. */
const autopayOfOpen = async (db: TenantDb, rows: readonly Pick<Row, 'id' | 'status'>[]) => {
  const found = await listAutopay(
    db,
    rows.filter(({ status }) => isOpen(status)).map(({ id }) => id),
  )
  return (id: string): InvoiceListed['autopay'] => {
    const autopay = found.get(id)
    return autopay ? { chargeOn: autopay.chargeOn, from: cardLabel(autopay) } : null
  }
}

/** A page of invoices, the counts of each view and what is owed in all. */
export const listInvoices = async (db: TenantDb, filter: InvoiceFilter) => {
  const today = await todayOf(db)
  const view = views(today)
  const { query } = await matching(db, filter, today)
  const { beyond, order, values, limit, page } = keyset(
    [sorts[filter.sort], { of: sql`invoices.id`, type: 'uuid' }],
    filter,
  )
  const rows = await query.select(values.as('cursorKeys')).where(beyond).orderBy(order).limit(limit).execute()
  const { items, nextCursor } = page(rows)
  const owed = await db
    .selectFrom('invoices')
    .where('businessId', '=', db.businessId)
    .where(view.open)
    .select([
      sql<number>`count(*) filter (where ${view.overdue})`.as('overdue'),
      sql<number>`count(*) filter (where ${view.unsent})`.as('unsent'),
      sql<number>`count(*) filter (where ${view.autopay})`.as('autopay'),
      sql<number>`coalesce(sum(total_cents - paid_cents), 0)`.as('owedCents'),
      sql<number>`coalesce(sum(total_cents - paid_cents) filter (where ${view.overdue}), 0)`.as('overdueCents'),
      sql<number>`coalesce(sum(total_cents - paid_cents) filter (where due_on < ${addDays(today, -30)}), 0)`.as(
        'over30Cents',
      ),
    ])
    .executeTakeFirstOrThrow()
  const { overdue, unsent, autopay, ...money } = owed
  const aged = await sumByAge(db, today)
  const lately = await paidLately(db, today)
  const counts = {
    ...(await countByView(db)),
    overdue,
    unsent,
    pending: await countPending(db),
    autopay,
    paid_lately: lately.count,
    ...byAge((age) => aged.get(age)?.count ?? 0),
  }
  const ids = query.clearSelect().select('invoices.id')
  const autopayOf = await autopayOfOpen(db, items)
  const narrowed = filter.search || filter.customerId || filter.batchId
  return {
    items: items.map((row) => ({ ...toSummary(row, today), autopay: autopayOf(row.id) })),
    nextCursor,
    total: narrowed ? await countUpTo(db, ids) : counts[filter.view],
    counts,
    ...money,
    daysToPay: lately.daysToPay,
    aging: byAge((age) => aged.get(age)?.cents ?? 0),
  }
}

/** What is taken off when all that is open of an invoice is paid without a card; null where nothing is. */
export const cashDiscountOf = async (
  db: TenantDb,
  { status, balanceCents }: Pick<InvoiceContent, 'status' | 'balanceCents'>,
): Promise<{ percent: string; cents: number } | null> => {
  const bps = await getCashDiscount(db)
  const cents = status === 'draft' || isOpen(status) ? cashDiscountCents(balanceCents, bps) : 0
  return cents > 0 ? { percent: discountLabel(bps), cents } : null
}

const draftSpending = (
  db: TenantDb,
  { id, status, customer, totalCents }: Pick<InvoiceContent, 'id' | 'status' | 'customer' | 'totalCents'>,
) => (status === 'draft' ? readAtIssue(db, { id, customerId: customer.id, totalCents }) : null)

const listMails = async (db: TenantDb, id: string): Promise<Invoice['mails']> =>
  withMailKinds(
    await db
      .selectFrom('messages')
      .select(['id', 'channel', 'dedupeKey', 'address', 'status', 'reason', 'segments', 'runAfter', 'createdAt'])
      .where('businessId', '=', db.businessId)
      .where('entityType', '=', 'invoice')
      .where('entityId', '=', id)
      .orderBy('id')
      .execute(),
  )

/** One invoice with everything that stands on it and what the person may do with it. */
export const getInvoice = async (db: TenantDb, actor: Actor, id: string): Promise<Invoice> => {
  const { language: _, asked, ...invoice } = await getInvoiceContent(db, id)
  const { mail, text, why, also } = await getPaperReach(db, invoice.customer.id)
  const reminders = remindersOf({ ...invoice, ...asked }, await readPlan(db), await findAutopay(db, id))
  const checkoutOpen = await isCheckoutOpen(db, id)
  const restingFeeCents = (await listRestingFees(db, 1, [id]))[0]?.cents ?? null
  const boundCredit = isOpen(invoice.status) ? await listBoundCredit(db, invoice.customer.id, id) : []
  const facts = {
    ...invoice,
    reach: { mail, text, why, also },
    creditCents: await sumFreeCredit(db, invoice.customer.id),
    boundCents: boundCredit.reduce((sum, { restCents }) => sum + restCents, 0),
    remindersStopped: asked.remindersStopped,
    restingFeeCents,
    isLateFee: invoice.lateFeeFor !== null,
    beingCharged: await isBeingCharged(db, id),
    aheadCents: invoice.paidCents > 0 ? await sumPaidAhead(db, id) : 0,
    otherBill: invoice.status === 'void' ? await findOtherBill(db, id) : null,
    nowMs: clock.nowMs(),
  }
  return {
    ...invoice,
    ...(await findMadeAgain(db, id)),
    boundCredit,
    gaveDeposits: invoice.status === 'void' ? await listGaveDeposits(db, id) : [],
    payments: invoice.payments.map((payment) => ({ ...payment, can: canPayment(actor, payment) })),
    handedRefunds: invoice.gaveBack.length > 0 ? await listHandedRefunds(db, actor, { invoiceId: id }) : [],
    corrections: await listCorrections(db, id),
    earlier: await listEarlier(db, id),
    creditCents: facts.creditCents,
    reach: facts.reach,
    mails: await listMails(db, id),
    reminders: { ...reminders, restingFeeCents },
    checkoutOpen,
    cashDiscount: await cashDiscountOf(db, invoice),
    atIssue: await draftSpending(db, invoice),
    replacedBy: invoice.status === 'void' ? await findReplacement(db, id) : null,
    alsoOpen: await findAlsoOpen(db, invoice.customer.id, id),
    takesTips: (await getTips(db)).kind !== 'off',
    can: canOf(actor, needs, invoiceRefusals, facts),
  }
}

export type InvoiceContent = Omit<
  Invoice,
  | 'can'
  | 'checkoutOpen'
  | 'payments'
  | 'takesTips'
  | 'cashDiscount'
  | 'handedRefunds'
  | 'atIssue'
  | 'boundCredit'
  | 'gaveDeposits'
  | 'replacedBy'
  | 'alsoOpen'
  | 'madeFrom'
  | 'madeAgainAs'
  | 'corrections'
  | 'earlier'
  | 'creditCents'
  | 'reminders'
  | 'reach'
  | 'mails'
> & {
  /** What its reminders go by. */
  asked: { promisedOn: Day | null; remindersStopped: string | null; reopenedOn: Day | null; reachedOn: Day | null }
  payments: (Omit<Invoice['payments'][number], 'can'> & { status: string; disputed: boolean })[]
  /** Its customer's: what they read of it is in it. */
  language: Language
}

/** One invoice with everything that stands on it, for nobody in particular. */
export const getInvoiceContent = async (db: TenantDb, id: string): Promise<InvoiceContent> => {
  const row = await base(db)
    .where('invoices.id', '=', id)
    .select([
      'invoices.billTo',
      'invoices.subtotalCents',
      'invoices.discountCents',
      'invoices.taxCents',
      'invoices.message',
      'invoices.termsDays',
      'invoices.viewCount',
      'invoices.promisedOn',
      'invoices.remindersStopped',
      'invoices.reopenedOn',
      'invoices.reachedOn',
      'invoices.version',
      'customers.language',
    ])
    .executeTakeFirst()
  if (!row) throw notFound('invoice')
  const [lines, taxes, payments, today, gaveBack, fees, pending, failedDebits] = await Promise.all([
    db
      .selectFrom('invoiceLines')
      .leftJoin('properties', (join) =>
        join
          .onRef('properties.businessId', '=', 'invoiceLines.businessId')
          .onRef('properties.id', '=', 'invoiceLines.propertyId'),
      )
      .where('invoiceLines.businessId', '=', db.businessId)
      .where('invoiceLines.invoiceId', '=', id)
      .select([
        'invoiceLines.id',
        'invoiceLines.visitId',
        'invoiceLines.propertyId',
        'invoiceLines.taxCategory',
        'invoiceLines.serviceOn',
        'properties.street as place',
        'invoiceLines.description',
        'invoiceLines.quantity',
        'invoiceLines.unitPriceCents',
        'invoiceLines.totalCents',
      ])
      .orderBy('invoiceLines.position')
      .orderBy('invoiceLines.id')
      .execute(),
    db
      .selectFrom('invoiceTaxes')
      .select(['name', 'ratePercent', 'baseCents', 'taxCents'])
      .where('businessId', '=', db.businessId)
      .where('invoiceId', '=', id)
      .orderBy('position')
      .execute(),
    db
      .selectFrom('payments')
      .leftJoin('paymentAllocations', (join) =>
        join
          .onRef('paymentAllocations.businessId', '=', 'payments.businessId')
          .onRef('paymentAllocations.paymentId', '=', 'payments.id')
          .on('paymentAllocations.invoiceId', '=', id),
      )
      .leftJoin('creditNotes', (join) =>
        join
          .onRef('creditNotes.businessId', '=', 'payments.businessId')
          .onRef('creditNotes.paymentId', '=', 'payments.id'),
      )
      .where('payments.businessId', '=', db.businessId)
      // what pays it, what is only its tip any more, and what went back to who paid
      .where(sql<boolean>`payments.id in (
        select a.payment_id from payment_allocations a where a.business_id = ${db.businessId} and a.invoice_id = ${id}
        union select t.id from payments t where t.business_id = ${db.businessId} and t.tip_invoice_id = ${id} and t.tip_cents > 0
        union select r.payment_id from allocation_reversals r
          join refunds f on f.business_id = r.business_id and f.id = r.refund_id and f.status <> 'failed'
          where r.business_id = ${db.businessId} and r.invoice_id = ${id})`)
      .select([
        'payments.id',
        'payments.method',
        'payments.amountCents',
        sql<number>`coalesce(payment_allocations.amount_cents, 0)`.as('allocatedCents'),
        sql<number>`case when payments.tip_invoice_id = ${id} then payments.tip_cents else 0 end`.as('tipCents'),
        'payments.refundedCents',
        sql<number>`greatest(0, payments.amount_cents - payments.refunded_cents - payments.allocated_cents)::int8`.as(
          'restCents',
        ),
        paysSql('payments').as('pays'),
        depositSql('payments', id).as('deposit'),
        sql<number>`coalesce((select sum(r.amount_cents) from refunds r where r.business_id = payments.business_id
          and r.payment_id = payments.id and r.status = 'pending'), 0)::int8`.as('returningCents'),
        'payments.status',
        'creditNotes.number as creditNumber',
        'payments.receiptNumber',
        'payments.receivedOn',
        'payments.createdAt',
        'payments.note',
        'payments.livemode',
        'payments.disputed',
        'payments.provider',
      ])
      .orderBy('payments.createdAt')
      .orderBy('payments.id')
      .execute(),
    todayOf(db),
    listGaveBack(db, id),
    getLateFees(db, id),
    findPending(db, id),
    listFailedDebits(db, id),
  ])
  return {
    ...toSummary(row, today),
    billTo: row.billTo as Invoice['billTo'],
    lines,
    taxes,
    subtotalCents: row.subtotalCents,
    discountCents: row.discountCents,
    taxCents: row.taxCents,
    message: row.message,
    termsDays: row.termsDays,
    payments: payments.map(withPapers),
    gaveBack,
    pending,
    failedDebits,
    writtenOffCents: row.status === 'written_off' ? row.totalCents - row.paidCents : 0,
    ...fees,
    viewCount: row.viewCount,
    language: row.language as Language,
    asked: {
      promisedOn: row.promisedOn,
      remindersStopped: row.remindersStopped,
      reopenedOn: row.reopenedOn,
      reachedOn: row.reachedOn,
    },
    publicPath: row.status === 'draft' ? null : paths.invoice(linkTokenOf(db, 'invoice', id)),
    version: row.version,
  }
}

/** The rates of sales tax, those that ended too: work of their days may still be billed. */
export const listTaxRules = async (db: TenantDb) =>
  db
    .selectFrom('taxRates')
    .select(['name', 'ratePercent', 'taxCategory', 'state', 'places', 'onTop', 'validFrom', 'validTo'])
    .where('businessId', '=', db.businessId)
    .where('archivedAt', 'is', null)
    .orderBy('name')
    .orderBy('id')
    .execute()
