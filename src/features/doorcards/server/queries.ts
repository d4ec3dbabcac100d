import { sql } from 'kysely'
import { clock } from '../../../platform/clock.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { notFound } from '../../../shared/errors.ts'
import type { Door, Neighbors } from '../contract.ts'
import { doorsBeside, nearMeters, restDays } from '../rules.ts'

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

type Found = Omit<Door, 'askedAt' | 'meters'> & { meters: number | null }

/** Customers of before and leads that are open or lost, whose place is near; those with current work are none. */
const listKnown = async (db: TenantDb, { latitude, longitude }: Place): Promise<Found[]> => {
  if (latitude === null || longitude === null) return []
  const [north, east] = [nearMeters / 111_320, nearMeters / (111_320 * Math.cos((latitude * Math.PI) / 180))]
  const meters = (alias: string) =>
    sql`(111320 * sqrt(power(${sql.ref(`${alias}.latitude`)} - ${latitude}, 2) + power((${sql.ref(`${alias}.longitude`)} - ${longitude}) * cos(radians(${latitude})), 2)))::int`
  const near = (alias: string) =>
    sql`${sql.ref(`${alias}.latitude`)} between ${latitude - north} and ${latitude + north}
      and ${sql.ref(`${alias}.longitude`)} between ${longitude - east} and ${longitude + east}`
  const { rows } = await sql<Found>`
    select * from (
      select p.address_key as key, 'past' as kind, c.name, p.street, p.city, p.state, p.zip, ${meters('p')} as meters
      from properties p join customers c on c.business_id = p.business_id and c.id = p.customer_id
      where p.business_id = ${db.businessId} and p.archived_at is null and p.street <> '' and ${near('p')}
        and not exists (select 1 from jobs j where j.business_id = p.business_id and j.customer_id = c.id and j.status in ('draft', 'active', 'paused'))
        and (c.archived_at is not null or c.stage <> 'active')
      union all
      select l.address_key, 'lead', l.name, l.street, l.city, l.state, l.zip, ${meters('l')}
      from business_leads l
      where l.business_id = ${db.businessId} and l.customer_id is null and l.street <> '' and ${near('l')}
    ) found where meters <= ${nearMeters} order by meters, key limit 60`.execute(db)
  return rows
}

/** House numbers beside the stop, in the one form of an address. */
const listBeside = async (db: TenantDb, place: Place): Promise<Found[]> => {
  const streets = doorsBeside(place.street)
  if (streets.length === 0) return []
  const { rows } = await sql<{ key: string; street: string }>`
    select address_key(s.street, '', ${place.city}, ${place.zip}) as key, s.street
    from unnest(${streets}::text[]) with ordinality s(street, at) order by s.at`.execute(db)
  return rows.map(({ key, street }) => ({
    key,
    kind: 'beside',
    name: null,
    street,
    city: place.city,
    state: place.state,
    zip: place.zip,
    meters: null,
  }))
}

/** Doors near a stop: people we know first, then the house numbers beside it. Whom we work for is never among them. @throws not_found */
export const listNeighbors = async (db: TenantDb, propertyId: string): Promise<Neighbors> => {
  const place = await placeOf(db, propertyId)
  const known = await listKnown(db, place)
  const seen = new Set<string>()
  const all = [...known, ...(await listBeside(db, place))].filter(({ key }) => {
    if (key === '' || seen.has(key)) return false
    seen.add(key)
    return true
  })
  const keys = all.map(({ key }) => key)
  const ours = await db
    .selectFrom('properties')
    .innerJoin('customers', (join) =>
      join
        .onRef('customers.businessId', '=', 'properties.businessId')
        .onRef('customers.id', '=', 'properties.customerId'),
    )
    .select('properties.addressKey')
    .where('properties.businessId', '=', db.businessId)
    .where('properties.addressKey', 'in', keys.length ? keys : [''])
    .where('properties.archivedAt', 'is', null)
    .where('customers.archivedAt', 'is', null)
    .where('customers.stage', '=', 'active')
    .execute()
  const asked = await db
    .selectFrom('doorCardDoors')
    .select(['addressKey', (eb) => eb.fn.max('askedAt').as('askedAt')])
    .where('businessId', '=', db.businessId)
    .where('addressKey', 'in', keys.length ? keys : [''])
    .where('askedAt', '>', new Date(clock.nowMs() - restDays * 86_400_000).toISOString())
    .groupBy('addressKey')
    .execute()
  const served = new Set(ours.map(({ addressKey }) => addressKey))
  const at = new Map(asked.map(({ addressKey, askedAt }) => [addressKey, askedAt]))
  const page = await db
    .selectFrom('businesses')
    .select('publicPage')
    .where('businessId', '=', db.businessId)
    .executeTakeFirstOrThrow()
  return {
    street: place.street,
    pinned: place.latitude !== null,
    hasPage: page.publicPage,
    doors: all.filter(({ key }) => !served.has(key)).map((door) => ({ ...door, askedAt: at.get(door.key) ?? null })),
  }
}

/** The stop that a card's code stands for, in words, or null: a lead keeps it as where it came from. */
export const cardStopOf = async (db: TenantDb, ref: string): Promise<string | null> => {
  const [, code] = /^card-([a-z0-9]{8})$/.exec(ref.trim().toLowerCase()) ?? []
  if (!code) return null
  const row = await db
    .selectFrom('doorCards')
    .innerJoin('properties', (join) =>
      join
        .onRef('properties.businessId', '=', 'doorCards.businessId')
        .onRef('properties.id', '=', 'doorCards.propertyId'),
    )
    .select('properties.street')
    .where('doorCards.businessId', '=', db.businessId)
    .where('doorCards.code', '=', code)
    .executeTakeFirst()
  return row ? `Door card near ${row.street}` : null
}

/** What stands on the cards. @throws not_found */
export const readCards = async (db: TenantDb, id: string) => {
  const card = await db
    .selectFrom('doorCards')
    .innerJoin('properties', (join) =>
      join
        .onRef('properties.businessId', '=', 'doorCards.businessId')
        .onRef('properties.id', '=', 'doorCards.propertyId'),
    )
    .innerJoin('businesses', 'businesses.businessId', 'doorCards.businessId')
    .select([
      'doorCards.code',
      'doorCards.language',
      'doorCards.offer',
      'properties.street',
      'businesses.name',
      'businesses.phone',
      'businesses.slug',
      'businesses.brandColor',
    ])
    .where('doorCards.businessId', '=', db.businessId)
    .where('doorCards.id', '=', id)
    .executeTakeFirst()
  if (!card) throw notFound('card')
  const doors = await db
    .selectFrom('doorCardDoors')
    .select(['street', 'city'])
    .where('businessId', '=', db.businessId)
    .where('cardId', '=', id)
    .orderBy('position')
    .execute()
  return { ...card, doors }
}
