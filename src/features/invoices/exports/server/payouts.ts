import { type RawBuilder, sql } from 'kysely'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import type { Day } from '../../../../shared/dates.ts'
import { accounts, type JournalEntry, payoutLines, plainDollars } from '../rules.ts'

// Payouts of a card provider, for the accountant.

type Period = { from: Day; to: Day }
type Read = <Row>(query: RawBuilder<Row>) => Promise<Row[]>

type RefundWay = { isByProvider: boolean; refundMethod: string }

/**
 * How the refunds of a span of days were paid, by their entries: what a card provider paid left what it still has to pay out, not the bank,
 * and what was handed over left the cash.
 */
export const readRefundWays = async (
  db: TenantDb,
  { from, to }: Period,
  read: Read,
): Promise<Map<string, RefundWay>> => {
  const rows = await read(
    sql<RefundWay & { id: string }>`
      select e.id, r.by_provider as is_by_provider, r.method as refund_method from ledger_entries e join refunds r on r.business_id = e.business_id and r.id = e.ref_id
      where e.business_id = ${db.businessId} and e.on_day between ${from}::date and ${to}::date and e.ref_type = 'refund'`,
  )
  return new Map(rows.map(({ id, ...way }) => [id, way]))
}

type Row = { day: Day; back: boolean; amountCents: number; oursCents: number; feeCents: number }

/** What reached the bank, and what a bank sent back, each on its own day. */
export const listPayoutEntries = async (
  db: TenantDb,
  { from, to }: Period,
  most: number,
  read: Read,
): Promise<JournalEntry[]> => {
  const rows = await read(
    sql<Row>`
      select m.day, m.back, p.amount_cents::float8 as amount_cents, s.ours_cents, s.fee_cents
      from (
        select booked_on as day, id, false as back from payouts
        where business_id = ${db.businessId} and booked_on between ${from}::date and ${to}::date
        union all select failed_on, id, true from payouts
        where business_id = ${db.businessId} and failed_on between ${from}::date and ${to}::date
      ) m join payouts p on p.business_id = ${db.businessId} and p.id = m.id
      left join lateral (
        select coalesce(sum(l.amount_cents), 0)::float8 as ours_cents,
          coalesce((select e.total_cents from expenses e
            where e.business_id = p.business_id and e.source_key = 'payout:' || p.id and e.deleted_at is null), 0)::float8 as fee_cents
        from payout_lines l where l.business_id = p.business_id and l.payout_id = p.id and (l.kind = 'returned'
          or (l.kind = 'payment' and exists (select from payments y where y.business_id = l.business_id and y.provider_payment_id = l.source_id))
          or (l.kind = 'refund' and exists (select from refunds r where r.business_id = l.business_id and r.provider_refund_id = l.source_id))
          or (l.kind = 'dispute' and exists (select from disputes d where d.business_id = l.business_id and d.provider_dispute_id = l.source_id)))
      ) s on true
      order by m.day, p.id, m.back limit ${most}`,
  )
  return rows.map(({ day, back, ...sums }) => ({
    day,
    memo: back ? 'Payout that the bank sent back' : 'Payout of card payments',
    name: '',
    list: 'vendor',
    lines: back
      ? [
          { account: accounts.undeposited, cents: sums.amountCents },
          { account: accounts.checking, cents: -sums.amountCents },
        ]
      : payoutLines(sums),
  }))
}

type Sums = Record<'payments' | 'refunds' | 'disputes' | 'others', number>
type FileRow = Sums & {
  madeOn: Day
  arrivesOn: Day
  status: string
  amountCents: number
  feeCents: number
  linesTold: string
  linesCents: number
}

/** Each payout that was to arrive in a span, with what it is made of in sums. */
export const payoutTable = async (
  db: TenantDb,
  { from, to }: Period,
  most: number,
  read: Read,
): Promise<(string | null)[][]> => {
  const sumOf = (kind: string) =>
    sql`coalesce((select sum(amount_cents) from payout_lines l where l.business_id = p.business_id and l.payout_id = p.id and l.kind = ${kind}), 0)::float8`
  const rows = await read(
    sql<FileRow>`
      select p.made_on, p.arrives_on, p.status, p.amount_cents::float8 as amount_cents, p.fee_cents::float8 as fee_cents, p.lines_told,
        p.lines_cents::float8 as lines_cents, ${sumOf('payment')} as payments, ${sumOf('refund')} as refunds, ${sumOf('dispute')} as disputes
      from payouts p where p.business_id = ${db.businessId} and p.arrives_on between ${from}::date and ${to}::date
      order by p.arrives_on, p.id limit ${most}`,
  )
  // one that was canceled or sent back brought nothing
  const arrived = rows.filter(({ status }) => status === 'paid')
  const all = (of: (row: FileRow) => number) => plainDollars(arrived.reduce((sum, row) => sum + of(row), 0))
  const other = (row: FileRow) => row.linesCents + row.feeCents - row.payments - row.refunds - row.disputes
  const difference = (row: FileRow) => (row.linesTold === 'all' ? row.amountCents - row.linesCents : 0)
  const sums = [
    (row: FileRow) => row.payments,
    (row: FileRow) => row.refunds,
    (row: FileRow) => row.disputes,
    other,
    (row: FileRow) => -row.feeCents,
    difference,
    (row: FileRow) => row.amountCents,
  ]
  return [
    ['Made', 'Arrives', 'Status', 'Payments', 'Refunds', 'Disputes', 'Other', 'Fees', 'Difference', 'Payout'],
    ...rows.map((row) => [
      row.madeOn,
      row.arrivesOn,
      row.status.replaceAll('_', ' '),
      ...sums.map((of) => plainDollars(of(row))),
    ]),
    ['Paid out together', null, null, ...sums.map(all)],
  ]
}
