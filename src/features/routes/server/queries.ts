import { sql } from 'kysely'
import { type Actor, hasPermission } from '../../../platform/actor.ts'
import { clock } from '../../../platform/clock.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import type { Departure } from '../../../platform/geo/travel-engine.ts'
import { addDays, type Day, dayOf, minuteOfDay, weekdayOf } from '../../../shared/dates.ts'

import type { Reason } from '../../../solver/problem.ts'
import { type Proposals, propose } from '../../../solver/propose.ts'
import { crewSize } from '../../employees/rules.ts'
import { listCrews } from '../../employees/server/queries.ts'
import { estimatedShare } from '../../travel/rules.ts'
import { readDrives } from '../../travel/server/queries.ts'
import { shortName, type VisitStatus } from '../../visits/rules.ts'
import type { DayPlan, RouteCrew, RouteTotals, UnplacedVisit } from '../contract.ts'
import { addTotals, labourOnRoadCents, mileageCents, shiftPercent } from '../rules.ts'
import {
  crewDayOf,
  type DayData,
  type DayVisit,
  daysLate,
  freeOf,
  type Ground,
  groundOf,
  inBookedOrder,
  isBegun,
  isOnMap,
  type LaidRoute,
  layOut,
  type Orders,
  ordersOf,
  placesOf,
  problemVisit,
} from './policy.ts'

/** How far back a visit that nobody came for still stands in the list of what is due. */
const dueDays = 28
/** Places are looked for this many unplaced visits; the rest get theirs by Optimise. */
const proposed = 60

type VisitRow = Omit<DayVisit, 'beganMinute' | 'finishedMinute' | 'customerName' | 'status'> & {
  status: VisitStatus
  name: string
  company: string | null
  beganAt: string | null
  finishedAt: string | null
}

const visitsOf = async (db: TenantDb, day: Day, today: Day): Promise<VisitRow[]> => {
  const late = day >= today
  const { rows } = await sql<VisitRow>`
    with mine as (
      select v.*,
        (v.status not in ('scheduled', 'unscheduled') and v.published_day is not null and v.published_crew_id is not null) as sent
      from visits v
      where v.business_id = ${db.businessId} and v.status not in ('cancelled', 'unscheduled')
        and (v.day = ${day} or v.published_day = ${day}
          or (${late} and v.crew_id is null and v.status = 'scheduled' and v.day < ${today} and v.day >= ${addDays(today, -dueDays)}))
    )
    select v.id, v.job_id as "jobId", j.number as "jobNumber", j.title, p.street, p.city, c.name, c.company, p.latitude, p.longitude,
      case when v.sent then v.published_day else v.day end as day,
      case when v.sent then v.published_crew_id else v.crew_id end as "crewId",
      v.crew_id as "storedCrewId", v.day as "storedDay", v.position, v.pinned, v.locked, v.moved_from as "movedFrom", v.status,
      v.budget_minutes as "budgetMinutes", v.window_start_minute as "windowStartMinute", v.window_end_minute as "windowEndMinute",
      v.planned_start_minute as "plannedStartMinute", v.planned_drive_seconds as "plannedDriveSeconds",
      v.published_day as "publishedDay", v.published_crew_id as "publishedCrewId", v.published_position as "publishedPosition",
      coalesce(v.started_at, v.en_route_at) as "beganAt", v.finished_at as "finishedAt", v.worked_seconds as "workedSeconds"
    from mine v
    join jobs j on j.business_id = v.business_id and j.id = v.job_id
    join properties p on p.business_id = v.business_id and p.id = v.property_id
    join customers c on c.business_id = v.business_id and c.id = v.customer_id
    where case when v.sent then v.published_day = ${day}
      else v.day = ${day} or (v.day < ${day} and v.crew_id is null) end
    order by v.id`.execute(db)
  return rows
}

/** Everything that a plan of a day is made from. */
export const readDay = async (db: TenantDb, day: Day): Promise<DayData> => {
  const business = await db
    .selectFrom('businesses')
    .select(['timeZone', 'latitude', 'longitude', 'mileCostCents', 'driveFactorSeconds', 'driveExponent'])
    .where('businessId', '=', db.businessId)
    .executeTakeFirstOrThrow()
  const now = clock.now()
  const today = dayOf(now, business.timeZone)
  const crews = await listCrews(db, day, { seesWages: true })
  const rows = await visitsOf(db, day, today)
  const minute = (at: string | null) =>
    at === null || dayOf(at, business.timeZone) !== day ? null : minuteOfDay(at, business.timeZone)
  const yard =
    business.latitude === null || business.longitude === null
      ? null
      : { latitude: business.latitude, longitude: business.longitude }
  return {
    day,
    today,
    nowMinute: day === today ? minuteOfDay(now, business.timeZone) : null,
    business,
    crews: crews.map((crew) => ({
      id: crew.id,
      name: crew.name,
      colour: crew.colour,
      members: crew.members.map(({ userId, name }) => ({ userId, name })),
      people: crewSize(crew.members),
      costCentsPerHour: crew.costCentsPerHour ?? 0,
      depotStreet: crew.depotStreet,
      depot:
        crew.depotLatitude === null || crew.depotLongitude === null
          ? yard
          : { latitude: crew.depotLatitude, longitude: crew.depotLongitude },
      shiftStartMinute: crew.shiftStartMinute,
      shiftEndMinute: crew.shiftEndMinute,
      breakMinutes: crew.breakMinutes,
      driveFactorPercent: crew.driveFactorPercent,
      works: crew.workDays.includes(weekdayOf(day)),
    })),
    visits: rows.map(({ name, company, beganAt, finishedAt, ...row }) => ({
      ...row,
      customerName: shortName(name, company),
      beganMinute: minute(beganAt),
      finishedMinute: minute(finishedAt),
    })),
  }
}

/** In the morning rush most crews are already on their first lawn. */
const departMinute = 600

/** When the drives of a day are driven. */
export const departureOf = ({ day, business }: DayData): Departure => ({
  day,
  minute: departMinute,
  timeZone: business.timeZone,
})

/** A day with its drives, as the road engine answered them so far and estimated where it did not. Asks nobody; see `fetchDrives`. */
export const readGround = async (db: TenantDb, day: Day): Promise<Ground> => {
  const data = await readDay(db, day)
  const places = placesOf(data)
  const drives = await readDrives(db, places.points, {
    estimate: { factorSeconds: data.business.driveFactorSeconds, exponent: data.business.driveExponent },
    departure: departureOf(data),
  })
  return groundOf(data, places, drives)
}

export const totalsOf = (ground: Ground, route: LaidRoute): RouteTotals => ({
  stops: route.stops.length,
  driveSeconds: route.driveSeconds,
  driveMetres: route.driveMetres,
  workSeconds: Math.round(route.workSeconds),
  shiftPercent: shiftPercent(route.endMinute, {
    startMinute: route.crew.shiftStartMinute,
    endMinute: route.crew.shiftEndMinute,
  }),
  labourCents: labourOnRoadCents(route.driveSeconds, route.crew.costCentsPerHour),
  mileageCents: mileageCents(route.driveMetres, ground.data.business.mileCostCents),
  endMinute: route.endMinute,
})

/** The same stops in the order in which they were booked. */
export const bookedOrder = (ground: Ground, openIds: readonly string[]): string[] =>
  openIds
    .flatMap((id) => ground.byId.get(id) ?? [])
    .sort(inBookedOrder)
    .map((v) => v.id)

/** Wages are for who may see payroll; what a crew's hours cost tells them. */
const shown = (totals: RouteTotals, actor: Actor): RouteTotals =>
  hasPermission(actor, 'payroll') ? totals : { ...totals, labourCents: null }

type RouteRow = { crewId: string; status: string; dirty: boolean; publishedAt: string | null; planned: unknown }

const crewOf = (
  ground: Ground,
  laid: LaidRoute,
  booked: LaidRoute,
  row: RouteRow | undefined,
  actor: Actor,
): RouteCrew => {
  const { crew } = laid
  return {
    crewId: crew.id,
    name: crew.name,
    colour: crew.colour,
    members: crew.members,
    depot: crew.depot && { street: crew.depotStreet, ...crew.depot },
    shiftStartMinute: crew.shiftStartMinute,
    shiftEndMinute: crew.shiftEndMinute,
    works: crew.works,
    status: (row?.status as RouteCrew['status']) ?? null,
    dirty: row?.dirty ?? false,
    publishedAt: row?.publishedAt ?? null,
    ordered: laid.stops.every(({ visit, begun }) => begun || visit.position !== null),
    stops: laid.stops.map(({ visit, ...stop }) => ({
      visitId: visit.id,
      jobNumber: visit.jobNumber,
      street: visit.street,
      city: visit.city,
      customerName: visit.customerName,
      title: visit.title,
      latitude: visit.latitude,
      longitude: visit.longitude,
      minutes: stop.minutes,
      startMinute: stop.startMinute,
      driveSecondsBefore: stop.driveSeconds,
      driveMetresBefore: stop.driveMetres,
      windowStartMinute: visit.windowStartMinute,
      windowEndMinute: visit.windowEndMinute,
      pinned: visit.pinned,
      begun: stop.begun,
      status: visit.status,
      lateMinutes: stop.lateMinutes,
      overShift: stop.overShift,
    })),
    homeDriveSeconds: laid.homeDriveSeconds,
    totals: shown(totalsOf(ground, laid), actor),
    booked: shown(totalsOf(ground, booked), actor),
    violations: laid.violations,
  }
}

const noPin = 'No place on the map: give the property a pin, then it can be planned.'

/** One day is looked at here: the engine speaks of many. */
const reasonWords = (reason: Reason | undefined): string | null =>
  !reason ? null : reason.code === 'full' ? "Every crew's day is full." : reason.text

const unplacedOf = (ground: Ground, orders: Orders): UnplacedVisit[] => {
  const { data } = ground
  const visits = data.visits
    .filter((v) => !isBegun(v) && v.crewId === null)
    .sort((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : inBookedOrder(a, b)))
  const crews = data.crews.filter((crew) => crew.works || orders.get(crew.id)!.length > 0)
  const placed = [...orders.values()].flat().flatMap((id) => ground.byId.get(id) ?? [])
  const problem = {
    matrix: ground.matrixFor(Math.max(100, ...crews.map((c) => c.driveFactorPercent))),
    visits: placed.filter(isOnMap).map((v) => problemVisit(ground, v)),
    crewDays: crews.map((crew) => crewDayOf(ground, crew, freeOf(ground, crew))),
  }
  const plan = {
    routes: crews.map((crew) => ({
      crewDayId: crew.id,
      visitIds: orders.get(crew.id)!.filter((id) => isOnMap(ground.byId.get(id)!)),
    })),
  }
  const ask = (visit: DayVisit): Proposals => propose(problem, plan, problemVisit(ground, visit))
  return visits.map((visit, index) => {
    const found: Proposals =
      isOnMap(visit) && crews.length > 0 && index < proposed ? ask(visit) : { places: [], reasons: [] }
    return {
      visitId: visit.id,
      street: visit.street,
      city: visit.city,
      customerName: visit.customerName,
      title: visit.title,
      day: visit.day,
      daysLate: daysLate(visit, data.day),
      budgetMinutes: visit.budgetMinutes,
      windowStartMinute: visit.windowStartMinute,
      windowEndMinute: visit.windowEndMinute,
      latitude: visit.latitude,
      longitude: visit.longitude,
      places: found.places.map((place) => ({
        crewId: place.crewDayId,
        position: place.position + ground.begunOf(place.crewDayId).length,
        addedDriveSeconds: place.addedDriveSeconds,
        startMinute: Math.floor(place.startSeconds / 60),
      })),
      reason: !isOnMap(visit)
        ? noPin
        : crews.length === 0
          ? 'No crew works on this day.'
          : reasonWords(found.reasons[0]),
    }
  })
}

/** Where among a crew's open stops a visit costs the least; the end when the day has no room for it. */
export const bestPlace = (ground: Ground, crewId: string, openIds: readonly string[], visitId: string): number => {
  const crew = ground.data.crews.find((c) => c.id === crewId)
  const visit = ground.byId.get(visitId)
  const onMap = openIds.filter((id) => isOnMap(ground.byId.get(id)!))
  if (!crew || !visit || !isOnMap(visit)) return openIds.length
  const problem = {
    matrix: ground.matrixFor(crew.driveFactorPercent),
    visits: onMap.map((id) => problemVisit(ground, ground.byId.get(id)!)),
    crewDays: [crewDayOf(ground, crew, freeOf(ground, crew))],
  }
  const { places } = propose(problem, { routes: [{ crewDayId: crewId, visitIds: onMap }] }, problemVisit(ground, visit))
  return places[0]?.position ?? openIds.length
}

/** The routes of every crew with their clock times, as the plan stands. */
export const layOutDay = (ground: Ground, orders: Orders): LaidRoute[] =>
  ground.data.crews.map((crew) => layOut(ground, crew, orders.get(crew.id) ?? []))

const sumBy = <T>(list: readonly T[], pick: (one: T) => number): number => list.reduce((sum, one) => sum + pick(one), 0)

/** A day as the route map shows it. */
export const getDayPlan = async (db: TenantDb, actor: Actor, day: Day): Promise<DayPlan> => {
  const ground = await readGround(db, day)
  const { data } = ground
  const orders = ordersOf(ground)
  const rows: RouteRow[] = await db
    .selectFrom('routes')
    .select(['crewId', 'status', 'dirty', 'publishedAt', 'planned'])
    .where('businessId', '=', db.businessId)
    .where('day', '=', day)
    .execute()
  const laidOut = layOutDay(ground, orders)
  const crews = laidOut.map((laid) =>
    crewOf(
      ground,
      laid,
      layOut(ground, laid.crew, bookedOrder(ground, orders.get(laid.crew.id) ?? [])),
      rows.find((row) => row.crewId === laid.crew.id),
      actor,
    ),
  )
  const times = rows.flatMap((row) => (row.planned as { tookMs?: number } | null)?.tookMs ?? [])
  const undo = await lastChange(db, day)
  return {
    day,
    today: data.today,
    editable: day >= data.today,
    estimated: estimatedShare(
      sumBy(laidOut, (l) => l.estimatedDrives),
      sumBy(laidOut, (l) => l.drives),
    ),
    crews,
    unplaced: unplacedOf(ground, orders),
    totals: addTotals(crews.map((c) => c.totals)),
    booked: addTotals(crews.map((c) => c.booked)),
    overCapacity: crews.reduce((sum, c) => sum + c.stops.filter((s) => s.overShift && !s.begun).length, 0),
    plannedMs: times.length ? Math.max(...times) : null,
    undo: undo && { id: undo.id, label: undo.label, at: undo.createdAt },
  }
}

/** The change that Undo would take back, or null. */
export const lastChange = (db: TenantDb, day: Day) =>
  db
    .selectFrom('routeChanges')
    .select(['id', 'label', 'createdAt'])
    .where('businessId', '=', db.businessId)
    .where('day', '=', day)
    .where('undoneAt', 'is', null)
    .where('kind', '!=', 'undo')
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
    .then((row) => row ?? null)

export { listSaved, listWeek } from './sent-routes.ts'
