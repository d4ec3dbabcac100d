import { evaluate } from './evaluate.ts'
import type { Matrix, Problem } from './problem.ts'
import type {
  SeasonCrew,
  SeasonDriving,
  SeasonProblem,
  SeasonProperty,
  SeasonRoute,
  SeasonSlot,
} from './season-problem.ts'
import { rhythmOf, serviceSecondsOf } from './season-service.ts'
import { solve } from './solve.ts'

/** One crew's day of the cycle as `evaluate` counts it. */
export type JudgedRoute = SeasonRoute & { driveMeters: number; driveCents: number; roomSeconds: number }

export type SeasonJudgement = {
  routes: JudgedRoute[]
  cycleWeeks: number
  /** Of the whole season. */
  driving: SeasonDriving
  serviceSeconds: number
}

export type JudgeOptions = {
  /** Orders that are known to be good; each is tried where it holds the same properties. */
  orders?: readonly Pick<SeasonRoute, 'crewId' | 'day' | 'week' | 'propertyIds'>[]
  /** Drive time of a crew in percent of the matrix, by crew. */
  percents?: Readonly<Record<string, number>>
  /** Routes that were judged before, by what they hold; new ones are added. */
  known?: Map<string, JudgedRoute>
}

const iterationsFor = (stops: number): number => (stops < 3 ? 20 : 200 + 60 * stops)
/** A day's search must never leave a stop out because the shift is over: that is what is to be seen. */
const longDay = 7 * 86_400

const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b))

/** The drives of one crew between the places of its route alone: a table of the whole season for every crew would be as much memory again. */
const partOf = (matrix: Matrix, places: readonly number[], percent: number): Matrix => {
  const size = places.length
  const seconds = new Int32Array(size * size)
  const meters = new Int32Array(size * size)
  for (const [i, from] of places.entries())
    for (const [j, to] of places.entries()) {
      const s = matrix.seconds[from * matrix.size + to] ?? -1
      seconds[i * size + j] = s < 0 ? s : Math.round((s * percent) / 100)
      meters[i * size + j] = matrix.meters[from * matrix.size + to] ?? -1
    }
  return { size, seconds, meters }
}

/**
 * What a season with these slots drives, counted without the season's search: every crew-day of the cycle is put in order by the day's engine
 * and costed by `evaluate`. The same route counts the same wherever it stands, so that two plans differ by what differs in them.
 * Properties without a slot are left out. Rhythms whose weeks come together only after more than 12 are left out, too. The routes are those of
 * a week in which everything comes; the season's driving knows which weeks these are.
 */
export function judgeSeason(
  problem: SeasonProblem,
  slots: ReadonlyMap<string, SeasonSlot>,
  { orders = [], percents = {}, known = new Map() }: JudgeOptions = {},
): SeasonJudgement {
  const planned = problem.properties.filter((p) => slots.has(p.id) && 12 % rhythmOf(p) === 0)
  const cycleWeeks = planned.reduce((cycle, p) => (cycle * rhythmOf(p)) / gcd(cycle, rhythmOf(p)), 1)
  const weeks = Math.max(1, Math.round(problem.weeks))
  const hints = Map.groupBy(orders, (one) => `${one.crewId} ${one.day} ${one.week}`)
  const beats = Map.groupBy(planned, (p) => {
    const slot = slots.get(p.id)!
    return `${slot.crewId} ${slot.day}`
  })
  const weeksOf = (p: SeasonProperty): number => Math.max(0, Math.round(p.weeks ?? weeks))
  // Times of the year by who comes: the longest first, each without those that are over by then.
  const spans = [...new Set(planned.map(weeksOf))].sort((a, b) => b - a)
  const routes: JudgedRoute[] = []
  const driving: SeasonDriving = { seconds: 0, meters: 0, cents: 0 }
  let serviceSeconds = 0
  for (const [beat, members] of beats) {
    const { crewId, day } = slots.get(members[0]!.id)!
    const crew = problem.crews.find((one) => one.id === crewId)
    if (!crew) continue
    const roads: Roads = { matrix: problem.matrix, percent: percents[crewId] ?? 100 }
    for (let week = 0; week < cycleWeeks; week++) {
      const own = members.filter((p) => week % p.everyWeeks === slots.get(p.id)!.week % p.everyWeeks)
      if (own.length === 0) continue
      const tried = (hints.get(`${beat} ${week}`) ?? []).map((one) => one.propertyIds)
      const full = judgeRoute(roads, crew, { day, week, members: own, tried, known })
      routes.push(full)
      for (const [at, until] of spans.entries()) {
        const from = spans[at + 1] ?? 0
        const there = own.filter((p) => weeksOf(p) >= until)
        const times = timesBefore(until, week, cycleWeeks) - timesBefore(from, week, cycleWeeks)
        if (there.length === 0 || times === 0) continue
        const route =
          there.length === own.length
            ? full
            : judgeRoute(roads, crew, {
                ...{ day, week, members: there, known },
                tried: [full.propertyIds, ...tried],
              })
        driving.seconds += times * route.driveSeconds
        driving.meters += times * route.driveMeters
        driving.cents += times * route.driveCents
        serviceSeconds += times * route.workSeconds
      }
    }
  }
  return {
    routes,
    cycleWeeks,
    driving: {
      seconds: Math.round(driving.seconds),
      meters: Math.round(driving.meters),
      cents: Math.round(driving.cents),
    },
    serviceSeconds: Math.round(serviceSeconds),
  }
}

/** How often a week of the cycle comes in the first so many weeks. */
const timesBefore = (weeks: number, week: number, cycleWeeks: number): number =>
  Math.floor(weeks / cycleWeeks) + (week < weeks % cycleWeeks ? 1 : 0)

/** All drives, and how long one crew takes for them in percent. */
type Roads = { matrix: Matrix; percent: number }

type RouteTask = {
  day: number
  week: number
  members: readonly SeasonProperty[]
  tried: readonly (readonly string[])[]
  known: Map<string, JudgedRoute>
}

/** A route in its best order; what its stops take is that of the week. */
function judgeRoute(roads: Roads, crew: SeasonCrew, task: RouteTask): JudgedRoute {
  const { day, week, members } = task
  const driven = driveRoute(roads, crew, task)
  const workSeconds = members.reduce((all, p) => all + serviceSecondsOf(p, crew.id, week), 0)
  const overSeconds = Math.max(0, driven.driveSeconds + workSeconds - driven.roomSeconds)
  return { ...driven, day, week, workSeconds, overSeconds }
}

function driveRoute(
  { matrix, percent }: Roads,
  crew: SeasonCrew,
  { day, week, members, tried, known }: RouteTask,
): JudgedRoute {
  const ids = members.map((p) => p.id).sort()
  const key = `${crew.id} ${day} ${ids.join()}`
  const before = known.get(key)
  if (before) return before
  const ends = crew.endLocation === null ? [] : [crew.endLocation]
  // In the order of the whole table, so that a tie ends as it would there.
  const places = [...new Set([crew.startLocation, ...ends, ...members.map((p) => p.location)])].sort((a, b) => a - b)
  const at = new Map(places.map((place, n) => [place, n]))
  const one: Problem = {
    matrix: partOf(matrix, places, percent),
    visits: members.map((p) => ({
      id: p.id,
      location: at.get(p.location)!,
      serviceSeconds: serviceSecondsOf(p, crew.id, week),
    })),
    crewDays: [
      {
        id: crew.id,
        startLocation: at.get(crew.startLocation)!,
        endLocation: crew.endLocation === null ? null : at.get(crew.endLocation)!,
        shiftStartSeconds: 0,
        shiftEndSeconds: longDay,
        ...(crew.crewSize === undefined ? {} : { crewSize: crew.crewSize }),
        ...(crew.wageCentsPerHour === undefined ? {} : { wageCentsPerHour: crew.wageCentsPerHour }),
        ...(crew.centsPerMile === undefined ? {} : { centsPerMile: crew.centsPerMile }),
      },
    ],
  }
  const found =
    solve(one, { iterations: iterationsFor(members.length) }).routes[0]?.stops.map((stop) => stop.visitId) ?? []
  const own = new Set(ids)
  const complete = [found, ...tried.map((order) => order.filter((id) => own.has(id)))].filter(
    (order) => order.length === ids.length && [...order].sort().join() === ids.join(),
  )
  const judged = (complete.length > 0 ? complete : [ids]).map((order) => {
    const { totals, cost } = evaluate(one, { routes: [{ crewDayId: crew.id, visitIds: order }] })
    return { order, totals, cents: cost.driveLaborCents + cost.mileageCents }
  })
  const best = judged.reduce((a, b) => (b.cents < a.cents ? b : a))
  const roomSeconds = crew.shiftSecondsByDay?.[day] ?? crew.shiftSeconds
  const route: JudgedRoute = {
    crewId: crew.id,
    day,
    week,
    propertyIds: best.order,
    driveSeconds: best.totals.driveSeconds,
    driveMeters: best.totals.driveMeters,
    driveCents: best.cents,
    workSeconds: 0,
    roomSeconds,
    overSeconds: 0,
  }
  known.set(key, route)
  return route
}
