import { type RawBuilder, sql } from 'kysely'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import type { Day } from '../../../../shared/dates.ts'
import { formatCents } from '../../../../shared/money.ts'
import { type ExpensePartRow, listExpenseParts } from '../../../expenses/server/queries.ts'
import { type EntryFacts, entryLabel } from '../../statements/rules.ts'
import { listEntries } from '../../statements/server/queries.ts'
import { accountOfMethod, accounts, handInLines, type JournalEntry, linesOf } from '../rules.ts'
import { listPayoutEntries, readRefundWays } from './payouts.ts'

type Period = { from: Day; to: Day }
type Read = <Row>(query: RawBuilder<Row>) => Promise<Row[]>
type Entry = EntryFacts & { id: string; onDay: Day; customerName: string }

/** Sales tax by the ledger's entry: of its invoice, or of its credit note. */
const readTaxes = async (db: TenantDb, { from, to }: Period, read: Read): Promise<Map<string, number>> => {
  const rows = await read(
    sql<{ id: string; taxCents: number }>`
      select e.id, coalesce(i.tax_cents, n.tax_cents, pn.tax_cents)::float8 as tax_cents from ledger_entries e
      left join invoices i on e.ref_type = 'invoice' and i.business_id = e.business_id and i.id = e.ref_id
      left join credit_notes n on e.ref_type = 'credit_note' and n.business_id = e.business_id and n.id = e.ref_id
      left join credit_notes pn on e.ref_type = 'payment' and pn.business_id = e.business_id and pn.payment_id = e.ref_id
      where e.business_id = ${db.businessId} and e.on_day between ${from}::date and ${to}::date
        and coalesce(i.tax_cents, n.tax_cents, pn.tax_cents) <> 0`,
  )
  return new Map(rows.map(({ id, taxCents }) => [id, taxCents]))
}

/** What of a write-off, or of one that was opened again, is sales tax: it stands in bad debts with the rest, and is named. */
const readWrittenTaxes = async (db: TenantDb, { from, to }: Period, read: Read): Promise<Map<string, number>> => {
  const rows = await read(
    sql<{ id: string; taxCents: number }>`
      select e.id, round(abs(e.amount_cents) * i.tax_cents::numeric / i.total_cents)::float8 as tax_cents from ledger_entries e
      join write_offs o on o.business_id = e.business_id and o.id = e.ref_id
      join invoices i on i.business_id = o.business_id and i.id = o.invoice_id
      where e.business_id = ${db.businessId} and e.on_day between ${from}::date and ${to}::date and e.ref_type = 'write_off'
        and i.tax_cents <> 0 and i.total_cents <> 0`,
  )
  return new Map(rows.map(({ id, taxCents }) => [id, taxCents]))
}

/** Entries of discounts for paying without a card, given and taken back. */
const readDiscounts = async (db: TenantDb, { from, to }: Period, read: Read): Promise<Set<string>> => {
  const rows = await read(
    sql<{ id: string }>`
      select e.id from ledger_entries e join credit_notes n on n.business_id = e.business_id and n.is_discount
        and ((e.ref_type = 'credit_note' and n.id = e.ref_id) or (e.ref_type = 'payment' and n.payment_id = e.ref_id))
      where e.business_id = ${db.businessId} and e.on_day between ${from}::date and ${to}::date
        and e.ref_type in ('credit_note', 'payment')`,
  )
  return new Set(rows.map(({ id }) => id))
}

/** Entries of opening balances, issued and voided. */
const readOpenings = async (db: TenantDb, { from, to }: Period, read: Read): Promise<Set<string>> => {
  const rows = await read(
    sql<{ id: string }>`
      select e.id from ledger_entries e join invoices i on i.business_id = e.business_id and i.id = e.ref_id and i.opening_from is not null
      where e.business_id = ${db.businessId} and e.on_day between ${from}::date and ${to}::date
        and e.ref_type = 'invoice' and e.kind in ('invoice', 'void')`,
  )
  return new Set(rows.map(({ id }) => id))
}

/** Entries of money that a crew took at the door; one that was voided after it was handed in went back out of the till. */
const readHeld = async (db: TenantDb, { from, to }: Period, read: Read): Promise<Set<string>> => {
  const rows = await read(
    sql<{ id: string }>`
      select e.id from ledger_entries e
      join door_receipts d on d.business_id = e.business_id and d.payment_id = e.ref_id
      where e.business_id = ${db.businessId} and e.on_day between ${from}::date and ${to}::date and e.ref_type = 'payment'
        and (e.kind = 'payment' or d.hand_in_id is null)`,
  )
  return new Set(rows.map(({ id }) => id))
}

type HandInRow = {
  day: Day
  cashCents: number
  countedCents: number
  checkCents: number
  name: string
  undone: boolean
  reason: string
}

/** What was handed in, and what of that was undone, each on its own day. */
const listHandIns = async (db: TenantDb, { from, to }: Period, most: number, read: Read): Promise<JournalEntry[]> => {
  const rows = await read(
    sql<HandInRow>`
      select * from (
        select h.on_day as day, h.cash_cents, h.counted_cents, h.check_cents, u.name, false as undone, h.reason, h.id
        from cash_hand_ins h join users u on u.business_id = h.business_id and u.id = h.user_id where h.business_id = ${db.businessId}
        union all
        select h.undone_on, h.cash_cents, h.counted_cents, h.check_cents, u.name, true, h.undone_reason, h.id
        from cash_hand_ins h join users u on u.business_id = h.business_id and u.id = h.user_id
        where h.business_id = ${db.businessId} and h.undone_on is not null
      ) moves where day between ${from}::date and ${to}::date order by day, id, undone limit ${most}`,
  )
  return rows.map(({ day, name, undone, reason, ...sums }) => ({
    day,
    memo: [undone ? 'Hand-in undone' : 'Handed in', reason].filter(Boolean).join(': '),
    name,
    list: 'person',
    lines: handInLines(sums, undone ? -1 : 1),
  }))
}

const expenseEntry = (parts: readonly ExpensePartRow[]): JournalEntry[] => {
  const [first] = parts
  const total = parts.reduce((sum, part) => sum + part.amountCents, 0)
  if (!first || total === 0) return []
  const byPerson = first.method === 'personal'
  return [
    {
      day: first.day,
      memo: [first.category, first.vendor, first.note.split('\n')[0]].filter(Boolean).join(', '),
      name: byPerson ? (first.person ?? '') : first.vendor,
      list: byPerson ? 'person' : 'vendor',
      // What is owed to a vendor stands first: QuickBooks takes the name of such an entry from there.
      lines: [
        { account: accountOfMethod(first.method), cents: -total },
        { account: { name: first.category, type: 'EXP' }, cents: total },
      ],
    },
  ]
}

const memoOf = (entry: Entry, writtenTaxCents: number): string =>
  writtenTaxCents === 0 ? entryLabel(entry) : `${entryLabel(entry)}, ${formatCents(writtenTaxCents)} of it sales tax`

/** Every movement of a span of days as entries that come to zero: what customers owe as the ledger has it, and what was spent. */
export const listJournal = async (db: TenantDb, period: Period, most: number, read: Read): Promise<JournalEntry[]> => {
  const entries = await read(listEntries<Entry>(db, period, null, most))
  const taxes = await readTaxes(db, period, read)
  const writtenTaxes = await readWrittenTaxes(db, period, read)
  const held = await readHeld(db, period, read)
  const refunds = await readRefundWays(db, period, read)
  const discounts = await readDiscounts(db, period, read)
  const openings = await readOpenings(db, period, read)
  const payouts = await listPayoutEntries(db, period, most, read)
  const handIns = await listHandIns(db, period, most, read)
  const parts = await read(listExpenseParts(db, period, most))
  const paidBack = await read(
    sql<{ day: Day; cents: number; name: string; vendor: string }>`
      select e.reimbursed_on as day, e.total_cents as cents, coalesce(u.name, '') as name, e.vendor
      from expenses e left join users u on u.business_id = e.business_id and u.id = e.paid_by
      where e.business_id = ${db.businessId} and e.deleted_at is null
        and e.reimbursed_on between ${period.from}::date and ${period.to}::date
      order by e.reimbursed_on, e.id limit ${most}`,
  )
  const isIn = (day: RawBuilder<unknown>) => sql`${day} between ${period.from}::date and ${period.to}::date`
  const losses = await read(
    sql<{ day: Day; memo: string; cents: number; name: string }>`
      select m.day, m.memo, m.cents::float8 as cents, c.name
      from (
        select d.moved_on as day, d.id, d.payment_id, 'Disputed payment that had been refunded before' as memo,
          d.uncovered_cents + coalesce((select sum(v.amount_cents) from dispute_covers v
            where v.business_id = d.business_id and v.dispute_id = d.id), 0) as cents
          from disputes d where d.business_id = ${db.businessId} and ${isIn(sql`d.moved_on`)}
        union all select v.on_day, v.id, d.payment_id, 'Disputed payment whose refund did not go through', -v.amount_cents
          from dispute_covers v join disputes d on d.business_id = v.business_id and d.id = v.dispute_id
          where v.business_id = ${db.businessId} and ${isIn(sql`v.on_day`)}
        union all select d.returned_on, d.id, d.payment_id, 'Disputed payment, back again', -d.uncovered_cents
          from disputes d where d.business_id = ${db.businessId} and ${isIn(sql`d.returned_on`)}
        union all select t.on_day, t.id, d.payment_id,
          case t.kind when 'taken' then 'Disputed payment that had been refunded before' else 'Disputed payment, back again' end,
          case t.kind when 'taken' then t.uncovered_cents else -t.uncovered_cents end
          from dispute_turns t join disputes d on d.business_id = t.business_id and d.id = t.dispute_id
          where t.business_id = ${db.businessId} and ${isIn(sql`t.on_day`)}
      ) m join payments p on p.business_id = ${db.businessId} and p.id = m.payment_id
      join customers c on c.business_id = p.business_id and c.id = p.customer_id
      where m.cents <> 0 order by m.day, m.id, m.memo limit ${most}`,
  )
  return [
    ...losses.map(
      ({ day, memo, cents, name }): JournalEntry => ({
        day,
        memo,
        name,
        list: 'customer',
        lines: [
          { account: accounts.chargebacks, cents },
          { account: accounts.undeposited, cents: -cents },
        ],
      }),
    ),
    ...entries.map(
      (entry): JournalEntry => ({
        day: entry.onDay,
        memo: memoOf(entry, writtenTaxes.get(entry.id) ?? 0),
        name: entry.customerName,
        list: 'customer',
        lines: linesOf({
          ...entry,
          taxCents: taxes.get(entry.id) ?? 0,
          isCredit: entry.creditNumber !== null,
          isOpening: openings.has(entry.id),
          isDiscount: discounts.has(entry.id),
          isHeld: held.has(entry.id),
          ...refunds.get(entry.id),
        }),
      }),
    ),
    ...handIns,
    ...payouts,
    ...[...Map.groupBy(parts, ({ expenseId }) => expenseId).values()].flatMap(expenseEntry),
    ...paidBack.map(
      ({ day, cents, name, vendor }): JournalEntry => ({
        day,
        memo: ['Paid back', vendor].filter(Boolean).join(': '),
        name,
        list: 'person',
        lines: [
          { account: accounts.people, cents },
          { account: accounts.checking, cents: -cents },
        ],
      }),
    ),
  ].filter(({ lines }) => lines.length > 0)
}
