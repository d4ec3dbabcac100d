import { sql } from 'kysely'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import type { Day } from '../../../shared/dates.ts'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { todayOf } from '../../businesses/server/queries.ts'
import { shortName } from '../../visits/rules.ts'
import { listDayBoardTx, listDayStops } from '../../visits/server/queries.ts'
import type { LivePerson, LiveStop, liveboardApi } from '../contract.ts'
import { personState, stopState } from '../rules.ts'

type Row = Omit<LivePerson, 'state'> & {
  crewId: string | null
  kind: 'work' | 'shop' | 'rain' | 'break' | null
  away: boolean
}

/** Who is on a crew that day or on the clock now, each once: with the crew of the day. */
const peopleOf = async (db: TenantDb, day: Day): Promise<(LivePerson & { crewId: string | null })[]> => {
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
        select 1 from crew_present(u.business_id, t.crew_id, ${day}::date) p where p.user_id = u.id) as away
    from users u
    left join team t on t.user_id = u.id
    left join crews c on c.business_id = u.business_id and c.id = t.crew_id
    left join clock k on k.user_id = u.id
    where u.business_id = ${db.businessId} and u.archived_at is null and u.status <> 'disabled' and (t.crew_id is not null or k.user_id is not null)
    order by leads desc, u.name, u.id limit 1000`.execute(db)
  return rows.map(({ kind, away, ...person }) => ({ ...person, state: personState(kind, away) }))
}

/** The board of this moment: every crew with its people and stops. */
export const getLiveBoard = async (db: TenantDb): Promise<ResponseOf<typeof liveboardApi.now>> => {
  const day = await todayOf(db)
  const [boards, found, people] = [await listDayBoardTx(db, day), await listDayStops(db, day), await peopleOf(db, day)]
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
        since: stop.state === 'done' || stop.state === 'skipped' ? stop.finishedAt : stop.startedAt,
        latitude: stop.latitude,
        longitude: stop.longitude,
      }))
  const shown = new Set(boards.map(({ crewId }) => crewId))
  return {
    day,
    crews: boards.map(({ crewId, name, color, backAtMinute }) => ({
      id: crewId,
      name,
      color,
      backAtMinute,
      people: people.filter((person) => person.crewId === crewId),
      stops: stopsOf(crewId),
    })),
    others: people.filter(({ crewId }) => crewId === null || !shown.has(crewId)),
  }
}
