import { type RawBuilder, sql } from 'kysely'
import { clock } from '../../../platform/clock.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { notFound } from '../../../shared/errors.ts'
import type { Door, Neighbors } from '../contract.ts'
import { buildingOf, doorsBeside, nearMeters, restDays } from '../rules.ts'

type Place = {
  street: string
  city: string
  state: string
  zip: string
  latitude: number | null
  longitude: number | null
}

const placeOf = async (db: TenantDb, propertyId: string): Promise<Place> => {
  const row = await db
    .selectFrom('properties')
    .select(['street', 'city', 'state', 'zip', 'latitude', 'longitude'])
    .where('businessId', '=', db.businessId)
    .where('id', '=', propertyId)
    .executeTakeFirst()
  if (!row) throw notFound('property')
  return row
}

type Found = Omit<Door, 'askedAt'>
/** Somebody known: a customer or a lead. */
export type Known = Found & {
  kind: 'past' | 'lead'
  name: string
  meters: number
  customerId: string | null
  leadId: string | null
  archived: boolean
}
type Pin = { latitude: RawBuilder<number>; longitude: RawBuilder<number> }

const metersNorth = 111_320

/**
 * Customers of before, and leads that are open or lost, within reach of a pin, the nearest first; those with current work are none. The box
 * around the pin is read by an index, the distance is counted for what stands in it.
 */
export const nearPin = (db: TenantDb, { latitude, longitude }: Pin): RawBuilder<Known> => {
  const north = nearMeters / metersNorth
  const east = sql`${north} / cos(radians(${latitude}))`
  const inBox = (
    alias: 'p' | 'l',
  ) => sql`${sql.ref(`${alias}.latitude`)} between ${latitude} - ${north} and ${latitude} + ${north}
    and ${sql.ref(`${alias}.longitude`)} between ${longitude} - ${east} and ${longitude} + ${east}`
  const meters = (alias: 'p' | 'l') =>
    sql`(${metersNorth} * sqrt(power(${sql.ref(`${alias}.latitude`)} - ${latitude}, 2) + power((${sql.ref(`${alias}.longitude`)} - ${longitude}) * cos(radians(${latitude})), 2)))::int`
  const building = (alias: 'p' | 'l') =>
    sql`address_key(${sql.ref(`${alias}.street`)}, '', ${sql.ref(`${alias}.city`)}, ${sql.ref(`${alias}.zip`)})`
  return sql<Known>`
    select * from (
      select ${building('p')} as key, 'past' as kind, c.name, p.street, p.city, p.state, p.zip, ${meters('p')} as meters,
        c.id as customer_id, null::uuid as lead_id, c.archived_at is not null as archived
      from properties p join customers c on c.business_id = p.business_id and c.id = p.customer_id
      where p.business_id = ${db.businessId} and p.archived_at is null and p.latitude is not null and p.street <> '' and ${inBox('p')}
        and not exists (select 1 from jobs j where j.business_id = p.business_id and j.customer_id = c.id and j.status in ('draft', 'active', 'paused'))
        and (c.archived_at is not null or c.stage <> 'active')
      union all
      select ${building('l')}, 'lead', l.name, l.street, l.city, l.state, l.zip, ${meters('l')}, null, l.id, false
      from business_leads l
      where l.business_id = ${db.businessId} and l.customer_id is null and l.latitude is not null and l.street <> '' and ${inBox('l')}
    ) found where meters <= ${nearMeters} order by meters, key limit 60`
}

/** A place that is known, as a pin of its own. */
export const pinAt = (latitude: number, longitude: number): Pin => ({
  latitude: sql<number>`${latitude}::double precision`,
  longitude: sql<number>`${longitude}::double precision`,
})

const listKnown = async (db: TenantDb, { latitude, longitude }: Place): Promise<Found[]> =>
  latitude === null || longitude === null ? [] : (await nearPin(db, pinAt(latitude, longitude)).execute(db)).rows

/** House numbers beside the stop, in the one form of an address. */
const listBeside = async (db: TenantDb, { street, city, state, zip }: Place): Promise<Found[]> => {
  const streets = doorsBeside(street)
  if (streets.length === 0) return []
  const { rows } = await sql<{ key: string; street: string }>`
    select address_key(s.street, '', ${city}, ${zip}) as key, s.street
    from unnest(${streets}::text[]) with ordinality s(street, at) order by s.at`.execute(db)
  return rows.map((door) => ({ ...door, kind: 'beside', name: null, city, state, zip, meters: null }))
}

/** Of buildings those with a customer of now, in whatever unit: nobody hangs a card where the crew mows next door's half. */
export const listServed = async (db: TenantDb, keys: readonly string[]): Promise<Set<string>> => {
  const asked = keys.map((key) => ({ key, ...buildingOf(key) }))
  const { rows } = await sql<{ key: string }>`
    select k.key from jsonb_to_recordset(${JSON.stringify(asked)}::jsonb) as k(key text, street text, area text)
    where exists (
      select 1 from properties p join customers c on c.business_id = p.business_id and c.id = p.customer_id
      where p.business_id = ${db.businessId} and p.archived_at is null and c.archived_at is null and c.stage = 'active'
        and (p.address_key = k.key or (p.address_key ~>=~ (k.street || ' ') and p.address_key ~<~ (k.street || '!')
          and split_part(p.address_key, '|', 2) = k.area)))`.execute(db)
  return new Set(rows.map(({ key }) => key))
}

/** When doors got a card that was not taken back, as far as it is so short ago that they are left in peace. */
export const listAsked = async (db: TenantDb, keys: readonly string[]): Promise<Map<string, string>> => {
  if (keys.length === 0) return new Map()
  const rows = await db
    .selectFrom('doorCardDoors as d')
    .innerJoin('doorCards as c', (join) =>
      join.onRef('c.businessId', '=', 'd.businessId').onRef('c.id', '=', 'd.cardId'),
    )
    .select(['d.addressKey', (eb) => eb.fn.max('d.askedAt').as('askedAt')])
    .where('d.businessId', '=', db.businessId)
    .where('d.addressKey', 'in', keys)
    .where('d.askedAt', '>', new Date(clock.nowMs() - restDays * 86_400_000).toISOString())
    .where('c.undoneAt', 'is', null)
    .groupBy('d.addressKey')
    .execute()
  return new Map(rows.map(({ addressKey, askedAt }) => [addressKey ?? '', askedAt]))
}

const hasPage = async (db: TenantDb): Promise<boolean> => {
  const { publicPage } = await db
    .selectFrom('businesses')
    .select('publicPage')
    .where('businessId', '=', db.businessId)
    .executeTakeFirstOrThrow()
  return publicPage
}

/** A building stands once in a list, as whoever comes first. */
const once = (found: readonly Found[]): Found[] => {
  const seen = new Set([''])
  return found.filter(({ key }) => !seen.has(key) && seen.add(key))
}

/** Doors near a stop: people we know first, then the house numbers beside it. Whom we work for is never among them. @throws not_found */
export const listNeighbors = async (db: TenantDb, propertyId: string): Promise<Neighbors> => {
  const place = await placeOf(db, propertyId)
  const found = once([...(await listKnown(db, place)), ...(await listBeside(db, place))])
  const keys = found.map(({ key }) => key)
  const served = await listServed(db, keys)
  const asked = await listAsked(db, keys)
  return {
    street: place.street,
    pinned: place.latitude !== null,
    hasPage: await hasPage(db),
    doors: found
      .filter(({ key }) => !served.has(key))
      .map((door) => ({ ...door, askedAt: asked.get(door.key) ?? null })),
  }
}

export { cardStopOf } from './batches.ts'
