import { type RawBuilder, sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import { makeDemo } from '../demo/demo.ts'
import { listDifferences } from '../features/analytics/rollups/server/queries.ts'
import { getOverview } from '../features/analytics/server/queries.ts'
import { finishedWork } from '../features/analytics/worth/server/queries.ts'
import { compareBooks } from '../features/payments/corrections/server/queries.ts'
import { getRun, getOverview as getSeason } from '../features/season/server/queries.ts'
import { demoSlug } from '../features/tour/rules.ts'
import { systemActor } from '../platform/actor.ts'
import { database } from '../platform/db/database.ts'
import { asBusinessId, withTenant } from '../platform/db/tenant.ts'
import { renewTestServer } from './api.ts'

const invoices = (status: string) => sql`invoices where status = ${status}`
const paidBy = (method: string) => sql`payments where method = ${method}`

/** What a business of some years has of money, as `docs/flows/quote-to-cash.md` lists it. */
const kinds: Record<string, RawBuilder<unknown>> = {
  'issued invoice': invoices('issued'),
  'partly paid invoice': invoices('partially_paid'),
  'draft of an invoice': invoices('draft'),
  'voided invoice': invoices('void'),
  'paid invoice': invoices('paid'),
  'written off invoice': invoices('written_off'),
  'invoice with a bank payment on its way': sql`invoices where pending_cents > 0`,
  'disputed invoice': sql`invoices where disputed`,
  'promise to pay': sql`invoices where promised_on is not null`,
  'stopped reminder': sql`invoices where reminders_stopped is not null`,
  'automatic invoice': sql`automatic_invoice_runs where batch_id is not null`,
  'customer who is invoiced at a pace of their own': sql`customers where auto_invoices is not null`,
  'invoice of a signed quote': sql`invoices where quote_id is not null`,
  'late fee': sql`late_fees where true`,
  'price letter': sql`price_changes where kind = 'letter' and undone_at is null`,
  'change to learned minutes': sql`job_edits where change ->> 'kind' = 'minutes'`,
  'lawn that was left as planned': sql`minutes_dismissals where true`,
  'card payment': paidBy('card'),
  'bank payment': paidBy('ach'),
  check: paidBy('check'),
  cash: paidBy('cash'),
  'deposit for a job': sql`payments where job_id is not null`,
  'payment taken back': sql`payments where status = 'reversed'`,
  'credit note': sql`credit_notes where true`,
  'discount for paying without a card': sql`payment_discounts where credit_id is not null`,
  refund: sql`refunds where true`,
  'payment at the door': sql`door_receipts where true`,
  'card on file': sql`payment_methods where kind = 'card' and removed_at is null`,
  'announced charge of autopay': sql`autopay_charges where true`,
  'dispute that is undecided': sql`disputes where status in ('needs_response', 'under_review')`,
  'dispute that was won': sql`disputes where status = 'won'`,
  'dispute that was lost': sql`disputes where status = 'lost'`,
  'bank payment that was refused': sql`checkout_sessions where status = 'failed' and kind = 'page'`,
  tip: sql`payments where tip_cents > 0`,
  'credit on no invoice': sql`(select p.* from payments p where p.method = 'credit' and p.status = 'succeeded' and not exists (
    select from payment_allocations a where a.business_id = p.business_id and a.payment_id = p.id)) p where true`,
  'cash that was handed in': sql`cash_hand_ins where true`,
  'payout that was sent back': sql`payouts where status = 'failed'`,
  'payout that arrived': sql`payouts where status = 'paid'`,
  'payout on its way': sql`payouts where status = 'on_its_way'`,
  'processing fee': sql`expenses where method = 'payout'`,
  'budget plan': sql`billing_plans where kind = 'budget'`,
  'prepaid plan': sql`billing_plans where kind = 'prepaid'`,
  'settled plan': sql`billing_plans where status = 'settled'`,
  expense: sql`expenses where method <> 'payout' and deleted_at is null`,
  'odometer reading': sql`odometer_readings where true`,
  'receipt to review': sql`expenses where review and deleted_at is null`,
  'recurring cost': sql`recurring_expenses where true`,
  'sales tax on an issued invoice': sql`invoices where tax_cents > 0 and status <> 'draft'`,
  'discount on an issued invoice': sql`invoices where discount_cents > 0 and status <> 'draft'`,
  'tax exemption': sql`tax_exemptions where true`,
  'closed month': sql`month_closings where true`,
  'statement link': sql`statement_links where revoked_at is null`,
  'card link': sql`card_requests where status = 'open'`,
  'record in QuickBooks': sql`books_links where kind = 'invoice' and remote_id is not null`,
  'name that QuickBooks has twice': sql`books_queue where status = 'failed'`,
}

// makes a business that everybody knows by its name: nothing of it is left for what comes after
afterAll(async () => {
  await renewTestServer()
})

it('the demo has one of each kind of money record, and its books balance', { timeout: 600_000 }, async () => {
  await renewTestServer()
  await makeDemo()
  const { businessId } = await database()
    .selectFrom('slugs')
    .select('businessId')
    .where('slug', '=', demoSlug)
    .executeTakeFirstOrThrow()
  await withTenant({ businessId: asBusinessId(businessId) }, async (db) => {
    const missing: string[] = []
    for (const [name, of] of Object.entries(kinds)) {
      const { rows } = await sql`select 1 from ${of} and business_id = ${businessId} limit 1`.execute(db)
      if (rows.length === 0) missing.push(name)
    }
    expect(missing).toEqual([])
    // a plan of the season that is ready to be taken over
    const owner = await db
      .selectFrom('users')
      .select('id')
      .where('businessId', '=', businessId)
      .where('role', '=', 'Owner')
      .executeTakeFirstOrThrow()
    const sees = { ...systemActor(asBusinessId(businessId)), kind: 'user', role: 'Owner', userId: owner.id } as never
    const [season] = (await getSeason(db)).runs
    const plan = await getRun(db, sees, season?.id ?? '')
    expect(plan).toMatchObject({ status: 'ready', staleCount: 0 })
    expect(plan.result?.moves.length).toBeGreaterThan(0)
    expect(plan.result?.after.driveSecondsYear).toBeLessThan(plan.result?.before.driveSecondsYear ?? 0)
    expect(await compareBooks(db)).toEqual([])
    // what its days came to is kept and right, and there is something to tell of a season
    const year = await getOverview(db, 'year')
    expect(await listDifferences(db, year.previous.from, year.current.to)).toEqual([])
    expect(year.worthCents.now).toBeGreaterThan(year.capturedCents.now)
    expect(year.capturedCents.now).toBeGreaterThan(0)
    expect(year.slices.crew.length).toBeGreaterThan(1)
    expect(year.slices.service.length).toBeGreaterThan(1)
    expect(year.prepaidCents).toBeGreaterThan(0)
    const plans = await sql<{ counted: number; worth: number }>`
      select round(sum(d.list_cents) * case when (o.settlement ->> 'atFullPrice')::boolean then 1 else o.season_cents::numeric / o.list_cents end)::int8 as counted,
        (select coalesce(sum(w.worth_cents), 0) from (${finishedWork(db, sql`v.covered_by = o.id`)}) w)::int8 as worth
      from billing_plans o join billing_plan_deliveries d on d.business_id = o.business_id and d.plan_id = o.id
      join visits y on y.business_id = d.business_id and y.id = d.visit_id
      where o.business_id = ${businessId} group by o.business_id, o.id having bool_and(y.covered_by is not distinct from o.id)`.execute(
      db,
    )
    // where a plan covers its visits whole, they come to what it delivered, to the cent; how many plans do depends on the hour
    expect(plans.rows.length).toBeGreaterThan(0)
    for (const { counted, worth } of plans.rows) expect(worth).toBe(counted)
  })
})
