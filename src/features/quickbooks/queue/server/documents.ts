import { sql } from 'kysely'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { invoiceName } from '../../../invoices/rules.ts'
import { accountsOf, type Connection } from '../../connect/server/queries.ts'
import type { BooksKind } from '../../rules.ts'
import { isPlayed, type Load, setupOf } from './loading.ts'
import { isFeePlayed, payout, payoutBack } from './payouts.ts'
import {
  type CreditFacts,
  creditDocument,
  customerDocument,
  type Document,
  invoiceDocument,
  itemDocument,
  methodDocument,
  ownItems,
  ownMethods,
  type Put,
  paymentDocument,
  putDocument,
  type Setup,
  tipDocument,
} from './shapes.ts'
import { expenseDocument, refundDocument } from './spent.ts'

// Reads a record of ours as the books should have it now.

/** What of a payment or a credit lies on invoices that are in the books, or will be. */
const putsOf = async (db: TenantDb, paymentId: string, startOn: string): Promise<Put[]> => {
  const { rows } = await sql<Put>`select a.invoice_id, a.amount_cents from payment_allocations a
    join invoices i on i.business_id = a.business_id and i.id = a.invoice_id
    where a.business_id = ${db.businessId} and a.payment_id = ${paymentId} and i.issue_on >= ${startOn}::date and i.status <> 'void'
    order by i.number`.execute(db)
  return rows
}

/** The tip that came with a payment, where tips are sent at all. It stays paid by it: what went back of it is a record of its own. */
const tipPutsOf = async (db: TenantDb, connection: Connection, paymentId: string): Promise<Put[]> => {
  if (accountsOf(connection).tips === null) return []
  const { rows } = await sql<{ id: string; cents: number }>`
    select e.id, m.amount_cents::int8 as cents from tip_moves m
    join ledger_entries e on e.business_id = m.business_id and e.kind = 'tip' and e.ref_type = 'tip' and e.ref_id = m.id
    where m.business_id = ${db.businessId} and m.payment_id = ${paymentId} and m.amount_cents > 0 and m.refund_id is null
      and m.dispute_id is null and e.on_day >= ${connection.startOn ?? ''}::date`.execute(db)
  return rows.map(({ id, cents }) => ({ kind: 'movement' as const, invoiceId: id, amountCents: Number(cents) }))
}

const customer: Load = async (db, _connection, id) => {
  const row = await db
    .selectFrom('customers')
    .select(['id', 'name', 'company', 'email', 'phone', 'billingStreet', 'billingCity', 'billingState', 'billingZip'])
    .where('businessId', '=', db.businessId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row ? customerDocument(row) : null
}

const item: Load = async (db, connection, id) => {
  const own = Object.values(ownItems).find((one) => one.id === id)
  if (own) return itemDocument(own, setupOf(connection))
  const row = await db
    .selectFrom('services')
    .select(['id', 'name'])
    .where('businessId', '=', db.businessId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row ? itemDocument(row, setupOf(connection)) : null
}

const method: Load = async (_db, _connection, id) => {
  const own = Object.values(ownMethods).find((one) => one.id === id)
  return own ? methodDocument(own) : null
}

const invoice: Load = async (db, connection, id) => {
  const row = await db
    .selectFrom('invoices')
    .innerJoin('customers', (join) =>
      join.onRef('customers.businessId', '=', 'invoices.businessId').onRef('customers.id', '=', 'invoices.customerId'),
    )
    .select([
      'invoices.id',
      'invoices.number',
      'invoices.customerId',
      'customers.email',
      'invoices.status',
      'invoices.issueOn',
      'invoices.dueOn',
      'invoices.discountCents',
      'invoices.taxCents',
      'invoices.totalCents',
    ])
    .where('invoices.businessId', '=', db.businessId)
    .where('invoices.id', '=', id)
    .executeTakeFirst()
  if (!row) return null
  const { rows: lines } = await sql<{
    serviceId: string | null
    description: string
    quantity: number
    unitPriceCents: number
    totalCents: number
    taxCategory: string
    serviceOn: string | null
  }>`select l.service_id, l.description, l.quantity, l.unit_price_cents, l.total_cents, l.tax_category, l.service_on from invoice_lines l
    where l.business_id = ${db.businessId} and l.invoice_id = ${id} order by l.position, l.id`.execute(db)
  return invoiceDocument({ ...row, number: invoiceName(row.number), lines }, setupOf(connection))
}

const payment: Load = async (db, connection, id) => {
  const row = await db
    .selectFrom('payments')
    .selectAll()
    .where('businessId', '=', db.businessId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) return null
  const isBack = row.status === 'reversed' || row.status === 'failed'
  const isTheirs = row.provider === 'quickbooks'
  const never =
    row.status === 'pending' ||
    row.status === 'processing' ||
    row.method === 'credit' ||
    isTheirs ||
    isPlayed(connection, row)
  return paymentDocument(
    {
      id,
      customerId: row.customerId,
      amountCents: row.amountCents,
      day: row.receivedOn,
      receipt: row.receiptNumber === null ? id.slice(-8) : `R-${row.receiptNumber}`,
      note: row.note,
      method: row.method,
      state: never ? 'none' : isBack ? 'void' : 'live',
      ...(isTheirs && isBack
        ? {
            because:
              'This payment was made in QuickBooks and taken back in Swath: take it out there too, then skip it here.',
          }
        : {}),
      puts: [...(await putsOf(db, id, connection.startOn ?? '')), ...(await tipPutsOf(db, connection, id))],
    },
    setupOf(connection),
  )
}

const findCredit = async (db: TenantDb, id: string): Promise<(CreditFacts & { paymentId: string }) | null> => {
  const row = await db
    .selectFrom('creditNotes')
    .innerJoin('payments', (join) =>
      join
        .onRef('payments.businessId', '=', 'creditNotes.businessId')
        .onRef('payments.id', '=', 'creditNotes.paymentId'),
    )
    .select([
      'creditNotes.number',
      'creditNotes.customerId',
      'creditNotes.netCents',
      'creditNotes.taxCents',
      'creditNotes.reason',
      'creditNotes.onDay',
      'creditNotes.paymentId',
      'payments.status',
    ])
    .where('creditNotes.businessId', '=', db.businessId)
    .where('creditNotes.id', '=', id)
    .executeTakeFirst()
  return row
    ? { kind: 'credit', id, ...row, number: `CN-${row.number}`, day: row.onDay, isVoid: row.status === 'reversed' }
    : null
}

const findWriteOff = async (
  db: TenantDb,
  id: string,
): Promise<(CreditFacts & { invoiceId: string; issueOn: string | null }) | null> => {
  const row = await db
    .selectFrom('writeOffs')
    .innerJoin('invoices', (join) =>
      join.onRef('invoices.businessId', '=', 'writeOffs.businessId').onRef('invoices.id', '=', 'writeOffs.invoiceId'),
    )
    .select([
      'writeOffs.amountCents',
      'writeOffs.reason',
      'writeOffs.onDay',
      'writeOffs.takenBackOn',
      'writeOffs.invoiceId',
      'invoices.number',
      'invoices.customerId',
      'invoices.issueOn',
    ])
    .where('writeOffs.businessId', '=', db.businessId)
    .where('writeOffs.id', '=', id)
    .executeTakeFirst()
  return row
    ? {
        kind: 'write_off',
        id,
        number: `WO-${row.number}`,
        customerId: row.customerId,
        netCents: row.amountCents,
        taxCents: 0,
        reason: row.reason,
        day: row.onDay,
        isVoid: row.takenBackOn !== null,
        invoiceId: row.invoiceId,
        issueOn: row.issueOn,
      }
    : null
}

const credit: Load = async (db, connection, id) => {
  const found = await findCredit(db, id)
  return found ? creditDocument(found, setupOf(connection)) : null
}

const writeOff: Load = async (db, connection, id) => {
  const found = await findWriteOff(db, id)
  return found ? creditDocument(found, setupOf(connection)) : null
}

const use: Load = async (db, connection, id) => {
  const note = await findCredit(db, id)
  if (note) return putDocument({ ...note, puts: await putsOf(db, note.paymentId, connection.startOn ?? '') })
  const off = await findWriteOff(db, id)
  if (!off) return null
  const isInBooks = (off.issueOn ?? '') >= (connection.startOn ?? '')
  return putDocument({ ...off, puts: isInBooks ? [{ invoiceId: off.invoiceId, amountCents: off.netCents }] : [] })
}

const refund: Load = async (db, connection, id) => {
  const row = await db
    .selectFrom('refunds')
    .innerJoin('payments', (join) =>
      join.onRef('payments.businessId', '=', 'refunds.businessId').onRef('payments.id', '=', 'refunds.paymentId'),
    )
    .select([
      'refunds.amountCents',
      'refunds.method',
      'refunds.onDay',
      'refunds.reason',
      'refunds.status',
      'payments.customerId',
      'payments.provider',
      'payments.livemode',
    ])
    .where('refunds.businessId', '=', db.businessId)
    .where('refunds.id', '=', id)
    .executeTakeFirst()
  if (!row) return null
  return refundDocument(
    {
      ...row,
      id,
      day: row.onDay,
      state: isPlayed(connection, row) ? 'none' : row.status === 'failed' ? 'void' : 'live',
    },
    setupOf(connection),
  )
}

const expense: Load = async (db, connection, id) => {
  const row = await db
    .selectFrom('expenses')
    .innerJoin('expenseCategories', (join) =>
      join
        .onRef('expenseCategories.businessId', '=', 'expenses.businessId')
        .onRef('expenseCategories.id', '=', 'expenses.categoryId'),
    )
    .selectAll('expenses')
    .select('expenseCategories.name as category')
    .where('expenses.businessId', '=', db.businessId)
    .where('expenses.id', '=', id)
    .executeTakeFirst()
  if (!row) return null
  const setup = setupOf(connection)
  const document = expenseDocument({ ...row, isVoid: row.deletedAt !== null || row.review }, setup)
  return row.method === 'payout' && (await isFeePlayed(db, connection, row.sourceKey))
    ? { ...document, state: 'none' }
    : document
}

/** Money that a bank took from us goes out like a refund, and what it gives back comes in like a payment that lies on nothing yet. */
const ofDispute = (
  one: { id: string; customerId: string; amountCents: number; onDay: string; label: string; isPlayed: boolean },
  setup: Setup,
): Document => {
  const facts = {
    id: one.id,
    customerId: one.customerId,
    amountCents: Math.abs(one.amountCents),
    day: one.onDay,
    state: one.isPlayed ? ('none' as const) : ('live' as const),
  }
  const isTaken = one.amountCents > 0
  const label = `${isTaken ? 'Taken back by the bank' : 'Given back by the bank'}, ${one.label}`
  const document = isTaken
    ? refundDocument({ ...facts, method: 'card', reason: label }, setup)
    : paymentDocument({ ...facts, method: 'other', receipt: one.id.slice(-8), note: label, puts: [] }, setup)
  return { ...document, kind: 'movement', label }
}

const movement: Load = async (db, connection, id) => {
  const row = await db
    .selectFrom('ledgerEntries')
    .select(['amountCents', 'onDay', 'refType', 'refId', 'customerId'])
    .where('businessId', '=', db.businessId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) return null
  if (row.refType === 'tip') {
    const paid = await db
      .selectFrom('tipMoves')
      .innerJoin('payments', (join) =>
        join.onRef('payments.businessId', '=', 'tipMoves.businessId').onRef('payments.id', '=', 'tipMoves.paymentId'),
      )
      .select(['payments.receiptNumber', 'payments.provider', 'payments.livemode'])
      .where('tipMoves.businessId', '=', db.businessId)
      .where('tipMoves.id', '=', row.refId)
      .executeTakeFirstOrThrow()
    return tipDocument(
      { ...row, id, day: row.onDay, receipt: `R-${paid.receiptNumber ?? ''}`, isPlayed: isPlayed(connection, paid) },
      setupOf(connection),
    )
  }
  const { rows } = await sql<{ receipt: number | null; provider: string; livemode: boolean }>`
    select p.receipt_number as receipt, p.provider, p.livemode from disputes d
    join payments p on p.business_id = d.business_id and p.id = d.payment_id
    where d.business_id = ${db.businessId} and ((${row.refType} = 'dispute' and d.id = ${row.refId})
      or (${row.refType} = 'dispute_cover' and d.id in (select v.dispute_id from dispute_covers v
        where v.business_id = d.business_id and v.id = ${row.refId})))`.execute(db)
  const [paid] = rows
  if (paid)
    return ofDispute(
      { ...row, id, label: `R-${paid.receipt ?? ''}`, isPlayed: isPlayed(connection, paid) },
      setupOf(connection),
    )
  return {
    kind: 'movement',
    id,
    type: 'Payment',
    label: `Movement (${row.refType.replaceAll('_', ' ')})`,
    state: 'none',
    byHand: true,
    because: 'Swath cannot send this kind of movement: enter it in QuickBooks by hand, then skip it here.',
    day: row.onDay,
    totalCents: row.amountCents,
    needs: [],
    body: () => ({}),
    lookFor: () => '',
  }
}

const loads: Record<BooksKind, Load> = {
  customer,
  item,
  method,
  invoice,
  payment,
  credit,
  write_off: writeOff,
  use,
  refund,
  expense,
  movement,
  payout,
  payout_back: payoutBack,
}

/** A record as the books should have it now; what is dated before the start never goes there. */
export const loadDocument = async (
  db: TenantDb,
  connection: Connection,
  kind: BooksKind,
  id: string,
): Promise<Document | null> => {
  const found = await loads[kind](db, connection, id)
  if (!found || found.day === null || found.day >= (connection.startOn ?? '')) return found
  const { because: _because, ...early } = found
  return { ...early, state: 'none' }
}
