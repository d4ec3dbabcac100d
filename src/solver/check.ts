import type { CrewDay, Evaluation, Problem, Violation, Visit } from './problem.ts'

/**
 * Judges a plan by its own printed clock times, against the problem alone: code that shares nothing with the search, the
 * schedule or `evaluate`. Every rule broken is one violation; visits neither served nor listed as unserved too.
 * `byPins` is true where the route has fixed stops, whose order alone may be the cause.
 */
export function check(problem: Problem, plan: Pick<Evaluation, 'routes' | 'unserved'>): Violation[] {
  const found: Violation[] = []
  const byId = new Map<string, Visit>()
  for (const visit of problem.visits) byId.set(visit.id, byId.get(visit.id) ?? visit)
  const times = new Map<string, number>()
  for (const id of [
    ...plan.routes.flatMap((route) => route.stops.map((stop) => stop.visitId)),
    ...plan.unserved.map((u) => u.visitId),
  ])
    times.set(id, (times.get(id) ?? 0) + 1)
  const wanted = new Map<string, number>()
  for (const visit of problem.visits) wanted.set(visit.id, (wanted.get(visit.id) ?? 0) + 1)
  for (const [id, count] of wanted)
    if ((times.get(id) ?? 0) !== count)
      found.push({
        kind: 'duplicate',
        visitId: id,
        amount: (times.get(id) ?? 0) - count,
        byPins: false,
        text: `Stands ${times.get(id) ?? 0} times in the answer.`,
      })
  for (const item of plan.unserved)
    if (item.reasons.length === 0)
      found.push({
        kind: 'unknown',
        visitId: item.visitId,
        amount: 0,
        byPins: false,
        text: 'Unserved without a reason.',
      })
  for (const route of plan.routes) {
    const crewDay = problem.crewDays.find((c) => c.id === route.crewDayId)
    if (!crewDay) {
      found.push({ kind: 'unknown', crewDayId: route.crewDayId, amount: 0, byPins: false, text: 'No such crew-day.' })
      continue
    }
    const visits = route.stops.map((stop) => byId.get(stop.visitId))
    const hasFixed = visits.some((visit) => visit?.pin?.order !== undefined)
    const add = (kind: Violation['kind'], amount: number, text: string, visitId?: string): void => {
      found.push({
        kind,
        crewDayId: crewDay.id,
        amount,
        byPins: hasFixed,
        text,
        ...(visitId === undefined ? {} : { visitId }),
      })
    }
    if (visits.includes(undefined)) add('unknown', 0, 'A stop is of no visit.')
    else if (route.stops.length) checkRoute(problem, crewDay, route, visits as Visit[], add)
  }
  checkPins(problem, plan, found)
  checkSeries(problem, plan, found)
  return found
}

type Add = (kind: Violation['kind'], amount: number, text: string, visitId?: string) => void

function checkRoute(
  problem: Problem,
  crewDay: CrewDay,
  route: Evaluation['routes'][number],
  visits: Visit[],
  add: Add,
): void {
  const travel = (from: number, to: number): number => problem.matrix.seconds[from * problem.matrix.size + to] ?? -1
  const load: number[] = []
  let free = route.totals.departSeconds
  let at = crewDay.startLocation
  let drive = 0
  const rest = route.break
  const inside = (index: number, from: number, to: number): number => {
    if (!rest || rest.beforeStop !== index) return 0
    if (rest.startSeconds < from || rest.endSeconds > to) add('break', 1, 'The break overlaps a stop.')
    return rest.endSeconds - rest.startSeconds
  }
  if (free < crewDay.shiftStartSeconds) add('shift', crewDay.shiftStartSeconds - free, 'Leaves before the shift.')
  for (const [i, stop] of route.stops.entries()) {
    const visit = visits[i]!
    const leg = travel(at, visit.location)
    if (leg < 0) add('unreachable', 0, 'No way.', visit.id)
    const service = visit.serviceSecondsByClass?.[crewDay.crewClass ?? '\u0000'] ?? visit.serviceSeconds
    const pause = inside(i, free, stop.startSeconds)
    if (stop.startSeconds - free < Math.max(0, leg) + pause)
      add('times', 1, 'Starts before the crew can be there.', visit.id)
    if (stop.arriveSeconds < free + Math.max(0, leg) || stop.arriveSeconds > stop.startSeconds)
      add('times', 1, 'Arrival does not fit.', visit.id)
    if (stop.leaveSeconds - stop.startSeconds !== service) add('times', 1, 'Stays too short or too long.', visit.id)
    if (stop.driveSeconds !== Math.max(0, leg)) add('times', 1, 'Drive is not the matrix.', visit.id)
    const day = crewDay.day ?? 0
    if (visit.windows?.length) {
      const today = visit.windows.filter(
        (w) => (w.day === undefined || w.day === day) && w.startSeconds <= w.endSeconds,
      )
      if (today.length === 0) add('not-allowed', 0, 'Closed on this day.', visit.id)
      else if (!today.some((w) => w.startSeconds <= stop.startSeconds && stop.startSeconds <= w.endSeconds))
        add('late', 1, 'Outside its windows.', visit.id)
    }
    for (const skill of visit.skills ?? [])
      if (!(crewDay.skills ?? []).includes(skill)) add('skill', 0, `Lacks ${skill}.`, visit.id)
    if (visit.allowedCrewDayIds && !visit.allowedCrewDayIds.includes(crewDay.id))
      add('not-allowed', 0, 'Not an allowed crew-day.', visit.id)
    if ((visit.forbiddenCrewDayIds ?? []).includes(crewDay.id)) add('not-allowed', 0, 'A forbidden crew-day.', visit.id)
    for (let d = 0; d < (visit.demand?.length ?? 0); d++) load[d] = (load[d] ?? 0) + visit.demand![d]!
    drive += Math.max(0, leg)
    free = stop.leaveSeconds
    at = visit.location
  }
  const home = crewDay.endLocation === null ? 0 : travel(at, crewDay.endLocation)
  if (home < 0) add('unreachable', 0, 'No way home.')
  drive += Math.max(0, home)
  const pause = inside(route.stops.length, free, route.totals.endSeconds)
  if (route.totals.endSeconds < free + Math.max(0, home) + pause) add('times', 1, 'Home before possible.')
  if (route.totals.endSeconds > crewDay.shiftEndSeconds)
    add('shift', route.totals.endSeconds - crewDay.shiftEndSeconds, 'After the shift.')
  for (let d = 0; d < load.length; d++) {
    const limit = crewDay.capacity?.[d] ?? Number.POSITIVE_INFINITY
    if (load[d]! > limit) add('capacity', load[d]! - limit, 'Overloaded.')
  }
  if (route.stops.length > (crewDay.maxStops ?? Number.POSITIVE_INFINITY))
    add('max-stops', route.stops.length - crewDay.maxStops!, 'Too many stops.')
  if (drive > (crewDay.maxDriveSeconds ?? Number.POSITIVE_INFINITY))
    add('max-drive', drive - crewDay.maxDriveSeconds!, 'Too much driving.')
  if (drive !== route.totals.driveSeconds) add('times', 1, 'The sum of driving is wrong.')
  const b = crewDay.break
  if (b && b.durationSeconds > 0) {
    if (!rest && route.totals.endSeconds > b.latestSeconds) add('break', b.durationSeconds, 'No break.')
    if (
      rest &&
      (rest.startSeconds < b.earliestSeconds ||
        rest.startSeconds > b.latestSeconds ||
        rest.endSeconds - rest.startSeconds < b.durationSeconds)
    )
      add('break', 1, 'The break is outside its window.')
  }
}

function checkPins(problem: Problem, plan: Pick<Evaluation, 'routes' | 'unserved'>, found: Violation[]): void {
  const place = new Map<string, { crewDayId: string; index: number }>()
  for (const route of plan.routes)
    for (const [index, stop] of route.stops.entries()) place.set(stop.visitId, { crewDayId: route.crewDayId, index })
  const pinned = problem.visits.filter((visit) => visit.pin && place.has(visit.id))
  for (const visit of pinned)
    if (place.get(visit.id)!.crewDayId !== visit.pin!.crewDayId)
      found.push({ kind: 'pin', visitId: visit.id, amount: 0, byPins: false, text: 'On another crew-day than pinned.' })
  for (const crewDay of problem.crewDays) {
    const fixed = pinned
      .filter((v) => v.pin!.order !== undefined && v.pin!.crewDayId === crewDay.id)
      .sort((a, b) => a.pin!.order! - b.pin!.order!)
    let last = -1
    for (const visit of fixed) {
      const index = place.get(visit.id)!.index
      if (index <= last)
        found.push({
          kind: 'pin',
          visitId: visit.id,
          crewDayId: crewDay.id,
          amount: 0,
          byPins: false,
          text: 'Out of the pinned order.',
        })
      if (visit.pin!.lockGapBefore && index !== last + 1)
        found.push({
          kind: 'pin',
          visitId: visit.id,
          crewDayId: crewDay.id,
          amount: 0,
          byPins: false,
          text: 'Its locked gap was filled.',
        })
      last = index
    }
  }
}

function checkSeries(problem: Problem, plan: Pick<Evaluation, 'routes'>, found: Violation[]): void {
  const days = new Map<string, number>()
  for (const route of plan.routes) {
    const day = problem.crewDays.find((c) => c.id === route.crewDayId)?.day ?? 0
    for (const stop of route.stops) days.set(stop.visitId, day)
  }
  for (const visit of problem.visits) {
    const own = visit.series
    if (!own || !days.has(visit.id)) continue
    let previous: Visit | undefined
    for (const other of problem.visits) {
      if (other.series?.id !== own.id || other.series.occurrence >= own.occurrence) continue
      if (!previous || other.series.occurrence > previous.series!.occurrence) previous = other
    }
    if (!previous || !days.has(previous.id)) continue
    const apart = days.get(visit.id)! - days.get(previous.id)!
    const short = (own.leastDaysAfterPrevious ?? apart) - apart
    const long = apart - (own.mostDaysAfterPrevious ?? apart)
    if (short > 0 || long > 0)
      found.push({
        kind: 'series',
        visitId: visit.id,
        amount: Math.max(short, long),
        byPins: visit.pin?.order !== undefined && previous.pin?.order !== undefined,
        text: `${apart} days after the one before.`,
      })
  }
}
