import { sql } from 'kysely'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import type { Day } from '../../../../shared/dates.ts'

/**
 * What is open on a customer's invoices, and what of it is past its due day: the one source of these sums for one customer, whoever shows them.
 * In cents.
 */
export const sumOwed = async (
  db: TenantDb,
  customerId: string,
  today: Day,
): Promise<{ openCents: number; overdueCents: number }> => {
  const { rows } = await sql<{ openCents: number; overdueCents: number }>`
    select coalesce(sum(total_cents - paid_cents), 0)::int8 as open_cents,
      coalesce(sum(total_cents - paid_cents) filter (where due_on < ${today}), 0)::int8 as overdue_cents
    from invoices where business_id = ${db.businessId} and customer_id = ${customerId} and status in ('issued', 'partially_paid')`.execute(
    db,
  )
  return { openCents: Number(rows[0]?.openCents ?? 0), overdueCents: Number(rows[0]?.overdueCents ?? 0) }
}
