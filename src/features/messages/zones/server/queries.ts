import { sql } from 'kysely'
import { clock } from '../../../../platform/clock.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import type { Purpose, QuietHours } from '../../rules.ts'
import { type Home, homesAt, quietAtHome } from '../rules.ts'

/** Of so many of a customer's properties: who has more of them is a company, and these tell its hours. */
const mostPlaces = 10

/** Where each of these customers has land, as far as it is on the map. */
export const homesOf = async (db: TenantDb, customerIds: readonly string[]): Promise<Map<string, Home[]>> => {
  if (customerIds.length === 0) return new Map()
  const { rows } = await sql<{ id: string; places: { latitude: number; longitude: number; state: string }[] }>`
    select c.id, p.places from unnest(${[...new Set(customerIds)]}::uuid[]) as c(id)
    cross join lateral (
      select json_agg(json_build_object('latitude', o.latitude, 'longitude', o.longitude, 'state', o.state)) as places from (
        select latitude, longitude, state from properties
        where business_id = ${db.businessId} and customer_id = c.id and archived_at is null and latitude is not null
        order by id limit ${mostPlaces}) o) p
    where p.places is not null`.execute(db)
  return new Map(rows.map(({ id, places }) => [id, homesAt(places)]))
}

/** Where the house of a lead stands, as far as it is on the map. */
export const homesOfLead = async (db: TenantDb, leadId: string): Promise<Home[]> => {
  const lead = await db
    .selectFrom('businessLeads')
    .select(['latitude', 'longitude', 'state'])
    .where('businessId', '=', db.businessId)
    .where('id', '=', leadId)
    .executeTakeFirst()
  return lead && lead.latitude !== null && lead.longitude !== null
    ? homesAt([{ latitude: lead.latitude, longitude: lead.longitude, state: lead.state }])
    : []
}

/** Until when it is quiet where a customer lives; null where a text may leave now. @param settings of the business, whose zone holds where no place is known */
export const quietOf = async (
  db: TenantDb,
  purpose: Purpose,
  customerId: string,
  { timeZone, quiet }: { timeZone: string; quiet: QuietHours },
): Promise<string | null> =>
  quietAtHome(purpose, clock.now(), (await homesOf(db, [customerId])).get(customerId) ?? [], timeZone, quiet)
