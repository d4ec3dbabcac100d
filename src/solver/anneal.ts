import type { Compiled } from './compile.ts'
import { createFinder, type Finder, findAnywhere, findNear, fits } from './insertion.ts'
import { nearest } from './neighbours.ts'
import { createRandom, type Random } from './random.ts'
import { type Ruin, ruinStrings } from './ruin.ts'
import { createState, insertAfter, linkRoute, refreshEmpty, type State } from './state.ts'

export type Search = {
  s: State
  random: Random
  finder: Finder
  ruin: Ruin
  /** Cents of the current plan, unserved included. */
  cost: number
  bestCost: number
  bestNext: Int32Array
  iterations: number
  improvements: number
  /** Routes changed in this iteration and how they stood before. */
  journal: Journal
  key: Float64Array
}

type Journal = {
  stamp: Int32Array
  iteration: number
  routes: Int32Array
  routeCount: number
  /** saved[from[k] .. from[k + 1]) are the visits of routes[k]. */
  from: Int32Array
  saved: Int32Array
  costBefore: Float64Array
  absentBefore: Int32Array
  absentBeforeCount: number
}

const NEAR_WIDTH = 100
const BLINK_RATE = 0.01

/** Everything the search needs, with a first plan by greedy insertion on top of `state`'s routes. */
export function createSearch(c: Compiled, seed: number, order?: number[][]): Search {
  const s = createState(c)
  const random = createRandom(seed)
  const finder = createFinder(s, nearest(c, NEAR_WIDTH, true))
  const journal: Journal = {
    stamp: new Int32Array(c.routes),
    iteration: 0,
    routes: new Int32Array(c.routes),
    routeCount: 0,
    from: new Int32Array(c.routes + 1),
    saved: new Int32Array(c.n),
    costBefore: new Float64Array(c.routes),
    absentBefore: new Int32Array(c.n),
    absentBeforeCount: 0,
  }
  const ruin: Ruin = {
    s,
    near: nearest(c, NEAR_WIDTH, false),
    random,
    absent: new Int32Array(c.n),
    absentCount: 0,
    touch: (r) => touch(search, r),
    touched: (r) => journal.stamp[r] === journal.iteration,
    usedRoutes: () => {
      let used = 0
      for (let r = 0; r < c.routes; r++) if (s.count[r]! > 0) used++
      return used
    },
    servedVisits: () => c.n - c.excluded.size - ruin.absentCount,
  }
  const search: Search = {
    s,
    random,
    finder,
    ruin,
    cost: 0,
    bestCost: Number.POSITIVE_INFINITY,
    bestNext: new Int32Array(c.nodes),
    iterations: 0,
    improvements: 0,
    journal,
    key: new Float64Array(c.n),
  }
  finder.redrawBlink = () => 1 + Math.floor(Math.log(1 - random.next()) / Math.log(1 - BLINK_RATE))
  finder.untilBlink = finder.redrawBlink()
  if (order) loadOrder(search, order)
  for (let u = 0; u < c.n; u++)
    if (s.routeOf[u]! < 0 && !c.excluded.has(u) && !inFrozen(c, u)) ruin.absent[ruin.absentCount++] = u
  recreate(search, true)
  search.cost = totalCost(search)
  keepBest(search)
  return search
}

function inFrozen(c: Compiled, u: number): boolean {
  if (c.fixed[u] !== 1) return false
  return c.skeletons.some((order, r) => c.frozen[r] === 1 && order.includes(u))
}

/** Warm start: takes over each order as far as the rules allow; what does not fit is placed anew. */
function loadOrder(search: Search, order: number[][]): void {
  const { s } = search
  const { c } = s
  for (let r = 0; r < c.routes; r++) {
    if (c.frozen[r]) continue
    let at = c.n + r
    for (const u of order[r] ?? []) {
      if (s.routeOf[u] === r) at = u
      else if (s.routeOf[u]! < 0 && !c.excluded.has(u) && fits(s, u, at, r)) {
        insertAfter(s, u, at)
        at = u
      }
    }
  }
}

/** Cents of the whole plan from the routes' costs and the prizes left. */
export function totalCost(search: Search): number {
  const { s, ruin } = search
  let total = 0
  for (let r = 0; r < s.c.routes; r++) total += s.cost[r]!
  for (let k = 0; k < ruin.absentCount; k++) total += s.c.prize[ruin.absent[k]!]!
  return total
}

function keepBest(search: Search): void {
  search.bestCost = search.cost
  search.bestNext.set(search.s.next)
}

function touch(search: Search, r: number): void {
  const { journal, s } = search
  if (journal.stamp[r] === journal.iteration) return
  journal.stamp[r] = journal.iteration
  let at = journal.from[journal.routeCount]!
  journal.routes[journal.routeCount] = r
  journal.costBefore[journal.routeCount] = s.cost[r]!
  for (let u = s.next[s.c.n + r]!; u < s.c.n; u = s.next[u]!) journal.saved[at++] = u
  journal.from[++journal.routeCount] = at
}

function rollBack(search: Search): void {
  const { journal, s, ruin } = search
  const { c } = s
  // Everything that stands on a changed route now may belong elsewhere: take all of it off before linking.
  for (let k = 0; k < journal.routeCount; k++)
    for (let u = s.next[c.n + journal.routes[k]!]!; u < c.n; u = s.next[u]!) s.routeOf[u] = -1
  for (let k = 0; k < journal.routeCount; k++) {
    const r = journal.routes[k]!
    const was = s.count[r] === 0
    linkRoute(s, r, journal.saved.subarray(journal.from[k]!, journal.from[k + 1]!))
    if (was || s.count[r] === 0) refreshEmpty(s, c.typeOf[r]!)
  }
  ruin.absent.set(journal.absentBefore.subarray(0, journal.absentBeforeCount))
  ruin.absentCount = journal.absentBeforeCount
}

/** Orders the absent visits by one of the paper's rules, drawn at random. */
function sortAbsent(search: Search): void {
  const { s, random, ruin, key } = search
  const { c } = s
  const { absent, absentCount } = ruin
  const rule = random.int(17)
  for (let k = 0; k < absentCount; k++) {
    const u = absent[k]!
    const slot = c.windows.offset[u * c.windows.days]!
    const last = c.windows.offset[(u + 1) * c.windows.days]! - 1
    if (rule < 4) key[u] = random.next()
    else if (rule < 8) key[u] = c.dims ? -c.demand[u * c.dims]! : -c.service[u * c.classes]!
    else if (rule < 10) key[u] = -c.seconds[c.place[c.n]! * c.places + c.place[u]!]!
    else if (rule < 11) key[u] = c.seconds[c.place[c.n]! * c.places + c.place[u]!]!
    else if (rule < 13) key[u] = c.windows.close[last]! - c.windows.open[slot]!
    else if (rule < 15) key[u] = c.windows.open[slot]!
    else key[u] = -c.windows.close[last]!
  }
  for (let k = 1; k < absentCount; k++) {
    const u = absent[k]!
    let m = k - 1
    while (m >= 0 && (key[absent[m]!]! > key[u]! || (key[absent[m]!] === key[u] && absent[m]! > u))) {
      absent[m + 1] = absent[m]!
      m--
    }
    absent[m + 1] = u
  }
}

/** Places the absent visits one by one where each is cheapest. What fits nowhere (or costs more than its prize) stays absent. */
function recreate(search: Search, everywhere: boolean): void {
  const { s, ruin, finder } = search
  const { c } = s
  sortAbsent(search)
  let left = 0
  for (let k = 0; k < ruin.absentCount; k++) {
    const u = ruin.absent[k]!
    let at = findNear(finder, u, c.prize[u]!)
    if (at < 0 && everywhere) at = findAnywhere(finder, u, c.prize[u]!)
    if (at < 0) ruin.absent[left++] = u
    else {
      touch(search, s.routeOf[at]!)
      insertAfter(s, u, at)
    }
  }
  ruin.absentCount = left
}

/** One ruin and recreate; keeps the result if it costs less than the current plan plus the temperature's allowance. */
export function step(search: Search, temperature: number): void {
  const { s, random, ruin, journal } = search
  const { c } = s
  journal.iteration++
  journal.routeCount = 0
  journal.absentBefore.set(ruin.absent.subarray(0, ruin.absentCount))
  journal.absentBeforeCount = ruin.absentCount
  search.iterations++
  const seed = pickSeed(search)
  ruinStrings(ruin, seed)
  recreate(
    search,
    ruin.absentCount <= journal.absentBeforeCount + 40 && (journal.absentBeforeCount === 0 || random.next() < 0.1),
  )
  let cost = search.cost
  for (let k = 0; k < journal.routeCount; k++) cost += s.cost[journal.routes[k]!]! - journal.costBefore[k]!
  for (let k = 0; k < journal.absentBeforeCount; k++) cost -= c.prize[journal.absentBefore[k]!]!
  for (let k = 0; k < ruin.absentCount; k++) cost += c.prize[ruin.absent[k]!]!
  if (cost < search.cost - temperature * Math.log(random.next() || 1e-12)) {
    search.cost = cost
    if (cost < search.bestCost - 1e-7) {
      search.cost = totalCost(search)
      search.improvements++
      keepBest(search)
    }
  } else rollBack(search)
}

function pickSeed(search: Search): number {
  const { random, ruin, s } = search
  // Room for what is left out must be made near it.
  if (ruin.absentCount > 0 && random.next() < 0.5) return ruin.absent[random.int(ruin.absentCount)]!
  return random.int(s.c.n)
}

/** Orders of visits of the best plan found, by route. */
export function bestOrders(search: Search): number[][] {
  const { c } = search.s
  const orders: number[][] = []
  for (let r = 0; r < c.routes; r++) {
    const order: number[] = []
    for (let u = search.bestNext[c.n + r]!; u < c.n; u = search.bestNext[u]!) order.push(u)
    orders.push(c.frozen[r] ? c.skeletons[r]!.slice() : order)
  }
  return orders
}
