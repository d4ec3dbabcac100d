import { sql } from 'kysely'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import type { Day } from '../../../../shared/dates.ts'
import { todayOf } from '../../../businesses/server/queries.ts'
import { bedSquareFeetOf, edgeFeetOf, listAreaSizes } from '../../../customers/areas/server/queries.ts'
import type { Sizes } from '../../../services/measures/rules.ts'
import { listServiceNames } from '../../../services/server/queries.ts'
import type { QuoteContent } from '../../contract.ts'
import type { QuoteStatus } from '../../rules.ts'
import type { CrewQuote } from '../contract.ts'

type Place = Sizes & { propertyId: string; street: string; city: string }

/** Where somebody works today, as their crew was told. */
const listPlaces = async (db: TenantDb, userId: string): Promise<Place[]> => {
  const day = await todayOf(db)
  const { rows } = await sql<Place>`
    select distinct p.id as "propertyId", p.street, p.city, p.lawn_square_feet as "lawnSquareFeet",
      ${bedSquareFeetOf('p')} as "bedSquareFeet", ${edgeFeetOf('p')} as "edgeFeet"
    from visits v
    join crew_members m on m.business_id = v.business_id and m.crew_id = coalesce(v.published_crew_id, v.crew_id)
    join properties p on p.business_id = v.business_id and p.id = v.property_id
    where v.business_id = ${db.businessId} and m.user_id = ${userId} and coalesce(v.published_day, v.day) = ${day} and v.status <> 'canceled'
      and m.valid_from <= ${day} and (m.valid_to is null or m.valid_to >= ${day})
    order by p.street, p.id limit 80`.execute(db)
  return rows
}

/** Whether somebody, or a crew that they are in, worked at a place within a month of a day: a stop that changed crews meanwhile is among them. */
export const workedAround = async (
  db: TenantDb,
  propertyId: string,
  { userId, day }: { userId: string; day: Day },
): Promise<boolean> => {
  const { rows } = await sql`
    select 1 from visits v where v.business_id = ${db.businessId} and v.property_id = ${propertyId}
      and (v.day between ${day}::date - 31 and ${day}::date + 31 or v.published_day between ${day}::date - 31 and ${day}::date + 31)
      and (exists (select 1 from crew_members m where m.business_id = v.business_id and m.crew_id in (v.published_crew_id, v.crew_id)
          and m.user_id = ${userId})
        or exists (select 1 from crew_commands k where k.business_id = v.business_id and k.visit_id = v.id and k.user_id = ${userId}))
    limit 1`.execute(db)
  return rows.length > 0
}

const rowsOf = (db: TenantDb, userId: string) =>
  db
    .selectFrom('quotes as q')
    .innerJoin('properties as p', (x) =>
      x.onRef('p.businessId', '=', 'q.businessId').onRef('p.id', '=', 'q.propertyId'),
    )
    .where('q.businessId', '=', db.businessId)
    .where('q.createdBy', '=', userId)
    .where('q.isCrewDraft', '=', true)
    .select(['q.id', 'q.number', 'q.status', 'q.content', 'q.createdAt', 'p.street'])

type Row = Awaited<ReturnType<ReturnType<typeof rowsOf>['executeTakeFirstOrThrow']>>

/** Spanish names of services by their English ones: a line that the office called otherwise keeps its own words. */
const spanishOf = async (db: TenantDb): Promise<(line: { serviceId: string; name: string }) => string | undefined> => {
  const rows = await db
    .selectFrom('services')
    .select(['id', 'name', 'nameEs'])
    .where('businessId', '=', db.businessId)
    .where('nameEs', '!=', '')
    .execute()
  const names = new Map(rows.map(({ id, name, nameEs }) => [`${id} ${name}`, nameEs]))
  return ({ serviceId, name }) => names.get(`${serviceId} ${name}`)
}
type Spanish = Awaited<ReturnType<typeof spanishOf>>

const quoteOf = ({ content, ...row }: Row, spanish: Spanish): CrewQuote => {
  const { lines } = content as unknown as QuoteContent
  return {
    ...row,
    status: row.status as QuoteStatus,
    services: lines.map(({ name }) => name),
    ...(lines.some(spanish) ? { servicesEs: lines.map((line) => spanish(line) ?? line.name) } : {}),
  }
}

export const getCrewQuotes = async (db: TenantDb, userId: string) => {
  const places = await listPlaces(db, userId)
  const areas = await listAreaSizes(
    db,
    places.map(({ propertyId }) => propertyId),
  )
  const items = await rowsOf(db, userId).orderBy('q.number', 'desc').limit(20).execute()
  const spanish = await spanishOf(db)
  return {
    places: places.map((place) => ({ ...place, areas: areas.get(place.propertyId) ?? [] })),
    services: (await listServiceNames(db)).map(({ id, name, measuredBy }) => {
      const nameEs = spanish({ serviceId: id, name })
      return { id, name, ...(nameEs ? { nameEs } : {}), measuredBy }
    }),
    items: items.map((row) => quoteOf(row, spanish)),
  }
}

export const getCrewQuote = async (db: TenantDb, userId: string, id: string): Promise<CrewQuote> =>
  quoteOf(await rowsOf(db, userId).where('q.id', '=', id).executeTakeFirstOrThrow(), await spanishOf(db))
