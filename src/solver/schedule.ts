import { windowsOn } from './compile-windows.ts'
import type { CrewDay, Problem, TakenBreak, Visit } from './problem.ts'

/** One leg of the day: NaN-free, unreachable legs count 0 and are listed. */
export type Leg = { seconds: number; meters: number; reachable: boolean }

/** Drive from one location to another; `to` null (open end) costs nothing. */
export function legBetween(problem: Problem, from: number, to: number | null): Leg {
  if (to === null) return { seconds: 0, meters: 0, reachable: true }
  const { size, seconds, meters } = problem.matrix
  const known = from >= 0 && to >= 0 && from < size && to < size
  const s = known ? seconds[from * size + to]! : -1
  if (s < 0) return { seconds: 0, meters: 0, reachable: false }
  return { seconds: s, meters: Math.max(0, meters[from * size + to]!), reachable: true }
}

/** Seconds on site for the crew of this crew-day. */
export function serviceSecondsOn(visit: Visit, crewDay: CrewDay): number {
  const own = crewDay.crewClass === undefined ? undefined : visit.serviceSecondsByClass?.[crewDay.crewClass]
  return own ?? visit.serviceSeconds
}

export type TimedStop = { arrive: number; start: number; leave: number; wait: number; late: number; leg: Leg }
export type Schedule = {
  depart: number
  stops: TimedStop[]
  home: Leg
  end: number
  late: number
  break: TakenBreak | null
  /** Seconds the break starts after it should, or the whole length of it when there is no room at all. */
  breakLate: number
  /** Waiting for the break to be allowed, on the road (before the first stop the crew leaves later instead). */
  idle: number
}

type BreakChoice = { before: number; afterDrive: boolean } | null

/**
 * Clock times of an order of stops, as early as possible, late where it cannot be otherwise (the start is then the
 * arrival). Tries every place for the break and keeps the one with the least lateness, then the earliest end.
 */
export function scheduleRoute(problem: Problem, crewDay: CrewDay, visits: Visit[]): Schedule {
  const b = crewDay.break
  const plain = runSchedule(problem, crewDay, visits, null)
  if (!b || visits.length === 0 || plain.end <= b.latestSeconds) return plain
  let best: Schedule | null = null
  for (let before = 0; before <= visits.length; before++) {
    for (const afterDrive of [false, true]) {
      const tried = runSchedule(problem, crewDay, visits, { before, afterDrive })
      if (
        !best ||
        badness(tried, crewDay) < badness(best, crewDay) ||
        (badness(tried, crewDay) === badness(best, crewDay) && tried.end < best.end)
      )
        best = tried
    }
  }
  return best!
}

function badness(s: Schedule, crewDay: CrewDay): number {
  return s.late + s.breakLate + Math.max(0, s.end - crewDay.shiftEndSeconds)
}

function runSchedule(problem: Problem, crewDay: CrewDay, visits: Visit[], choice: BreakChoice): Schedule {
  const stops: TimedStop[] = []
  const rest = crewDay.break
  let taken: TakenBreak | null = null
  let breakLate = 0
  let idle = 0
  let clock = crewDay.shiftStartSeconds
  let place: number = crewDay.startLocation
  let late = 0
  const pause = (index: number, afterDrive: boolean): void => {
    if (!rest || !choice || choice.before !== index || choice.afterDrive !== afterDrive) return
    const start = Math.max(clock, rest.earliestSeconds)
    breakLate = Math.max(0, start - rest.latestSeconds)
    if (index > 0) idle = start - clock
    clock = start + rest.durationSeconds
    taken = { startSeconds: start, endSeconds: clock, beforeStop: index, afterDrive }
  }
  for (const [index, visit] of visits.entries()) {
    pause(index, false)
    const leg = legBetween(problem, place, visit.location)
    clock += leg.seconds
    const arrive = clock
    pause(index, true)
    const ready = clock
    const windows = windowsOn(visit.windows, crewDay.day ?? 0)
    const window = windows?.find(([, close]) => ready <= close)
    const start = window ? Math.max(ready, window[0]) : ready
    const lateBy = windows === null || window ? 0 : windows.length ? ready - windows[windows.length - 1]![1] : 0
    late += lateBy
    clock = start + serviceSecondsOn(visit, crewDay)
    stops.push({ arrive, start, leave: clock, wait: start - ready, late: lateBy, leg })
    place = visit.location
  }
  pause(visits.length, false)
  const home = visits.length ? legBetween(problem, place, crewDay.endLocation) : legBetween(problem, place, null)
  clock += home.seconds
  pause(visits.length, true)
  const first = stops[0]
  let depart = crewDay.shiftStartSeconds
  // A crew that would only wait at its first stop leaves later instead.
  if (first) {
    if (!choice || choice.before > 0) depart += first.wait
    if (!choice || choice.before > 0 || !choice.afterDrive) first.arrive += first.wait
    first.wait = 0
  }
  return { depart, stops, home, end: clock, late, break: taken, breakLate, idle }
}
