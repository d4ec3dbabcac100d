import { type RawBuilder, sql } from 'kysely'
import type { TenantDb } from '../../../../platform/db/tenant.ts'

/** An invoice that was sent and never arrived, and whose it is. */
export type Unreached = { id: string; number: number; customer: { id: string; name: string } }

/** So many are named. */
export const mostNamed = 20

/** What left for a customer about an invoice `i`, and nothing else. */
const messagesOf = sql`messages m where m.business_id = i.business_id and m.entity_type = 'invoice' and m.entity_id = i.id and m.direction = 'outbound'`

/** Which invoices of a batch never arrived, the first ones, and how many they are. */
export const listUnreachedOfBatch = async (
  db: TenantDb,
  batchId: string,
): Promise<{ items: Unreached[]; count: number }> => {
  const { rows } = await sql<{ id: string; number: number; customerId: string; name: string; total: number }>`
    select i.id, i.number, i.customer_id, c.name, count(*) over ()::int as total
    from invoices i join customers c on c.business_id = i.business_id and c.id = i.customer_id
    cross join lateral (
      select bool_or(m.status in ('failed', 'suppressed') and m.created_at > coalesce(i.reminders_from, '-infinity')) as lost,
        bool_or(m.status not in ('failed', 'suppressed', 'unknown')) as left_again
      from ${messagesOf}) told
    where i.business_id = ${db.businessId} and i.batch_id = ${batchId} and i.status in ('issued', 'partially_paid', 'paid')
      and i.viewed_at is null and i.printed_at is null and told.lost and not told.left_again
    order by i.number limit ${mostNamed}`.execute(db)
  return {
    items: rows.map(({ id, number, customerId, name }) => ({ id, number, customer: { id: customerId, name } })),
    count: rows[0]?.total ?? 0,
  }
}

/**
 * What is known of whether an invoice is with its customer:
 * `reached` it was taken by their mailbox or phone, they opened its page, or somebody printed it to hand it over;
 * `lost` all that left came back or was refused since the office last said that it goes on;
 * `unknown` contact was lost while it was sent, and nobody knows yet;
 * `waiting` it has not left yet;
 * `never` nothing was sent, or the office said that it goes on.
 */
export type ReachState = 'reached' | 'lost' | 'unknown' | 'waiting' | 'never'
export type Reach = {
  id: string
  customerName: string
  state: ReachState
  /** When it first reached them, as far as anybody knows. */
  reachedAt: string | null
  /** Something that was sent before then came back. */
  lostBefore: boolean
}

/** How some invoices reached their customers, by id. A message whose end nobody knows has reached nobody. */
export const listReach = async (db: TenantDb, ids: readonly string[]): Promise<Map<string, Reach>> => {
  const since: RawBuilder<unknown> = sql`m.created_at > coalesce(i.reminders_from, '-infinity')`
  const { rows } = await sql<Reach>`
    select i.id, c.name as customer_name, first.at as reached_at,
      case when first.at is not null then 'reached' when told.waits then 'waiting' when told.lost then 'lost'
        when told.unknown then 'unknown' else 'never' end as state,
      coalesce(first.at > told.lost_at, false) as lost_before
    from invoices i join customers c on c.business_id = i.business_id and c.id = i.customer_id
    cross join lateral (
      select min(coalesce(m.sent_at, m.delivered_at, m.created_at)) filter (where m.status in ('sent', 'delivered')) as arrived_at,
        min(m.created_at) filter (where m.status in ('failed', 'suppressed')) as lost_at,
        bool_or(m.status in ('failed', 'suppressed') and ${since}) as lost,
        bool_or(m.status = 'unknown' and ${since}) as unknown,
        bool_or(m.status in ('pending', 'held', 'sending')) as waits
      from ${messagesOf}) told
    cross join lateral (select least(told.arrived_at, i.viewed_at, i.printed_at) as at) first
    where i.business_id = ${db.businessId} and i.id = any(${[...ids]}::uuid[])`.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}
