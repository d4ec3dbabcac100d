import { sql } from 'kysely'
import { type Actor, hasPermission } from '../../../platform/actor.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { type Day, dayOf } from '../../../shared/dates.ts'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { todayOf } from '../../businesses/server/queries.ts'
import { crewPresent } from '../../employees/staffing/server/queries.ts'
import { listPositions } from '../../positions/server/queries.ts'
import { shortName } from '../../visits/rules.ts'
import { listDayBoardTx, listDayStops } from '../../visits/server/queries.ts'
import type { LivePerson, LiveStop, liveboardApi } from '../contract.ts'
import { isOnClock, lastStop, personState, stopSince, stopState } from '../rules.ts'

type Row = Omit<LivePerson, 'state' | 'position'> & {
  crewId: string | null
  kind: 'work' | 'shop' | 'rain' | 'break' | null
  away: boolean
}

/** Who is on a crew that day or on the clock now, each once: with the crew of the day. */
type Someone = Omit<LivePerson, 'position'> & { crewId: string | null }

const peopleOf = async (db: TenantDb, day: Day): Promise<Someone[]> => {
  const { rows } = await sql<Row>`
    with clock as (
      select user_id, kind, started_at from time_entries where business_id = ${db.businessId} and ended_at is null
    ), team as (
      select distinct on (m.user_id) m.user_id, m.crew_id from crew_members m
      join crews c on c.business_id = m.business_id and c.id = m.crew_id and c.archived_at is null
      where m.business_id = ${db.businessId} and m.valid_from <= ${day}::date and (m.valid_to is null or m.valid_to >= ${day}::date)
      order by m.user_id, m.valid_from desc, m.crew_id
    )
    select u.id, u.name, t.crew_id as "crewId", coalesce(c.leader_user_id = u.id, false) as leads, k.kind, k.started_at as since,
      t.crew_id is not null and not exists (
        select 1 from ${crewPresent(db, sql.ref('t.crew_id'), day)} p where p.user_id = u.id) as away
    from users u
    left join team t on t.user_id = u.id
    left join crews c on c.business_id = u.business_id and c.id = t.crew_id
    left join clock k on k.user_id = u.id
    where u.business_id = ${db.businessId} and u.archived_at is null and u.status <> 'disabled' and (t.crew_id is not null or k.user_id is not null)
    order by leads desc, u.name, u.id limit 1000`.execute(db)
  return rows.map(({ kind, away, ...person }) => ({ ...person, state: personState(kind, away) }))
}

/** Where phones of today are, by person; of nobody for who may not see positions. */
const positionsOf = async (db: TenantDb, actor: Actor, day: Day): Promise<Map<string, LivePerson['position']>> => {
  if (!hasPermission(actor, 'team')) return new Map()
  const { items } = await listPositions(db)
  return new Map(
    items
      .filter(({ onClock, last }) => onClock && last !== null && dayOf(last.at, actor.timeZone) === day)
      .map(({ userId, last }) => [userId, last]),
  )
}

/** When crews paused, by the tap of the phone that did. */
const pausesOf = async (db: TenantDb, visitIds: readonly string[]): Promise<Map<string, string>> => {
  if (visitIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('crewCommands')
    .select(['visitId', (eb) => eb.fn.max('happenedAt').as('at')])
    .where('businessId', '=', db.businessId)
    .where('visitId', 'in', [...visitIds])
    .where('type', '=', 'pause')
    .where('result', '=', 'applied')
    .groupBy('visitId')
    .execute()
  return new Map(rows.flatMap(({ visitId, at }) => (visitId && at ? [[visitId, at] as const] : [])))
}

/** The board of this moment: every crew with its people and stops. */
export const getLiveBoard = async (db: TenantDb, actor: Actor): Promise<ResponseOf<typeof liveboardApi.now>> => {
  const day = await todayOf(db)
  const [boards, found] = [await listDayBoardTx(db, day), await listDayStops(db, day)]
  const [known, seen] = [await peopleOf(db, day), await positionsOf(db, actor, day)]
  const pauses = await pausesOf(
    db,
    found.filter(({ status }) => status === 'paused').map(({ visitId }) => visitId),
  )
  const people = known.map((person) => ({
    ...person,
    position: (isOnClock(person.state) ? seen.get(person.id) : null) ?? null,
  }))
  const stopsOf = (crewId: string): LiveStop[] =>
    found
      .filter((stop) => stop.crewId === crewId)
      .flatMap((stop) => {
        const state = stopState(stop.status)
        return state === null ? [] : [{ ...stop, state }]
      })
      .map((stop, at) => ({
        visitId: stop.visitId,
        number: at + 1,
        street: stop.street,
        customer: shortName(stop.customerName, stop.customerCompany),
        state: stop.state,
        since: stopSince(stop.state, { ...stop, pausedAt: pauses.get(stop.visitId) ?? null }),
        latitude: stop.latitude,
        longitude: stop.longitude,
      }))
  const shown = new Set(boards.map(({ crewId }) => crewId))
  return {
    day,
    crews: boards.map(({ crewId, name, color, backAtMinute }) => {
      const own = people.filter((person) => person.crewId === crewId)
      const stops = stopsOf(crewId)
      const isLost = own.some(({ state }) => isOnClock(state)) && own.every(({ position }) => position === null)
      return {
        id: crewId,
        name,
        color,
        backAtMinute,
        people: own,
        stops,
        lastKnownVisitId: isLost ? (lastStop(stops)?.visitId ?? null) : null,
      }
    }),
    others: people.filter(({ crewId }) => crewId === null || !shown.has(crewId)),
  }
}
