import { type BalanceOf, compileBalance } from './balance-of.ts'
import { compileWindows, latestClose, NO_WAY, type Windows, windowsOn } from './compile-windows.ts'
import { pinnedSkeletons } from './pins.ts'
import type { Problem, Reason, Visit } from './problem.ts'
import { type SeriesLinks, seriesLinks } from './series.ts'

export const DEFAULT_WAGE_CENTS_PER_HOUR = 2000
export const METERS_PER_MILE = 1609.344
const CENTS_PER_PRIORITY = 1_000_000

/**
 * The problem as flat typed arrays. Nodes: visits 0..n-1, then one start node per route (n + r), then one end node per
 * route (n + R + r). Places are renumbered 0..places-1; the last one is "nowhere", 0 seconds from everywhere, for open ends.
 */
export type Compiled = {
  problem: Problem
  n: number
  routes: number
  nodes: number
  places: number
  place: Int32Array
  /** seconds[from * places + to], and its transpose so that both ways of one place lie in one row. */
  seconds: Int32Array
  secondsTo: Int32Array
  meters: Int32Array | null
  /** service[u * classes + classOf[r]] */
  service: Int32Array
  classes: number
  classOf: Int32Array
  windows: Windows
  /** Latest start of a visit on any day. */
  lastClose: Int32Array
  dayOf: Int32Array
  dims: number
  demand: Float64Array
  capacity: Float64Array
  maxStops: Int32Array
  maxDrive: Int32Array
  shiftStart: Int32Array
  shiftEnd: Int32Array
  hasBreak: Uint8Array
  anyBreak: boolean
  breakEarliest: Int32Array
  breakLatest: Int32Array
  breakLength: Int32Array
  secondRate: Float64Array
  meterRate: Float64Array
  waitRate: Float64Array
  fixedCost: Float64Array
  overtimeAfter: Int32Array
  overtimeRate: Float64Array
  anyOvertime: boolean
  anyWaitPrice: boolean
  /** allowed[u * routes + r] */
  allowed: Uint8Array
  /** Cents by visit and route, null when no visit has any. */
  routeCost: Float64Array | null
  prize: Float64Array
  /** Not all prizes are the same. */
  anyPriority: boolean
  series: SeriesLinks | null
  balance: BalanceOf | null
  /** Day of the horizon, by route. */
  calendarDay: Int32Array
  /** Visits the search never sees, with the reason. */
  excluded: Map<number, Reason>
  /** Fixed visits per route in their order; nodes with `fixed` are never removed, `lockedBefore` gaps never filled. */
  skeletons: number[][]
  fixed: Uint8Array
  lockedBefore: Uint8Array
  /** Routes whose fixed stops cannot be driven or leave no room for the break: left exactly as they are. */
  frozen: Uint8Array
  /** When the crew of a frozen route is done. */
  frozenEnd: Float64Array
  /** The frozen route a visit stands on, -1 = none: the state does not have it. */
  frozenOn: Int32Array
  /** Routes with the same number are interchangeable while empty. */
  typeOf: Int32Array
  types: number
}

/** What leaving a visit out costs, in cents; where that is no number, what it costs by default. */
export function prizeCentsOf(visit: Visit): number {
  const cents = visit.prizeCents ?? (1 + (visit.priority ?? 0)) * CENTS_PER_PRIORITY
  return Number.isFinite(cents) ? cents : CENTS_PER_PRIORITY
}

/** Cents per second of a crew-day's whole crew. */
export function crewCentsPerSecond(crewDay: Problem['crewDays'][number]): number {
  return ((crewDay.crewSize ?? 1) * (crewDay.wageCentsPerHour ?? DEFAULT_WAGE_CENTS_PER_HOUR)) / 3600
}

/** Extra cents per second of overtime of a crew-day's whole crew. */
export function overtimeCentsPerSecond(crewDay: Problem['crewDays'][number]): number {
  const wage = crewDay.wageCentsPerHour ?? DEFAULT_WAGE_CENTS_PER_HOUR
  return ((crewDay.crewSize ?? 1) * (crewDay.overtimeCentsPerHour ?? wage / 2)) / 3600
}

/** Why a visit can be on no crew-day whatever the plan, or null. */
function badVisit(problem: Problem, visit: Visit, seen: Set<string>): Reason | null {
  const bad = (code: Reason['code'], text: string): Reason => ({ code, text })
  if (seen.has(visit.id)) return bad('bad-data', 'Another visit has the same id.')
  if (!Number.isInteger(visit.location) || visit.location < 0 || visit.location >= problem.matrix.size)
    return bad('bad-data', 'Its place is not on the map.')
  const stays = [visit.serviceSeconds, ...Object.values(visit.serviceSecondsByClass ?? {})]
  if (stays.some((seconds) => !(seconds >= 0) || seconds > NO_WAY))
    return bad('bad-data', 'Its time on site is not a number of seconds.')
  if (visit.windows?.length && visit.windows.every((w) => !(w.endSeconds >= w.startSeconds)))
    return bad('window', 'Its time window closes before it opens.')
  if (problem.crewDays.length === 0) return bad('no-crew-day', 'There is no crew in the plan.')
  if (visit.pin && !problem.crewDays.some((c) => c.id === visit.pin!.crewDayId))
    return bad('bad-data', 'It is pinned to a crew-day that is not in the plan.')
  return null
}

/** True where every crew-day may have the visit as far as `mayServe` goes, given that one of its windows is sound. */
function isFree(visit: Visit): boolean {
  return !(
    visit.pin ||
    visit.allowedCrewDayIds ||
    visit.forbiddenCrewDayIds?.length ||
    visit.skills?.length ||
    visit.windows?.some((w) => w.day !== undefined || !(Math.floor(w.endSeconds) >= Math.ceil(w.startSeconds)))
  )
}

/** True where ids, skills, pin and day let the visit be on the crew-day at all. A visit fixed by hand passes on its own one. */
export function mayServe(visit: Visit, crewDay: Problem['crewDays'][number]): boolean {
  if (visit.pin) {
    if (visit.pin.crewDayId !== crewDay.id) return false
    if (visit.pin.order !== undefined) return true
  }
  if (visit.allowedCrewDayIds && !visit.allowedCrewDayIds.includes(crewDay.id)) return false
  if (visit.forbiddenCrewDayIds?.includes(crewDay.id)) return false
  if (visit.skills?.some((skill) => !crewDay.skills?.includes(skill))) return false
  return windowsOn(visit.windows, crewDay.day ?? 0)?.length !== 0
}

function compilePlaces(problem: Problem): Pick<Compiled, 'place' | 'places' | 'seconds' | 'secondsTo' | 'meters'> {
  const { visits, crewDays, matrix } = problem
  const n = visits.length
  const R = crewDays.length
  const place = new Int32Array(n + 2 * R)
  const number = new Map<number, number>()
  const use = (location: number): number => {
    const key = location >= 0 && location < matrix.size ? location : -1
    let p = number.get(key)
    if (p === undefined) {
      p = number.size
      number.set(key, p)
    }
    return p
  }
  for (let u = 0; u < n; u++) place[u] = use(visits[u]!.location)
  for (let r = 0; r < R; r++) place[n + r] = use(crewDays[r]!.startLocation)
  for (const crewDay of crewDays) if (crewDay.endLocation !== null) use(crewDay.endLocation)
  const places = number.size + 1
  const nowhere = places - 1
  for (let r = 0; r < R; r++) {
    const end = crewDays[r]!.endLocation
    place[n + R + r] = end === null ? nowhere : use(end)
  }
  const from = Int32Array.from(number.keys())
  const seconds = new Int32Array(places * places)
  const meters = crewDays.some((c) => (c.centsPerMile ?? 0) > 0) ? new Int32Array(places * places) : null
  for (let p = 0; p < from.length; p++) {
    const a = from[p]!
    for (let q = 0; q < from.length; q++) {
      const b = from[q]!
      const s = a >= 0 && b >= 0 ? matrix.seconds[a * matrix.size + b]! : -1
      seconds[p * places + q] = s < 0 ? NO_WAY : Math.min(s, NO_WAY)
      if (meters && s >= 0) meters[p * places + q] = Math.max(0, matrix.meters[a * matrix.size + b]!)
    }
  }
  return { place, places, seconds, secondsTo: transposed(seconds, places), meters }
}

/** The other way round; the same array where both ways take the same time: half the memory the scan has to pull in. */
function transposed(matrix: Int32Array, size: number): Int32Array {
  const block = 32
  const isSymmetric = (): boolean => {
    for (let i = 0; i < size; i++)
      for (let j = 0; j < i; j++) if (matrix[i * size + j] !== matrix[j * size + i]) return false
    return true
  }
  if (isSymmetric()) return matrix
  const other = new Int32Array(matrix.length)
  for (let bi = 0; bi < size; bi += block)
    for (let bj = 0; bj < size; bj += block)
      for (let i = bi; i < Math.min(size, bi + block); i++)
        for (let j = bj; j < Math.min(size, bj + block); j++) other[j * size + i] = matrix[i * size + j]!
  return other
}

/** Builds the flat arrays. Never throws on bad data: what cannot be planned is in `excluded` with a reason. */
export function compile(problem: Problem): Compiled {
  const { visits, crewDays } = problem
  const n = visits.length
  const R = crewDays.length
  const excluded = new Map<number, Reason>()
  const seen = new Set<string>()
  for (let u = 0; u < n; u++) {
    const reason = badVisit(problem, visits[u]!, seen)
    if (reason) excluded.set(u, reason)
    seen.add(visits[u]!.id)
  }
  const dims = Math.max(0, ...crewDays.map((c) => c.capacity?.length ?? 0))
  const dayList = visits.some((v) => v.windows?.some((w) => w.day !== undefined))
    ? [...new Set(crewDays.map((c) => c.day ?? 0))]
    : []
  const days = dayList.length ? dayList : [0]
  const classNames = [...new Set(crewDays.map((c) => c.crewClass ?? ''))]
  const perRoute = (f: (c: Problem['crewDays'][number]) => number): Int32Array => Int32Array.from(crewDays, f)
  const perRouteFloat = (f: (c: Problem['crewDays'][number]) => number): Float64Array => Float64Array.from(crewDays, f)
  const clamp = (x: number | undefined): number => Math.max(-NO_WAY, Math.min(NO_WAY, x ?? NO_WAY))
  const classes = Math.max(1, classNames.length)
  const service = new Int32Array(n * classes)
  const demand = new Float64Array(n * dims)
  const allowed = new Uint8Array(n * R)
  const withCosts = visits.some((v) => v.crewDayCostCents)
  const routeCost = withCosts ? new Float64Array(n * R) : null
  for (let u = 0; u < n; u++) {
    const visit = visits[u]!
    for (let k = 0; k < classes; k++)
      service[u * classes + k] = clamp(
        Math.round(visit.serviceSecondsByClass?.[classNames[k] ?? ''] ?? visit.serviceSeconds),
      )
    for (let d = 0; d < dims; d++) demand[u * dims + d] = visit.demand?.[d] ?? 0
    if (!excluded.has(u)) {
      if (isFree(visit)) allowed.fill(1, u * R, u * R + R)
      else for (let r = 0; r < R; r++) if (mayServe(visit, crewDays[r]!)) allowed[u * R + r] = 1
    }
    const costs = visit.crewDayCostCents
    if (routeCost && costs) for (let r = 0; r < R; r++) routeCost[u * R + r] = costs[crewDays[r]!.id] ?? 0
  }
  const capacity = new Float64Array(R * dims).fill(Number.POSITIVE_INFINITY)
  for (let r = 0; r < R; r++)
    for (let d = 0; d < dims; d++) capacity[r * dims + d] = crewDays[r]!.capacity?.[d] ?? Number.POSITIVE_INFINITY
  const skeleton = pinnedSkeletons(problem, excluded)
  const maxStops = perRoute((c) => clamp(c.maxStops))
  const maxDrive = perRoute((c) => clamp(c.maxDriveSeconds))
  const shiftEnd = perRoute((c) => clamp(c.shiftEndSeconds))
  const hasBreak = Uint8Array.from(crewDays, (c) => (c.break && c.break.durationSeconds > 0 ? 1 : 0))
  const frozen = new Uint8Array(R)
  const frozenEnd = Float64Array.from(skeleton.relief, (relief) => relief.endSeconds)
  const frozenOn = new Int32Array(n).fill(-1)
  for (let r = 0; r < R; r++) {
    const relief = skeleton.relief[r]!
    if (relief.frozen) {
      frozen[r] = 1
      for (const u of skeleton.orders[r]!) frozenOn[u] = r
      for (let u = 0; u < n; u++) allowed[u * R + r] = 0
    }
    maxStops[r] = Math.max(maxStops[r]!, relief.stops)
    maxDrive[r] = Math.max(maxDrive[r]!, relief.driveSeconds)
    shiftEnd[r] = Math.max(shiftEnd[r]!, relief.endSeconds)
    for (let d = 0; d < dims; d++) capacity[r * dims + d] = Math.max(capacity[r * dims + d]!, relief.load[d] ?? 0)
  }
  const windows = compileWindows(problem, days, skeleton.lateStarts)
  const c: Compiled = {
    problem,
    n,
    routes: R,
    nodes: n + 2 * R,
    ...compilePlaces(problem),
    service,
    classes,
    classOf: perRoute((c) => classNames.indexOf(c.crewClass ?? '')),
    windows,
    lastClose: Int32Array.from(visits, (_, u) => latestClose(windows, u)),
    dayOf: perRoute((c) => Math.max(0, days.indexOf(c.day ?? 0))),
    dims,
    demand,
    capacity,
    maxStops,
    maxDrive,
    shiftStart: perRoute((c) => clamp(c.shiftStartSeconds)),
    shiftEnd,
    hasBreak,
    anyBreak: hasBreak.includes(1),
    breakEarliest: perRoute((c) => clamp(c.break?.earliestSeconds ?? 0)),
    breakLatest: perRoute((c) => clamp(c.break?.latestSeconds)),
    breakLength: perRoute((c) => clamp(c.break?.durationSeconds ?? 0)),
    secondRate: perRouteFloat((c) => Math.max(1e-6, crewCentsPerSecond(c))),
    meterRate: perRouteFloat((c) => (c.centsPerMile ?? 0) / METERS_PER_MILE),
    waitRate: perRouteFloat((c) => ((c.crewSize ?? 1) * (problem.waitCentsPerHour ?? 0)) / 3600),
    fixedCost: perRouteFloat((c) => c.fixedCostCents ?? 0),
    overtimeAfter: perRoute((c) => clamp(c.overtimeAfterSeconds)),
    overtimeRate: perRouteFloat((c) => (c.overtimeAfterSeconds === undefined ? 0 : overtimeCentsPerSecond(c))),
    anyOvertime: crewDays.some((c) => c.overtimeAfterSeconds !== undefined),
    anyWaitPrice: (problem.waitCentsPerHour ?? 0) > 0,
    allowed,
    routeCost,
    prize: Float64Array.from(visits, (v) => prizeCentsOf(v) * (v.pin ? 100 : 1)),
    anyPriority: visits.some((v) => prizeCentsOf(v) !== prizeCentsOf(visits[0]!) || v.pin),
    series: seriesLinks(problem),
    balance: compileBalance(problem),
    calendarDay: perRoute((c) => c.day ?? 0),
    excluded,
    skeletons: skeleton.orders,
    fixed: skeleton.fixed,
    lockedBefore: skeleton.lockedBefore,
    frozen,
    frozenEnd,
    frozenOn,
    typeOf: new Int32Array(R),
    types: 0,
  }
  c.types = numberTypes(c)
  return c
}

/** Gives interchangeable routes the same number, so that the search looks at one empty route of each kind only. */
function numberTypes(c: Compiled): number {
  const { n, routes: R, allowed, routeCost } = c
  const firsts: number[] = []
  const byKey = new Map<string, number[]>()
  const sameVisits = (r: number, q: number): boolean => {
    for (let u = 0; u < n; u++) {
      if (allowed[u * R + r] !== allowed[u * R + q]) return false
      if (routeCost && routeCost[u * R + r] !== routeCost[u * R + q]) return false
    }
    return true
  }
  for (let r = 0; r < R; r++) {
    const { id: _id, crewId: _crewId, day, ...rest } = c.problem.crewDays[r]!
    const key = `${JSON.stringify(rest)}|${c.dayOf[r]}|${c.classOf[r]}|${c.frozen[r]}|${c.series ? day : ''}`
    const types = byKey.get(key) ?? []
    byKey.set(key, types)
    let type = types.find((t) => sameVisits(firsts[t]!, r))
    if (type === undefined) {
      type = firsts.length
      firsts.push(r)
      types.push(type)
    }
    c.typeOf[r] = type
  }
  return firsts.length
}
