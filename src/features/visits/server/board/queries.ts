import { sql } from 'kysely'
import { clock } from '../../../../platform/clock.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { type Day, dayOf, minuteOfDay } from '../../../../shared/dates.ts'
import { timeZoneOf } from '../../../businesses/server/queries.ts'
import { listPresence } from '../../../employees/server/queries.ts'
import { type Presence, shiftOn } from '../../../employees/staffing/rules.ts'
import { crewPresent } from '../../../employees/staffing/server/queries.ts'
import { breaksTaken } from '../../../timeclock/breaks/server/queries.ts'
import type { CrewBoard } from '../../contract.ts'
import {
  actualSpan,
  backAtMinute,
  dayTotals,
  onSiteMinutes,
  type PacedStop,
  pacedStop,
  type RouteEnd,
  restAhead,
  shortName,
} from '../../rules.ts'
import { peopleAtStop } from '../stops/people.ts'
import { type DayStop, listDayStops, type RouteStatus } from '../stops/queries.ts'

type CrewRow = {
  id: string
  name: string
  color: string
  shiftStartMinute: number
  shiftEndMinute: number
  breakMinutes: number
  members: string[]
  routeStatus: RouteStatus | null
  dirty: boolean
  unsent: number
  /** Of what was sent, as long as the crew knows of nothing else; of the plan before that. */
  end: RouteEnd | null
}

/** What a route, `r`, keeps of the end of its day: what was sent counts for everybody until it is sent again. */
export const endOfRoute = sql<RouteEnd | null>`case when r.status = 'planned' then r.planned else coalesce(r.published, r.planned) end`

const crewsOf = async (db: TenantDb, day: Day): Promise<CrewRow[]> => {
  const { rows } = await sql<CrewRow & Parameters<typeof shiftOn>[0]>`
    select c.id, c.name, c.color, c.shift_start_minute as "shiftStartMinute", c.shift_end_minute as "shiftEndMinute",
      c.break_minutes as "breakMinutes", c.weekday_shifts as "weekdayShifts",
      coalesce((select array_agg(split_part(u.name, ' ', 1) order by (u.id = c.leader_user_id) desc, u.name)
        from ${crewPresent(db, sql.ref('c.id'), day)} m join users u on u.business_id = c.business_id and u.id = m.user_id), '{}') as members,
      r.status as "routeStatus", coalesce(r.dirty, false) as dirty, ${endOfRoute} as end,
      (select count(*)::int from visits v where v.business_id = c.business_id and v.crew_id = c.id and v.day = ${day} and v.status = 'scheduled'
        and r.status in ('published', 'started', 'closed') and (v.published_day, v.published_crew_id) is distinct from (${day}::date, c.id)) as unsent
    from crews c
    left join routes r on r.business_id = c.business_id and r.crew_id = c.id and r.day = ${day}
    where c.business_id = ${db.businessId}
      and (c.archived_at is null or exists (
        select 1 from visits v where v.business_id = c.business_id and v.crew_id = c.id and v.day = ${day}))
    order by c.position, c.created_at, c.id`.execute(db)
  return rows.map(({ breakMinutes, weekdayShifts, ...crew }) => {
    return { ...crew, ...shiftOn({ ...crew, breakMinutes, weekdayShifts }, day) }
  })
}

/** Minutes from the last stop back to the depot, as far as the route knows them. */
export const homeMinutes = (end: RouteEnd | null, last: DayStop | undefined, people: number): number => {
  if (end?.homeSeconds !== undefined && last) return Math.round(end.homeSeconds / 60)
  if (typeof end?.endMinute !== 'number' || !last || last.startMinute === null) return 0
  const home = end.endMinute - last.startMinute - onSiteMinutes(last.budgetMinutes, people)
  return Math.min(120, Math.max(0, home))
}

type When = { day: Day; zone: string; nowMinute: number | null; breaks: ReadonlyMap<string, number> }

const minuteOn =
  ({ day, zone }: When) =>
  (instant: string): number => {
    const on = dayOf(instant, zone)
    return on < day ? 0 : on > day ? 1440 : minuteOfDay(instant, zone)
  }

const spanOf = ({ status: _, ...span }: PacedStop) => span

const boardOf = (crew: CrewRow, there: readonly Presence[], stops: readonly DayStop[], when: When): CrewBoard => {
  const { nowMinute, breaks } = when
  const peopleAt = (stop: DayStop) => peopleAtStop(stop, there, crew.members.length)
  const last = stops.at(-1)
  const paced = stops.map((s) => pacedStop(s, peopleAt(s), clock.nowMs()))
  const board = stops.map((s, at) => ({
    visitId: s.visitId,
    label: s.street,
    customer: shortName(s.customerName, s.customerCompany),
    state: s.status,
    ...spanOf(paced[at] as PacedStop),
    startMinute: s.startMinute,
    actual: actualSpan(s, onSiteMinutes(s.budgetMinutes, peopleAt(s)), minuteOn(when)),
    skipReason: s.skipReason,
  }))
  return {
    crewId: crew.id,
    name: crew.name,
    color: crew.color,
    members: crew.members,
    shiftStartMinute: crew.shiftStartMinute,
    shiftEndMinute: crew.shiftEndMinute,
    published: crew.routeStatus !== null && crew.routeStatus !== 'planned',
    dirty: crew.dirty,
    unsent: crew.unsent,
    routeStatus: crew.routeStatus,
    stops: board,
    counts: dayTotals(paced),
    backAtMinute: backAtMinute({
      stops: paced,
      nowMinute,
      restMinutes: restAhead(
        paced.map((stop, at) => ({
          ...stop,
          id: stops[at]?.visitId ?? '',
          startMinute: stops[at]?.startMinute ?? null,
        })),
        { breakMinutes: crew.breakMinutes, takenMinutes: breaks.get(crew.id) ?? 0, rest: crew.end?.rest },
      ),
      shiftStartMinute: crew.shiftStartMinute,
      homeMinutes: homeMinutes(crew.end, last, last ? peopleAt(last) : 1),
    }),
  }
}

/** Every crew's day, stop by stop, in the order it was sent, else planned; with where the crew stands and when it is back. */
export const listDayBoardTx = async (db: TenantDb, day: Day): Promise<CrewBoard[]> => {
  const [zone, crews, stops] = await Promise.all([timeZoneOf(db), crewsOf(db, day), listDayStops(db, day)])
  const nowMinute = dayOf(clock.now(), zone) === day ? minuteOfDay(clock.now(), zone) : null
  const crewIds = crews.map((crew) => crew.id)
  const [presence, breaks] = await Promise.all([listPresence(db, day, crewIds), breaksTaken(db, day, zone)])
  return crews.map((crew) =>
    boardOf(
      crew,
      presence.get(crew.id) ?? [],
      stops.filter((s) => s.crewId === crew.id),
      { day, zone, nowMinute, breaks },
    ),
  )
}

/** Open visits of a day that no crew has. */
export const countUnassignedTx = async (db: TenantDb, day: Day): Promise<number> => {
  const { n } = await db
    .selectFrom('visits')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('businessId', '=', db.businessId)
    .where('day', '=', day)
    .where('crewId', 'is', null)
    .where('status', '=', 'scheduled')
    .executeTakeFirstOrThrow()
  return Number(n)
}
