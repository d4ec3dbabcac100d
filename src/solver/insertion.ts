import { pullCents } from './balance.ts'
import type { Compiled } from './compile.ts'
import { fitForward, NO_WAY } from './compile-windows.ts'
import { keepsGaps } from './series.ts'
import {
  arriveTaken,
  DEPART,
  endOf,
  HOP_SHIFT,
  NEXT_LATEST,
  NEXT_LEG,
  NEXT_PLACE,
  OWN_PLACE,
  PREVIOUS,
  PREVIOUS_LEG,
  ROUTE,
  type State,
} from './state.ts'

/** True when the absent visit u can stand between i and its next on route r by every hard rule. Constant time. */
export function fits(s: State, u: number, i: number, r: number): boolean {
  const { c, next, depart, latest } = s
  const { dims, place, places, seconds } = c
  if (c.allowed[u * c.routes + r] === 0) return false
  for (let d = 0; d < dims; d++)
    if (s.load[r * dims + d]! + c.demand[u * dims + d]! > c.capacity[r * dims + d]!) return false
  if (s.count[r]! >= c.maxStops[r]!) return false
  if (c.series && !gapsKept(s, u, r)) return false
  const j = next[i]!
  if (j < c.n && c.lockedBefore[j] === 1) return false
  const pu = place[u]!
  const iu = seconds[place[i]! * places + pu]!
  const uj = seconds[pu * places + place[j]!]!
  if (s.drive[r]! + iu + uj - s.leg[i]! > c.maxDrive[r]!) return false
  const slot = u * c.windows.days + c.dayOf[r]!
  const service = c.service[u * c.classes + c.classOf[r]!]!
  const leave = fitForward(c.windows, slot, depart[i]! + iu) + service
  if (!c.hasBreak[r]) return leave + uj <= latest[j]!
  if (leave + uj <= latest[j]!) return true
  const leaveTaken = fitForward(c.windows, slot, arriveTaken(c, r, depart[i]!, s.departTaken[i]!, iu)) + service
  return arriveTaken(c, r, leave, leaveTaken, uj) <= s.latestTaken[j]!
}

/** Whether u on route r keeps the days between it and its neighbors in the series. */
export function gapsKept(s: State, u: number, r: number): boolean {
  const { series, calendarDay, frozenOn } = s.c
  if (!series) return true
  return keepsGaps(series, u, calendarDay[r]!, (v) => {
    const on = s.routeOf[v]! < 0 ? frozenOn[v]! : s.routeOf[v]!
    return on < 0 ? null : calendarDay[on]!
  })
}

/**
 * Cents that standing between i and its next would add. Drive, miles, opening and preference are exact; overtime is
 * counted as if no waiting absorbed the detour (the route's own cost, exact, decides in the end).
 */
export function insertionCost(s: State, u: number, i: number, r: number): number {
  const { c } = s
  const { place, places, seconds } = c
  const j = s.next[i]!
  const pu = place[u]!
  const toU = place[i]! * places + pu
  const fromU = pu * places + place[j]!
  const added = seconds[toU]! + seconds[fromU]! - s.leg[i]!
  let cost = added * c.secondRate[r]!
  if (c.meters) cost += (c.meters[toU]! + c.meters[fromU]! - s.legMeters[i]!) * c.meterRate[r]!
  if (c.routeCost) cost += c.routeCost[u * c.routes + r]!
  if (s.count[r] === 0) cost += c.fixedCost[r]!
  if (c.anyOvertime && c.overtimeRate[r]! > 0) {
    const over = endOf(s, r) - c.overtimeAfter[r]!
    const longer = over + added + c.service[u * c.classes + c.classOf[r]!]!
    if (longer > 0) cost += (longer - Math.max(over, 0)) * c.overtimeRate[r]!
  }
  if (c.balance) cost += pullCents(c, r, added + c.service[u * c.classes + c.classOf[r]!]!)
  return cost
}

/** A list of visits per visit, at most `width` each, best first. */
export type Arcs = {
  width: number
  count: Int32Array
  list: Int32Array
  /** Seconds of the drive between the two, by place in the list. */
  way: Int32Array
}

/** Where to look first for each visit: other visits by nearness in space and time, only where some crew-day could have both. */
export type Neighbors = {
  /** Visits it can well follow directly, `way` from them to it. */
  before: Arcs
  /** Visits that can well follow it directly, `way` from it to them. */
  after: Arcs
  /** Visits near it by travel alone, `way` from it to them. */
  around: Arcs
  /** Visits near it in travel and time. */
  aroundInTime: Arcs
  /** Least seconds from a visit to anything that may follow it, and to it from anything that may come before. */
  leastOut: Int32Array
  leastIn: Int32Array
}

export type Finder = {
  s: State
  near: Neighbors
  /** Cost is the added seconds times one rate for all and nothing else. */
  simple: boolean
  /** Besides, one window each, one load at most, no breaks, locks or other limits: see `isPlain`. */
  plain: boolean
  /** Cost of the place found last. */
  delta: number
  /** Improving places until the next one is skipped at random ("blink"). */
  untilBlink: number
  redrawBlink(): number
}

/** Whether to pass over a place that would be the best so far, at random: greedy insertion alone would repeat itself. */
function blinks(f: Finder): boolean {
  if (--f.untilBlink !== 0) return false
  f.untilBlink = f.redrawBlink()
  return true
}

/** A finder that never blinks. */
export function createFinder(s: State, near: Neighbors): Finder {
  const { c } = s
  const simple =
    !c.meters &&
    !c.routeCost &&
    !c.balance &&
    !c.anyOvertime &&
    c.fixedCost.every((x) => x === 0) &&
    c.secondRate.every((x) => x === c.secondRate[0])
  return { s, near, simple, plain: simple && isPlain(c), delta: 0, untilBlink: -1, redrawBlink: () => -1 }
}

/** Whether an insertion is ruled by one window, one load and the end of the shift alone. */
function isPlain(c: Compiled): boolean {
  if (c.series || c.anyBreak || c.classes !== 1 || c.windows.days !== 1 || c.dims > 1) return false
  if (c.lockedBefore.includes(1) || c.allowed.includes(0)) return false
  for (let u = 0; u < c.n; u++) if (c.windows.offset[u + 1]! - c.windows.offset[u]! !== 1) return false
  return c.maxDrive.every((x) => x >= NO_WAY)
}

/**
 * The node after which the absent visit u stands cheapest beside its near visits or on the first empty route of each
 * type, at less than `limit` cents; -1 = none. Sets `delta` to the cost.
 */
export function findNear(f: Finder, u: number, limit: number): number {
  return f.plain ? findNearPlain(f, u, limit) : findNearRich(f, u, limit)
}

/**
 * One rate for all and nothing but driving costs: most gaps are ruled out by cost and clock in one branch. All numbers in
 * the loop are whole, which keeps them out of floating point.
 */
function findNearPlain(f: Finder, u: number, limit: number): number {
  const { s, near } = f
  const { hop, slack } = s
  const { place, places, seconds, secondsTo, secondRate, demand, dims, windows, service } = s.c
  const rate = secondRate[0]!
  const row = place[u]! * places
  const load = dims > 0 ? demand[u]! : 0
  const open = windows.open[windows.offset[u]!]!
  const close = windows.close[windows.offset[u]!]!
  const stay = service[u]!
  let best = Math.min(0x30000000, Math.ceil(limit / rate)) | 0
  let at = -1
  const { list: beforeList, way: beforeWay } = near.before
  const { list: afterList, way: afterWay } = near.after
  let untilBlink = f.untilBlink
  let k = u * near.before.width
  let end = k + near.before.count[u]!
  // A blink leaves the inner loop, so that no call in it makes the processor read everything anew.
  for (; k < end; k++) {
    for (; k < end; k++) {
      const v = beforeList[k]!
      const h = v << HOP_SHIFT
      const there = beforeWay[k]!
      const arrive = (hop[h + DEPART]! + there) | 0
      const onward = seconds[row + hop[h + NEXT_PLACE]!]!
      // Behind an absent visit this is far too long.
      const cost = (there - hop[h + NEXT_LEG]! + onward) | 0
      // One branch for both, negative where they hold: which one fails cannot be guessed, and a wrong guess costs more than the sums.
      if ((((cost - best) | 0) & ((arrive - close - 1) | 0)) >= 0) continue
      if (slack[hop[h + ROUTE]!]! < load) continue
      if (Math.max(arrive, open) + stay + onward > hop[h + NEXT_LATEST]!) continue
      if (--untilBlink === 0) break
      best = cost
      at = v
    }
    if (k < end) untilBlink = f.redrawBlink()
  }
  k = u * near.after.width
  end = k + near.after.count[u]!
  for (; k < end; k++) {
    for (; k < end; k++) {
      const v = afterList[k]! << HOP_SHIFT
      const onward = afterWay[k]!
      const i = hop[v + PREVIOUS]!
      const h = i << HOP_SHIFT
      const there = secondsTo[row + hop[h + OWN_PLACE]!]!
      const cost = (there - hop[v + PREVIOUS_LEG]! + onward) | 0
      const arrive = (hop[h + DEPART]! + there) | 0
      if ((((cost - best) | 0) & ((arrive - close - 1) | 0)) >= 0) continue
      if (slack[hop[v + ROUTE]!]! < load) continue
      if (Math.max(arrive, open) + stay + onward > hop[h + NEXT_LATEST]!) continue
      if (--untilBlink === 0) break
      best = cost
      at = i
    }
    if (k < end) untilBlink = f.redrawBlink()
  }
  f.untilBlink = untilBlink
  return findEmpty(f, u, at < 0 ? limit : best * rate, at)
}

function findNearRich(f: Finder, u: number, limit: number): number {
  const { s, near } = f
  const { hop, slack } = s
  const { allowed, routes, lastClose, demand, dims, secondRate, routeCost } = s.c
  const close = lastClose[u]!
  const load = dims > 0 ? demand[u * dims]! : 0
  const row = u * routes
  // Unless crews are pulled together a gap costs at least its detour and the preference.
  const bounded = s.c.balance === null
  let best = limit
  let at = -1
  const { before, after } = near
  const leastOut = near.leastOut[u]!
  for (let k = u * before.width, end = k + before.count[u]!; k < end; k++) {
    const v = before.list[k]!
    const h = v << HOP_SHIFT
    const r = hop[h + ROUTE]!
    if (r < 0 || allowed[row + r] === 0 || slack[r]! < load) continue
    const there = before.way[k]!
    if (hop[h + DEPART]! + there > close) continue
    const least = (there - hop[h + NEXT_LEG]! + leastOut) * secondRate[r]!
    if (bounded && (routeCost === null ? least : least + routeCost[row + r]!) >= best) continue
    const cost = insertionCost(s, u, v, r)
    if (cost < best && fits(s, u, v, r) && !blinks(f)) {
      best = cost
      at = v
    }
  }
  const leastIn = near.leastIn[u]!
  for (let k = u * after.width, end = k + after.count[u]!; k < end; k++) {
    const v = after.list[k]! << HOP_SHIFT
    const r = hop[v + ROUTE]!
    if (r < 0 || allowed[row + r] === 0 || slack[r]! < load) continue
    const least = (after.way[k]! - hop[v + PREVIOUS_LEG]! + leastIn) * secondRate[r]!
    if (bounded && (routeCost === null ? least : least + routeCost[row + r]!) >= best) continue
    const i = hop[v + PREVIOUS]!
    const cost = insertionCost(s, u, i, r)
    if (cost < best && fits(s, u, i, r) && !blinks(f)) {
      best = cost
      at = i
    }
  }
  return findEmpty(f, u, best, at)
}

/** Like `findNear`, over every place of every route. */
export function findAnywhere(f: Finder, u: number, limit: number): number {
  const { s } = f
  const { next, count, hop, c } = s
  const load = c.dims > 0 ? c.demand[u * c.dims]! : 0
  const row = c.place[u]! * c.places
  const bounded = c.balance === null
  let best = limit
  let at = -1
  for (let r = 0; r < c.routes; r++) {
    if (count[r] === 0 || c.allowed[u * c.routes + r] === 0 || s.slack[r]! < load || count[r]! >= c.maxStops[r]!)
      continue
    const rate = c.secondRate[r]!
    const preference = c.routeCost ? c.routeCost[u * c.routes + r]! : 0
    for (let i = c.n + r; i < c.n || i === c.n + r; i = next[i]!) {
      const h = i << HOP_SHIFT
      const there = c.secondsTo[row + hop[h + OWN_PLACE]!]!
      const detour = there + c.seconds[row + hop[h + NEXT_PLACE]!]! - hop[h + NEXT_LEG]!
      if (bounded && detour * rate + preference >= best) continue
      const cost = f.simple ? detour * rate : insertionCost(s, u, i, r)
      if (cost < best && fits(s, u, i, r) && !blinks(f)) {
        best = cost
        at = i
      }
    }
  }
  return findEmpty(f, u, best, at)
}

function findEmpty(f: Finder, u: number, limit: number, found: number): number {
  const { s } = f
  const { c, firstEmpty } = s
  let best = limit
  let at = found
  for (let t = 0; t < c.types; t++) {
    const r = firstEmpty[t]!
    if (r < 0 || c.allowed[u * c.routes + r] === 0) continue
    const cost = insertionCost(s, u, c.n + r, r)
    if (cost < best && fits(s, u, c.n + r, r) && !blinks(f)) {
      best = cost
      at = c.n + r
    }
  }
  f.delta = best
  return at
}
