import { sql } from 'kysely'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import type { Day } from '../../../../shared/dates.ts'

type Owed = { openCents: number; overdueCents: number; pendingCents: number; pendingOverdueCents: number }

/**
 * What is open on a customer's invoices, what of it is past its due day, and what of both is on its way from a bank: the one source of these sums for one
 * customer, whoever shows them. In cents.
 */
export const sumOwed = async (db: TenantDb, customerId: string, today: Day): Promise<Owed> => {
  const { rows } = await sql<Owed>`
    select coalesce(sum(total_cents - paid_cents), 0)::int8 as open_cents,
      coalesce(sum(total_cents - paid_cents) filter (where due_on < ${today}), 0)::int8 as overdue_cents,
      coalesce(sum(pending_cents), 0)::int8 as pending_cents,
      coalesce(sum(pending_cents) filter (where due_on < ${today}), 0)::int8 as pending_overdue_cents
    from invoices where business_id = ${db.businessId} and customer_id = ${customerId} and status in ('issued', 'partially_paid')`.execute(
    db,
  )
  const [row] = rows
  return {
    openCents: Number(row?.openCents ?? 0),
    overdueCents: Number(row?.overdueCents ?? 0),
    pendingCents: Number(row?.pendingCents ?? 0),
    pendingOverdueCents: Number(row?.pendingOverdueCents ?? 0),
  }
}
