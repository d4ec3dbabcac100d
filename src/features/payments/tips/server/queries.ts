import { sql } from 'kysely'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { csvText } from '../../../../shared/csv.ts'
import type { Day } from '../../../../shared/dates.ts'
import { conflict, invalid } from '../../../../shared/errors.ts'
import { getTips } from '../../../businesses/server/queries.ts'
import { plainDollars } from '../../../invoices/exports/rules.ts'
import { receiptName } from '../../../invoices/papers/rules.ts'
import { invoiceName } from '../../../invoices/rules.ts'
import type { TipMove, TipsReport } from '../contract.ts'
import { periodProblem, shareMove } from '../rules.ts'

type Period = { from: Day; to: Day }

/** The most movements of one report. */
const mostMoves = 5000
const mostListed = 100

/** Every tip of a span of days with whose it is, and what went back, each on its day. */
const readMoves = async (db: TenantDb, { from, to }: Period): Promise<TipMove[]> => {
  const problem = periodProblem(from, to)
  if (problem) throw invalid([{ path: 'from', message: problem }])
  const { rows } = await sql<
    Omit<TipMove, 'invoice' | 'receipt' | 'people'> & {
      invoiceId: string | null
      number: number | null
      receiptNumber: number | null
      beforeCents: number
    }
  >`
    select m.id, m.payment_id, m.on_day, m.amount_cents::int8 as amount_cents, c.name as customer_name, i.id as invoice_id, i.number,
      p.receipt_number, coalesce((select sum(b.amount_cents) from tip_moves b where b.business_id = m.business_id
        and b.payment_id = m.payment_id and (b.created_at, b.id) < (m.created_at, m.id)), 0)::int8 as before_cents
    from tip_moves m join payments p on p.business_id = m.business_id and p.id = m.payment_id
    join customers c on c.business_id = p.business_id and c.id = p.customer_id
    left join invoices i on i.business_id = p.business_id and i.id = p.tip_invoice_id
    where m.business_id = ${db.businessId} and m.on_day between ${from}::date and ${to}::date
    order by m.on_day desc, m.id desc limit ${mostMoves + 1}`.execute(db)
  if (rows.length > mostMoves)
    throw conflict(
      `There are more than ${mostMoves.toLocaleString('en-US')} tips in this period. Choose a shorter one.`,
    )
  const ids = [...new Set(rows.map(({ paymentId }) => paymentId))]
  const { rows: shares } = await sql<{ paymentId: string; userId: string; name: string; cents: number }>`
    select s.payment_id, s.user_id, u.name, s.cents::int8 as cents from tip_shares s
    join users u on u.business_id = s.business_id and u.id = s.user_id
    where s.business_id = ${db.businessId} and s.payment_id = any(${ids}::uuid[]) order by u.name, u.id`.execute(db)
  const byPayment = Map.groupBy(shares, ({ paymentId }) => paymentId)
  return rows.map(({ invoiceId, number, receiptNumber, beforeCents, ...row }) => {
    const amountCents = Number(row.amountCents)
    const whose = (byPayment.get(row.paymentId) ?? []).map((share) => ({ ...share, cents: Number(share.cents) }))
    const parts = shareMove(amountCents, whose, Number(beforeCents))
    return {
      ...row,
      amountCents,
      invoice: invoiceId === null || number === null ? null : { id: invoiceId, name: invoiceName(number) },
      receipt: receiptName(receiptNumber ?? 0),
      people: whose.map(({ userId, name }, at) => ({ userId, name, cents: parts[at]?.cents ?? 0 })),
    }
  })
}

/** Tips of a span of days by person. @throws validation_failed for a period that is none or over a year */
export const listTips = async (db: TenantDb, period: Period): Promise<TipsReport> => {
  const moves = await readMoves(db, period)
  const people = new Map<string, TipsReport['people'][number]>()
  for (const { userId, name, cents } of moves.flatMap((move) => move.people)) {
    const known = people.get(userId)
    people.set(userId, { userId, name, cents: (known?.cents ?? 0) + cents, count: (known?.count ?? 0) + 1 })
  }
  const sum = (of: readonly TipMove[]) => of.reduce((all, { amountCents }) => all + amountCents, 0)
  const unnamed = moves.filter((move) => move.people.length === 0)
  const named = moves.filter((move) => move.people.length > 0)
  return {
    isOn: (await getTips(db)).kind !== 'off',
    from: period.from,
    to: period.to,
    totalCents: sum(moves),
    unnamedCents: sum(unnamed),
    people: [...people.values()].sort((a, b) => b.cents - a.cents || (a.name < b.name ? -1 : 1)),
    items: [...unnamed, ...named].slice(0, mostListed),
    more: moves.length > mostListed,
  }
}

/** The same as a file, a row a tip and person; its sums are those of the report. */
export const makeTipsFile = async (db: TenantDb, period: Period): Promise<{ name: string; text: string }> => {
  const moves = await readMoves(db, period)
  const rows = moves.toReversed().flatMap(({ onDay, customerName, invoice, receipt, amountCents, people }) =>
    (people.length > 0 ? people : [{ name: 'Nobody yet', cents: amountCents }]).map(({ name, cents }) => ({
      cents,
      cells: [name, onDay, plainDollars(cents), customerName, invoice?.name ?? 'At the door', receipt],
    })),
  )
  return {
    name: `tips-${period.from}-${period.to}.csv`,
    text: csvText([
      ['Person', 'Day', 'Tip', 'Customer', 'Invoice', 'Receipt'],
      ...rows.map(({ cells }) => cells),
      ['Together', null, plainDollars(rows.reduce((sum, { cents }) => sum + cents, 0)), null, null, null],
    ]),
  }
}
