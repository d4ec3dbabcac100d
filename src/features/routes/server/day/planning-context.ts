import type { Day } from '../../../../shared/dates.ts'
import { asSkill } from '../../../../shared/skills.ts'
import type { Evenness } from '../../../../solver/balance-choices.ts'
import type { Point } from '../../../../solver/matrix.ts'
import type { CrewDay, Matrix, Visit } from '../../../../solver/problem.ts'
import type { Presence } from '../../../employees/staffing/rules.ts'
import { fromEngine } from '../../../travel/server/queries.ts'
import { closedDayMessage } from '../../../visits/days/rules.ts'
import { leftMinutes, onSiteMinutes, type VisitStatus } from '../../../visits/rules.ts'
import { sharedSquare, type TravelTimes } from './travel-times.ts'

/** What a day's plan is for the engine: which stops are open, where and when each crew is free, what is fixed. */

export type DayVisit = {
  id: string
  jobId: string
  customerId: string
  jobNumber: number
  title: string
  street: string
  city: string
  customerName: string
  latitude: number | null
  longitude: number | null
  /** It stands only in the middle of its ZIP code or area. */
  approximate: boolean
  day: Day
  /** Who has it; who works on it once it has begun. */
  crewId: string | null
  /** The crew in the plan as stored. */
  storedCrewId: string | null
  storedDay: Day | null
  position: number | null
  pinned: boolean
  locked: boolean
  movedFrom: Day | null
  status: VisitStatus
  budgetMinutes: number
  /** Skills and equipment that its services need. */
  skills: string[]
  /** Days to the visits of the same job before and after, null where there is none. */
  daysSinceLast: number | null
  daysToNext: number | null
  /** Days that its services want between two visits. */
  minGapDays: number
  /** Most days after the visit before; null where its rhythm says nothing. */
  maxGapDays: number | null
  /** Something is sprayed or spread: wind, heat and rain matter. */
  treats: boolean
  recurring: boolean
  windowStartMinute: number | null
  windowEndMinute: number | null
  plannedStartMinute: number | null
  plannedDriveSeconds: number | null
  publishedDay: Day | null
  publishedCrewId: string | null
  publishedPosition: number | null
  /** Minutes of the day in the business's zone. */
  beganMinute: number | null
  finishedMinute: number | null
  workedSeconds: number
}

export type PlanCrew = {
  id: string
  name: string
  color: string
  members: { userId: string; name: string }[]
  /** Who of it is off the whole day. */
  away: string[]
  /** The mean over its shift where some are off for a part of it. */
  people: number
  /** Who is there when, where that changes in the course of the day; else nothing. */
  presence: Presence[]
  costCentsPerHour: number
  depotStreet: string
  depot: { latitude: number; longitude: number } | null
  shiftStartMinute: number
  shiftEndMinute: number
  breakMinutes: number
  driveFactorPercent: number
  skills: string[]
  works: boolean
  /** Why it does not work on this day although it usually does. */
  off: OffReason | null
}

export type OffReason = 'rain' | 'out'

export type DayData = {
  day: Day
  today: Day
  /** Minutes since midnight when the day is today. */
  nowMinute: number | null
  business: {
    workDays: readonly number[]
    holidays: readonly Day[]
    mileCostCents: number
    driveFactorSeconds: number
    driveExponent: number
    timeZone: string
    routeEvenness: Evenness
  }
  crews: PlanCrew[]
  visits: DayVisit[]
}

/** Why the business is closed on the day, or null: what stands there is planned, but nothing is brought there. */
export const closedOn = ({ day, today, business }: DayData): string | null =>
  closedDayMessage({ today, workDays: business.workDays, holidays: business.holidays }, day)

/** Why a visit of another day is not brought to this one, or null when it may be. */
export const notBrought = (data: DayData, visit: Pick<DayVisit, 'storedDay'>): string | null =>
  visit.storedDay === data.day ? null : closedOn(data)

/** Open stops by crew in their order; what is in none of the lists has no crew. */
export type Orders = Map<string, string[]>

export const isBegun = (visit: Pick<DayVisit, 'status'>): boolean => visit.status !== 'scheduled'

const underWay: readonly VisitStatus[] = ['en_route', 'in_progress', 'paused']

export const isUnderWay = (status: VisitStatus): boolean => underWay.includes(status)

/** Latitude, longitude, or null when the address is not on the map. */
const pointOf = (visit: Pick<DayVisit, 'latitude' | 'longitude'>) =>
  visit.latitude === null || visit.longitude === null ? null : { lat: visit.latitude, lng: visit.longitude }

export const isOnMap = (visit: Pick<DayVisit, 'latitude' | 'longitude'>): boolean => pointOf(visit) !== null

/** Stops in the order of the plan; without a place in it they come in the order in which they were booked. */
export const inOrder = (a: DayVisit, b: DayVisit): number =>
  (a.position ?? Number.MAX_SAFE_INTEGER) - (b.position ?? Number.MAX_SAFE_INTEGER) || inBookedOrder(a, b)

export const inBookedOrder = (a: DayVisit, b: DayVisit): number => a.jobNumber - b.jobNumber || (a.id < b.id ? -1 : 1)

/** What is under way or over, in the order in which it happened. */
const inHappenedOrder = (a: DayVisit, b: DayVisit): number =>
  (a.beganMinute ?? a.finishedMinute ?? Number.MAX_SAFE_INTEGER) -
    (b.beganMinute ?? b.finishedMinute ?? Number.MAX_SAFE_INTEGER) || inOrder(a, b)

export type PlanningContext = {
  data: DayData
  /** Visits of all days that are planned together. */
  byId: Map<string, DayVisit>
  /** Place of a visit or crew's depot in the drives. */
  locations: Map<string, number>
  nowhere: number
  /** Drives as they are for a crew of 100 percent, and scaled for others. */
  matrixFor: (driveFactorPercent: number) => Matrix
  /** The drive between two places was not answered by a road engine. */
  isEstimated: (from: number, to: number) => boolean
  begunOf: (crewId: string) => DayVisit[]
  /** Sizes of crews that may come: a visit takes as long as its crew is big. */
  sizes: readonly number[]
}

/** More distinct places than this are not planned together: drives between all of them would not fit. */
export const mostPlaces = 1500

/** Every place once, crews' depots first, and where each depot and visit is among them. */
export type Places = { points: Point[]; depotCount: number; locations: Map<string, number> }

/** The places of days that are planned together: depots first, then what has a crew, then what waits, longest first. */
export const placesOf = (days: readonly DayData[]): Places => {
  const points: Point[] = []
  const locations = new Map<string, number>()
  const known = new Map<string, number>()
  const add = (id: string, point: Point | null): void => {
    if (!point || locations.has(id)) return
    const key = `${point.lat},${point.lng}`
    const at = known.get(key) ?? (points.length < mostPlaces ? points.push(point) - 1 : undefined)
    if (at === undefined) return
    known.set(key, at)
    locations.set(id, at)
  }
  for (const { crews } of days)
    for (const crew of crews) add(crew.id, crew.depot && { lat: crew.depot.latitude, lng: crew.depot.longitude })
  const depotCount = points.length
  const visits = days.flatMap((data) => data.visits)
  for (const visit of visits.filter((v) => v.crewId !== null)) add(visit.id, pointOf(visit))
  for (const visit of visits
    .filter((v) => v.crewId === null)
    .sort((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0)))
    add(visit.id, pointOf(visit))
  return { points, depotCount, locations }
}

/** Days with the drives between their places, which they share. */
export const planningContextsOf = (
  days: readonly DayData[],
  locations: Map<string, number>,
  travelTimes: TravelTimes,
): PlanningContext[] => {
  const base = withNowhere(travelTimes)
  const scaled = new Map<number, Matrix>([[100, base]])
  const matrixFor = (percent: number): Matrix => {
    const made = scaled.get(percent) ?? scaledMatrix(base, percent)
    scaled.set(percent, made)
    return made
  }
  const byId = new Map(days.flatMap((data) => data.visits.map((v) => [v.id, v] as const)))
  const sizes = [...new Set(days.flatMap((data) => data.crews.map((crew) => crew.people)))]
  return days.map((data) => {
    const begun = Map.groupBy(
      data.visits.filter((v) => isBegun(v) && v.crewId !== null),
      (v) => v.crewId as string,
    )
    return {
      data,
      byId,
      locations,
      nowhere: travelTimes.size,
      matrixFor,
      isEstimated: (from, to) =>
        from !== to &&
        from < travelTimes.size &&
        to < travelTimes.size &&
        travelTimes.source?.[from * travelTimes.size + to] !== fromEngine,
      begunOf: (crewId) => (begun.get(crewId) ?? []).sort(inHappenedOrder),
      sizes,
    }
  })
}

/** Whether the engine can plan it: it is on the map, and among the places that are planned together. */
export const isRoutable = (context: PlanningContext, visit: Pick<DayVisit, 'id'>): boolean =>
  context.locations.has(visit.id)

/** Drives of a slower or faster crew. */
export const scaledMatrix = (base: Matrix, percent: number): Matrix =>
  percent === 100 ? base : { ...base, seconds: base.seconds.map((s) => (s < 0 ? s : Math.round((s * percent) / 100))) }

/** One more place that is no seconds from everywhere: where a crew without a depot starts. */
const withNowhere = (travelTimes: TravelTimes): Matrix => {
  const size = travelTimes.size + 1
  const [seconds, meters] = [sharedSquare(size), sharedSquare(size)]
  for (let row = 0; row < travelTimes.size; row++) {
    seconds.set(travelTimes.seconds.subarray(row * travelTimes.size, (row + 1) * travelTimes.size), row * size)
    meters.set(travelTimes.meters.subarray(row * travelTimes.size, (row + 1) * travelTimes.size), row * size)
  }
  return { size, seconds, meters }
}

export const secondsFor = (visit: DayVisit, crew: PlanCrew): number =>
  onSiteMinutes(visit.budgetMinutes, crew.people) * 60

/** When and where a crew is free for what is still open. */
export type Free = { location: number; seconds: number; rolling: boolean }

export const freeOf = (context: PlanningContext, crew: PlanCrew): Free => {
  const home = context.locations.get(crew.id) ?? context.nowhere
  const shiftStart = crew.shiftStartMinute * 60
  const begun = context.begunOf(crew.id)
  const worked = begun.filter((v) => v.status === 'completed' || isUnderWay(v.status))
  const now = context.data.nowMinute
  if (worked.length === 0) {
    // Once a crew of the day has begun its clock is known: who has not started by now does not start in the past.
    const running = now !== null && context.data.visits.some(isBegun)
    return { location: home, seconds: running ? Math.max(shiftStart, now * 60) : shiftStart, rolling: false }
  }
  let seconds = (now ?? crew.shiftStartMinute) * 60
  for (const visit of worked) {
    if (visit.status === 'completed') seconds = Math.max(seconds, (visit.finishedMinute ?? 0) * 60)
    else {
      const [minutes, workedMinutes] = [secondsFor(visit, crew) / 60, visit.workedSeconds / 60]
      const left = leftMinutes({ status: visit.status, minutes, workedMinutes, driveMinutesBefore: 0 }) * 60
      seconds = Math.max(seconds, (now ?? visit.beganMinute ?? crew.shiftStartMinute) * 60 + left)
    }
  }
  const last = worked.findLast((v) => isUnderWay(v.status)) ?? worked.at(-1)
  return { location: (last && context.locations.get(last.id)) ?? home, seconds, rolling: true }
}

/** When a crew that has nothing under way finished its last stop, in seconds of the day; null before that. */
export const doneSecondsOf = (context: PlanningContext, crew: PlanCrew): number | null => {
  const begun = context.begunOf(crew.id)
  if (begun.some((v) => isUnderWay(v.status))) return null
  const finished = begun.flatMap((v) =>
    v.status === 'completed' && v.finishedMinute !== null ? [v.finishedMinute * 60] : [],
  )
  return finished.length > 0 ? Math.max(...finished) : null
}

/** The middle of the shift, as far as the crew is still to have it. */
const breakOf = (crew: PlanCrew, free: Free): CrewDay['break'] => {
  const middle = ((crew.shiftStartMinute + crew.shiftEndMinute) / 2) * 60
  const [earliest, latest] = [middle - 5400, middle + 5400]
  if (crew.breakMinutes === 0 || free.seconds > latest) return undefined
  return {
    earliestSeconds: Math.max(crew.shiftStartMinute * 60, earliest),
    latestSeconds: latest,
    durationSeconds: crew.breakMinutes * 60,
  }
}

/** A crew on a day, for the engine. */
export const crewDayId = (crewId: string, day: Day): string => `${crewId}@${day}`

export const splitCrewDay = (id: string): { crewId: string; day: Day } => {
  const [crewId = '', day = ''] = id.split('@')
  return { crewId, day }
}

export const crewDayOf = (context: PlanningContext, crew: PlanCrew, free: Free): CrewDay => ({
  id: crewDayId(crew.id, context.data.day),
  crewId: crew.id,
  crewClass: `${crew.people}`,
  startLocation: free.location,
  endLocation: context.locations.get(crew.id) ?? context.nowhere,
  shiftStartSeconds: free.seconds,
  shiftEndSeconds: Math.max(free.seconds, crew.shiftEndMinute * 60),
  ...(breakOf(crew, free) ? { break: breakOf(crew, free) } : {}),
  crewSize: 1,
  wageCentsPerHour: crew.costCentsPerHour,
  centsPerMile: context.data.business.mileCostCents,
  ...(crew.skills.length ? { skills: crew.skills.map(asSkill) } : {}),
})

/** A visit for the engine. Service must start inside the window. */
export const problemVisit = (context: PlanningContext, visit: DayVisit): Visit => {
  const { windowStartMinute: from, windowEndMinute: to } = visit
  const classes = context.sizes.map((people) => [`${people}`, onSiteMinutes(visit.budgetMinutes, people) * 60] as const)
  return {
    id: visit.id,
    location: context.locations.get(visit.id) ?? context.nowhere,
    serviceSeconds: visit.budgetMinutes * 60,
    serviceSecondsByClass: Object.fromEntries(classes),
    ...(from === null && to === null
      ? {}
      : { windows: [{ startSeconds: (from ?? 0) * 60, endSeconds: (to ?? 1440) * 60 }] }),
    ...(visit.skills.length ? { skills: visit.skills.map(asSkill) } : {}),
  }
}

/** The open stops of every crew as they stand. */
export const ordersOf = (context: PlanningContext): Orders => {
  const orders: Orders = new Map(context.data.crews.map((crew) => [crew.id, []]))
  const open = context.data.visits.filter((v) => !isBegun(v) && v.crewId !== null).sort(inOrder)
  for (const visit of open) orders.get(visit.crewId as string)?.push(visit.id)
  return orders
}

export const daysLate = (visit: Pick<DayVisit, 'day'>, day: Day): number =>
  Math.max(0, Math.round((Date.parse(day) - Date.parse(visit.day)) / 86_400_000))
