import type { Day } from '../../../shared/dates.ts'
import { evaluate as evaluateOne } from '../../../solver/evaluate.ts'
import type { Point } from '../../../solver/matrix.ts'
import type { CrewDay, Evaluation, Matrix, Problem, Visit } from '../../../solver/problem.ts'
import { type Drives, fromEngine } from '../../travel/server/queries.ts'
import { onSiteMinutes, type VisitStatus } from '../../visits/rules.ts'

/** What a day's plan is for the engine: which stops are open, where and when each crew is free, what is fixed. */

export type DayVisit = {
  id: string
  jobId: string
  jobNumber: number
  title: string
  street: string
  city: string
  customerName: string
  latitude: number | null
  longitude: number | null
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
  colour: string
  members: { userId: string; name: string }[]
  people: number
  costCentsPerHour: number
  depotStreet: string
  depot: { latitude: number; longitude: number } | null
  shiftStartMinute: number
  shiftEndMinute: number
  breakMinutes: number
  driveFactorPercent: number
  works: boolean
}

export type DayData = {
  day: Day
  today: Day
  /** Minutes since midnight when the day is today. */
  nowMinute: number | null
  business: { mileCostCents: number; driveFactorSeconds: number; driveExponent: number; timeZone: string }
  crews: PlanCrew[]
  visits: DayVisit[]
}

/** Open stops by crew in their order; what is in none of the lists has no crew. */
export type Orders = Map<string, string[]>

export const isBegun = (visit: Pick<DayVisit, 'status'>): boolean => visit.status !== 'scheduled'

const underWay: readonly VisitStatus[] = ['en_route', 'in_progress', 'paused']

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

/** Every place of a day once, crews' yards first, and where each yard and visit is among them. */
export type Places = { points: Point[]; yards: number; locations: Map<string, number> }

export const placesOf = (data: DayData): Places => {
  const points: Point[] = []
  const locations = new Map<string, number>()
  const known = new Map<string, number>()
  const add = (id: string, point: Point | null): void => {
    if (!point) return
    const key = `${point.lat},${point.lng}`
    const at = known.get(key) ?? points.push(point) - 1
    known.set(key, at)
    locations.set(id, at)
  }
  for (const crew of data.crews) add(crew.id, crew.depot && { lat: crew.depot.latitude, lng: crew.depot.longitude })
  const yards = points.length
  for (const visit of data.visits) add(visit.id, pointOf(visit))
  return { points, yards, locations }
}

export type Ground = {
  data: DayData
  byId: Map<string, DayVisit>
  /** Place of a visit or crew's yard in the matrix. */
  locations: Map<string, number>
  nowhere: number
  matrixFor: (driveFactorPercent: number) => Matrix
  /** The drive between two places was not answered by a road engine. */
  isEstimated: (from: number, to: number) => boolean
  begunOf: (crewId: string) => DayVisit[]
}

/** All that is asked of a day, on drives between `placesOf(data).points`. */
export const groundOf = (data: DayData, { locations }: Places, drives: Drives): Ground => {
  const nowhere = drives.size
  const base = withNowhere(drives)
  const scaled = new Map<number, Matrix>([[100, base]])
  const matrixFor = (percent: number): Matrix => {
    const made = scaled.get(percent) ?? {
      ...base,
      seconds: base.seconds.map((s) => (s < 0 ? s : Math.round((s * percent) / 100))),
    }
    scaled.set(percent, made)
    return made
  }
  const begun = Map.groupBy(
    data.visits.filter((v) => isBegun(v) && v.crewId !== null),
    (v) => v.crewId as string,
  )
  return {
    data,
    byId: new Map(data.visits.map((v) => [v.id, v])),
    locations,
    nowhere,
    matrixFor,
    isEstimated: (from, to) =>
      from !== to && from < drives.size && to < drives.size && drives.source[from * drives.size + to] !== fromEngine,
    begunOf: (crewId) => (begun.get(crewId) ?? []).sort(inHappenedOrder),
  }
}

/** One more place that is no seconds from everywhere: where a crew without a yard starts. */
const withNowhere = (matrix: Matrix): Matrix => {
  const size = matrix.size + 1
  const seconds = new Int32Array(size * size)
  const metres = new Int32Array(size * size)
  for (let row = 0; row < matrix.size; row++) {
    seconds.set(matrix.seconds.subarray(row * matrix.size, (row + 1) * matrix.size), row * size)
    metres.set(matrix.metres.subarray(row * matrix.size, (row + 1) * matrix.size), row * size)
  }
  return { size, seconds, metres }
}

export const secondsFor = (visit: DayVisit, crew: PlanCrew): number =>
  onSiteMinutes(visit.budgetMinutes, crew.people) * 60

/** When and where a crew is free for what is still open. */
export type Free = { location: number; seconds: number; rolling: boolean }

export const freeOf = (ground: Ground, crew: PlanCrew): Free => {
  const home = ground.locations.get(crew.id) ?? ground.nowhere
  const shiftStart = crew.shiftStartMinute * 60
  const begun = ground.begunOf(crew.id)
  const worked = begun.filter((v) => v.status === 'completed' || underWay.includes(v.status))
  if (worked.length === 0) return { location: home, seconds: shiftStart, rolling: false }
  const now = ground.data.nowMinute
  let seconds = (now ?? crew.shiftStartMinute) * 60
  for (const visit of worked) {
    if (visit.status === 'completed') seconds = Math.max(seconds, (visit.finishedMinute ?? 0) * 60)
    else {
      const left = Math.max(120, secondsFor(visit, crew) - visit.workedSeconds)
      seconds = Math.max(seconds, (now ?? visit.beganMinute ?? crew.shiftStartMinute) * 60 + left)
    }
  }
  const last = worked.findLast((v) => underWay.includes(v.status)) ?? worked.at(-1)
  return { location: (last && ground.locations.get(last.id)) ?? home, seconds, rolling: true }
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

export const crewDayOf = (ground: Ground, crew: PlanCrew, free: Free): CrewDay => ({
  id: crew.id,
  crewClass: `${crew.people}`,
  startLocation: free.location,
  endLocation: ground.locations.get(crew.id) ?? ground.nowhere,
  shiftStartSeconds: free.seconds,
  shiftEndSeconds: Math.max(free.seconds, crew.shiftEndMinute * 60),
  ...(breakOf(crew, free) ? { break: breakOf(crew, free) } : {}),
  crewSize: 1,
  wageCentsPerHour: crew.costCentsPerHour,
  centsPerMile: ground.data.business.mileCostCents,
})

/** A visit for the engine. Service must start inside the window. */
export const problemVisit = (ground: Ground, visit: DayVisit): Visit => {
  const { windowStartMinute: from, windowEndMinute: to } = visit
  const classes = new Map(ground.data.crews.map((crew) => [`${crew.people}`, secondsFor(visit, crew)]))
  return {
    id: visit.id,
    location: ground.locations.get(visit.id) ?? ground.nowhere,
    serviceSeconds: visit.budgetMinutes * 60,
    serviceSecondsByClass: Object.fromEntries(classes),
    ...(from === null && to === null
      ? {}
      : { windows: [{ startSeconds: (from ?? 0) * 60, endSeconds: (to ?? 1440) * 60 }] }),
  }
}

/** The open stops of every crew as they stand. */
export const ordersOf = (ground: Ground): Orders => {
  const orders: Orders = new Map(ground.data.crews.map((crew) => [crew.id, []]))
  const open = ground.data.visits.filter((v) => !isBegun(v) && v.crewId !== null).sort(inOrder)
  for (const visit of open) orders.get(visit.crewId as string)?.push(visit.id)
  return orders
}

export type LaidStop = {
  visit: DayVisit
  begun: boolean
  minutes: number
  startMinute: number | null
  driveSeconds: number
  driveMetres: number
  lateMinutes: number
  overShift: boolean
}

export type LaidRoute = {
  crew: PlanCrew
  stops: LaidStop[]
  homeDriveSeconds: number
  driveSeconds: number
  driveMetres: number
  workSeconds: number
  endMinute: number | null
  /** How many drives it has, and how many of them are estimates. */
  drives: number
  estimatedDrives: number
  violations: { visitId: string | null; text: string }[]
}

/** A drive without a way counts nothing; that there is none is told in the route's violations. */
const legOf = (matrix: Matrix, from: number, to: number) => ({
  seconds: Math.max(0, matrix.seconds[from * matrix.size + to] ?? 0),
  metres: Math.max(0, matrix.metres[from * matrix.size + to] ?? 0),
  noWay: (matrix.seconds[from * matrix.size + to] ?? 0) < 0,
})

/** The day of one crew with its clock times: what has begun as it was, what is open in the order given, what is not on the map last. */
export const layOut = (ground: Ground, crew: PlanCrew, openIds: readonly string[]): LaidRoute => {
  const matrix = ground.matrixFor(crew.driveFactorPercent)
  const free = freeOf(ground, crew)
  const route: LaidRoute = {
    crew,
    stops: [],
    homeDriveSeconds: 0,
    driveSeconds: 0,
    driveMetres: 0,
    workSeconds: 0,
    endMinute: null,
    drives: 0,
    estimatedDrives: 0,
    violations: [],
  }
  const push = (stop: LaidStop, workSeconds: number): void => {
    route.stops.push(stop)
    route.driveSeconds += stop.driveSeconds
    route.driveMetres += stop.driveMetres
    route.workSeconds += workSeconds
  }
  let at = ground.locations.get(crew.id) ?? ground.nowhere
  const path = [at]
  for (const visit of ground.begunOf(crew.id)) {
    const place = ground.locations.get(visit.id)
    const was = free.rolling && place !== undefined
    const leg = was ? legOf(matrix, at, place) : { seconds: 0, metres: 0 }
    if (was) {
      at = place
      path.push(place)
    }
    const minutes = onSiteMinutes(visit.budgetMinutes, crew.people)
    const worked = visit.status === 'skipped' || visit.status === 'missed' ? 0 : minutes * 60
    push(
      {
        visit,
        begun: true,
        minutes,
        startMinute: visit.beganMinute ?? visit.plannedStartMinute,
        driveSeconds: leg.seconds,
        driveMetres: leg.metres,
        lateMinutes: 0,
        overShift: false,
      },
      visit.workedSeconds > 0 ? visit.workedSeconds : worked,
    )
  }
  const open = openIds.flatMap((id) => ground.byId.get(id) ?? [])
  const routable = open.filter(isOnMap)
  const one: Problem = {
    matrix,
    visits: routable.map((v) => problemVisit(ground, v)),
    crewDays: [crewDayOf(ground, crew, free)],
  }
  const evaluated = routeOf(one, routable)
  for (const [i, visit] of routable.entries()) {
    const stop = evaluated.stops[i]!
    push(
      {
        visit,
        begun: false,
        minutes: onSiteMinutes(visit.budgetMinutes, crew.people),
        startMinute: Math.floor(stop.startSeconds / 60),
        driveSeconds: stop.driveSeconds,
        driveMetres: stop.driveMetres,
        lateMinutes: Math.ceil(stop.lateSeconds / 60),
        overShift: stop.leaveSeconds > crew.shiftEndMinute * 60,
      },
      stop.leaveSeconds - stop.startSeconds,
    )
  }
  let clock = evaluated.lastLeave ?? free.seconds
  for (const visit of open.filter((v) => !isOnMap(v))) {
    const seconds = secondsFor(visit, crew)
    push(
      {
        visit,
        begun: false,
        minutes: seconds / 60,
        startMinute: Math.floor(clock / 60),
        driveSeconds: 0,
        driveMetres: 0,
        lateMinutes: visit.windowEndMinute === null ? 0 : Math.max(0, Math.ceil(clock / 60 - visit.windowEndMinute)),
        overShift: clock + seconds > crew.shiftEndMinute * 60,
      },
      seconds,
    )
    clock += seconds
    route.violations.push({
      visitId: visit.id,
      text: `${visit.street} has no place on the map: its drive is not counted.`,
    })
  }
  if (route.stops.length === 0) return route
  for (const visit of routable) path.push(ground.locations.get(visit.id) as number)
  const last = routable.length ? (ground.locations.get(routable.at(-1)!.id) as number) : free.location
  const home = legOf(matrix, last, ground.locations.get(crew.id) ?? ground.nowhere)
  const counts = routable.length > 0 || free.rolling
  if (counts) path.push(path[0]!)
  countDrives(ground, matrix, path, route)
  route.homeDriveSeconds = counts ? home.seconds : 0
  route.driveSeconds += route.homeDriveSeconds
  route.driveMetres += counts ? home.metres : 0
  // A break that the engine puts before the way home counts too.
  const end = Math.max(clock + route.homeDriveSeconds, open.length === routable.length ? evaluated.end : 0)
  route.endMinute = Math.ceil(end / 60)
  for (const stop of route.stops)
    if (stop.lateMinutes > 0)
      route.violations.push({
        visitId: stop.visit.id,
        text: `${stop.visit.street} starts ${stop.lateMinutes} min after its window.`,
      })
  const over = route.endMinute - crew.shiftEndMinute
  if (over > 0 && open.length > 0)
    route.violations.push({ visitId: null, text: `${crew.name} is back ${over} min after the shift.` })
  return route
}

/** Tells which of a route's drives are estimates, and where the road engine knows no way. */
const countDrives = (ground: Ground, matrix: Matrix, path: readonly number[], route: LaidRoute): void => {
  for (const [i, to] of path.entries()) {
    const from = path[i - 1]
    if (from === undefined || from === to || from === ground.nowhere || to === ground.nowhere) continue
    route.drives++
    if (ground.isEstimated(from, to)) route.estimatedDrives++
    if (!legOf(matrix, from, to).noWay) continue
    const stop = route.stops.find(({ visit }) => ground.locations.get(visit.id) === to)
    route.violations.push({
      visitId: stop?.visit.id ?? null,
      text: stop
        ? `No road leads to ${stop.visit.street} from the stop before: its drive is not counted. Look at its pin.`
        : `No road leads back from the last stop: that drive is not counted. Look at its pin.`,
    })
  }
}

type Timed = Pick<Evaluation['routes'][number], 'stops'> & { end: number; lastLeave: number | null }

/** Times of one crew's stops exactly in this order; the same arithmetic that the search uses. */
const routeOf = (problem: Problem, visits: readonly DayVisit[]): Timed => {
  const crewDay = problem.crewDays[0]!
  const { routes } = evaluateOne(problem, { routes: [{ crewDayId: crewDay.id, visitIds: visits.map((v) => v.id) }] })
  const route = routes[0]!
  const lastLeave = route.stops.at(-1)?.leaveSeconds ?? null
  return { stops: route.stops, end: lastLeave === null ? 0 : route.totals.endSeconds, lastLeave }
}

export const daysLate = (visit: Pick<DayVisit, 'day'>, day: Day): number =>
  Math.max(0, Math.round((Date.parse(day) - Date.parse(visit.day)) / 86_400_000))
