import { gapsKept } from './insertion.ts'
import type { Journal } from './journal.ts'
import { detach, endOf, linkRoute, refreshEmpty, type State } from './state.ts'

/** Whether a route drives no more seconds than it may and ends in time with its break, which a window missed never lets it. */
function inTime(s: State, r: number): boolean {
  const { c } = s
  if (s.drive[r]! > c.maxDrive[r]! || endOf(s, r) > c.shiftEnd[r]!) return false
  const end = c.n + c.routes + r
  return !(c.hasBreak[r] && s.depart[end]! > c.breakLatest[r]! && s.departTaken[end]! > c.shiftEnd[r]!)
}

/** Whether a route as it is linked keeps every rule but the days between visits of a series. */
export function keepsRules(s: State, r: number): boolean {
  const { c, next } = s
  const { n, routes: R, dims } = c
  if (s.count[r]! > c.maxStops[r]! || !inTime(s, r)) return false
  for (let d = 0; d < dims; d++) if (s.load[r * dims + d]! > c.capacity[r * dims + d]!) return false
  for (let u = next[n + r]!; u < n; u = next[u]!) if (c.allowed[u * R + r] === 0) return false
  return true
}

/**
 * Whether the routes of the journal are still in time after stops were taken out: where the way past a stop is longer than
 * the way through it, or there is none, taking it out alone may make a crew late.
 */
export function staysInTime({ s, routes, routeCount }: Journal): boolean {
  for (let k = 0; k < routeCount; k++) if (!inTime(s, routes[k]!)) return false
  return true
}

/**
 * Puts an order on a route as a whole where that keeps every rule, even where the beginning of it alone would not (the way
 * home from its third stop may be longer than all the rest). Else the route is as it was, with its fixed stops alone: false.
 */
export function linkWhole(s: State, r: number, order: readonly number[]): boolean {
  const { c } = s
  const list = order.filter((u) => s.routeOf[u] === r || (s.routeOf[u]! < 0 && !c.excluded.has(u)))
  const fixed = list.filter((u) => c.fixed[u] === 1)
  const keepsFixed =
    fixed.length === c.skeletons[r]!.length &&
    fixed.every((u, k) => u === c.skeletons[r]![k]) &&
    list.every((u, k) => k === 0 || c.lockedBefore[u] === 0 || c.fixed[list[k - 1]!] === 1)
  if (!keepsFixed || new Set(list).size < list.length) return false
  linkRoute(s, r, list)
  const isKept = keepsRules(s, r) && (!c.series || list.every((u) => gapsKept(s, u, r)))
  if (!isKept) {
    for (const u of list) detach(s, u)
    linkRoute(s, r, c.skeletons[r]!)
  }
  refreshEmpty(s, c.typeOf[r]!)
  return isKept
}
