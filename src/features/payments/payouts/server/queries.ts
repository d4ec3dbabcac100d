import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { keyset } from '../../../../platform/db/cursor.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { providerNamed } from '../../../../platform/payments/providers.ts'
import { csvText } from '../../../../shared/csv.ts'
import { dayOf } from '../../../../shared/dates.ts'
import { conflict, notFound } from '../../../../shared/errors.ts'
import { timeZoneOf } from '../../../businesses/server/queries.ts'
import { plainDollars } from '../../../invoices/exports/rules.ts'
import { receiptName } from '../../../invoices/papers/rules.ts'
import { invoiceName } from '../../../invoices/rules.ts'
import type { Payout, PayoutLine, PayoutSummary } from '../contract.ts'
import { differenceOf, type LineKind, lineLabels } from '../rules.ts'
import { feeKey } from './sync.ts'

type Page = { cursor?: string | undefined; limit: number }

type Row = Omit<PayoutSummary, 'differenceCents'> &
  Pick<Payout, 'madeOn' | 'linesTold' | 'failure'> & { linesCents: number; provider: string }

const columns = sql`p.id, p.status as state, p.amount_cents::float8 as amount_cents, p.fee_cents::float8 as fee_cents, p.made_on, p.arrives_on,
  p.line_count, p.lines_cents::float8 as lines_cents, p.lines_told, p.failure, p.livemode, p.provider`

const summaryOf = ({ linesCents, linesTold, madeOn: _, failure: __, provider: ___, ...row }: Row): PayoutSummary => ({
  ...row,
  differenceCents: row.state === 'canceled' ? 0 : differenceOf({ ...row, linesCents, linesTold }),
})

/** What is on its way to the bank. Payouts take days, so these are few whatever the years. */
const sumOnItsWay = async (db: TenantDb) => {
  const { rows } = await sql<{ amountCents: number; count: number; nextOn: string | null }>`
    select coalesce(sum(amount_cents), 0)::float8 as amount_cents, count(*)::int as count, min(arrives_on) as next_on
    from payouts where business_id = ${db.businessId} and status = 'on_its_way'`.execute(db)
  return rows[0] ?? { amountCents: 0, count: 0, nextOn: null }
}

/** A page of payouts, the latest to arrive first. */
export const listPayouts = async (db: TenantDb, page: Page) => {
  const keys = keyset(
    [
      { of: sql`p.arrives_on`, type: 'day' },
      { of: sql`p.id`, type: 'uuid' },
    ],
    { ...page, order: 'desc' },
  )
  const { rows } = await sql<Row & { cursorKeys: string[] }>`
    select ${columns}, ${keys.values} as cursor_keys from payouts p
    where p.business_id = ${db.businessId} and ${keys.beyond} order by ${keys.order} limit ${keys.limit}`.execute(db)
  const { items, nextCursor } = keys.page(rows)
  const account = await db
    .selectFrom('paymentAccounts')
    .select('id')
    .where('businessId', '=', db.businessId)
    .limit(1)
    .executeTakeFirst()
  return {
    items: items.map(summaryOf),
    nextCursor,
    onItsWay: await sumOnItsWay(db),
    hasAccount: account !== undefined,
  }
}

const getRow = async (db: TenantDb, id: string): Promise<Row> => {
  const { rows } = await sql<Row>`
    select ${columns} from payouts p where p.business_id = ${db.businessId} and p.id = ${id}`.execute(db)
  if (!rows[0]) throw notFound('payout')
  return rows[0]
}

/** A payout with what it comes to by kind. @throws not_found */
export const getPayout = async (db: TenantDb, id: string): Promise<Payout> => {
  const row = await getRow(db, id)
  const { rows: sums } = await sql<Payout['sums'][number]>`
    select kind, count(*)::int as count, sum(amount_cents)::float8 as amount_cents from payout_lines
    where business_id = ${db.businessId} and payout_id = ${id}
    group by kind order by array_position(array['payment', 'refund', 'dispute', 'fee', 'returned', 'other'], kind)`.execute(
    db,
  )
  const expense = await db
    .selectFrom('expenses')
    .select('id')
    .where('businessId', '=', db.businessId)
    .where('sourceKey', '=', feeKey(id))
    .executeTakeFirst()
  return {
    ...summaryOf(row),
    madeOn: row.madeOn,
    linesTold: row.linesTold,
    failure: row.failure,
    sums,
    feeExpenseId: expense?.id ?? null,
    dashboardUrl: providerNamed(row.provider)?.dashboardUrl ?? null,
  }
}

type LineRow = Omit<PayoutLine, 'customer' | 'receipt'> & {
  customerId: string | null
  customerName: string | null
  receiptNumber: number | null
  madeAt: string
}

/** Lines of a payout with the payments that they are about, found by the provider's ids, and the invoices behind those. */
const readLines = async <More>(
  db: TenantDb,
  id: string,
  { more, beyond, limit }: { more: RawBuilder<unknown>; beyond: RawBuilder<SqlBool>; limit: number },
): Promise<(LineRow & More)[]> => {
  const { rows } = await sql<LineRow & More>`
    select l.line_id as id, l.kind, l.amount_cents::float8 as amount_cents, l.fee_cents::float8 as fee_cents, l.words,
      l.made_at, c.id as customer_id, c.name as customer_name, p.receipt_number, d.id as dispute_id, coalesce((
        select jsonb_agg(jsonb_build_object('id', i.id, 'number', i.number) order by i.number) from invoices i
        where i.business_id = p.business_id and i.id in (
          select invoice_id from payment_allocations where business_id = p.business_id and payment_id = p.id
          union select invoice_id from checkout_sessions
            where business_id = p.business_id and (id = p.checkout_session_id or lead_id = p.checkout_session_id))), '[]'::jsonb) as invoices,
      ${more}
    from payout_lines l
    left join refunds r on l.kind = 'refund' and r.business_id = l.business_id and r.provider_refund_id = l.source_id
    left join disputes d on l.kind = 'dispute' and d.business_id = l.business_id and d.provider_dispute_id = l.source_id
    left join payments p on p.business_id = l.business_id and p.id = coalesce(r.payment_id, d.payment_id, (
      select y.id from payments y where l.kind = 'payment' and y.business_id = l.business_id and y.provider_payment_id = l.source_id))
    left join customers c on c.business_id = p.business_id and c.id = p.customer_id
    where l.business_id = ${db.businessId} and l.payout_id = ${id} and ${beyond}
    order by l.made_at, l.line_id limit ${limit}`.execute(db)
  return rows
}

/** A page of what a payout is made of. @throws not_found */
export const listPayoutLines = async (db: TenantDb, id: string, page: Page) => {
  await getRow(db, id)
  const keys = keyset(
    [
      { of: sql`l.made_at`, type: 'instant' },
      { of: sql`l.line_id`, type: 'text' },
    ],
    { ...page, order: 'asc' },
  )
  const rows = await readLines<{ cursorKeys: string[] }>(db, id, { ...keys, more: sql`${keys.values} as cursor_keys` })
  const { items, nextCursor } = keys.page(rows)
  return {
    items: items.map(
      ({ customerId, customerName, receiptNumber, madeAt: _, ...line }): PayoutLine => ({
        ...line,
        customer: customerId && customerName !== null ? { id: customerId, name: customerName } : null,
        receipt: receiptNumber === null ? null : receiptName(receiptNumber),
      }),
    ),
    nextCursor,
  }
}

/** The most lines of a file. */
const mostLines = 20_000

/** All that a payout is made of, as a file; its sum is the payout. @throws not_found, state_conflict for one that is too long */
export const makePayoutFile = async (db: TenantDb, id: string): Promise<{ name: string; text: string }> => {
  const payout = await getRow(db, id)
  const lines = await readLines(db, id, { more: sql`1 as one`, beyond: sql<SqlBool>`true`, limit: mostLines + 1 })
  if (lines.length > mostLines)
    throw conflict(
      `This payout has more than ${mostLines.toLocaleString('en-US')} movements. Its export is at the card provider.`,
    )
  const sum = (of: (line: LineRow) => number): number => lines.reduce((all, line) => all + of(line), 0)
  const net = (line: LineRow) => line.amountCents - line.feeCents
  const difference = differenceOf(payout)
  const timeZone = await timeZoneOf(db)
  return {
    name: `payout-${payout.arrivesOn}-${id.slice(-6)}.csv`,
    text: csvText([
      ['Day', 'Kind', 'Customer', 'Invoices', 'Receipt', 'Amount', 'Fee', 'Net', 'Note', 'Provider id'],
      ...lines.map((line) => [
        dayOf(line.madeAt, timeZone),
        lineLabels[line.kind as LineKind].one,
        line.customerName,
        line.invoices.map(({ number }) => invoiceName(number)).join(' '),
        line.receiptNumber === null ? '' : receiptName(line.receiptNumber),
        plainDollars(line.amountCents),
        plainDollars(line.feeCents),
        plainDollars(net(line)),
        line.words,
        line.id,
      ]),
      ...(difference === 0
        ? []
        : [['', 'Difference that the provider does not name', '', '', '', '', '', plainDollars(difference), '', '']]),
      [
        'Together',
        null,
        null,
        null,
        null,
        plainDollars(sum((line) => line.amountCents)),
        plainDollars(sum((line) => line.feeCents)),
        plainDollars(sum(net) + difference),
        null,
        null,
      ],
    ]),
  }
}
