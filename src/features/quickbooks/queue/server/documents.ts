import { sql } from 'kysely'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { accountsOf, type Connection } from '../../connect/server/queries.ts'
import type { BooksKind } from '../../rules.ts'
import { findCredit, findInvoice, findUndoing, findWriteOff, putsOfAll } from './facts.ts'
import { isNet, isPlayed, type Load, setupOf } from './loading.ts'
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
  totalOf,
} from './shapes.ts'
import { expenseDocument, refundDocument } from './spent.ts'
import { undoingDocument, voidUseDocument } from './undone.ts'

// Reads a record of ours as the books should have it now.

const putsOf = async (db: TenantDb, paymentId: string, startOn: string): Promise<Put[]> =>
  (await putsOfAll(db, [paymentId], startOn)).get(paymentId) ?? []

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
  const found = await findInvoice(db, id)
  if (!found) return null
  // what was voided after its month was closed stays there, and a credit memo of an open day stands against it
  const isKept = found.status === 'void' && (await findUndoing(db, 'invoice', id)) !== null
  return invoiceDocument(isKept ? { ...found, status: 'issued' } : found, setupOf(connection))
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
  const isKept = isBack && (await findUndoing(db, 'payment', id)) !== null
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
      state: never ? 'none' : isBack && !isKept ? 'void' : 'live',
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

/** A credit or write-off that was taken back after its month was closed stays, with what stands against it on an open day. */
const kept = async (db: TenantDb, one: CreditFacts & { refId: string }) => {
  const undone = one.isVoid ? await findUndoing(db, one.kind === 'credit' ? 'payment' : 'write_off', one.refId) : null
  return { facts: { ...one, isVoid: one.isVoid && undone === null }, undone }
}

const credit: Load = async (db, connection, id) => {
  const found = (await findCredit(db, id)) ?? (await findWriteOff(db, id))
  return found ? creditDocument((await kept(db, found)).facts, setupOf(connection)) : null
}

const use: Load = async (db, connection, id) => {
  const start = connection.startOn ?? ''
  const note = await findCredit(db, id)
  const off = note ? null : await findWriteOff(db, id)
  const found = note ?? off
  if (!found) return voidUseDocument(db, connection, id)
  const { facts, undone } = await kept(db, found)
  if (undone)
    return putDocument({ ...facts, puts: [{ kind: 'movement', invoiceId: undone.id, amountCents: totalOf(facts) }] })
  if (note) return putDocument({ ...facts, puts: await putsOf(db, note.paymentId, start) })
  const isInBooks = (off?.issueOn ?? '') >= start
  return putDocument({
    ...facts,
    puts: off && isInBooks ? [{ invoiceId: off.invoiceId, amountCents: off.netCents }] : [],
  })
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
      'refunds.byProvider',
      'payments.customerId',
      'payments.provider',
      'payments.livemode',
    ])
    .where('refunds.businessId', '=', db.businessId)
    .where('refunds.id', '=', id)
    .executeTakeFirst()
  if (!row) return null
  const isKept = row.status === 'failed' && (await findUndoing(db, 'refund', id)) !== null
  return refundDocument(
    {
      ...row,
      id,
      day: row.onDay,
      // by hand it left the bank account or the cash, also of a card payment: no payout is less by it
      isHeldBack: row.byProvider && isNet(connection, row.onDay),
      state: isPlayed(connection, row) ? 'none' : row.status === 'failed' && !isKept ? 'void' : 'live',
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
  one: {
    id: string
    customerId: string
    amountCents: number
    onDay: string
    label: string
    isPlayed: boolean
    isNet: boolean
  },
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
    ? refundDocument({ ...facts, method: 'card', isHeldBack: one.isNet, reason: label }, setup)
    : paymentDocument({ ...facts, method: 'other', receipt: one.id.slice(-8), note: label, puts: [] }, setup)
  return { ...document, kind: 'movement', label }
}

const movement: Load = async (db, connection, id) => {
  const row = await db
    .selectFrom('ledgerEntries')
    .select(['id', 'amountCents', 'onDay', 'refType', 'refId', 'customerId', 'undoesOn'])
    .where('businessId', '=', db.businessId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) return null
  if (row.undoesOn !== null) return undoingDocument(db, connection, { ...row, undoesOn: row.undoesOn })
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
        where v.business_id = d.business_id and v.id = ${row.refId}))
      or (${row.refType} = 'dispute_turn' and d.id in (select t.dispute_id from dispute_turns t
        where t.business_id = d.business_id and t.id = ${row.refId})))`.execute(db)
  const [paid] = rows
  if (paid)
    return ofDispute(
      {
        ...row,
        id,
        label: `R-${paid.receipt ?? ''}`,
        isPlayed: isPlayed(connection, paid),
        isNet: isNet(connection, row.onDay),
      },
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
  write_off: credit,
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
