import { type RawBuilder, sql } from 'kysely'
import { listDifferences } from '../../features/analytics/rollups/server/queries.ts'
import { accounts } from '../../features/invoices/exports/rules.ts'
import { listJournal } from '../../features/invoices/exports/server/journal.ts'
import { compareBooks } from '../../features/payments/corrections/server/queries.ts'
import { ownerPool } from '../../platform/db/database.ts'
import type { TenantDb } from '../../platform/db/tenant.ts'
import type { Day } from '../../shared/dates.ts'
import { movesOf, paymentsOf } from './provider.ts'
import type { World } from './world.ts'

/** What must hold after any deeds in any order: each row counted again from its parts, and all of it against money that this test and the provider counted. */

const rowsOf = async <T>(query: RawBuilder<T>, db: TenantDb): Promise<T[]> => (await query.execute(db)).rows

/** Rows that do not fit, by what they break. */
const recounts = (business: string): Record<string, RawBuilder<unknown>> => ({
  'a balance is the sum of its movements': sql`
    select b.customer_id, b.balance_cents, sum(e.amount_cents) from customer_balances b join ledger_entries e
      on e.business_id = b.business_id and e.customer_id = b.customer_id
    where b.business_id = ${business} group by 1, 2 having b.balance_cents <> sum(e.amount_cents)`,
  'an invoice is paid by its parts, and by no more than it is over': sql`
    select i.number, i.status, i.total_cents, i.paid_cents, a.cents from invoices i cross join lateral (
      select coalesce(sum(a.amount_cents), 0) as cents from payment_allocations a
      where a.business_id = i.business_id and a.invoice_id = i.id) a
    where i.business_id = ${business} and (i.paid_cents <> a.cents or i.paid_cents > i.total_cents)`,
  'what lies on an invoice is what was put there and not taken off, on no day less than nothing': sql`
    select * from (select payment_id, invoice_id, sum(amount_cents) as moved, (select a.amount_cents from payment_allocations a
        where a.business_id = m.business_id and a.payment_id = m.payment_id and a.invoice_id = m.invoice_id) as lies
      from allocation_moves m where business_id = ${business} group by business_id, payment_id, invoice_id) x where moved <> coalesce(lies, 0)
    union all select payment_id, invoice_id, so_far, null from (select payment_id, invoice_id,
        sum(amount_cents) over (partition by payment_id, invoice_id order by on_day, created_at, id) as so_far
      from allocation_moves where business_id = ${business}) y where so_far < 0
    union all select a.payment_id, a.invoice_id, 0, a.amount_cents from payment_allocations a where a.business_id = ${business} and not exists (
      select from allocation_moves m where m.business_id = a.business_id and m.payment_id = a.payment_id and m.invoice_id = a.invoice_id)`,
  'an invoice says by its status what is paid': sql`
    select number, status, total_cents, paid_cents, paid_on from invoices where business_id = ${business} and not case status
      when 'paid' then paid_cents = total_cents and (paid_on is not null or total_cents = 0)
      when 'partially_paid' then paid_cents > 0 and paid_cents < total_cents and paid_on is null
      when 'issued' then paid_cents = 0 and paid_on is null
      when 'void' then paid_cents = 0
      when 'written_off' then paid_cents < total_cents
      else true end`,
  'an invoice adds up': sql`
    select number, subtotal_cents, discount_cents, tax_cents, total_cents, l.cents, t.cents as tax from invoices i
      cross join lateral (select coalesce(sum(total_cents), 0) as cents from invoice_lines where business_id = i.business_id and invoice_id = i.id) l
      cross join lateral (select coalesce(sum(tax_cents), 0) as cents from invoice_taxes where business_id = i.business_id and invoice_id = i.id) t
    where business_id = ${business} and (total_cents <> subtotal_cents - discount_cents + tax_cents or t.cents <> tax_cents
      or l.cents <> subtotal_cents)`,
  'what is written off is what was open': sql`
    select i.number, i.status, i.total_cents - i.paid_cents as open, w.amount_cents from invoices i
      left join write_offs w on w.business_id = i.business_id and w.invoice_id = i.id and w.taken_back_on is null
    where i.business_id = ${business} and case when i.status = 'written_off' then w.amount_cents is distinct from i.total_cents - i.paid_cents
      else w.amount_cents is not null end`,
  'what is on its way is what banks were asked for': sql`
    select i.number, i.pending_cents, s.cents from invoices i cross join lateral (
      select coalesce(sum(amount_cents + discount_cents), 0) as cents from checkout_sessions s
      where s.business_id = i.business_id and s.invoice_id = i.id and s.status = 'processing') s
    where i.business_id = ${business} and i.pending_cents <> s.cents`,
  'a payment is used once': sql`
    select p.id, p.amount_cents, p.allocated_cents, p.tip_cents, p.refunded_cents, a.cents from payments p cross join lateral (
      select coalesce(sum(amount_cents), 0) as cents from payment_allocations a
      where a.business_id = p.business_id and a.payment_id = p.id) a
    where p.business_id = ${business} and (p.allocated_cents <> a.cents + p.tip_cents
      or p.allocated_cents + p.refunded_cents > p.amount_cents or (p.status <> 'succeeded' and p.allocated_cents <> 0))`,
  'what went back is what was refunded and what banks hold': sql`
    select p.id, p.amount_cents, p.refunded_cents, r.cents, d.cents as held from payments p cross join lateral (
      select coalesce(sum(amount_cents), 0) as cents from refunds r
      where r.business_id = p.business_id and r.payment_id = p.id and r.status <> 'failed') r cross join lateral (
      select coalesce(sum(moved_cents - uncovered_cents), 0) as cents from disputes d
      where d.business_id = p.business_id and d.payment_id = p.id and d.money = 'taken') d
    where p.business_id = ${business} and p.refunded_cents <> r.cents + d.cents`,
  'money pays its own customer’s invoices': sql`
    select a.id from payment_allocations a join payments p on p.business_id = a.business_id and p.id = a.payment_id
      join invoices i on i.business_id = a.business_id and i.id = a.invoice_id
    where a.business_id = ${business} and (i.customer_id <> p.customer_id or i.status in ('draft', 'void'))`,
  'no more is credited than an invoice is over, and of its tax': sql`
    select i.number, i.total_cents, i.tax_cents, sum(x.total_cents), sum(x.tax_cents) from (
      select invoice_id, payment_id, total_cents, tax_cents from credit_notes where business_id = ${business} and invoice_id is not null
      union all select c.invoice_id, n.payment_id, c.total_cents, c.tax_cents from credit_note_parts c
        join credit_notes n on n.business_id = c.business_id and n.id = c.credit_note_id where c.business_id = ${business}) x
      join payments p on p.business_id = ${business} and p.id = x.payment_id and p.status = 'succeeded'
      join invoices i on i.business_id = ${business} and i.id = x.invoice_id
    group by 1, 2, 3 having sum(x.total_cents) > i.total_cents or sum(x.tax_cents) > i.tax_cents`,
  'a tip is its movements': sql`
    select p.id, p.tip_cents, m.cents, s.cents as shared from payments p cross join lateral (
      select coalesce(sum(amount_cents), 0) as cents from tip_moves m where m.business_id = p.business_id and m.payment_id = p.id) m
      cross join lateral (select coalesce(sum(e.amount_cents), 0) as cents from ledger_entries e join tip_moves m
        on m.business_id = e.business_id and m.id = e.ref_id and e.ref_type = 'tip' where e.business_id = p.business_id and m.payment_id = p.id) s
    where p.business_id = ${business} and (p.tip_cents <> m.cents or m.cents <> s.cents or p.tip_cents < 0)`,
  'receipts run without a gap': sql`
    select max(receipt_number), min(receipt_number), count(*) from payments where business_id = ${business} and receipt_number is not null
    having max(receipt_number) - min(receipt_number) + 1 <> count(*)`,
  'a discount stands in proportion to what its payment still pays': sql`
    select d.payment_id, d.paid_cents, d.lost_cents, d.discount_cents, c.amount_cents, c.status from payment_discounts d
      join payments c on c.business_id = d.business_id and c.id = d.credit_id
    where d.business_id = ${business} and c.status = 'succeeded'
      and c.amount_cents > round(d.discount_cents * (d.paid_cents - d.lost_cents)::numeric / d.paid_cents)`,
  'a payout is what it is made of': sql`
    select provider_payout_id, amount_cents, lines_cents, lines_told from payouts
    where business_id = ${business} and (lines_told <> 'all' or lines_cents <> amount_cents)`,
  'a webhook that could not be worked off': sql`
    select type, error, attempts from webhook_events w where w.account in (
      select account_id from payment_accounts where business_id = ${business}) and error is not null`,
})

const sumOf = (of: readonly number[]): number => of.reduce((sum, cents) => sum + cents, 0)

/** What each customer owes by what was billed and by money that was counted outside of our rows. */
const expectedBalance = async (world: World, db: TenantDb, customerId: string): Promise<number> => {
  const [asked] = await rowsOf(
    sql<{ cents: number }>`
      select (select coalesce(sum(total_cents), 0) from invoices where business_id = ${db.businessId} and customer_id = ${customerId}
          and status not in ('draft', 'void'))
        - (select coalesce(sum(w.amount_cents), 0) from write_offs w join invoices i on i.business_id = w.business_id and i.id = w.invoice_id
          where w.business_id = ${db.businessId} and i.customer_id = ${customerId} and w.taken_back_on is null)
        - (select coalesce(sum(n.total_cents), 0) from credit_notes n join payments p on p.business_id = n.business_id and p.id = n.payment_id
          where n.business_id = ${db.businessId} and n.customer_id = ${customerId} and p.status = 'succeeded')
        + (select coalesce(sum(tip_cents), 0) from payments where business_id = ${db.businessId} and customer_id = ${customerId}) as cents`,
    db,
  )
  const back = await rowsOf(
    sql<{ provider: string; providerPaymentId: string | null; cents: number }>`
      select p.provider, p.provider_payment_id, sum(r.amount_cents) as cents from refunds r
      join payments p on p.business_id = r.business_id and p.id = r.payment_id
      where r.business_id = ${db.businessId} and p.customer_id = ${customerId} and not r.by_provider and r.status <> 'failed' group by 1, 2`,
    db,
  )
  const ours = await rowsOf(
    sql<{ id: string }>`select provider_payment_id as id from payments
      where business_id = ${db.businessId} and customer_id = ${customerId} and provider_payment_id is not null`,
    db,
  )
  const byProvider = (await paymentsOf(world)).filter((one) => ours.some(({ id }) => id === one.id))
  const kept = byProvider.map(({ id, cents, refundedCents, heldCents }) => {
    const handed = sumOf(back.filter((one) => one.providerPaymentId === id).map((one) => Number(one.cents)))
    return cents - Math.min(cents, refundedCents + heldCents + handed)
  })
  const byHand = world.byHand.filter((one) => one.customerId === customerId && !one.reversed).map(({ cents }) => cents)
  const handed = back.filter(({ provider }) => provider === 'manual').map(({ cents }) => Number(cents))
  return Number(asked?.cents ?? 0) - sumOf(byHand) + sumOf(handed) - sumOf(kept)
}

/** The journal up to a day by account; every entry of it has to come to zero. */
const journalOf = async (db: TenantDb, to: Day) => {
  const entries = await listJournal(db, { from: '2020-01-01', to }, 100_000, (query) => rowsOf(query, db))
  const off = entries.filter(({ lines }) => sumOf(lines.map(({ cents }) => cents)) !== 0)
  const sums: Record<string, number> = {}
  for (const { lines } of entries)
    for (const { account, cents } of lines) sums[account.name] = (sums[account.name] ?? 0) + cents
  return { sums: Object.fromEntries(Object.entries(sums).filter(([, cents]) => cents !== 0)), off }
}

/** What the months up to a day come to, account by account. */
export const closedSums = ({ own }: World, through: Day): Promise<Record<string, number>> =>
  own.db(async (db) => (await journalOf(db, through)).sums)

/** What an issued invoice said when it was first seen: it never changes. */
const first = new WeakMap<World, Map<string, string>>()
const changedInvoices = async (world: World, db: TenantDb): Promise<string[]> => {
  const known = first.get(world) ?? new Map<string, string>()
  first.set(world, known)
  const rows = await rowsOf(
    sql<{ id: string; number: number; said: string }>`
      select i.id, i.number, concat_ws(' ', i.issue_on, i.due_on, i.subtotal_cents, i.discount_cents, i.tax_cents, i.total_cents, (
        select string_agg(concat_ws(' ', l.description, l.quantity, l.unit_price_cents, l.total_cents), ';' order by l.position) from invoice_lines l
        where l.business_id = i.business_id and l.invoice_id = i.id)) as said
      from invoices i where i.business_id = ${db.businessId} and i.status <> 'draft'`,
    db,
  )
  return rows.flatMap(({ id, number, said }) => {
    const was = known.get(id)
    known.set(id, was ?? said)
    return was === undefined || was === said ? [] : [`INV-${number} changed: ${was} -> ${said}`]
  })
}

/** What does not hold now, after whatever was done; our side may not have heard of everything yet. */
export const problems = (world: World): Promise<string[]> =>
  world.own.db(async (db) => {
    const found: string[] = []
    for (const [what, query] of Object.entries(recounts(world.own.id)))
      for (const row of await rowsOf(query, db)) found.push(`${what}: ${JSON.stringify(row)}`)
    for (const one of await compareBooks(db)) found.push(`the nightly comparison: ${JSON.stringify(one)}`)
    for (const one of await listDifferences(db, '2027-01-01', '2028-12-31'))
      found.push(`what is kept of a day is not what it came to: ${JSON.stringify(one)}`)
    found.push(...(await changedInvoices(world, db)))
    const { sums, off } = await journalOf(db, world.day)
    for (const entry of off) found.push(`an entry of the journal does not come to zero: ${JSON.stringify(entry)}`)
    const balances = await db
      .selectFrom('customerBalances')
      .select('balanceCents')
      .where('businessId', '=', db.businessId)
      .execute()
    const owed = sumOf(balances.map(({ balanceCents }) => Number(balanceCents)))
    if ((sums[accounts.receivable.name] ?? 0) !== owed)
      found.push(`the journal's receivables are ${sums[accounts.receivable.name]}, the balances ${owed}`)
    if (world.closed) {
      const now = JSON.stringify((await journalOf(db, world.closed.through)).sums)
      const was = JSON.stringify(world.closed.sums)
      if (now !== was) found.push(`closed through ${world.closed.through}: ${was} -> ${now}`)
    }
    return found
  })

/** The same once everything was heard: what the provider has is what we have, payment by payment, and every customer owes what was counted. */
export const problemsAtRest = async (world: World): Promise<string[]> => {
  const found = await problems(world)
  const theirs = await paymentsOf(world)
  const moves = await movesOf(world)
  await world.own.db(async (db) => {
    const ours = await rowsOf(
      sql<{
        id: string
        cents: number
        refundedCents: number
      }>`select provider_payment_id as id, amount_cents as cents, refunded_cents
        from payments where business_id = ${db.businessId} and provider_payment_id is not null`,
      db,
    )
    for (const one of theirs) {
      const same = ours.filter(({ id }) => id === one.id)
      if (same.length !== 1 || Number(same[0]?.cents) !== one.cents)
        found.push(`a payment of ${one.cents} at the provider is ${JSON.stringify(same)} here`)
    }
    for (const one of ours)
      if (!theirs.some(({ id }) => id === one.id)) found.push(`no payment at the provider: ${JSON.stringify(one)}`)
    for (const { id } of world.customers) {
      const row = await db
        .selectFrom('customerBalances')
        .select('balanceCents')
        .where('businessId', '=', db.businessId)
        .where('customerId', '=', id)
        .executeTakeFirst()
      const [has, should] = [Number(row?.balanceCents ?? 0), await expectedBalance(world, db, id)]
      if (has !== should) found.push(`a customer owes ${has} by the ledger and ${should} by what was counted`)
    }
    const unanswered = await rowsOf(
      sql<{ status: string }>`select status from refunds where business_id = ${db.businessId} and status = 'pending'`,
      db,
    )
    if (unanswered.length > 0) found.push(`${unanswered.length} refunds have no answer`)
    const fees = await rowsOf(
      sql<{ off: number }>`select coalesce(sum(p.fee_cents), 0) - coalesce((select sum(total_cents) from expenses
        where business_id = ${db.businessId} and source = 'payout' and deleted_at is null), 0) as off
        from payouts p where p.business_id = ${db.businessId} and p.booked_on is not null`,
      db,
    )
    if (Number(fees[0]?.off ?? 0) !== 0) found.push(`fees of payouts and their expenses are ${fees[0]?.off} apart`)
  })
  const paidOut = new Set(moves.flatMap(({ payout }) => payout ?? []))
  const known = await world.own.db((db) =>
    db.selectFrom('payouts').select('providerPayoutId').where('businessId', '=', db.businessId).execute(),
  )
  if (known.length !== paidOut.size) found.push(`${paidOut.size} payouts at the provider are ${known.length} here`)
  const { rows: failed } = await ownerPool().query(
    `select t.identifier as task, j.last_error as error from graphile_worker._private_jobs j
      join graphile_worker._private_tasks t on t.id = j.task_id where j.last_error is not null and j.payload::text like $1`,
    [`%${world.own.id}%`],
  )
  for (const one of failed) found.push(`a task failed: ${JSON.stringify(one)}`)
  return found
}
