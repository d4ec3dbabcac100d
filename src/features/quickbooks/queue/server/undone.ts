import type { TenantDb } from '../../../../platform/db/tenant.ts'
import type { Connection } from '../../connect/server/queries.ts'
import { findCredit, findInvoice, findWriteOff, type Undoing } from './facts.ts'
import { isPlayed, setupOf } from './loading.ts'
import {
  type CreditFacts,
  creditDocument,
  type Document,
  type InvoiceFacts,
  invoiceDocument,
  noteOf,
  paymentDocument,
  putDocument,
  quote,
  type RefOf,
  type Setup,
  totalOf,
} from './shapes.ts'
import { refundDocument } from './spent.ts'

// What is taken back after its month was closed: in the books the record stays under its day, and one of an open day stands against it.

type Entry = Undoing & { customerId: string; amountCents: number; refType: string; refId: string }

const onDayOf =
  ({ customerId, onDay }: Entry) =>
  (ref: RefOf): string =>
    `CustomerRef = ${quote(ref('customer', customerId).value)} and TxnDate = ${quote(onDay)}`

/** A voided invoice: a credit memo over the same lines. */
const ofInvoice = (entry: Entry, invoice: InvoiceFacts, setup: Setup): Document => {
  const made = invoiceDocument({ ...invoice, status: 'issued' }, setup)
  const label = `Void of ${invoice.number}`
  return {
    ...made,
    kind: 'movement',
    id: entry.id,
    type: 'CreditMemo',
    label,
    state: invoice.totalCents === 0 ? 'none' : 'live',
    day: entry.onDay,
    body: (ref) => {
      const { DocNumber: _number, DueDate: _due, BillEmail: _email, ...rest } = made.body(ref, '')
      return { ...rest, TxnDate: entry.onDay, PrivateNote: noteOf(entry.id, label) }
    },
    lookFor: onDayOf(entry),
  }
}

/** A credit note or write-off taken back: what it took off is billed again. */
const ofCredit = (entry: Entry, credit: CreditFacts, setup: Setup): Document => {
  const made = creditDocument({ ...credit, isVoid: false, day: entry.onDay }, setup)
  const label = `${made.label} taken back`
  return {
    ...made,
    kind: 'movement',
    id: entry.id,
    type: 'Invoice',
    label,
    body: (ref) => {
      const { DocNumber: _number, ...rest } = made.body(ref, '')
      return { ...rest, PrivateNote: noteOf(entry.id, label) }
    },
    lookFor: onDayOf(entry),
  }
}

/** A payment taken back: out of where payments wait, and owed again. One that was made in QuickBooks is taken out there by hand. */
const ofPayment = async (db: TenantDb, connection: Connection, entry: Entry): Promise<Document | null> => {
  const row = await db
    .selectFrom('payments')
    .select(['receiptNumber', 'provider', 'livemode', 'method'])
    .where('businessId', '=', db.businessId)
    .where('id', '=', entry.refId)
    .executeTakeFirstOrThrow()
  const setup = setupOf(connection)
  if (row.method === 'credit') {
    const note = await db
      .selectFrom('creditNotes')
      .select('id')
      .where('businessId', '=', db.businessId)
      .where('paymentId', '=', entry.refId)
      .executeTakeFirst()
    const credit = note ? await findCredit(db, note.id) : null
    return credit ? ofCredit(entry, credit, setup) : null
  }
  const label = `Payment R-${row.receiptNumber ?? ''} taken back`
  const facts = {
    ...entry,
    day: entry.onDay,
    // it never left anywhere: it goes out of where it was put, whatever refunds are paid from
    method: 'cash',
    isHeldBack: true,
    reason: label,
    state: isPlayed(connection, row) || row.provider === 'quickbooks' ? ('none' as const) : ('live' as const),
  }
  const made = refundDocument(facts, setup)
  return { ...made, kind: 'movement', label }
}

/** A refund that did not go: the money came in again. */
const ofRefund = async (db: TenantDb, connection: Connection, entry: Entry): Promise<Document> => {
  const row = await db
    .selectFrom('refunds')
    .innerJoin('payments', (join) =>
      join.onRef('payments.businessId', '=', 'refunds.businessId').onRef('payments.id', '=', 'refunds.paymentId'),
    )
    .select(['payments.receiptNumber', 'payments.provider', 'payments.livemode'])
    .where('refunds.businessId', '=', db.businessId)
    .where('refunds.id', '=', entry.refId)
    .executeTakeFirstOrThrow()
  const label = `Refund of R-${row.receiptNumber ?? ''} that did not go`
  const facts = {
    ...entry,
    amountCents: Math.abs(entry.amountCents),
    day: entry.onDay,
    receipt: entry.id.slice(-8),
    note: label,
    method: 'other',
    state: isPlayed(connection, row) ? ('none' as const) : ('live' as const),
    puts: [],
  }
  return { ...paymentDocument(facts, setupOf(connection)), kind: 'movement', label }
}

/** What stands against a record of a closed month, on the day on which that was taken back; nothing where the record is from before the start. */
export const undoingDocument = async (db: TenantDb, connection: Connection, entry: Entry): Promise<Document | null> => {
  const made = await make(db, connection, entry)
  return made && entry.undoesOn < (connection.startOn ?? '') ? { ...made, state: 'none' } : made
}

const make = async (db: TenantDb, connection: Connection, entry: Entry): Promise<Document | null> => {
  if (entry.refType === 'payment') return ofPayment(db, connection, entry)
  if (entry.refType === 'refund') return ofRefund(db, connection, entry)
  if (entry.refType === 'write_off') {
    const off = await findWriteOff(db, entry.refId)
    return off ? ofCredit(entry, off, setupOf(connection)) : null
  }
  const invoice = await findInvoice(db, entry.refId)
  return invoice ? ofInvoice(entry, invoice, setupOf(connection)) : null
}

/** What puts the credit memo of a void on the invoice that stays. */
export const voidUseDocument = async (db: TenantDb, connection: Connection, id: string): Promise<Document | null> => {
  const entry = await db
    .selectFrom('ledgerEntries')
    .select(['id', 'refId', 'onDay', 'undoesOn'])
    .where('businessId', '=', db.businessId)
    .where('id', '=', id)
    .where('kind', '=', 'void')
    .executeTakeFirst()
  const invoice = entry ? await findInvoice(db, entry.refId) : null
  if (!entry?.undoesOn || !invoice) return null
  const isInBooks = entry.undoesOn >= (connection.startOn ?? '') && invoice.totalCents > 0
  const facts = {
    ...creditOf(invoice),
    id,
    day: entry.onDay,
    kind: 'movement' as const,
    number: `the void of ${invoice.number}`,
  }
  return putDocument({ ...facts, puts: isInBooks ? [{ invoiceId: entry.refId, amountCents: totalOf(facts) }] : [] })
}

const creditOf = ({ customerId, totalCents, taxCents }: InvoiceFacts) => ({
  customerId,
  netCents: totalCents - taxCents,
  taxCents,
  reason: '',
  isVoid: false,
})
