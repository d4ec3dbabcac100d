import { fitForward } from './compile-windows.ts'
import { arriveTaken, endOf, type State } from './state.ts'

/** True when the absent visit u can stand between i and its next on route r by every hard rule. Constant time. */
export function fits(s: State, u: number, i: number, r: number): boolean {
  const { c, next, depart, latest } = s
  const { dims, place, places, seconds } = c
  if (c.allowed[u * c.routes + r] === 0) return false
  for (let d = 0; d < dims; d++)
    if (s.load[r * dims + d]! + c.demand[u * dims + d]! > c.capacity[r * dims + d]!) return false
  if (s.count[r]! >= c.maxStops[r]!) return false
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
  if (c.metres) cost += (c.metres[toU]! + c.metres[fromU]! - s.legMetres[i]!) * c.metreRate[r]!
  if (c.routeCost) cost += c.routeCost[u * c.routes + r]!
  if (s.count[r] === 0) cost += c.fixedCost[r]!
  if (c.anyOvertime && c.overtimeRate[r]! > 0) {
    const over = endOf(s, r) - c.overtimeAfter[r]!
    const longer = over + added + c.service[u * c.classes + c.classOf[r]!]!
    if (longer > 0) cost += (longer - Math.max(over, 0)) * c.overtimeRate[r]!
  }
  return cost
}

/** Where to look first for each visit: other visits by nearness in space and time, only where some crew-day could have both. */
export type Neighbours = {
  width: number
  count: Int32Array
  list: Int32Array
  /** Seconds from each listed visit to the one whose list it is. */
  inward: Int32Array
  /** Least seconds from a visit to anything that may follow it. */
  least: Int32Array
}

export type Finder = {
  s: State
  near: Neighbours
  /** Cost is the added seconds times one rate for all and nothing else. */
  simple: boolean
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
export function createFinder(s: State, near: Neighbours): Finder {
  const { c } = s
  const simple =
    !c.metres &&
    !c.routeCost &&
    !c.anyOvertime &&
    c.fixedCost.every((x) => x === 0) &&
    c.secondRate.every((x) => x === c.secondRate[0])
  return { s, near, simple, delta: 0, untilBlink: -1, redrawBlink: () => -1 }
}

/**
 * The node after which the absent visit u stands cheapest among its near visits and the first empty route of each type,
 * at less than `limit` cents; -1 = none. Sets `delta` to the cost.
 */
export function findNear(f: Finder, u: number, limit: number): number {
  return f.simple ? findNearSimple(f, u, limit) : findNearRich(f, u, limit)
}

/**
 * One rate for all and nothing but driving costs: most gaps are ruled out by load, clock or a lower bound before the
 * matrix is read. All numbers in the loop are whole, which keeps them out of floating point.
 */
function findNearSimple(f: Finder, u: number, limit: number): number {
  const { s, near } = f
  const { hop, slack } = s
  const { place, places, seconds, secondRate, lastClose, demand, dims } = s.c
  const rate = secondRate[0]!
  const row = place[u]! * places
  const begin = u * near.width
  const end = begin + near.count[u]!
  const { list, inward } = near
  const least = near.least[u]!
  const close = lastClose[u]!
  const load = dims > 0 ? demand[u * dims]! : 0
  const highest = Math.min(0x3fffffff, Math.ceil(limit / rate)) | 0
  let best = highest
  let at = -1
  for (let k = begin; k < end; k++) {
    const v = list[k]!
    const h = v << 2
    const code = hop[h + 2]!
    if (code < 0) continue
    const there = inward[k]!
    const r = code >> 1
    if ((code & 1) === 1) {
      const cost = firstCost(s, u, v)
      if (cost < best && fits(s, u, s.prev[v]!, r) && !blinks(f)) {
        best = cost
        at = s.prev[v]!
      }
    }
    const detour = (there - hop[h + 1]!) | 0
    if (detour + least >= best || hop[h + 3]! + there > close || slack[r]! < load) continue
    const cost = (detour + seconds[row + hop[h]!]!) | 0
    if (cost < best && fits(s, u, v, r) && !blinks(f)) {
      best = cost
      at = v
    }
  }
  return findEmpty(f, u, at < 0 ? limit : best * rate, at)
}

/** Seconds that u adds as the new first stop before v. */
function firstCost(s: State, u: number, v: number): number {
  const { place, places, seconds } = s.c
  const start = s.prev[v]!
  return (seconds[place[start]! * places + place[u]!]! + seconds[place[u]! * places + place[v]!]! - s.leg[start]!) | 0
}

function findNearRich(f: Finder, u: number, limit: number): number {
  const { s, near } = f
  const { prev, hop, slack } = s
  const { allowed, routes, lastClose, demand, dims } = s.c
  const begin = u * near.width
  const end = begin + near.count[u]!
  const { list, inward } = near
  const close = lastClose[u]!
  const load = dims > 0 ? demand[u * dims]! : 0
  const row = u * routes
  let best = limit
  let at = -1
  for (let k = begin; k < end; k++) {
    const v = list[k]!
    const code = hop[(v << 2) + 2]!
    if (code < 0) continue
    const r = code >> 1
    if (allowed[row + r] === 0 || slack[r]! < load) continue
    if (hop[(v << 2) + 3]! + inward[k]! <= close) {
      const cost = insertionCost(s, u, v, r)
      if (cost < best && fits(s, u, v, r) && !blinks(f)) {
        best = cost
        at = v
      }
    }
    if ((code & 1) === 1) {
      const before = prev[v]!
      const cost = insertionCost(s, u, before, r)
      if (cost < best && fits(s, u, before, r) && !blinks(f)) {
        best = cost
        at = before
      }
    }
  }
  return findEmpty(f, u, best, at)
}

/** Like `findNear`, over every place of every route. */
export function findAnywhere(f: Finder, u: number, limit: number): number {
  const { s } = f
  const { next, count, c } = s
  const load = c.dims > 0 ? c.demand[u * c.dims]! : 0
  let best = limit
  let at = -1
  for (let r = 0; r < c.routes; r++) {
    if (count[r] === 0 || c.allowed[u * c.routes + r] === 0 || s.slack[r]! < load || count[r]! >= c.maxStops[r]!)
      continue
    for (let i = c.n + r; i < c.n || i === c.n + r; i = next[i]!) {
      const cost = insertionCost(s, u, i, r)
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
