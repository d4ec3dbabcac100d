import { sql, type Updateable } from 'kysely'
import type { Who } from '../../../../platform/actor.ts'
import { clock } from '../../../../platform/clock.ts'
import { inPieces } from '../../../../platform/db/rows.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import type { Invoices } from '../../../../platform/db/types.generated.ts'
import { emitAll } from '../../../../platform/events/events.ts'
import { newId } from '../../../../platform/ids.ts'
import { registerLinks } from '../../../../platform/links.ts'
import { notFound } from '../../../../shared/errors.ts'
import { linkTo } from '../../../../shared/links.ts'
import { todayOf } from '../../../businesses/server/queries.ts'
import { recallAskingTx } from '../../../messages/server/commands.ts'
import { notifyOffice } from '../../../notifications/server/commands.ts'
import { type Spendable, setSpendable } from '../../ahead/server/spendable.ts'
import { movementLabel } from '../../closing/rules.ts'
import { type ClosedMonthException, checkOpenDaysTx } from '../../closing/server/commands.ts'
import { issuerNow } from '../../issuing/server/queries.ts'
import { invoiceName, isOpen, rulesVersion, statusFromMoney, type Totals, whyNotAsked } from '../../rules.ts'

/** The rows of invoices: written and locked in the caller's transaction, many in as few statements as one. */

export type NewInvoice = {
  number: number
  customerId: string
  batchId?: string
  quoteId?: string
  madeFrom?: string
  termsDays: number
  message: string
  billTo: Record<string, string | null>
  totals: Totals
  lines: {
    id?: string
    visitId?: string | undefined
    visitLineId?: string | undefined
    propertyId?: string | undefined
    serviceId?: string | undefined
    serviceOn: string | null
    description: string
    quantity: number
    unitPriceCents: number
    taxCategory: string
  }[]
}

type Content = Pick<NewInvoice, 'lines' | 'totals'> & { id: string }

/** Writes what stands on invoices: their lines and their taxes. */
export const insertLinesTx = async (db: TenantDb, invoices: readonly Content[]): Promise<void> => {
  const { businessId } = db
  const lines = invoices.flatMap(({ id, lines, totals }) =>
    lines.map((line, position) => ({
      businessId,
      id: line.id ?? newId(),
      invoiceId: id,
      visitId: line.visitId ?? null,
      visitLineId: line.visitLineId ?? null,
      propertyId: line.propertyId ?? null,
      serviceId: line.serviceId ?? null,
      serviceOn: line.serviceOn,
      description: line.description,
      quantity: line.quantity,
      unitPriceCents: line.unitPriceCents,
      totalCents: totals.lines[position]?.totalCents ?? 0,
      netCents: totals.lines[position]?.netCents ?? null,
      taxState: totals.lines[position]?.state ?? null,
      taxTreatment: totals.lines[position]?.treatment ?? null,
      taxCategory: line.taxCategory,
      position,
    })),
  )
  const taxes = invoices.flatMap(({ id, totals }) =>
    totals.taxes.map((tax, position) => ({
      businessId,
      id: newId(),
      invoiceId: id,
      name: tax.name,
      ratePercent: tax.ratePercent,
      baseCents: tax.baseCents,
      taxCents: tax.taxCents,
      position,
    })),
  )
  for (const some of inPieces(lines)) await db.insertInto('invoiceLines').values(some).execute()
  for (const some of inPieces(taxes)) await db.insertInto('invoiceTaxes').values(some).execute()
}

/** Writes drafts with their lines and taxes. @returns their ids, in the order given */
export const insertInvoicesTx = async (
  db: TenantDb,
  createdBy: string | null,
  drafts: readonly NewInvoice[],
): Promise<string[]> => {
  const invoices = drafts.map((invoice) => ({ ...invoice, id: newId() }))
  const now = clock.iso()
  for (const some of inPieces(invoices))
    await db
      .insertInto('invoices')
      .values(
        some.map(({ id, number, customerId, batchId, quoteId, madeFrom, termsDays, message, billTo, totals }) => ({
          businessId: db.businessId,
          id,
          number,
          customerId,
          batchId,
          quoteId,
          madeFrom,
          termsDays,
          message,
          billTo: JSON.stringify(billTo),
          subtotalCents: totals.subtotalCents,
          discountCents: totals.discountCents,
          taxCents: totals.taxCents,
          totalCents: totals.totalCents,
          createdBy,
          createdAt: now,
          updatedAt: now,
        })),
      )
      .execute()
  await insertLinesTx(db, invoices)
  return invoices.map(({ id }) => id)
}

/** Invoices locked for a change of state. */
export const lockInvoicesTx = async (db: TenantDb, ids: readonly string[]) => {
  const rows = await db
    .selectFrom('invoices')
    .selectAll()
    .where('businessId', '=', db.businessId)
    .where(sql<boolean>`id = any(${[...ids]}::uuid[])`)
    .orderBy('id')
    .forUpdate()
    .execute()
  return rows
}
export type LockedInvoice = Awaited<ReturnType<typeof lockInvoicesTx>>[number]

/** An invoice locked for a change of state. @throws not_found */
export const lockInvoiceTx = async (db: TenantDb, id: string): Promise<LockedInvoice> => {
  const [row] = await lockInvoicesTx(db, [id])
  if (!row) throw notFound('invoice')
  return row
}

export type LedgerEntry = {
  customerId: string
  kind: 'invoice' | 'payment' | 'credit' | 'refund' | 'void' | 'write_off' | 'adjustment' | 'dispute' | 'tip'
  amountCents: number
  refType:
    | 'invoice'
    | 'payment'
    | 'credit_note'
    | 'refund'
    | 'write_off'
    | 'dispute'
    | 'dispute_cover'
    | 'dispute_turn'
    | 'tip'
  refId: string
  onDay: string
}

/**
 * Appends to what a customer owes: more by an invoice or a refund, less by a payment, a credit or a write-off. Everything that writes money
 * comes through here, so here a closed month refuses.
 */
export const addLedgerEntryTx = (db: TenantDb, entry: LedgerEntry, exception?: ClosedMonthException): Promise<void> =>
  addLedgerEntriesTx(db, [entry], exception)

/**
 * For an entry that takes back what stands under a day of a closed month (void, payment or credit taken back, write-off taken back, refund
 * that did not go): that day; null for anything else, and where it is dated in that month itself by an owner's exception.
 */
const undoesOn = async (db: TenantDb, through: string | null, entry: LedgerEntry): Promise<string | null> => {
  if (!through || (entry.kind !== 'void' && entry.kind !== 'adjustment') || entry.onDay <= through) return null
  const { rows } = await sql<{ day: string | null }>`
    select min(o.on_day) as day from ledger_entries o where o.business_id = ${db.businessId} and o.on_day <= ${through}::date
      and (o.ref_type = ${entry.refType} and o.ref_id = ${entry.refId} and o.kind in ('invoice', 'payment', 'write_off', 'refund')
        or o.kind = 'credit' and o.ref_type = 'credit_note' and ${entry.refType} = 'payment' and o.ref_id in (select n.id from credit_notes n
          where n.business_id = ${db.businessId} and n.payment_id = ${entry.refId}))`.execute(db)
  return rows[0]?.day ?? null
}

const addLedgerEntriesTx = async (
  db: TenantDb,
  entries: readonly LedgerEntry[],
  exception?: ClosedMonthException,
): Promise<void> => {
  const through = await checkOpenDaysTx(
    db,
    entries.map(({ onDay, kind, amountCents }) => ({ onDay, what: movementLabel(kind, amountCents) })),
    exception,
  )
  const at = clock.iso()
  const rows = []
  for (const entry of entries)
    rows.push({
      businessId: db.businessId,
      id: newId(),
      customerId: entry.customerId,
      kind: entry.kind,
      amountCents: entry.amountCents,
      refType: entry.refType,
      refId: entry.refId,
      onDay: entry.onDay,
      createdAt: at,
      undoesOn: await undoesOn(db, through, entry),
    })
  for (const some of inPieces(rows)) await db.insertInto('ledgerEntries').values(some).execute()
}

/** The day on which the last of its money came, never before it was issued. */
const lastPaidOn = async (db: TenantDb, { id, issueOn }: LockedInvoice): Promise<string> => {
  const { rows } = await sql<{ day: string | null }>`
    select greatest(max(p.received_on), ${issueOn}::date) as day from payment_allocations a
    join payments p on p.business_id = a.business_id and p.id = a.payment_id
    where a.business_id = ${db.businessId} and a.invoice_id = ${id}`.execute(db)
  return rows[0]?.day ?? (await todayOf(db))
}

/** Notes money on a locked invoice, or what of it went back: then it is owed again from today. @returns the invoice as it stands then */
export const addPaidTx = async (db: TenantDb, invoice: LockedInvoice, cents: number): Promise<LockedInvoice> => {
  const paidCents = invoice.paidCents + cents
  const status = statusFromMoney(invoice.status, invoice.totalCents, paidCents)
  const paidOn = status === 'paid' ? (invoice.paidOn ?? (await lastPaidOn(db, invoice))) : null
  const reopened = cents < 0 && isOpen(status) ? { reopenedOn: await todayOf(db) } : {}
  return setInvoiceTx(db, invoice, { paidCents, status, paidOn, ...reopened })
}

/** Nobody is asked for what is not open any more: what waits for the morning, or for a provider, does not leave. */
const recallTx = async (db: TenantDb, before: LockedInvoice, after: LockedInvoice): Promise<void> => {
  const isLess = after.paidCents > before.paidCents
  const why = whyNotAsked(after) ?? (isLess ? `A part of ${invoiceName(after.number)} was paid` : null)
  if (why === null || (whyNotAsked(before) === why && !isLess)) return
  await recallAskingTx(db, { type: 'invoice', id: after.id }, why)
  const statements = await recallAskingTx(db, { type: 'statement', id: after.customerId }, why)
  for (const id of statements)
    await notifyOffice(db, {
      type: 'invoice',
      title: 'A statement was not sent',
      content: `${why} before it left. Send it again if the customer should still have it.`,
      customerId: after.customerId,
      path: linkTo.customer(after.customerId, { part: 'invoices' }),
      dedupeKey: `statement-recalled:${id}`,
    })
}

/** Changes a locked invoice. @returns the invoice as it stands then */
export const setInvoiceTx = async (
  db: TenantDb,
  invoice: LockedInvoice,
  change: Updateable<Invoices>,
): Promise<LockedInvoice> => {
  const after = await db
    .updateTable('invoices')
    .set({ ...change, version: invoice.version + 1, updatedAt: clock.iso() })
    .where('businessId', '=', db.businessId)
    .where('id', '=', invoice.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await recallTx(db, invoice, after)
  return after
}

/**
 * Marks a locked invoice as one whose payment is disputed, or no more.
 * @param why what its reminders stopped for, from and to: a reason that somebody else gave stays
 */
export const setDisputedTx = (
  db: TenantDb,
  invoice: LockedInvoice,
  disputed: boolean,
  why: { from: string | null; to: string | null } | null,
): Promise<LockedInvoice> =>
  setInvoiceTx(db, invoice, {
    disputed,
    ...(why && invoice.remindersStopped === why.from ? { remindersStopped: why.to } : {}),
  })

/**
 * Notes on a locked invoice what of it is on its way from a bank.
 * @param failed the bank said no: what it was to pay is owed again from today
 */
export const setPendingTx = async (
  db: TenantDb,
  invoice: LockedInvoice,
  pendingCents: number,
  failed: boolean,
): Promise<LockedInvoice> => {
  const reopened = failed && isOpen(invoice.status) ? { reopenedOn: await todayOf(db) } : {}
  return setInvoiceTx(db, invoice, { pendingCents, ...reopened })
}

/** Counts that somebody opened the page of an invoice that was issued. */
export const countViewTx = async (db: TenantDb, invoiceId: string): Promise<void> => {
  await db
    .updateTable('invoices')
    .set((eb) => ({
      viewedAt: eb.fn.coalesce('viewedAt', eb.val(clock.iso())),
      viewCount: eb('viewCount', '+', 1),
    }))
    .where('businessId', '=', db.businessId)
    .where('id', '=', invoiceId)
    .where('status', '!=', 'draft')
    .execute()
}

/** What is done with invoices in the transaction that issues them, by who keeps the money: it knows of invoices, and they do not know of it. */
let spendMoneyTx: (db: TenantDb, invoiceIds: readonly string[]) => Promise<void> = async () => {}

/** The same where one is voided: what was paid ahead for its work lies on it no more. */
let returnMoneyTx: (db: TenantDb, who: Who, invoice: LockedInvoice) => Promise<LockedInvoice> = async (
  _db,
  _who,
  one,
) => one

/** Set once at start. */
export const setSpending = (use: {
  spendTx: typeof spendMoneyTx
  giveBackTx: typeof returnMoneyTx
  spendable: Spendable
}): void => {
  setSpendable(use.spendable)
  spendMoneyTx = use.spendTx
  returnMoneyTx = use.giveBackTx
}

/** Takes what was paid ahead for the work of a locked invoice off it, before it is voided. @returns the invoice as it stands then */
export const giveBackTx = (db: TenantDb, who: Who, invoice: LockedInvoice): Promise<LockedInvoice> =>
  returnMoneyTx(db, who, invoice)

/**
 * Makes drafts binding that the caller has locked or just made: day, due day, and what their customers owe from now on. An invoice over
 * nothing is paid at once.
 */
export const issueInvoicesTx = async (db: TenantDb, ids: readonly string[]): Promise<void> => {
  if (ids.length === 0) return
  const issueOn = await todayOf(db)
  const { rows } = await sql<{ id: string; customerId: string; totalCents: number }>`
    update invoices set status = case when total_cents = 0 then 'paid' else 'issued' end, issue_on = ${issueOn}::date,
      due_on = ${issueOn}::date + terms_days, sender = ${issuerNow(db)}, rules_version = ${rulesVersion}, version = version + 1, updated_at = ${clock.iso()}
    where business_id = ${db.businessId} and id = any(${[...ids]}::uuid[]) and status = 'draft'
    returning id, customer_id, total_cents`.execute(db)
  // by customer: two who add to the same balances wait for each other and never for ever
  rows.sort((a, b) => (a.customerId < b.customerId ? -1 : 1))
  await addLedgerEntriesTx(
    db,
    rows.map(({ id, customerId, totalCents }) => ({
      customerId,
      kind: 'invoice',
      amountCents: totalCents,
      refType: 'invoice',
      refId: id,
      onDay: issueOn,
    })),
  )
  const issued = rows.map(({ id }) => id)
  await spendMoneyTx(db, issued)
  await registerLinks(db, 'invoice', issued)
  await emitAll(
    db,
    'invoice.issued',
    issued.map((invoiceId) => ({ invoiceId })),
  )
}
