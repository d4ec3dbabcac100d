import { sql } from 'kysely'
import type { TenantDb } from '../../../platform/db/tenant.ts'

/** What the list of customers can be narrowed to, each with how many live customers have it. */
export const listFacets = async (db: TenantDb) => {
  type Facet = { value: string; count: number }
  const tags = await sql<Facet>`
    select t.value, count(*)::int as count from customers c cross join unnest(c.tags) as t(value)
    where c.business_id = ${db.businessId} and c.archived_at is null group by 1 order by lower(t.value) limit 500`.execute(
    db,
  )
  const places = async (column: 'city' | 'zip') =>
    (
      await sql<Facet>`
        select ${column === 'zip' ? sql`left(p.zip, 5)` : sql`min(p.city)`} as value, count(distinct p.customer_id)::int as count
        from properties p join customers c on c.business_id = p.business_id and c.id = p.customer_id
        where p.business_id = ${db.businessId} and p.archived_at is null and c.archived_at is null and ${sql.ref(`p.${column}`)} <> ''
        group by ${column === 'zip' ? sql`left(p.zip, 5)` : sql`lower(p.city)`} order by 1 limit 500`.execute(db)
    ).rows
  const sources = await sql<Facet>`
    select c.source as value, count(*)::int as count from customers c
    where c.business_id = ${db.businessId} and c.archived_at is null and c.source <> '' group by 1 order by 2 desc, 1 limit 100`.execute(
    db,
  )
  return { sources: sources.rows, tags: tags.rows, cities: await places('city'), zips: await places('zip') }
}
