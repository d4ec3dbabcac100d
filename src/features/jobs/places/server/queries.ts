import { sql } from 'kysely'
import type { z } from 'zod'
import { containing } from '../../../../platform/db/like.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { bedSquareFeetOf, edgeFeetOf } from '../../../customers/areas/server/queries.ts'
import type { jobsApi } from '../../contract.ts'

type Place = z.output<(typeof jobsApi)['places']['response']>['items'][number]

/** Properties to book work at, by words in customer or address. */
export const listPlaces = async (
  db: TenantDb,
  query: { q?: string | undefined; propertyId?: string | undefined; customerId?: string | undefined; limit: number },
): Promise<Place[]> => {
  const words = (query.q ?? '').split(/\s+/).filter(Boolean)
  const matches = words.map(
    (word) =>
      sql`(c.name ilike ${containing(word)} or c.company ilike ${containing(word)} or p.street ilike ${containing(word)} or p.city ilike ${containing(word)})`,
  )
  const { rows } = await sql<Place>`
    select p.id as property_id, p.customer_id, c.name as customer_name, p.street, p.city, p.lawn_square_feet, ${bedSquareFeetOf('p')} as bed_square_feet, ${edgeFeetOf('p')} as edge_feet, p.difficulty,
      (p.latitude is not null and p.longitude is not null) as has_pin,
      array(select distinct l.service_id from jobs j join job_lines l on l.business_id = j.business_id and l.job_id = j.id
        where j.business_id = p.business_id and j.property_id = p.id and j.archived_at is null and l.archived_at is null
        and j.status in ('draft', 'active', 'paused')) as service_ids
    from properties p join customers c on c.business_id = p.business_id and c.id = p.customer_id
    where p.business_id = ${db.businessId} and p.archived_at is null and c.archived_at is null
      ${query.propertyId ? sql`and p.id = ${query.propertyId}` : sql``}
      ${query.customerId ? sql`and p.customer_id = ${query.customerId}` : sql``}
      ${matches.length > 0 ? sql`and ${sql.join(matches, sql` and `)}` : sql``}
    order by lower(c.name), c.id, p.id limit ${query.limit}`.execute(db)
  return rows
}
