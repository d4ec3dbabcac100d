import { sql } from 'kysely'
import type { Actor } from '../../../platform/actor.ts'
import { clock } from '../../../platform/clock.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { addDays, type Day, dayOf } from '../../../shared/dates.ts'
import { notFound } from '../../../shared/errors.ts'
import { skipsFor } from '../../businesses/skips/rules.ts'
import { listPresence } from '../../employees/server/queries.ts'
import { type Presence, shiftOn } from '../../employees/staffing/rules.ts'
import { crewPresent } from '../../employees/staffing/server/queries.ts'
import { findCrewCheck } from '../../equipment/checks/server/queries.ts'
import { listCrewNotices } from '../../notifications/server/queries.ts'
import { listDoorFacts, mayCollect } from '../../payments/door/server/queries.ts'
import { getStopSettings } from '../../stops/server/queries.ts'
import { isUnderWay, onSiteMinutes, type RouteEnd } from '../../visits/rules.ts'
import {
  type DayStop,
  endOfRoute,
  getSkipRules,
  homeMinutes,
  listDayStops,
  peopleAtStop,
} from '../../visits/server/queries.ts'
import { listAnswers } from '../conflicts/server/queries.ts'
import type { CrewBundle, CrewDayPlan, CrewStop, Employee } from '../contract.ts'
import { findCrewExtras } from './extras/queries.ts'
import { listLastPhotos } from './last/queries.ts'
import { crewIdsOf, mayClockCrew, mayFinishWithout } from './members/queries.ts'
import { findCrewSales } from './sales/queries.ts'
import { findStops } from './stops/queries.ts'
import { findChemicals } from './treat/queries.ts'

type CrewRow = NonNullable<CrewDayPlan['crew']> & {
  depotLatitude: number | null
  depotLongitude: number | null
  end: RouteEnd | null
}

/** Crews as they are on a day: who is with them, when they work. */
export const crewsOn = async (db: TenantDb, crewIds: readonly string[], day: Day): Promise<CrewRow[]> => {
  const { rows } = await sql<CrewRow & Parameters<typeof shiftOn>[0]>`
    select c.id, c.name, c.color, c.shift_start_minute as "shiftStartMinute", c.shift_end_minute as "shiftEndMinute",
      c.break_minutes as "breakMinutes", c.weekday_shifts as "weekdayShifts",
      c.depot_latitude as "depotLatitude", c.depot_longitude as "depotLongitude", ${endOfRoute} as end,
      coalesce((select array_agg(split_part(u.name, ' ', 1) order by (u.id = c.leader_user_id) desc, u.name)
        from ${crewPresent(db, sql.ref('c.id'), day)} m join users u on u.business_id = c.business_id and u.id = m.user_id), '{}') as members
    from crews c
    left join routes r on r.business_id = c.business_id and r.crew_id = c.id and r.day = ${day}
    where c.business_id = ${db.businessId} and c.id = any(${sql.val([...crewIds])}::uuid[])
    order by c.position, c.created_at, c.id`.execute(db)
  return rows.map(({ breakMinutes, weekdayShifts, ...crew }) => {
    return { ...crew, ...shiftOn({ ...crew, breakMinutes, weekdayShifts }, day) }
  })
}

type Point = { latitude: number | null; longitude: number | null }

const earthMeters = 6_371_000
const travelTimePercent = 130

/** Meters between two points by roads, from the crow's flight and a usual surplus; null when one is unknown. */
const metersBetween = (a: Point, b: Point): number | null => {
  if (a.latitude === null || a.longitude === null || b.latitude === null || b.longitude === null) return null
  const rad = Math.PI / 180
  const dLat = (b.latitude - a.latitude) * rad
  const dLon = (b.longitude - a.longitude) * rad
  const h = Math.sin(dLat / 2) ** 2 + Math.cos(a.latitude * rad) * Math.cos(b.latitude * rad) * Math.sin(dLon / 2) ** 2
  return Math.round((2 * earthMeters * Math.asin(Math.sqrt(h)) * travelTimePercent) / 100)
}

const peopleAt = (crew: CrewRow | undefined, there: readonly Presence[], stop: DayStop): number =>
  peopleAtStop(stop, there, crew?.members.length ?? 1)

const placed = (
  crew: CrewRow | undefined,
  there: readonly Presence[],
  stops: readonly DayStop[],
  { details, crewIds }: { details: Awaited<ReturnType<typeof findStops>>; crewIds: readonly string[] },
): CrewStop[] => {
  let before: Point = { latitude: crew?.depotLatitude ?? null, longitude: crew?.depotLongitude ?? null }
  return stops.flatMap((stop, index) => {
    const found = details.get(stop.visitId)
    if (!found) return []
    const { crewNow, ...detail } = found
    const withOther = detail.status === 'scheduled' && crewNow !== null && !crewIds.includes(crewNow)
    const driveMeters = metersBetween(before, stop)
    before = stop
    return [
      {
        ...detail,
        order: index + 1,
        people: there.length > 0 ? Math.max(1, crew?.members.length ?? 1) : peopleAt(crew, there, stop),
        ...(there.length > 0 ? { minutes: onSiteMinutes(stop.budgetMinutes, peopleAt(crew, there, stop)) } : {}),
        plannedStartMinute: stop.startMinute,
        driveSeconds: stop.driveSeconds,
        driveMeters,
        ...(withOther ? { withOther } : {}),
      },
    ]
  })
}

/** What was begun on the day before and is not over: work does not end at midnight. */
const begunBefore = async (db: TenantDb, actor: Actor, day: Day): Promise<CrewStop[]> => {
  const before = addDays(day, -1)
  const crewIds = await crewIdsOf(db, actor.userId, before)
  if (crewIds.length === 0) return []
  const stops = (await listDayStops(db, before, crewIds)).filter(({ status }) => isUnderWay(status))
  if (stops.length === 0) return []
  const [crews, presence, details] = [
    await crewsOn(db, crewIds, before),
    await listPresence(db, before, crewIds),
    await findStops(
      db,
      stops.map(({ visitId }) => visitId),
    ),
  ]
  const ofCrew = (id: string) => stops.filter(({ crewId }) => crewId === id)
  return crews
    .flatMap((crew) => placed(crew, presence.get(crew.id) ?? [], ofCrew(crew.id), { details, crewIds }))
    .map((stop) => ({ ...stop, driveSeconds: null, driveMeters: null, begunOn: before }))
}

const planOf = async (db: TenantDb, actor: Actor, day: Day): Promise<CrewDayPlan> => {
  const crewIds = await crewIdsOf(db, actor.userId, day)
  const [crews, all] = crewIds.length
    ? await Promise.all([crewsOn(db, crewIds, day), listDayStops(db, day, crewIds)])
    : [[], []]
  const presence = await listPresence(db, day, crewIds)
  const details = await findStops(
    db,
    all.map((s) => s.visitId),
  )
  // Whoever stands on two crews works them one after the other, in the order of the crews.
  const stops = crews.flatMap((crew) =>
    placed(
      crew,
      presence.get(crew.id) ?? [],
      all.filter((s) => s.crewId === crew.id),
      { details, crewIds },
    ),
  )
  const begun = day === dayOf(clock.now(), actor.timeZone) ? await begunBefore(db, actor, day) : []
  const crew = crews.find((c) => all.some((s) => s.crewId === c.id)) ?? crews[0]
  const last = crew ? all.filter((s) => s.crewId === crew.id).at(-1) : undefined
  return {
    day,
    published: all.length > 0 && all.every((s) => s.published),
    crew: crew
      ? {
          ...crew,
          leads: await mayFinishWithout(db, actor, crew.id, day),
          clocksCrew: await mayClockCrew(db, actor, crew.id, day),
          depot:
            crew.depotLatitude === null || crew.depotLongitude === null
              ? null
              : { latitude: crew.depotLatitude, longitude: crew.depotLongitude },
        }
      : null,
    homeMinutes: crew ? homeMinutes(crew.end, last, last ? peopleAt(crew, presence.get(crew.id) ?? [], last) : 1) : 0,
    ...(crew?.end?.rest === undefined ? {} : { rest: crew.end.rest }),
    stops: [...begun, ...stops].map((stop, index) => ({ ...stop, order: index + 1 })),
    check: crew ? await findCrewCheck(db, crew.id, day) : null,
  }
}

/** A day and the two after it, as a person's crew has them. */
export const getBundle = async (db: TenantDb, actor: Actor, from?: Day): Promise<CrewBundle> => {
  const today = dayOf(clock.now(), actor.timeZone)
  const days = await Promise.all([0, 1, 2].map((offset) => planOf(db, actor, addDays(from ?? today, offset))))
  const skips = skipsFor(await getSkipRules(db), 'crew').map((rule) => ({
    code: rule.code,
    nameEs: rule.nameEs,
    needsPhoto: rule.needsPhoto,
    needsNote: rule.needsNote,
    charged: rule.charge !== 'none',
  }))
  const visitIds = days.flatMap(({ stops }) => stops.map(({ id }) => id))
  const doors = (await mayCollect(db, actor)) ? { doors: await listDoorFacts(db, actor, visitIds) } : {}
  const treats = days.some(({ stops }) => stops.some(({ treatment }) => treatment?.treats))
  const extras = await findCrewExtras(db)
  const sales = await findCrewSales(db, visitIds)
  const chemicals = await findChemicals(db, actor, { from: from ?? today, treats })
  return {
    today,
    timeZone: actor.timeZone,
    serverTime: clock.iso(),
    days,
    skips,
    phrases: (await getStopSettings(db)).phrases,
    answers: await listAnswers(db, actor.userId),
    notices: await listCrewNotices(db, actor.userId),
    ...doors,
    ...(extras ? { extras } : {}),
    ...(sales ? { sales } : {}),
    ...(chemicals ? { chemicals } : {}),
  }
}

/** Where the phone finds the photos of the last times at the stops of its three days. */
export const listLastPhotosOf = async (db: TenantDb, actor: Actor): Promise<{ id: string; url: string }[]> => {
  const today = dayOf(clock.now(), actor.timeZone)
  const to = addDays(today, 2)
  const visitIds: string[] = []
  for (let day = today; day <= to; day = addDays(day, 1)) {
    const crewIds = await crewIdsOf(db, actor.userId, day)
    if (crewIds.length) visitIds.push(...(await listDayStops(db, day, crewIds)).map((stop) => stop.visitId))
  }
  return listLastPhotos(db, visitIds)
}

/** Today alone. */
export const getToday = (db: TenantDb, actor: Actor): Promise<CrewDayPlan> =>
  planOf(db, actor, dayOf(clock.now(), actor.timeZone))

/** The signed-in person as the crew app shows it. */
export const getEmployee = async (db: TenantDb, actor: Actor): Promise<Employee> => {
  const row = await db
    .selectFrom('users')
    .innerJoin('businesses', 'businesses.businessId', 'users.businessId')
    .where('users.businessId', '=', db.businessId)
    .where('users.id', '=', actor.userId)
    .select([
      'users.id',
      'users.name',
      'users.email',
      'users.phone',
      'users.role',
      'users.language',
      'businesses.name as businessName',
      'businesses.phone as businessPhone',
      'businesses.timeZone',
    ])
    .executeTakeFirst()
  if (!row) throw notFound('person')
  const today = dayOf(clock.now(), actor.timeZone)
  const crewIds = await crewIdsOf(db, actor.userId, today)
  const crews = crewIds.length ? await crewsOn(db, crewIds, today) : []
  const led = await db
    .selectFrom('crews')
    .select('id')
    .where('businessId', '=', db.businessId)
    .where('leaderUserId', '=', actor.userId)
    .execute()
  return {
    _id: row.id,
    name: row.name,
    email: row.email,
    phone: row.phone,
    role: row.role,
    language: row.language,
    crews: crews.map((c) => ({
      _id: c.id,
      name: c.name,
      color: c.color,
      leader: led.some((l) => l.id === c.id),
      members: c.members,
    })),
    business: { name: row.businessName, phone: row.businessPhone, timeZone: row.timeZone },
  }
}
