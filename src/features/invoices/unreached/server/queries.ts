import { type RawBuilder, sql } from 'kysely'
import type { TenantDb } from '../../../../platform/db/tenant.ts'

/** An invoice that was sent and never arrived, and whose it is. */
export type Unreached = { id: string; number: number; customer: { id: string; name: string } }

/** So many are named. */
export const mostNamed = 20

const find = async (db: TenantDb, which: RawBuilder<unknown>, limit: RawBuilder<unknown>) => {
  const { rows } = await sql<{ id: string; number: number; customerId: string; name: string; total: number }>`
    select i.id, i.number, i.customer_id, c.name, count(*) over ()::int as total
    from invoices i join customers c on c.business_id = i.business_id and c.id = i.customer_id
    cross join lateral (
      select bool_or(m.status in ('failed', 'suppressed') and m.created_at > coalesce(i.reminders_from, '-infinity')) as lost,
        bool_or(m.status not in ('failed', 'suppressed')) as reached
      from messages m where m.business_id = i.business_id and m.entity_type = 'invoice' and m.entity_id = i.id and m.direction = 'outbound') told
    where i.business_id = ${db.businessId} and ${which} and i.status in ('issued', 'partially_paid', 'paid')
      and i.viewed_at is null and i.printed_at is null and told.lost and not told.reached
    order by i.number ${limit}`.execute(db)
  return {
    items: rows.map(
      ({ id, number, customerId, name }): Unreached => ({ id, number, customer: { id: customerId, name } }),
    ),
    count: rows[0]?.total ?? 0,
  }
}

/**
 * Which of some invoices were sent and never arrived, by id: all that left came back or was refused since the office last said that it goes on,
 * nobody opened the page, and nobody printed it to hand it over.
 */
export const listUnreached = async (db: TenantDb, ids: readonly string[]): Promise<Map<string, Unreached>> =>
  new Map((await find(db, sql`i.id = any(${[...ids]}::uuid[])`, sql``)).items.map((one) => [one.id, one]))

/** Which invoices of a batch never arrived, the first ones, and how many they are. */
export const listUnreachedOfBatch = (db: TenantDb, batchId: string): Promise<{ items: Unreached[]; count: number }> =>
  find(db, sql`i.batch_id = ${batchId}`, sql`limit ${mostNamed}`)
