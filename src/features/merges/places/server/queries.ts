import { sql } from 'kysely'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { getContact } from '../../../customers/server/queries.ts'
import type { Place } from '../contract.ts'

/** A person looks at them one by one. */
const most = 10

type Row = Place & { key: string }

/** Properties of a customer that are one address, each pair once: the one with more work first, else the older. @throws not_found */
export const listSamePlaces = async (db: TenantDb, customerId: string): Promise<{ kept: Place; gone: Place }[]> => {
  await getContact(db, customerId)
  const { rows } = await sql<Row>`
    with same as (
      select p.*, count(*) over (partition by p.address_key) as times from properties p
      where p.business_id = ${db.businessId} and p.customer_id = ${customerId} and p.archived_at is null and p.address_key is not null)
    select s.address_key as key, s.id, s.street, s.unit, s.city, s.version, s.lawn_square_feet, s.difficulty,
      (select count(*)::int from property_areas a where a.business_id = s.business_id and a.property_id = s.id) as areas,
      (select count(*)::int from jobs j where j.business_id = s.business_id and j.property_id = s.id) as jobs,
      (select count(*)::int from (select 1 from visits v where v.business_id = s.business_id and v.property_id = s.id limit 1000) m) as visits
    from same s where s.times > 1 order by s.address_key, jobs desc, visits desc, s.created_at, s.id limit ${2 * most}`.execute(
    db,
  )
  return [...Map.groupBy(rows, ({ key }) => key).values()].flatMap(([kept, gone]) => {
    if (!kept || !gone) return []
    const [{ key: _, ...first }, { key: __, ...second }] = [kept, gone]
    return [{ kept: first, gone: second }]
  })
}
