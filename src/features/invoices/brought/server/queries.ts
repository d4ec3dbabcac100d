import { type RawBuilder, sql } from 'kysely'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import type { Day } from '../../../../shared/dates.ts'

/**
 * What groups of customers were billed from a moment of each on, between two days that both count, without tax: issued invoices less the credit given on them. Voided
 * ones, late fees and balances that were brought in from another program are none of it. Reads the invoices of these customers in these days,
 * however many there were before.
 * @param people rows of `customer_id uuid, in_group text, from_at timestamptz`: what was issued before that moment does not count, also on its day;
 *   nothing does where it is null
 * @returns cents by group; a group that was billed nothing is not in it
 */
export const sumBilledBetween = async (
  db: TenantDb,
  people: RawBuilder<unknown>,
  { fromOn, untilOn }: { fromOn: Day; untilOn: Day },
): Promise<Map<string, number>> => {
  const { rows } = await sql<{ inGroup: string; cents: number }>`
    select p.in_group, sum(i.total_cents - i.tax_cents - coalesce((select sum(n.net_cents) from credit_notes n
      where n.business_id = i.business_id and n.invoice_id = i.id), 0))::float8 as cents
    from (${people}) as p (customer_id, in_group, from_at)
    join invoices i on i.business_id = ${db.businessId} and i.customer_id = p.customer_id
      and i.issue_on between ${fromOn}::date and ${untilOn}::date
    join ledger_entries l on l.business_id = i.business_id and l.kind = 'invoice' and l.ref_type = 'invoice' and l.ref_id = i.id
      and l.created_at >= p.from_at
    where i.status not in ('draft', 'void') and i.opening_from is null
      and not exists (select 1 from late_fees f where f.business_id = i.business_id and f.fee_invoice_id = i.id)
    group by 1`.execute(db)
  return new Map(rows.map(({ inGroup, cents }) => [inGroup, Math.round(cents)]))
}
