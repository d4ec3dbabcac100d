import { compile, crewCentsPerSecond, METERS_PER_MILE, mayServe, overtimeCentsPerSecond } from './compile.ts'
import { evaluate } from './evaluate.ts'
import { explainAbsent } from './explain.ts'
import { fits, insertionCost } from './insertion.ts'
import { stateOf } from './orders.ts'
import type { CrewDay, Plan, Problem, Reason, Visit } from './problem.ts'
import { scheduleRoute, serviceSecondsOn } from './schedule.ts'
import { daysOf, keepsGaps, seriesLinks } from './series.ts'
import { insertAfter, removePiece, type State } from './state.ts'

/** One place for the visit: before the stop that has `position` now (0 = first). Seconds and cents are what it adds. */
export type Proposal = {
  crewDayId: string
  position: number
  addedDriveSeconds: number
  addedCostCents: number
  arriveSeconds: number
  startSeconds: number
  leaveSeconds: number
  /** Other stops of the day that start later than now, by seconds. */
  delays: { visitId: string; seconds: number }[]
}

export type Proposals = {
  places: Proposal[]
  /** Why there is none; [] when there is. */
  reasons: Reason[]
}

/**
 * The best places for one visit in the plan as it stands, over every gap of every crew-day, exact, nothing else moved.
 * `visit` need not be in the problem yet; if the plan serves it, it is taken out first. At most `top` (default 3)
 * answers, cheapest first, one per crew-day unless `perCrewDay` is larger than its default 1.
 */
export function propose(
  problem: Problem,
  plan: Plan,
  visit: Visit,
  options: { top?: number; perCrewDay?: number } = {},
): Proposals {
  const { top = 3, perCrewDay = 1 } = options
  const loose: Visit = visit.pin?.order === undefined ? visit : { ...visit, pin: { crewDayId: visit.pin.crewDayId } }
  const others = problem.visits.filter((v) => v.id !== visit.id)
  const extended: Problem = { ...problem, visits: [...others, loose] }
  const bare: Plan = {
    routes: plan.routes.map((route) => ({
      crewDayId: route.crewDayId,
      visitIds: route.visitIds.filter((id) => id !== visit.id),
    })),
  }
  const byId = new Map(extended.visits.map((v) => [v.id, v]))
  const orders = new Map(bare.routes.map((route) => [route.crewDayId, route.visitIds]))
  const links = visit.series ? seriesLinks(extended) : null
  const dayOf = links && daysOf(extended, bare)
  const candidates: { r: number; bound: number; one: Problem }[] = []
  for (const [r, crewDay] of problem.crewDays.entries()) {
    if (!mayServe(loose, crewDay)) continue
    if (links && dayOf && !keepsGaps(links, extended.visits.length - 1, crewDay.day ?? 0, dayOf)) continue
    const stops = (orders.get(crewDay.id) ?? []).flatMap((id) => byId.get(id) ?? [])
    const bound = leastCost(problem, crewDay, stops, loose)
    if (bound === Number.POSITIVE_INFINITY) continue
    candidates.push({
      r,
      bound,
      one: { ...extended, visits: [...stops, loose], crewDays: [crewDay] },
    })
  }
  candidates.sort((a, b) => a.bound - b.bound || a.r - b.r)
  const found: Gap[] = []
  for (const { r, bound, one } of candidates) {
    // No crew-day from here on can beat the answers there are.
    if (found.length >= top && bound > found[top - 1]!.cost) break
    found.push(...gapsOn(one, r).slice(0, perCrewDay))
    found.sort((a, b) => a.cost - b.cost || a.r - b.r || a.position - b.position)
  }
  const places = found.slice(0, top).map(({ r, position }): Proposal => {
    const crewDay = problem.crewDays[r]!
    const now = (orders.get(crewDay.id) ?? []).flatMap((id) => byId.get(id) ?? [])
    const then = [...now.slice(0, position), loose, ...now.slice(position)]
    const before = scheduleRoute(extended, crewDay, now)
    const after = scheduleRoute(extended, crewDay, then)
    const one = { ...extended, visits: then, crewDays: [crewDay] }
    const costNow = evaluate(one, { routes: [{ crewDayId: crewDay.id, visitIds: now.map((v) => v.id) }] })
    const costThen = evaluate(one, { routes: [{ crewDayId: crewDay.id, visitIds: then.map((v) => v.id) }] })
    const stop = after.stops[position]!
    const delays = now.flatMap((v, k) => {
      const seconds = after.stops[k < position ? k : k + 1]!.start - before.stops[k]!.start
      return seconds > 0 ? [{ visitId: v.id, seconds }] : []
    })
    return {
      crewDayId: crewDay.id,
      position,
      addedDriveSeconds: costThen.totals.driveSeconds - costNow.totals.driveSeconds,
      addedCostCents:
        costThen.cost.totalCents - costThen.cost.unservedCents - (costNow.cost.totalCents - costNow.cost.unservedCents),
      arriveSeconds: stop.arrive,
      startSeconds: stop.start,
      leaveSeconds: stop.leave,
      delays,
    }
  })
  return { places, reasons: places.length ? [] : (explainAbsent(extended, bare, [visit.id]).get(visit.id) ?? []) }
}

/**
 * Cents the visit adds to the day at the least, by driving alone, less all the waiting it could save; Infinity where no
 * gap leaves time, room or drive enough even without any waiting.
 */
function leastCost(problem: Problem, crewDay: CrewDay, stops: Visit[], visit: Visit): number {
  const rate = crewCentsPerSecond(crewDay)
  const mile = (crewDay.centsPerMile ?? 0) / METERS_PER_MILE
  const { size, seconds, meters } = problem.matrix
  const spare = spareOf(problem, crewDay, stops, visit)
  if (!spare) return Number.POSITIVE_INFINITY
  const u = visit.location
  let leastCents = Number.POSITIVE_INFINITY
  let leastSeconds = 0
  let at = crewDay.startLocation
  for (let k = 0; k <= stops.length; k++) {
    const to = k < stops.length ? stops[k]!.location : crewDay.endLocation
    const there = at * size + u
    const onward = to === null ? -1 : u * size + to
    const direct = to === null || stops.length === 0 ? -1 : at * size + to
    at = to ?? at
    const addedSeconds = entry(seconds, there) + entry(seconds, onward) - entry(seconds, direct)
    if (addedSeconds > spare.seconds || addedSeconds > spare.driveSeconds) continue
    const addedMeters = mile === 0 ? 0 : entry(meters, there) + entry(meters, onward) - entry(meters, direct)
    leastCents = Math.min(leastCents, addedSeconds * rate + addedMeters * mile)
    leastSeconds = Math.min(leastSeconds, addedSeconds)
  }
  if (leastCents === Number.POSITIVE_INFINITY) return leastCents
  // A detour that saves time (one-way streets) may save overtime too.
  const saved = crewDay.overtimeAfterSeconds === undefined ? 0 : leastSeconds * overtimeCentsPerSecond(crewDay)
  const fixed = stops.length === 0 ? (crewDay.fixedCostCents ?? 0) : 0
  let waiting = 0
  if (problem.waitCentsPerHour) {
    const now = scheduleRoute(problem, crewDay, stops)
    const idle = now.stops.reduce((sum, stop) => sum + stop.wait, now.idle)
    waiting = (idle / 3600) * (crewDay.crewSize ?? 1) * problem.waitCentsPerHour
  }
  return leastCents + saved + fixed - waiting + (visit.crewDayCostCents?.[crewDay.id] ?? 0)
}

/** A drive of the matrix by its cell; none for a cell below 0, a way that does not exist counts nothing. */
function entry(table: Int32Array, cell: number): number {
  return cell < 0 ? 0 : Math.max(0, table[cell] ?? 0)
}

/** What driving the visit may add at the most, were there no waiting; null where load or number of stops rule it out. */
function spareOf(
  problem: Problem,
  crewDay: CrewDay,
  stops: Visit[],
  visit: Visit,
): { seconds: number; driveSeconds: number } | null {
  // Fixed stops may break limits, which then give way: left to the exact scan.
  if (stops.some((stop) => stop.pin?.order !== undefined))
    return { seconds: Number.POSITIVE_INFINITY, driveSeconds: Number.POSITIVE_INFINITY }
  if (crewDay.maxStops !== undefined && stops.length >= crewDay.maxStops) return null
  for (const [d, limit] of (crewDay.capacity ?? []).entries()) {
    let load = visit.demand?.[d] ?? 0
    for (const stop of stops) load += stop.demand?.[d] ?? 0
    if (load > limit) return null
  }
  const { size, seconds } = problem.matrix
  let service = serviceSecondsOn(visit, crewDay)
  let drive = 0
  let at = crewDay.startLocation
  for (const stop of stops) {
    service += serviceSecondsOn(stop, crewDay)
    drive += entry(seconds, at * size + stop.location)
    at = stop.location
  }
  if (stops.length > 0 && crewDay.endLocation !== null) drive += entry(seconds, at * size + crewDay.endLocation)
  return {
    // Times on site are whole seconds in the exact scan.
    seconds: crewDay.shiftEndSeconds - crewDay.shiftStartSeconds - drive - service + stops.length + 1,
    driveSeconds: (crewDay.maxDriveSeconds ?? Number.POSITIVE_INFINITY) - drive,
  }
}

type Gap = { r: number; position: number; cost: number }

/** Every gap of a one-crew-day problem that can take its last visit, the others standing in their order, cheapest first. */
function gapsOn(one: Problem, r: number): Gap[] {
  const c = compile(one)
  const u = c.n - 1
  if (c.excluded.has(u)) return []
  const ids = one.visits.slice(0, -1).map((v) => v.id)
  const s = stateOf(c, { routes: [{ crewDayId: one.crewDays[0]!.id, visitIds: ids }] })
  const gaps: Gap[] = []
  let position = 0
  const end = c.n + 1
  for (let i = c.n; i !== end; i = s.next[i]!) {
    if (fits(s, u, i, 0)) gaps.push({ r, position, cost: exactCost(s, u, i) })
    position++
  }
  return gaps.sort((a, b) => a.cost - b.cost || a.position - b.position)
}

/** Cents the day costs more with u after i: by trying it where waiting or overtime make the formula a bound only. */
function exactCost(s: State, u: number, i: number): number {
  const { c } = s
  if (!c.anyOvertime && !c.anyWaitPrice) return insertionCost(s, u, i, 0)
  const before = s.cost[0]!
  insertAfter(s, u, i)
  const after = s.cost[0]!
  const ids: string[] = []
  for (let v = s.next[c.n]!; v < c.n; v = s.next[v]!) ids.push(c.problem.visits[v]!.id)
  removePiece(s, u, u)
  // The search's price of waiting is a bound only where the break comes before the first stop.
  if (!c.anyWaitPrice || !c.anyBreak) return after - before
  const crewDayId = c.problem.crewDays[0]!.id
  const costOf = (visitIds: string[]): number =>
    evaluate(c.problem, { routes: [{ crewDayId, visitIds }] }).routes[0]!.totals.costCents
  return costOf(ids) - costOf(ids.filter((id) => id !== c.problem.visits[u]!.id))
}
