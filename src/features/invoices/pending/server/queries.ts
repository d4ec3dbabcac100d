import { sql } from 'kysely'
import { clock } from '../../../../platform/clock.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { leastChargeCents, mostChargeCents } from '../../../../platform/payments/provider.ts'
import { accountProvider } from '../../../../platform/payments/providers.ts'
import type { PaidWith } from '../../../../shared/cardLabel.ts'
import { addDays, type Day, dayOf, minuteOfDay } from '../../../../shared/dates.ts'
import { cashDiscountCents } from '../../../businesses/cashdiscount/rules.ts'
import { getCashDiscount, timeZoneOf, todayOf } from '../../../businesses/server/queries.ts'
import type { Pending } from '../rules.ts'

/** How many invoices wait for a bank. */
export const countPending = async (db: TenantDb): Promise<number> =>
  Number(
    (
      await db
        .selectFrom('invoices')
        .where('businessId', '=', db.businessId)
        .where('pendingCents', '>', 0)
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
    ).count,
  )

/** What of an invoice is on its way from a bank; null where nothing is. */
export const findPending = async (db: TenantDb, invoiceId: string): Promise<Pending | null> =>
  (await listPending(db, [invoiceId])).get(invoiceId) ?? null

/** What is on its way from a bank for some invoices: what leaves it and what that settles of each, and the day on which the first of it was asked for. */
export const listPending = async (db: TenantDb, invoiceIds: readonly string[]): Promise<Map<string, Pending>> => {
  if (invoiceIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('checkoutSessions')
    .where('businessId', '=', db.businessId)
    .where('invoiceId', 'in', [...invoiceIds])
    .where('status', '=', 'processing')
    .groupBy('invoiceId')
    .select((eb) => [
      'invoiceId',
      sql<number>`sum(amount_cents + tip_cents)`.as('cents'),
      sql<number>`sum(amount_cents + discount_cents)`.as('coversCents'),
      eb.fn.min('processingAt').as('since'),
    ])
    .execute()
  const zone = rows.length > 0 ? await timeZoneOf(db) : ''
  return new Map(
    rows.map(({ invoiceId, cents, coversCents, since }) => [
      invoiceId,
      { cents: Number(cents), coversCents: Number(coversCents), since: since ? dayOf(since, zone) : '' },
    ]),
  )
}

/** Bank payments of an invoice that were on their way and did not come. */
export const listFailedDebits = async (
  db: TenantDb,
  invoiceId: string,
): Promise<{ id: string; cents: number; problem: string; at: string }[]> =>
  (
    await db
      .selectFrom('checkoutSessions')
      .where('businessId', '=', db.businessId)
      .where('invoiceId', '=', invoiceId)
      .where('status', '=', 'failed')
      .where('processingAt', 'is not', null)
      .select(['id', 'amountCents', 'problem', 'updatedAt'])
      .orderBy('updatedAt')
      .execute()
  ).map(({ id, amountCents, problem, updatedAt }) => ({
    id,
    cents: amountCents,
    problem: problem ?? '',
    at: updatedAt,
  }))

const openSessionsOf = (db: TenantDb, invoiceId: string) =>
  db
    .selectFrom('checkoutSessions')
    .select('id')
    .where('businessId', '=', db.businessId)
    .where('invoiceId', '=', invoiceId)
    .where('status', '=', 'open')
    .where('expiresAt', '>', clock.iso())

/** Whether the customer has the payment page of an invoice open right now. */
export const isCheckoutOpen = async (db: TenantDb, invoiceId: string): Promise<boolean> =>
  (await openSessionsOf(db, invoiceId).executeTakeFirst()) !== undefined

/** Whether the card or bank account on file was asked for an invoice, and nobody knows the answer yet. */
export const isBeingCharged = async (db: TenantDb, invoiceId: string): Promise<boolean> =>
  (await openSessionsOf(db, invoiceId).where('kind', '=', 'autopay').executeTakeFirst()) !== undefined

/**
 * Why the card of a customer is not asked for an invoice now: they promised a day, they dispute the price, their invoices are on hold, or it is more
 * than is charged at once, or credit left so little of it that no card takes it. A late fee
 * is held by none of its own reminders, which never leave. For SQL with the invoice as `i` and its customer as `c`.
 */
export const isHeld = (today: Day) => sql<boolean>`(c.hold_invoices or coalesce(i.promised_on >= ${today}::date, false)
  or i.total_cents - i.paid_cents > ${mostChargeCents}
  or i.total_cents - i.paid_cents between 1 and ${leastChargeCents - 1}
  or (i.reminders_stopped is not null and not exists
    (select from late_fees f where f.business_id = i.business_id and f.fee_invoice_id = i.id)))`

/** Whether anything can be charged for the business of an invoice `i` right now: who took its cards and is disconnected or paused charges nobody. */
const takesCards = () => {
  const { provider } = accountProvider()
  return provider
    ? sql<boolean>`exists (select from payment_accounts p where p.business_id = i.business_id and p.provider = ${provider.name}
        and p.livemode = ${provider.livemode} and p.charges_enabled and p.disconnected_at is null and p.removed_at is null)`
    : sql<boolean>`false`
}

/** Whether an invoice can be charged now at all. For SQL with the invoice as `i` and its customer as `c`. */
const mayCharge = (today: Day) =>
  sql<boolean>`(i.status in ('issued', 'partially_paid') and not i.disputed and i.pending_cents = 0 and not ${isHeld(today)} and ${takesCards()})`

/** Whether autopay charges an open invoice by itself: one that is held, disputed or already asked of a bank is not. For SQL over `invoices`. */
export const isCharged = (today: Day) => sql<boolean>`exists (select from invoices i
  join customers c on c.business_id = i.business_id and c.id = i.customer_id
  join payment_methods m on m.business_id = i.business_id and m.customer_id = i.customer_id and m.removed_at is null and m.autopay
  where i.business_id = ${sql.ref('invoices.business_id')} and i.id = ${sql.ref('invoices.id')}
    and ${mayCharge(today)})`

/**
 * What of the invoices of a batch autopay charges by itself: an invoice that is held or was paid is none of it, and from a bank account less is
 * charged where paying without a card has a discount.
 */
export const sumBatchAutopay = async (db: TenantDb, batchId: string): Promise<{ count: number; cents: number }> => {
  const today = await todayOf(db)
  const { rows } = await sql<{ kind: string; cents: number; count: number }>`
    select m.kind, i.total_cents - i.paid_cents as cents, count(*)::int as count
    from invoices i join customers c on c.business_id = i.business_id and c.id = i.customer_id
    join payment_methods m on m.business_id = i.business_id and m.customer_id = i.customer_id and m.removed_at is null and m.autopay
    where i.business_id = ${db.businessId} and i.batch_id = ${batchId} and ${mayCharge(today)}
    group by 1, 2`.execute(db)
  const bps = rows.some(({ kind }) => kind === 'bank') ? await getCashDiscount(db) : 0
  const off = (kind: string, cents: number): number => (kind === 'bank' ? cashDiscountCents(cents, bps) : 0)
  return {
    count: rows.reduce((sum, { count }) => sum + count, 0),
    cents: rows.reduce((sum, { kind, cents, count }) => sum + count * (Number(cents) - off(kind, Number(cents))), 0),
  }
}

/** A charge is announced by day, until eight in the evening: what comes later is announced, and its notice begins, the next day. */
const announcedUntil = 20 * 60

export type Autopay = { chargeOn: Day; kind: PaidWith; brand: string; last4: string }

/**
 * On which day autopay charges open invoices and from what, announced or not yet; none of what is held, and none where the business was closed or takes
 * no cards.
 */
export const listAutopay = async (
  db: TenantDb,
  invoiceIds: readonly string[],
): Promise<ReadonlyMap<string, Autopay>> => {
  if (invoiceIds.length === 0) return new Map()
  const zone = await timeZoneOf(db)
  const today = dayOf(clock.now(), zone)
  const announcedOn = minuteOfDay(clock.now(), zone) < announcedUntil ? today : addDays(today, 1)
  // as it is planned: as the business wants it now, and never sooner than the holder agreed to
  const { rows } = await sql<Autopay & { id: string }>`
    select i.id, m.kind, m.brand, m.last4,
      coalesce(a.charge_on, greatest(i.due_on, ${announcedOn}::date + greatest(m.notice_days, b.autopay_notice_days))) as charge_on
    from invoices i join businesses b on b.business_id = i.business_id and b.closed_at is null
    join customers c on c.business_id = i.business_id and c.id = i.customer_id
    join payment_methods m on m.business_id = i.business_id and m.customer_id = i.customer_id and m.removed_at is null and m.autopay
    left join autopay_charges a on a.business_id = i.business_id and a.invoice_id = i.id
    where i.business_id = ${db.businessId} and i.id = any(${[...invoiceIds]}::uuid[])
      and ${mayCharge(today)} and coalesce(a.status, 'waiting') = 'waiting'`.execute(db)
  return new Map(rows.map(({ id, ...autopay }) => [id, autopay]))
}

/** On which day autopay charges an open invoice; null where it does not. */
export const findAutopay = async (db: TenantDb, invoiceId: string): Promise<Day | null> =>
  (await listAutopay(db, [invoiceId])).get(invoiceId)?.chargeOn ?? null
