import { sql } from 'kysely'
import type { TenantDb } from '../../../../platform/db/tenant.ts'

/** New work that knows a price which only begins: it belongs to that change of the book, so that taking the change back reaches it. */
export const joinPriceChangesTx = async (db: TenantDb, jobIds: readonly string[]): Promise<void> => {
  await sql`insert into price_change_lines (business_id, change_id, job_line_id, before_cents, after_cents)
    select distinct on (l.id, step.from_on) l.business_id, r.change_id, l.id,
      line_price_on(l.unit_price_cents, l.next_unit_price_cents, l.next_price_on, l.later_prices, step.from_on - 1), step.cents
    from job_lines l
    cross join lateral (select l.next_price_on as from_on, l.next_unit_price_cents as cents
      union all select (s->>'on')::date, (s->>'cents')::integer from jsonb_array_elements(l.later_prices) s) step
    join service_prices r on r.business_id = l.business_id and r.service_id = l.service_id and r.from_on = step.from_on
      and r.undone_at is null and r.change_id is not null
    where l.business_id = ${db.businessId} and l.job_id = any(${[...jobIds]}::uuid[]) and l.next_price_on is not null
    order by l.id, step.from_on, r.number desc on conflict do nothing`.execute(db)
}
