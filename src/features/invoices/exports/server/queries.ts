import { type RawBuilder, sql } from 'kysely'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { csvText } from '../../../../shared/csv.ts'
import type { Day } from '../../../../shared/dates.ts'
import { conflict, invalid } from '../../../../shared/errors.ts'
import { listMileage } from '../../../expenses/mileage/server/queries.ts'
import { methods as expenseMethods } from '../../../expenses/rules.ts'
import { listExpenseParts, sumReview } from '../../../expenses/server/queries.ts'
import { creditNoteName } from '../../corrections/rules.ts'
import { isTestMoney, methodNames, receiptName } from '../../papers/rules.ts'
import { invoiceName } from '../../rules.ts'
import { type EntryFacts, entryLabel, periodProblem } from '../../statements/rules.ts'
import { listEntries } from '../../statements/server/queries.ts'
import { type ExportKind, iifText, journalTable, plainDollars } from '../rules.ts'
import { listJournal } from './journal.ts'
import { payoutTable } from './payouts.ts'
import { taxTable } from './tax.ts'

type Period = { from: Day; to: Day }
type Table = (string | number | null)[][]

/** The longest file, in rows. */
const mostRows = 50_000

const read = async <Row>(db: TenantDb, query: RawBuilder<Row>): Promise<Row[]> => {
  const { rows } = await query.execute(db)
  if (rows.length > mostRows)
    throw conflict(`There are more than ${mostRows.toLocaleString('en-US')} rows in this period. Choose a shorter one.`)
  return rows
}

const invoices = async (db: TenantDb, { from, to }: Period): Promise<Table> => {
  const rows = await read(
    db,
    sql<{
      number: number
      name: string
      issueOn: Day
      dueOn: Day
      status: string
      subtotalCents: number
      discountCents: number
      taxCents: number
      totalCents: number
      paidCents: number
    }>`select i.number, c.name, i.issue_on, i.due_on, i.status, i.subtotal_cents, i.discount_cents, i.tax_cents, i.total_cents, i.paid_cents
      from invoices i join customers c on c.business_id = i.business_id and c.id = i.customer_id
      where i.business_id = ${db.businessId} and i.issue_on between ${from}::date and ${to}::date
      order by i.number limit ${mostRows + 1}`,
  )
  return [
    ['Invoice', 'Customer', 'Issued', 'Due', 'Status', 'Subtotal', 'Discount', 'Tax', 'Total', 'Paid', 'Open'],
    ...rows.map((row) => [
      invoiceName(row.number),
      row.name,
      row.issueOn,
      row.dueOn,
      row.status.replace('_', ' '),
      ...[row.subtotalCents, -row.discountCents, row.taxCents, row.totalCents, row.paidCents].map(plainDollars),
      plainDollars(row.status === 'issued' || row.status === 'partially_paid' ? row.totalCents - row.paidCents : 0),
    ]),
  ]
}

const payments = async (db: TenantDb, { from, to }: Period): Promise<Table> => {
  const rows = await read(
    db,
    sql<{
      receiptNumber: number | null
      name: string
      receivedOn: Day
      method: keyof typeof methodNames
      status: string
      amountCents: number
      refundedCents: number
      allocatedCents: number
      tipCents: number
      note: string
      provider: string
      livemode: boolean
    }>`select p.receipt_number, c.name, p.received_on, p.method, p.status, p.amount_cents, p.refunded_cents, p.allocated_cents - p.tip_cents as allocated_cents,
      p.tip_cents, p.note, p.provider, p.livemode
      from payments p join customers c on c.business_id = p.business_id and c.id = p.customer_id
      where p.business_id = ${db.businessId} and p.method <> 'credit' and p.received_on between ${from}::date and ${to}::date
      order by p.received_on, p.created_at, p.id limit ${mostRows + 1}`,
  )
  return [
    [
      'Receipt',
      'Customer',
      'Received',
      'Method',
      'Status',
      'Amount',
      'Went back',
      'On invoices',
      'Tip',
      'Note',
      'Test',
    ],
    ...rows.map((row) => [
      row.receiptNumber === null ? '' : receiptName(row.receiptNumber),
      row.name,
      row.receivedOn,
      methodNames[row.method],
      row.status === 'reversed' ? 'taken back' : row.status,
      ...[row.amountCents, row.refundedCents, row.allocatedCents, row.tipCents].map(plainDollars),
      row.note,
      isTestMoney(row) ? 'test: no money moved' : '',
    ]),
  ]
}

const credits = async (db: TenantDb, { from, to }: Period): Promise<Table> => {
  const rows = await read(
    db,
    sql<{
      number: number
      name: string
      onDay: Day
      invoiceNumbers: number[]
      netCents: number
      taxCents: number
      totalCents: number
      status: string
      reason: string
    }>`select n.number, c.name, n.on_day, array_remove(array_agg(distinct coalesce(i.number, o.number)), null) as invoice_numbers, n.net_cents, n.tax_cents, n.total_cents, p.status, n.reason
      from credit_notes n join customers c on c.business_id = n.business_id and c.id = n.customer_id
      join payments p on p.business_id = n.business_id and p.id = n.payment_id
      left join invoices i on i.business_id = n.business_id and i.id = n.invoice_id
      -- one over no single invoice stands where its credit was put
      left join payment_allocations a on a.business_id = n.business_id and a.payment_id = n.payment_id and n.invoice_id is null
      left join invoices o on o.business_id = a.business_id and o.id = a.invoice_id
      where n.business_id = ${db.businessId} and n.on_day between ${from}::date and ${to}::date
      group by n.business_id, n.id, c.name, p.status
      order by n.number limit ${mostRows + 1}`,
  )
  return [
    ['Credit note', 'Customer', 'Day', 'Invoice', 'Status', 'Work', 'Tax', 'Total', 'Reason'],
    ...rows.map((row) => [
      creditNoteName(row.number),
      row.name,
      row.onDay,
      row.invoiceNumbers.map(invoiceName).join(', '),
      row.status === 'reversed' ? 'taken back' : 'given',
      ...[row.netCents, row.taxCents, row.totalCents].map(plainDollars),
      row.reason,
    ]),
  ]
}

const tax = (db: TenantDb, period: Period): Promise<Table> => taxTable(db, period, (query) => read(db, query))

const ledger = async (db: TenantDb, period: Period): Promise<Table> => {
  const rows = await read(
    db,
    listEntries<EntryFacts & { onDay: Day; customerName: string }>(db, period, null, mostRows + 1),
  )
  return [
    ['Day', 'Customer', 'What', 'Owed more or less'],
    ...rows.map((row) => [row.onDay, row.customerName, entryLabel(row), plainDollars(row.amountCents)]),
  ]
}

const expenses = async (db: TenantDb, period: Period): Promise<Table> => {
  const rows = await read(db, listExpenseParts(db, period, mostRows + 1))
  const waiting = await sumReview(db, period.to, period.from)
  const sum = (of: 'amountCents' | 'taxCents') => plainDollars(rows.reduce((all, row) => all + row[of], 0))
  return [
    [
      'Day',
      'Vendor',
      'Category',
      'Amount',
      'Sales tax in it',
      'Paid by',
      'Person',
      'Paid back',
      'Crew',
      'Truck',
      'Job',
      'Note',
    ],
    ...rows.map((row) => [
      row.day,
      row.vendor,
      row.category,
      plainDollars(row.amountCents),
      plainDollars(row.taxCents),
      expenseMethods[row.method],
      row.person,
      row.reimbursedOn,
      row.crew,
      row.vehicle,
      row.jobNumber === null ? '' : `J-${row.jobNumber}`,
      row.note,
    ]),
    ['Together', null, null, sum('amountCents'), sum('taxCents'), ...Array.from({ length: 7 }, () => null)],
    ...(waiting.count === 0
      ? []
      : [
          [
            `Not in it: ${waiting.count === 1 ? '1 receipt waits' : `${waiting.count} receipts wait`} to be looked at`,
            null,
            null,
            plainDollars(waiting.totalCents),
            ...Array.from({ length: 8 }, () => null),
          ],
        ]),
  ]
}

const mileage = async (db: TenantDb, { from, to }: Period): Promise<Table> => {
  const days = await listMileage(db, from, to)
  const cents = days.reduce((sum, day) => sum + (day.deductionCents ?? 0), 0)
  const miles = (tenths: number) => (tenths / 10).toFixed(1)
  return [
    ['Day', 'Truck', 'Crew', 'Miles', 'By', 'Odometer start', 'Odometer end', 'At the IRS rate'],
    ...days.map((day) => [
      day.day,
      day.crew.vehicle,
      day.crew.name,
      miles(day.tenthMiles),
      day.odometer ? 'odometer' : 'route',
      day.odometer?.startMiles ?? null,
      day.odometer?.endMiles ?? null,
      day.deductionCents === null ? '' : plainDollars(day.deductionCents),
    ]),
    [
      'Together',
      null,
      null,
      miles(days.reduce((sum, day) => sum + day.tenthMiles, 0)),
      null,
      null,
      null,
      plainDollars(cents),
    ],
  ]
}

const journalOf = (db: TenantDb, period: Period) => listJournal(db, period, mostRows + 1, (query) => read(db, query))

const journal = async (db: TenantDb, period: Period): Promise<Table> => journalTable(await journalOf(db, period))

const payouts = (db: TenantDb, period: Period): Promise<Table> =>
  payoutTable(db, period, mostRows + 1, (query) => read(db, query))

const tables: Record<Exclude<ExportKind, 'iif'>, (db: TenantDb, period: Period) => Promise<Table>> = {
  invoices,
  payments,
  credits,
  tax,
  ledger,
  expenses,
  mileage,
  payouts,
  journal,
}

const fileName = (kind: ExportKind, { from, to }: Period, ending: string): string => `${kind}-${from}-${to}.${ending}`

/** A file for the accountant: its name, its kind and all that is in it. @throws validation_failed for a period that is none or over a year */
export const makeExport = async (
  db: TenantDb,
  kind: ExportKind,
  period: Period,
): Promise<{ name: string; mime: string; text: string }> => {
  const problem = periodProblem(period.from, period.to)
  if (problem) throw invalid([{ path: 'from', message: problem }])
  if (kind === 'iif')
    return { name: fileName(kind, period, 'iif'), mime: 'text/plain', text: iifText(await journalOf(db, period)) }
  return { name: fileName(kind, period, 'csv'), mime: 'text/csv', text: csvText(await tables[kind](db, period)) }
}
