import { sql } from 'kysely'
import type { TenantDb } from '../../../../platform/db/tenant.ts'

/** What some customers have been brought in with, in cents; who has nothing, or only what was voided, is not named. */
export const listOpeningBalances = async (
  db: TenantDb,
  customerIds: readonly string[],
): Promise<Map<string, number>> => {
  if (customerIds.length === 0) return new Map()
  const { rows } = await sql<{ customerId: string; cents: number }>`
    select customer_id, sum(total_cents)::float8 as cents from invoices
    where business_id = ${db.businessId} and customer_id = any(${[...customerIds]}::uuid[]) and opening_from is not null and status <> 'void'
    group by customer_id`.execute(db)
  return new Map(rows.map(({ customerId, cents }) => [customerId, cents]))
}
