import { sql } from 'kysely'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { invoiceName } from '../../../invoices/rules.ts'
import type { CreditFacts, InvoiceFacts, Put } from './shapes.ts'

// Records of ours as they are read for the books, and what undid them.

/** What of some payments or credits lies on invoices that are in the books, or will be. */
export const putsOfAll = async (
  db: TenantDb,
  paymentIds: readonly string[],
  startOn: string,
): Promise<Map<string, Put[]>> => {
  const { rows } = await sql<
    Put & { paymentId: string }
  >`select a.payment_id, a.invoice_id, a.amount_cents from payment_allocations a
    join invoices i on i.business_id = a.business_id and i.id = a.invoice_id
    where a.business_id = ${db.businessId} and a.payment_id = any(${[...paymentIds]}::uuid[]) and i.issue_on >= ${startOn}::date
      and i.status <> 'void' order by i.number`.execute(db)
  const found = new Map<string, Put[]>()
  for (const { paymentId, ...put } of rows) found.set(paymentId, [...(found.get(paymentId) ?? []), put])
  return found
}

export type Undoing = { id: string; onDay: string; undoesOn: string }

/**
 * The movement that took a record back after its month was closed: what stands in the books under the closed day stays, and this is sent
 * beside it. Null where it was not taken back, or while its month was open.
 */
export const findUndoing = async (
  db: TenantDb,
  refType: 'invoice' | 'payment' | 'write_off' | 'refund',
  refId: string,
): Promise<Undoing | null> => {
  const row = await db
    .selectFrom('ledgerEntries')
    .select(['id', 'onDay', 'undoesOn'])
    .where('businessId', '=', db.businessId)
    .where('kind', '=', refType === 'invoice' ? 'void' : 'adjustment')
    .where('refType', '=', refType)
    .where('refId', '=', refId)
    .executeTakeFirst()
  return row?.undoesOn ? { ...row, undoesOn: row.undoesOn } : null
}

/** An invoice with its lines, as it stands. */
export const findInvoice = async (db: TenantDb, id: string): Promise<InvoiceFacts | null> => {
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
      'invoices.openingFrom',
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
  return { ...row, number: invoiceName(row.number), lines }
}

/** A credit note, by its own id. */
export const findCredit = async (
  db: TenantDb,
  id: string,
): Promise<(CreditFacts & { paymentId: string; refId: string }) | null> => {
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
      'creditNotes.isDiscount',
      'payments.status',
    ])
    .where('creditNotes.businessId', '=', db.businessId)
    .where('creditNotes.id', '=', id)
    .executeTakeFirst()
  return row
    ? {
        kind: 'credit',
        id,
        ...row,
        refId: row.paymentId,
        number: `CN-${row.number}`,
        day: row.onDay,
        isVoid: row.status === 'reversed',
      }
    : null
}

export const findWriteOff = async (
  db: TenantDb,
  id: string,
): Promise<(CreditFacts & { invoiceId: string; issueOn: string | null; refId: string }) | null> => {
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
        refId: id,
        invoiceId: row.invoiceId,
        issueOn: row.issueOn,
      }
    : null
}
