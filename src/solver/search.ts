import { balanceCents, pullTogether } from './balance.ts'
import type { Compiled } from './compile.ts'
import { createFinder, type Finder, fits } from './insertion.ts'
import { costChange, createJournal, type Journal, openJournal, rollBack } from './journal.ts'
import { linkWhole, staysInTime } from './keeps-rules.ts'
import { nearest } from './neighbors.ts'
import { createPairMoves, movePair, type PairMoves } from './pair-moves.ts'
import { createRandom, type Random } from './random.ts'
import { FAR_FIRST, recreate, sortWaiting, type Waiting } from './recreate.ts'
import { type Ruin, ruinStrings } from './ruin.ts'
import { createState, detach, insertAfter, linkRoute, refreshEmpty, type State } from './state.ts'

export type Search = {
  s: State
  random: Random
  finder: Finder
  ruin: Ruin
  pairs: PairMoves
  journal: Journal
  waiting: Waiting
  /** Unserved visits of the current plan, in no order, and where each stands in the list (-1 = served). */
  pool: Int32Array
  poolCount: number
  poolAt: Int32Array
  /** Cents of the current plan, unserved and uneven included. */
  cost: number
  /** Of them, for ending apart. */
  uneven: number
  bestCost: number
  bestNext: Int32Array
  /** Cents of its routes. */
  bestCosts: Float64Array
  bestUnserved: number
  /** The visit whose neighborhood is worked on now. */
  focus: number
  iterations: number
  improvements: number
}

/** Visits looked at on either side of a gap: 25 is quicker, 60 slower, neither better. */
const ARC_WIDTH = 40
/** Visits looked at for the next string to take out. */
const AROUND_WIDTH = 60
/** Steps in one neighborhood. 50 to 200 alike; over 1,000 the plan elsewhere cools too far meanwhile. */
const FOCUS = 100
/** Smaller problems fit the cache whole. */
const FOCUS_FROM = 150
/** The paper's 1 %; more on small problems, which otherwise have too few different steps to leave a local optimum. */
const BLINK_RATE = 0.01
const SMALL_BLINKS = 1
const MOST_BLINKS = 0.25
/** How often a visit that fits nowhere near is tried everywhere: a whole scan costs as much as ten near ones. */
const SCAN_REMOVED = 0.5
const SCAN_UNSERVED = 0.02
/** Unserved visits offered a place in one step, besides those taken out in it. */
const OFFERED = 24

/** Everything the search needs, with a first plan: the warm start as far as the rules allow, the rest inserted greedily. */
export function createSearch(c: Compiled, seed: number, order?: number[][]): Search {
  const s = createState(c)
  const random = createRandom(seed)
  const journal = createJournal(s)
  const finder = createFinder(s, nearest(c, { arcs: ARC_WIDTH, around: AROUND_WIDTH }))
  const waiting: Waiting = { list: new Int32Array(c.n), count: 0, key: new Float64Array(c.n) }
  const search: Search = {
    s,
    random,
    finder,
    ruin: {
      s,
      near: finder.near.around,
      nearInTime: finder.near.aroundInTime,
      random,
      waiting,
      journal,
      served: 0,
    },
    pairs: createPairMoves(s, finder.near, journal, random),
    journal,
    waiting,
    pool: new Int32Array(c.n),
    poolCount: 0,
    poolAt: new Int32Array(c.n).fill(-1),
    cost: 0,
    uneven: 0,
    bestCost: Number.POSITIVE_INFINITY,
    bestNext: new Int32Array(c.nodes),
    bestCosts: new Float64Array(c.routes),
    bestUnserved: 0,
    focus: 0,
    iterations: 0,
    improvements: 0,
  }
  const blinkRate = Math.min(MOST_BLINKS, Math.max(BLINK_RATE, SMALL_BLINKS / Math.max(1, c.n)))
  finder.redrawBlink = () => 1 + Math.floor(Math.log(1 - random.next()) / Math.log(1 - blinkRate))
  finder.untilBlink = finder.redrawBlink()
  if (order) loadOrder(search, order)
  placeRest(search)
  if (search.cost < search.bestCost - 1e-7) keepBest(search)
  return search
}

/** Full scans while a whole plan is built. */
const MOST_SCANS = 500

/** Gives every visit without a route its cheapest place, the far ones first; or counts it as unserved. */
function placeRest(search: Search, leaves = false): void {
  const { s, waiting, random } = search
  const { c } = s
  openJournal(search.journal)
  waiting.count = 0
  for (let u = 0; u < c.n; u++) if (isAbsent(s, u)) waiting.list[waiting.count++] = u
  sortWaiting(s, waiting, random, FAR_FIRST)
  let scans = 0
  if (!leaves) recreate(search.finder, waiting, search.journal, random, () => ++scans < MOST_SCANS)
  settlePool(search)
  search.cost = totalCost(search)
}

/**
 * Goes on from another plan: takes over each order as far as the rules allow, the rest is placed anew. With `exactly` the
 * orders keep every rule and stand as they are, without the rest. The best found stays.
 */
export function restart(search: Search, order: number[][], exactly = false): void {
  const { s } = search
  const { c, next } = s
  for (let r = 0; r < c.routes; r++) for (let u = next[c.n + r]!; u < c.n; u = next[u]!) detach(s, u)
  for (let r = 0; r < c.routes; r++) linkRoute(s, r, c.frozen[r] ? [] : exactly ? order[r]! : c.skeletons[r]!)
  for (let t = 0; t < c.types; t++) refreshEmpty(s, t)
  if (!exactly) loadOrder(search, order)
  placeRest(search, exactly)
  if (search.cost < search.bestCost - 1e-7) keepBest(search)
}

/** Warm start: takes over each order as far as the rules allow, and as the best plan where it is that. What does not fit is placed anew by the caller. */
function loadOrder(search: Search, order: number[][]): void {
  const { s } = search
  const { c } = s
  for (let r = 0; r < c.routes; r++) {
    if (c.frozen[r] || linkWhole(s, r, order[r] ?? [])) continue
    let at = c.n + r
    for (const u of order[r] ?? []) {
      if (s.routeOf[u] === r) at = u
      else if (s.routeOf[u]! < 0 && !c.excluded.has(u) && fits(s, u, at, r)) {
        insertAfter(s, u, at)
        at = u
      }
    }
  }
  keepGiven(search)
}

/** A plan taken over counts as found before what it leaves out is placed, which may cost more than it is worth. */
function keepGiven(search: Search): void {
  const { s } = search
  let cost = balanceCents(s)
  let left = 0
  for (let r = 0; r < s.c.routes; r++) cost += s.cost[r]!
  for (let u = 0; u < s.c.n; u++) {
    if (!isAbsent(s, u)) continue
    cost += s.c.prize[u]!
    left++
  }
  if (cost >= search.bestCost - 1e-7) return
  search.cost = cost
  keepBest(search)
  search.bestUnserved = left
}

/** On no route, although the search may give it one. */
function isAbsent({ c, routeOf }: State, u: number): boolean {
  return routeOf[u]! < 0 && !c.excluded.has(u) && c.frozenOn[u]! < 0
}

/** Cents of the whole plan from the routes' costs and the prizes left. */
export function totalCost(search: Search): number {
  const { s, pool, poolCount } = search
  let total = 0
  for (let r = 0; r < s.c.routes; r++) total += s.cost[r]!
  for (let k = 0; k < poolCount; k++) total += s.c.prize[pool[k]!]!
  search.uneven = balanceCents(s)
  return total + search.uneven
}

function keepBest(search: Search): void {
  search.bestCost = search.cost
  search.bestUnserved = search.poolCount
  search.bestNext.set(search.s.next)
  search.bestCosts.set(search.s.cost)
}

/** Brings the pool of unserved visits in line after a step was kept: `waiting` holds those the step left unserved. */
function settlePool(search: Search): void {
  const { pool, poolAt, waiting, s } = search
  for (let k = 0; k < waiting.count; k++) {
    const u = waiting.list[k]!
    if (poolAt[u]! >= 0) continue
    poolAt[u] = search.poolCount
    pool[search.poolCount++] = u
  }
  for (let k = search.poolCount - 1; k >= 0; k--) {
    const u = pool[k]!
    if (s.routeOf[u]! < 0) continue
    const last = pool[--search.poolCount]!
    pool[k] = last
    poolAt[last] = k
    poolAt[u] = -1
  }
}

/** Adds the seed's unserved neighborhood (or all of a small pool) to the waiting ones; returns their prizes. */
function offerPool(search: Search, seed: number): number {
  const { pool, poolAt, poolCount, waiting, ruin, s } = search
  const first = waiting.count
  if (poolCount <= OFFERED) for (let k = 0; k < poolCount; k++) waiting.list[waiting.count++] = pool[k]!
  else {
    if (poolAt[seed]! >= 0) waiting.list[waiting.count++] = seed
    const begin = seed * ruin.near.width
    const end = begin + ruin.near.count[seed]!
    for (let k = begin; k < end && waiting.count < first + OFFERED; k++) {
      const u = ruin.near.list[k]!
      if (poolAt[u]! >= 0) waiting.list[waiting.count++] = u
    }
  }
  let prizes = 0
  for (let k = first; k < waiting.count; k++) prizes += s.c.prize[waiting.list[k]!]!
  return prizes
}

/** A visit of the neighborhood under work; it moves on every `FOCUS` steps, so that what is read stays in the cache. */
function pickSeed(search: Search): number {
  const { random, s, ruin } = search
  if (s.c.n < FOCUS_FROM) return random.int(s.c.n)
  if (search.iterations % FOCUS === 1) search.focus = random.int(s.c.n)
  const { near } = ruin
  const k = random.int(near.count[search.focus]! + 1)
  return k === 0 ? search.focus : near.list[search.focus * near.width + k - 1]!
}

/** What a step may cost more at a temperature. */
function drawAllowance(search: Search, temperature: number): number {
  return -temperature * Math.log(search.random.next() || 1e-12)
}

/** Takes a changed plan as the current one. */
function keep(search: Search, cost: number, uneven: number): void {
  search.cost = cost
  search.uneven = uneven
  if (cost >= search.bestCost - 1e-7) return
  search.cost = totalCost(search)
  search.improvements++
  keepBest(search)
}

/** One move between two routes, kept by the same rule as a step. */
function tryPair(search: Search, temperature: number): void {
  const { journal, pairs } = search
  openJournal(journal)
  const allowance = drawAllowance(search, temperature)
  if (!movePair(pairs, pickSeed(search), allowance)) return
  const uneven = balanceCents(search.s)
  const change = costChange(journal) + uneven - search.uneven
  if (change < allowance) keep(search, search.cost + change, uneven)
  else rollBack(journal)
}

/** A move between two routes, then one ruin and recreate; each is kept if it costs less than the plan before plus the temperature's allowance. */
export function step(search: Search, temperature: number): void {
  const { s, random, ruin, journal, waiting, finder } = search
  const { prize } = s.c
  search.iterations++
  if (s.used > 1) tryPair(search, temperature)
  openJournal(journal)
  pullTogether(s)
  waiting.count = 0
  // Room for what is left out must be made near it.
  const seed =
    search.poolCount > 0 && random.next() < 0.5 ? search.pool[random.int(search.poolCount)]! : pickSeed(search)
  ruin.served = s.c.n - s.c.excluded.size - search.poolCount
  ruinStrings(ruin, seed)
  const offered = search.poolCount > 0 ? offerPool(search, seed) : 0
  sortWaiting(s, waiting, random)
  const poolAt = search.poolAt
  const allowance = drawAllowance(search, temperature)
  const placed = recreate(
    finder,
    waiting,
    journal,
    random,
    (u) => random.next() < (poolAt[u]! < 0 ? SCAN_REMOVED : SCAN_UNSERVED),
    allowance + offered + search.uneven - costChange(journal) + 1e-6,
  )
  const uneven = balanceCents(s)
  let cost = search.cost + costChange(journal) - offered + uneven - search.uneven
  if (placed) for (let k = 0; k < waiting.count; k++) cost += prize[waiting.list[k]!]!
  if (placed && cost < search.cost + allowance && staysInTime(journal)) {
    if (waiting.count > 0 || offered > 0) settlePool(search)
    keep(search, cost, uneven)
  } else rollBack(journal)
}

/** Orders of visits of the best plan found, or of one with other links, by route. */
export function bestOrders(search: Search, next = search.bestNext): number[][] {
  const { c } = search.s
  const orders: number[][] = []
  for (let r = 0; r < c.routes; r++) {
    const order: number[] = []
    for (let u = next[c.n + r]!; u < c.n; u = next[u]!) order.push(u)
    orders.push(c.frozen[r] ? c.skeletons[r]!.slice() : order)
  }
  return orders
}
