import { formatDuration } from '../../../../shared/dates.ts'
import { asSkill } from '../../../../shared/skills.ts'
import { evaluate as evaluateOne } from '../../../../solver/evaluate.ts'
import type { Evaluation, Matrix, Problem } from '../../../../solver/problem.ts'
import { type Presence, peopleDuring } from '../../../employees/staffing/rules.ts'
import { onSiteMinutes, type PlannedRest } from '../../../visits/rules.ts'
import {
  crewDayOf,
  type DayVisit,
  doneSecondsOf,
  freeOf,
  isOnMap,
  isRoutable,
  isUnderWay,
  type Orders,
  type PlanCrew,
  type PlanningContext,
  problemVisit,
  secondsFor,
} from '../day/planning-context.ts'

/** A crew's day with its clock times, and what is wrong with it. */

export type SequencedStop = {
  visit: DayVisit
  begun: boolean
  minutes: number
  startMinute: number | null
  driveSeconds: number
  driveMeters: number
  lateMinutes: number
  overShift: boolean
}

export type SequencedRoute = {
  crew: PlanCrew
  stops: SequencedStop[]
  homeDriveSeconds: number
  driveSeconds: number
  driveMeters: number
  workSeconds: number
  endMinute: number | null
  /** The break as the times have it, and the stop that comes after it: none where it comes before the way home. */
  rest: PlannedRest | null
  /** How many drives it has, and how many of them are estimates. */
  travelTimes: number
  estimatedTravelTimes: number
  violations: { visitId: string | null; text: string }[]
}

/** A drive without a way counts nothing; that there is none is told in the route's violations. */
const legOf = (matrix: Matrix, from: number, to: number) => ({
  seconds: Math.max(0, matrix.seconds[from * matrix.size + to] ?? 0),
  meters: Math.max(0, matrix.meters[from * matrix.size + to] ?? 0),
  noWay: (matrix.seconds[from * matrix.size + to] ?? 0) < 0,
})

/** The day of one crew with its clock times: what has begun as it was, what is open in the order given, what is not on the map last. */
export const sequenceRoute = (context: PlanningContext, crew: PlanCrew, openIds: readonly string[]): SequencedRoute => {
  const matrix = context.matrixFor(crew.driveFactorPercent)
  const free = freeOf(context, crew)
  const route: SequencedRoute = {
    crew,
    stops: [],
    homeDriveSeconds: 0,
    driveSeconds: 0,
    driveMeters: 0,
    workSeconds: 0,
    endMinute: null,
    rest: null,
    travelTimes: 0,
    estimatedTravelTimes: 0,
    violations: [],
  }
  const push = (stop: SequencedStop, workSeconds: number): void => {
    route.stops.push(stop)
    route.driveSeconds += stop.driveSeconds
    route.driveMeters += stop.driveMeters
    route.workSeconds += workSeconds
  }
  let at = context.locations.get(crew.id) ?? context.nowhere
  const path = [at]
  for (const visit of context.begunOf(crew.id)) {
    const place = context.locations.get(visit.id)
    const was = free.rolling && place !== undefined
    const leg = was ? legOf(matrix, at, place) : { seconds: 0, meters: 0 }
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
        driveMeters: leg.meters,
        lateMinutes: 0,
        overShift: false,
      },
      visit.workedSeconds === 0 || isUnderWay(visit.status)
        ? Math.max(worked, visit.workedSeconds)
        : visit.workedSeconds,
    )
  }
  const open = openIds.flatMap((id) => context.byId.get(id) ?? [])
  const routable = open.filter((v) => isRoutable(context, v))
  const one: Problem = {
    matrix,
    visits: routable.map((v) => problemVisit(context, v)),
    crewDays: [crewDayOf(context, crew, free)],
  }
  const evaluated = routeOf(one, routable, crew.presence)
  if (evaluated.break)
    route.rest = {
      beforeVisitId: routable[evaluated.break.beforeStop]?.id ?? null,
      minutes: Math.round((evaluated.break.endSeconds - evaluated.break.startSeconds) / 60),
    }
  for (const [i, visit] of routable.entries()) {
    const stop = evaluated.stops[i]!
    push(
      {
        visit,
        begun: false,
        minutes: Math.round((stop.leaveSeconds - stop.startSeconds) / 60),
        startMinute: Math.floor(stop.startSeconds / 60),
        driveSeconds: stop.driveSeconds,
        driveMeters: stop.driveMeters,
        lateMinutes: Math.ceil(stop.lateSeconds / 60),
        overShift: stop.leaveSeconds > crew.shiftEndMinute * 60,
      },
      stop.leaveSeconds - stop.startSeconds,
    )
  }
  // A crew that is through with its day was back then, whatever time it is now.
  const done = open.length === 0 ? doneSecondsOf(context, crew) : null
  let clock = done ?? evaluated.lastLeave ?? free.seconds
  for (const visit of open.filter((v) => !isRoutable(context, v))) {
    const seconds = secondsFor(visit, crew)
    push(
      {
        visit,
        begun: false,
        minutes: seconds / 60,
        startMinute: Math.floor(clock / 60),
        driveSeconds: 0,
        driveMeters: 0,
        lateMinutes: visit.windowEndMinute === null ? 0 : Math.max(0, Math.ceil(clock / 60 - visit.windowEndMinute)),
        overShift: clock + seconds > crew.shiftEndMinute * 60,
      },
      seconds,
    )
    clock += seconds
    route.violations.push({
      visitId: visit.id,
      text: isOnMap(visit)
        ? `${visit.street} is one too many for one plan: its drive is not counted.`
        : `${visit.street} has no place on the map: its drive is not counted.`,
    })
  }
  if (route.stops.length === 0) return route
  for (const visit of routable) path.push(context.locations.get(visit.id) as number)
  const last = routable.length ? (context.locations.get(routable.at(-1)!.id) as number) : free.location
  const home = legOf(matrix, last, context.locations.get(crew.id) ?? context.nowhere)
  const counts = routable.length > 0 || free.rolling
  if (counts) path.push(path[0]!)
  countTravelTimes(context, matrix, path, route)
  route.homeDriveSeconds = counts ? home.seconds : 0
  route.driveSeconds += route.homeDriveSeconds
  route.driveMeters += counts ? home.meters : 0
  // A break that the engine puts before the way home counts too.
  const withBreak = done === null && open.length === routable.length ? evaluated.end : 0
  const end = Math.max(clock + route.homeDriveSeconds, withBreak)
  route.endMinute = Math.ceil(end / 60)
  for (const { visit } of route.stops.filter((stop) => !stop.begun)) {
    const missing = visit.skills.filter((skill) => !crew.skills.map(asSkill).includes(asSkill(skill)))
    if (missing.length)
      route.violations.push({
        visitId: visit.id,
        text: `${visit.street} needs ${missing.join(', ')}: ${crew.name} has none.`,
      })
  }
  for (const stop of route.stops)
    if (stop.lateMinutes > 0)
      route.violations.push({
        visitId: stop.visit.id,
        text: `${stop.visit.street} starts ${formatDuration(stop.lateMinutes * 60)} after its window.`,
      })
  const over = route.endMinute - crew.shiftEndMinute
  if (over > 0 && open.length > 0)
    route.violations.push({ visitId: null, text: `${crew.name} is back ${formatDuration(over * 60)} after the shift.` })
  return route
}

/** Tells which of a route's drives are estimates, and where the road engine knows no way. */
const countTravelTimes = (
  context: PlanningContext,
  matrix: Matrix,
  path: readonly number[],
  route: SequencedRoute,
): void => {
  for (const [i, to] of path.entries()) {
    const from = path[i - 1]
    if (from === undefined || from === to || from === context.nowhere || to === context.nowhere) continue
    route.travelTimes++
    if (context.isEstimated(from, to)) route.estimatedTravelTimes++
    if (!legOf(matrix, from, to).noWay) continue
    const stop = route.stops.find(({ visit }) => context.locations.get(visit.id) === to)
    route.violations.push({
      visitId: stop?.visit.id ?? null,
      text: stop
        ? `No road leads to ${stop.visit.street} from the stop before: its drive is not counted. Look at its pin.`
        : `No road leads back from the last stop: that drive is not counted. Look at its pin.`,
    })
  }
}

/** Enough for the stops around the minutes at which somebody comes or goes. */
const mostTries = 8

type Timed = Pick<Evaluation['routes'][number], 'stops' | 'break'> & { end: number; lastLeave: number | null }

/** Times of one crew's stops exactly in this order; the same arithmetic that the search uses. */
const routeOf = (problem: Problem, visits: readonly DayVisit[], presence: readonly Presence[]): Timed => {
  const crewDay = problem.crewDays[0]!
  const plan = { routes: [{ crewDayId: crewDay.id, visitIds: visits.map((v) => v.id) }] }
  let route = evaluateOne(problem, plan).routes[0]!
  let then = problem.visits
  // How long a stop takes hangs on when it begins, and that on the stops before it: each time at least one more is settled.
  for (let tries = presence.length > 1 ? mostTries : 0; tries > 0; tries--) {
    const next = then.map((visit, i) => {
      const labor = visits[i]?.budgetMinutes ?? 0
      // In whole minutes from a whole minute, as every screen reckons that knows only when the stop begins.
      const people = peopleDuring(presence, 1, Math.floor((route.stops[i]?.startSeconds ?? 0) / 60), labor)
      const seconds = Math.max(1, onSiteMinutes(labor, people)) * 60
      return { ...visit, serviceSeconds: seconds, serviceSecondsByClass: { [crewDay.crewClass ?? '']: seconds } }
    })
    if (next.every((visit, i) => visit.serviceSeconds === then[i]?.serviceSeconds)) break
    then = next
    route = evaluateOne({ ...problem, visits: then }, plan).routes[0]!
  }
  const lastLeave = route.stops.at(-1)?.leaveSeconds ?? null
  return { stops: route.stops, break: route.break, end: lastLeave === null ? 0 : route.totals.endSeconds, lastLeave }
}

/** The routes of every crew with their clock times, as the plan stands. */
export const sequenceDay = (context: PlanningContext, orders: Orders): SequencedRoute[] =>
  context.data.crews.map((crew) => sequenceRoute(context, crew, orders.get(crew.id) ?? []))
