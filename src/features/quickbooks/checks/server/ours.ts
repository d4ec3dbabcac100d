import { sql } from 'kysely'
import type { RemoteType } from '../../../../platform/books/client.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { formatDay } from '../../../../shared/dates.ts'
import { accountsOf, type Connection } from '../../connect/server/queries.ts'
import { loadDocument } from '../../queue/server/documents.ts'
import { hasDeposits } from '../../queue/server/spent.ts'

// What of ours should stand in the books, for a span of days.

/** What is held against the books, and as which kind of record it stands there. */
const typeOf = {
  invoice: 'Invoice',
  payment: 'Payment',
  credit: 'CreditMemo',
  write_off: 'CreditMemo',
  refund: 'Purchase',
  movement: 'Purchase',
  expense: 'Purchase',
  payout: 'Deposit',
  payout_back: 'Purchase',
} as const
export type Checked = keyof typeof typeOf
export const kinds = Object.keys(typeOf) as Checked[]

export type Ours = {
  kind: Checked
  id: string
  label: string
  cents: number
  /** The day under which it stands in the books. */
  day: string
  type: RemoteType
  /** The label says all of it. */
  isWhole?: true
  isTip?: boolean
}

/** Whether a record was taken back after its month was closed: it stays in the books, with what stands against it. */
const undoneLate = (
  refType: string,
  id: string,
) => sql`exists (select from ledger_entries u where u.business_id = ${sql.ref('x.business_id')}
  and u.kind = ${refType === 'invoice' ? 'void' : 'adjustment'} and u.ref_type = ${refType} and u.ref_id = ${sql.ref(id)} and u.undoes_on is not null)`

/** What of a span stands against records of closed months. */
const listUndoing = async (db: TenantDb, connection: Connection, from: string, to: string): Promise<Ours[]> => {
  const rows = await db
    .selectFrom('ledgerEntries')
    .select('id')
    .where('businessId', '=', db.businessId)
    .where('undoesOn', 'is not', null)
    .where('onDay', '>=', from)
    .where('onDay', '<=', to)
    .orderBy('id')
    .execute()
  const found: Ours[] = []
  for (const { id } of rows) {
    const one = await loadDocument(db, connection, 'movement', id)
    if (one?.state !== 'live') continue
    const { label, type, totalCents, day } = one
    found.push({ kind: 'movement', id, label, type, day: day ?? from, cents: totalCents ?? 0, isWhole: true })
  }
  return found
}

/** Payouts of a span as the books have them: each as much as reached the bank. */
const listPayoutDeposits = async (db: TenantDb, connection: Connection, from: string, to: string) => {
  const { rows } = await sql<{ id: string; day: string }>`select id, booked_on as day from payouts
    where business_id = ${db.businessId} and booked_on between ${from}::date and ${to}::date order by booked_on, id`.execute(
    db,
  )
  const found: Omit<Ours, 'type'>[] = []
  for (const { id, day } of rows) {
    const document = await loadDocument(db, connection, 'payout', id)
    if (document?.state === 'live') found.push({ kind: 'payout', id, label: day, day, cents: document.totalCents ?? 0 })
  }
  return found
}

/** What a bank takes leaves the account, and what it gives back comes in like a payment; a tip is billed, and credited where it went back. */
const movementType = (isTip: boolean, cents: number): RemoteType =>
  isTip ? (cents < 0 ? 'CreditMemo' : 'Invoice') : cents < 0 ? 'Payment' : typeOf.movement

/** What of ours is dated in a span and counts, as it stands now. A void one counts for nothing on both sides. */
export const listOurs = async (db: TenantDb, connection: Connection, from: string, to: string): Promise<Ours[]> => {
  const start = connection.startOn && connection.startOn > from ? connection.startOn : from
  const accounts = accountsOf(connection)
  const { rows } = await sql<Omit<Ours, 'type'>>`
    select 'invoice' as kind, id, 'INV-' || number as label, total_cents::int8 as cents, issue_on as day from invoices x
      where business_id = ${db.businessId} and issue_on between ${start}::date and ${to}::date
        and (status not in ('draft', 'void') or status = 'void' and ${undoneLate('invoice', 'x.id')})
    union all select 'payment', id, coalesce('R-' || receipt_number, 'Payment'), amount_cents, received_on from payments x
      where business_id = ${db.businessId} and received_on between ${start}::date and ${to}::date and method <> 'credit'
        and (status in ('succeeded', 'disputed') or status = 'reversed' and provider <> 'quickbooks' and ${undoneLate('payment', 'x.id')}) and (${!connection.livemode} or livemode or provider in ('manual', 'quickbooks'))
    union all select 'credit', n.id, 'CN-' || n.number, n.total_cents, n.on_day from credit_notes n
      join payments x on x.business_id = n.business_id and x.id = n.payment_id and (x.status <> 'reversed' or ${undoneLate('payment', 'x.id')})
      where n.business_id = ${db.businessId} and n.on_day between ${start}::date and ${to}::date
    union all select 'write_off', x.id, 'WO-' || i.number, x.amount_cents, x.on_day from write_offs x
      join invoices i on i.business_id = x.business_id and i.id = x.invoice_id
      where x.business_id = ${db.businessId} and x.on_day between ${start}::date and ${to}::date
        and (x.taken_back_on is null or ${undoneLate('write_off', 'x.id')})
    union all select 'refund', x.id, 'Refund', x.amount_cents, x.on_day from refunds x
      join payments p on p.business_id = x.business_id and p.id = x.payment_id
      where x.business_id = ${db.businessId} and x.on_day between ${start}::date and ${to}::date
        and (x.status <> 'failed' or ${undoneLate('refund', 'x.id')})
        and (${!connection.livemode} or p.livemode or p.provider in ('manual', 'quickbooks'))
    union all select 'movement', e.id, 'R-' || coalesce(p.receipt_number::text, ''), e.amount_cents, e.on_day from ledger_entries e
      left join dispute_covers v on e.ref_type = 'dispute_cover' and v.business_id = e.business_id and v.id = e.ref_id
      left join dispute_turns t on e.ref_type = 'dispute_turn' and t.business_id = e.business_id and t.id = e.ref_id
      join disputes d on d.business_id = e.business_id and d.id = coalesce(v.dispute_id, t.dispute_id, e.ref_id)
      join payments p on p.business_id = d.business_id and p.id = d.payment_id
      where e.business_id = ${db.businessId} and e.on_day between ${start}::date and ${to}::date
        and e.ref_type in ('dispute', 'dispute_cover', 'dispute_turn')
        and (${!connection.livemode} or p.livemode)
    union all select 'movement', e.id, 'Tip, R-' || coalesce(p.receipt_number::text, ''), e.amount_cents, e.on_day from ledger_entries e
      join tip_moves m on m.business_id = e.business_id and m.id = e.ref_id
      join payments p on p.business_id = m.business_id and p.id = m.payment_id
      where e.business_id = ${db.businessId} and e.on_day between ${start}::date and ${to}::date and e.ref_type = 'tip'
        and ${accounts.tips !== null} and (${!connection.livemode} or p.livemode or p.provider in ('manual', 'quickbooks'))
    union all select 'expense', id, coalesce(nullif(vendor, ''), 'Expense'), total_cents,
        case when method = 'personal' then reimbursed_on else day end from expenses
      where business_id = ${db.businessId} and deleted_at is null and not review and method <> 'account'
        and (method <> 'payout' or (${!hasDeposits(accounts)} and (${!connection.livemode} or exists (select from payouts p
          where p.business_id = expenses.business_id and expenses.source_key = 'payout:' || p.id and p.livemode))))
        and case when method = 'personal' then reimbursed_on else day end between ${start}::date and ${to}::date
    union all select 'payout_back', id, failed_on::text, amount_cents, failed_on from payouts
      where business_id = ${db.businessId} and failed_on between ${start}::date and ${to}::date and amount_cents > 0
        and ${hasDeposits(accounts)} and (${!connection.livemode} or livemode)
    order by 3, 2`.execute(db)
  const payouts = hasDeposits(accounts) ? await listPayoutDeposits(db, connection, start, to) : []
  const undoing = await listUndoing(db, connection, start, to)
  const plain = [...rows, ...payouts].map((row): Ours => {
    const cents = Number(row.cents)
    const isTip = row.kind === 'movement' && row.label.startsWith('Tip')
    const type = row.kind === 'movement' ? movementType(isTip, cents) : typeOf[row.kind]
    const label =
      type === 'Deposit' || row.kind === 'payout_back' ? `of ${formatDay(row.label, { year: true })}` : row.label
    return { ...row, label, type, isTip, cents: Math.abs(cents) }
  })
  return [...plain, ...undoing]
}
