import { type Insertable, sql } from 'kysely'
import { inPieces } from '../../../../platform/db/rows.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import type { PriceChangeLines } from '../../../../platform/db/types.generated.ts'

/** New work that knows a price which only begins: it belongs to that change of the book, so that taking the change back reaches it. */
export const joinPriceChangesTx = async (db: TenantDb, jobIds: readonly string[]): Promise<void> => {
  const { rows } = await sql<Insertable<PriceChangeLines>>`
    select distinct on (l.id, step.from_on) l.business_id, r.change_id, l.id as job_line_id,
      line_price_on(l.unit_price_cents, l.next_unit_price_cents, l.next_price_on, l.later_prices, step.from_on - 1) as before_cents,
      step.cents as after_cents
    from job_lines l
    cross join lateral (select l.next_price_on as from_on, l.next_unit_price_cents as cents
      union all select (s->>'on')::date, (s->>'cents')::integer from jsonb_array_elements(l.later_prices) s) step
    join service_prices r on r.business_id = l.business_id and r.service_id = l.service_id and r.from_on = step.from_on
      and r.undone_at is null and r.change_id is not null
    where l.business_id = ${db.businessId} and l.job_id = any(${[...jobIds]}::uuid[]) and l.next_price_on is not null
    order by l.id, step.from_on, r.number desc`.execute(db)
  for (const some of inPieces(rows))
    await db
      .insertInto('priceChangeLines')
      .values(some)
      .onConflict((on) => on.doNothing())
      .execute()
}
