import { sql } from 'kysely'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import type { Day } from '../../../shared/dates.ts'
import { notFound } from '../../../shared/errors.ts'
import { todayOf } from '../../businesses/server/queries.ts'
import { readCrewDays } from '../../calendar/load/server/queries.ts'
import type { CrewNeighbors, CrewRoom } from '../contract.ts'
import { freeMinutesOf, mostNear } from '../rules.ts'
import { type Known, listAsked, listServed, nearPin } from './queries.ts'

/** Who lives near the stops of a crew whose day has room. */

/** Crews that work on a day, the one with the most time first; counted as the day board counts. */
export const listRooms = async (db: TenantDb, day: Day): Promise<{ crews: CrewRoom[] }> => {
  const { crews, crewDays } = await readCrewDays(db, day, day, await todayOf(db))
  const loads = new Map(crewDays.map((load) => [load.crewId, load]))
  return {
    crews: crews
      .flatMap(({ id, name, color }) => {
        const load = loads.get(id)
        return load?.works ? [{ id, name, color, stops: load.stops, freeMinutes: freeMinutesOf(load) }] : []
      })
      .sort((a, b) => b.freeMinutes - a.freeMinutes),
  }
}

type Stop = { id: string; street: string; latitude: number | null; longitude: number | null }

const stopsOf = async (db: TenantDb, crewId: string, day: Day): Promise<Stop[]> => {
  const { rows } = await sql<Stop>`
    select p.id, p.street, p.latitude, p.longitude
    from visits v join properties p on p.business_id = v.business_id and p.id = v.property_id
    where v.business_id = ${db.businessId} and v.crew_id = ${crewId} and v.day = ${day}
      and v.status not in ('canceled', 'skipped', 'missed', 'unscheduled')
    group by p.id, p.street, p.latitude, p.longitude order by min(v.position) nulls last, p.street, p.id limit 100`.execute(
    db,
  )
  return rows
}

/** People near the stops of a crew's day for whom nothing is booked, the nearest first, each once. @throws not_found */
export const listCrewNeighbors = async (db: TenantDb, crewId: string, day: Day): Promise<CrewNeighbors> => {
  const crew = await db
    .selectFrom('crews')
    .select('id')
    .where('businessId', '=', db.businessId)
    .where('id', '=', crewId)
    .executeTakeFirst()
  if (!crew) throw notFound('crew')
  const stops = await stopsOf(db, crewId, day)
  const near = nearPin(db, { latitude: sql<number>`s.latitude`, longitude: sql<number>`s.longitude` })
  const { rows } = await sql<Known & { stopStreet: string }>`
    select * from (
      select distinct on (coalesce(n.customer_id, n.lead_id)) n.*, s.street as stop_street
      from jsonb_to_recordset(${JSON.stringify(stops)}::jsonb) as s(street text, latitude double precision, longitude double precision)
        cross join lateral (${near}) n
      where s.latitude is not null
      order by coalesce(n.customer_id, n.lead_id), n.meters
    ) found order by meters, key limit ${mostNear}`.execute(db)
  const keys = [...new Set(rows.map(({ key }) => key))]
  const served = await listServed(db, keys)
  const asked = await listAsked(db, keys)
  return {
    stops: stops.map(({ id, street }) => ({ id, street })),
    people: rows
      .filter(({ key }) => !served.has(key))
      .map((person) => ({ ...person, askedAt: asked.get(person.key) ?? null })),
  }
}
