import { sql } from 'kysely'
import type { Actor } from '../../../../platform/actor.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { admits } from '../../../../shared/can.ts'
import { addDays, type Day, instantAt } from '../../../../shared/dates.ts'
import { timeZoneOf, todayOf } from '../../../businesses/server/queries.ts'
import { sumReview, sumSpent } from '../../../expenses/server/queries.ts'
import { planFinishedVisits } from '../../batch/server/queries.ts'
import { type MovementName, movementKinds } from '../../movements/rules.ts'
import { type ClosingCheck, type Closings, closingApi, type OpenItems } from '../contract.ts'
import { closingRefusals, daysOfMonth, isClosedDay, type Month, pastMonths } from '../rules.ts'

/** The last closed day, or null; for a look only. What writes money asks `checkOpenDaysTx`, which keeps it so until the commit. */
export const closedThrough = async (db: TenantDb): Promise<Day | null> => {
  const row = await db
    .selectFrom('monthClosings')
    .select('closedThrough')
    .where('businessId', '=', db.businessId)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.closedThrough ?? null
}

const monthsShown = 12
const historyShown = 30
const customersShown = 10

/** Which months are closed, and what was done with them. */
export const listClosings = async (db: TenantDb, actor: Actor): Promise<Closings> => {
  const through = await closedThrough(db)
  const rows = await db
    .selectFrom('monthClosings')
    .leftJoin('users', (join) =>
      join.onRef('users.businessId', '=', 'monthClosings.businessId').onRef('users.id', '=', 'monthClosings.createdBy'),
    )
    .where('monthClosings.businessId', '=', db.businessId)
    .select([
      'monthClosings.id',
      'monthClosings.action',
      'monthClosings.onDay',
      'monthClosings.reason',
      'monthClosings.detail',
      'users.name as by',
      'monthClosings.createdAt as at',
    ])
    .orderBy('monthClosings.seq', 'desc')
    .limit(historyShown)
    .execute()
  return {
    closedThrough: through,
    months: pastMonths(await todayOf(db), monthsShown).map((month) => ({
      month,
      closed: isClosedDay(through, daysOfMonth(month).to),
    })),
    history: rows,
    can: { close: admits(actor, closingApi.close), reopen: admits(actor, closingApi.reopen) },
  }
}

/**
 * What is still to do up to a day: drafts made by then, finished visits without an invoice, cash not handed in, receipts nobody looked at, money
 * under way, money on no invoice.
 */
export const listOpenItems = async (db: TenantDb, to: Day): Promise<OpenItems> => {
  const end = instantAt(addDays(to, 1), 0, await timeZoneOf(db))
  const drafts = await db
    .selectFrom('invoices')
    .where('businessId', '=', db.businessId)
    .where('status', '=', 'draft')
    .where('createdAt', '<', end)
    .select([sql<number>`count(*)::int`.as('count'), sql<number>`coalesce(sum(total_cents), 0)::int8`.as('totalCents')])
    .executeTakeFirstOrThrow()
  const plan = await planFinishedVisits(db, { to, grouping: null })
  const { rows: rests } = await sql<{
    id: string
    name: string
    cents: number
    count: number
    of: number
    all: number
  }>`
    select c.id, c.name, sum(p.amount_cents - p.refunded_cents - p.allocated_cents)::int8 as cents, count(*)::int as count,
      (sum(count(*)) over ())::int as of, (sum(sum(p.amount_cents - p.refunded_cents - p.allocated_cents)) over ())::int8 as all
    from payments p join customers c on c.business_id = p.business_id and c.id = p.customer_id
    where p.business_id = ${db.businessId} and p.status = 'succeeded' and p.allocated_cents + p.refunded_cents < p.amount_cents
      and p.method <> 'credit' and p.received_on <= ${to}::date
    group by c.id, c.name order by cents desc, c.name limit ${customersShown}`.execute(db)
  const { rows: held } = await sql<{ count: number; cents: number }>`
    select count(*)::int as count, coalesce(sum(p.amount_cents), 0)::int8 as cents
    from door_receipts d join payments p on p.business_id = d.business_id and p.id = d.payment_id
    where d.business_id = ${db.businessId} and d.hand_in_id is null and p.status <> 'reversed' and p.received_on <= ${to}::date`.execute(
    db,
  )
  const { rows: moving } = await sql<{ count: number; cents: number }>`
    select count(*)::int as count, coalesce(sum(amount_cents), 0)::int8 as cents from (
      select amount_cents from refunds where business_id = ${db.businessId} and status = 'pending' and on_day <= ${to}::date
      union all
      select amount_cents from checkout_sessions
      where business_id = ${db.businessId} and status = 'open' and kind = 'autopay' and created_at < ${end}::timestamptz
      union all
      -- a bank was asked, also for several invoices on one page: one payment, and its tip is on its way with it
      select sum(amount_cents + tip_cents) from checkout_sessions
      where business_id = ${db.businessId} and status = 'processing' and coalesce(processing_at, created_at) < ${end}::timestamptz
      group by coalesce(lead_id, id)) money`.execute(db)
  return {
    receipts: await sumReview(db, to),
    moving: { count: moving[0]?.count ?? 0, totalCents: Number(moving[0]?.cents ?? 0) },
    field: { count: held[0]?.count ?? 0, totalCents: Number(held[0]?.cents ?? 0) },
    drafts: { count: Number(drafts.count), totalCents: Number(drafts.totalCents) },
    visits: {
      count: plan.invoices.reduce((sum, { visits }) => sum + visits.length, 0),
      totalCents: plan.invoices.reduce((sum, { totals }) => sum + totals.totalCents, 0),
      withoutPrice: plan.exceptions.filter(({ reason }) => reason === 'no_price').length,
      more: plan.more,
    },
    unmatched: {
      count: rests[0]?.of ?? 0,
      totalCents: Number(rests[0]?.all ?? 0),
      customers: rests.map(({ id, name, cents }) => ({ id, name, cents: Number(cents) })),
    },
  }
}

/** Whether anything is left to do. */
export const isAnyOpen = ({ drafts, visits, field, receipts, moving, unmatched }: OpenItems): boolean =>
  drafts.count + visits.count + field.count + receipts.count + moving.count + visits.withoutPrice + unmatched.count > 0

const sumsOf = async (db: TenantDb, { from, to }: { from: Day; to: Day }): Promise<ClosingCheck['sums']> => {
  const rows = await db
    .selectFrom('ledgerEntries')
    .where('businessId', '=', db.businessId)
    .where('onDay', '>=', from)
    .where('onDay', '<=', to)
    .groupBy('kind')
    .select(['kind', sql<number>`sum(amount_cents)::int8`.as('cents')])
    .execute()
  const of = (name: MovementName): number => {
    const kinds: readonly string[] = movementKinds[name]
    return rows.reduce((sum, row) => (kinds.includes(row.kind) ? sum + Number(row.cents) : sum), 0)
  }
  return {
    invoicedCents: of('invoiced'),
    paidCents: of('received'),
    creditedCents: of('credited'),
    refundedCents: of('refunded'),
    disputedCents: of('disputed'),
    tipsCents: of('tips'),
    otherCents: of('other'),
    togetherCents: rows.reduce((sum, row) => sum + Number(row.cents), 0),
    spentCents: await sumSpent(db, { from, to }),
  }
}

/** What is still open in a month, what its ledger moved, and whether it can be closed or opened again. */
export const checkMonth = async (db: TenantDb, month: Month): Promise<ClosingCheck> => {
  const days = daysOfMonth(month)
  const through = await closedThrough(db)
  const facts = { month, today: await todayOf(db), closedThrough: through }
  const open = await listOpenItems(db, days.to)
  return {
    month,
    ...days,
    closed: isClosedDay(through, days.to),
    open,
    hasOpen: isAnyOpen(open),
    sums: await sumsOf(db, days),
    closeRefusal: closingRefusals.close(facts),
    reopenRefusal: closingRefusals.reopen(facts),
  }
}
