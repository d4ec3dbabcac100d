import { sql } from 'kysely'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import type { Day } from '../../../../shared/dates.ts'

const atOnce = 5_000

/**
 * What customers were billed from a day on, within so many days, without tax: issued invoices less the credit given on them. Voided ones, late fees
 * and balances that were brought in from another program are none of it. Reads the invoices of these customers in these days, however many there were before.
 * @returns cents by customer; who was billed nothing is not in it
 */
export const sumBilledWithin = async (
  db: TenantDb,
  windows: readonly { customerId: string; fromOn: Day }[],
  days: number,
): Promise<Map<string, number>> => {
  const found = new Map<string, number>()
  for (let at = 0; at < windows.length; at += atOnce) {
    const { rows } = await sql<{ customerId: string; cents: number }>`
      select w.customer_id, sum(i.total_cents - i.tax_cents - coalesce((select sum(n.net_cents) from credit_notes n
        where n.business_id = i.business_id and n.invoice_id = i.id), 0))::float8 as cents
      from jsonb_to_recordset(${JSON.stringify(
        windows.slice(at, at + atOnce).map(({ customerId, fromOn }) => ({ customer_id: customerId, from_on: fromOn })),
      )}::jsonb) as w(customer_id uuid, from_on date)
      join invoices i on i.business_id = ${db.businessId} and i.customer_id = w.customer_id
        and i.issue_on between w.from_on and w.from_on + ${days}::int
      where i.status not in ('draft', 'void') and i.opening_from is null
        and not exists (select 1 from late_fees f where f.business_id = i.business_id and f.fee_invoice_id = i.id)
      group by 1`.execute(db)
    for (const { customerId, cents } of rows) found.set(customerId, (found.get(customerId) ?? 0) + Math.round(cents))
  }
  return found
}
