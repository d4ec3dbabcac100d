import { sql } from 'kysely'
import { keyset } from '../../../../platform/db/cursor.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import type { Day } from '../../../../shared/dates.ts'
import { invalid } from '../../../../shared/errors.ts'
import { isTestMoney, methodNames } from '../../papers/rules.ts'
import { type EntryFacts, entryLabel, periodProblem } from '../../statements/rules.ts'
import { type MovementView, movementKinds } from '../rules.ts'

type Asked = { view: MovementView; from: Day; to: Day; cursor?: string | undefined; limit: number }
type Row = EntryFacts & {
  id: string
  onDay: Day
  customerId: string
  customerName: string
  note: string | null
  status: string | null
  provider: string | null
  livemode: boolean | null
  invoiceId: string | null
}

const isOf = (view: MovementView) =>
  view === 'all' ? sql`true` : sql`e.kind = any(${[...movementKinds[view]]}::text[])`

/** What a span of days comes to, and by which way money came. */
const sumMovements = async (db: TenantDb, { view, from, to }: Asked) => {
  const { rows } = await sql<{ method: keyof typeof methodNames | null; count: number; cents: number }>`
    select p.method, count(*)::int as count, sum(e.amount_cents)::float8 as cents
    from ledger_entries e left join payments p on e.kind = 'payment' and p.business_id = e.business_id and p.id = e.ref_id
    where e.business_id = ${db.businessId} and e.on_day between ${from}::date and ${to}::date and ${isOf(view)}
    group by p.method`.execute(db)
  return {
    count: rows.reduce((sum, { count }) => sum + count, 0),
    totalCents: rows.reduce((sum, { cents }) => sum + cents, 0),
    ways:
      view === 'received'
        ? rows
            .flatMap(({ method, count, cents }) =>
              method ? [{ method: methodNames[method], count, cents: 0 - cents }] : [],
            )
            .sort((a, b) => b.cents - a.cents)
        : [],
  }
}

/**
 * A page of what moved what customers owe, the newest first. Each names the invoice that it is about, of several the oldest.
 * @throws validation_failed for a period that is none or over a year
 */
export const listMovements = async (db: TenantDb, asked: Asked) => {
  const problem = periodProblem(asked.from, asked.to)
  if (problem) throw invalid([{ path: 'from', message: problem }])
  const keys = keyset(
    [
      { of: sql`e.on_day`, type: 'day' },
      { of: sql`e.id`, type: 'uuid' },
    ],
    { order: 'desc', cursor: asked.cursor, limit: asked.limit },
  )
  const { rows } = await sql<Row & { cursorKeys: string[] }>`
    select e.id, e.on_day, e.kind, e.ref_type, e.amount_cents::float8 as amount_cents, c.id as customer_id, c.name as customer_name,
      i.number as invoice_number, coalesce(n.number, pn.number) as credit_number, p.receipt_number, p.method,
      coalesce(nullif(p.note, ''), r.reason, n.reason) as note, p.status, p.provider, p.livemode, i.id as invoice_id, ${keys.values} as cursor_keys
    from ledger_entries e join customers c on c.business_id = e.business_id and c.id = e.customer_id
    left join write_offs o on e.ref_type = 'write_off' and o.business_id = e.business_id and o.id = e.ref_id
    left join credit_notes n on e.ref_type = 'credit_note' and n.business_id = e.business_id and n.id = e.ref_id
    left join refunds r on e.ref_type = 'refund' and r.business_id = e.business_id and r.id = e.ref_id
    left join disputes d on e.ref_type = 'dispute' and d.business_id = e.business_id and d.id = e.ref_id
    left join dispute_turns t on e.ref_type = 'dispute_turn' and t.business_id = e.business_id and t.id = e.ref_id
    left join disputes td on td.business_id = t.business_id and td.id = t.dispute_id
    left join dispute_covers v on e.ref_type = 'dispute_cover' and v.business_id = e.business_id and v.id = e.ref_id
    left join disputes vd on vd.business_id = v.business_id and vd.id = v.dispute_id
    left join tip_moves m on e.ref_type = 'tip' and m.business_id = e.business_id and m.id = e.ref_id
    left join payments p on p.business_id = e.business_id
      and p.id = coalesce(case when e.ref_type = 'payment' then e.ref_id end, r.payment_id, d.payment_id, td.payment_id, vd.payment_id, m.payment_id)
    left join credit_notes pn on e.ref_type = 'payment' and pn.business_id = p.business_id and pn.payment_id = p.id
    left join lateral (
      select b.id, b.number from invoices b where b.business_id = e.business_id and b.id = coalesce(
        case when e.ref_type = 'invoice' then e.ref_id end, o.invoice_id, n.invoice_id, pn.invoice_id, p.tip_invoice_id,
        (select a.invoice_id from payment_allocations a where a.business_id = p.business_id and a.payment_id = p.id
          order by a.invoice_id limit 1),
        (select a.invoice_id from allocation_reversals a where a.business_id = p.business_id and a.payment_id = p.id
          order by a.invoice_id limit 1))) i on true
    where e.business_id = ${db.businessId} and e.on_day between ${asked.from}::date and ${asked.to}::date and ${isOf(asked.view)}
      and ${keys.beyond}
    order by ${keys.order} limit ${keys.limit}`.execute(db)
  const { items, nextCursor } = keys.page(rows)
  return {
    items: items.map(({ customerId, customerName, note, status, provider, livemode, invoiceId, ...facts }) => ({
      id: facts.id,
      onDay: facts.onDay,
      customer: { id: customerId, name: customerName },
      label: entryLabel(facts),
      note: note ?? '',
      amountCents: facts.amountCents,
      takenBack: facts.kind === 'payment' && status === 'reversed',
      test: provider !== null && livemode !== null && isTestMoney({ provider, livemode }),
      invoiceId,
    })),
    nextCursor,
    ...(await sumMovements(db, asked)),
  }
}
