import type { Neighbors } from './insertion.ts'
import { type Journal, rememberRoute, rollBack } from './journal.ts'
import { keepsRules } from './keeps-rules.ts'
import type { Random } from './random.ts'
import { linkRoute, refreshEmpty, type State } from './state.ts'

/** Moves between two routes that taking out strings and putting visits back one by one does not find: whole ends change over, long pieces move in order. */
export type PairMoves = {
  s: State
  near: Neighbors
  journal: Journal
  random: Random
  /** Pieces may be moved: nothing is fixed anywhere. */
  loose: boolean
  first: number[]
  second: number[]
}

/** Longest piece that moves in order. */
const LONGEST_PIECE = 30
/** Share of the moves that are a change of ends. */
const TAILS = 0.7

/** Pair moves over a state. */
export function createPairMoves(s: State, near: Neighbors, journal: Journal, random: Random): PairMoves {
  const loose = !s.c.fixed.includes(1) && !s.c.lockedBefore.includes(1)
  return { s, near, journal, random, loose, first: [], second: [] }
}

/** Tries one move around u that changes the cost by less than `allowance` cents; true: it stands and keeps every rule. */
export function movePair(moves: PairMoves, u: number, allowance: number): boolean {
  const { s } = moves
  // The days between visits of a series are looked at by the insertion alone.
  if (s.c.series || s.routeOf[u]! < 0) return false
  return moves.random.next() < TAILS ? swapEnds(moves, u, allowance) : movePiece(moves, u, allowance)
}

/** Puts the two orders on their routes if that keeps every rule; else the plan is as it was, false. */
function relink(moves: PairMoves, r: number, q: number): boolean {
  const { s, journal, first, second } = moves
  const { c } = s
  for (const u of first) if (c.allowed[u * c.routes + r] === 0) return false
  for (const u of second) if (c.allowed[u * c.routes + q] === 0) return false
  rememberRoute(journal, r)
  rememberRoute(journal, q)
  linkRoute(s, r, first)
  linkRoute(s, q, second)
  if (first.length === 0 || second.length === 0) {
    refreshEmpty(s, c.typeOf[r]!)
    refreshEmpty(s, c.typeOf[q]!)
  }
  if (keepsRules(s, r) && keepsRules(s, q)) return true
  rollBack(journal)
  return false
}

/** Clock and shift of two routes are so alike that times computed on one hold on the other. */
function sameClock(s: State, r: number, q: number): boolean {
  const { c } = s
  return (
    c.hasBreak[r] === 0 &&
    c.hasBreak[q] === 0 &&
    c.dayOf[r] === c.dayOf[q] &&
    c.classOf[r] === c.classOf[q] &&
    c.shiftEnd[r] === c.shiftEnd[q]
  )
}

/** Neither route has too many stops after the ends behind u and w change over. */
function keepsCounts({ c, prev, count }: State, u: number, w: number, r: number, q: number): boolean {
  let apart = 0
  for (let i = u; i < c.n; i = prev[i]!) apart++
  for (let i = w; i < c.n; i = prev[i]!) apart--
  return count[q]! + apart <= c.maxStops[r]! && count[r]! - apart <= c.maxStops[q]!
}

/** The best change of ends that lets a near visit follow u, by constant-time looks at drive, clock and load. */
function swapEnds(moves: PairMoves, u: number, allowance: number): boolean {
  const { s, near, first, second } = moves
  const { c, next, prev, routeOf, depart, latest, leg } = s
  const { n, routes: R, place, places, seconds, dims, demand } = c
  const r = routeOf[u]!
  const { after } = near
  const tail = next[u]!
  if (tail < n && c.lockedBefore[tail] === 1) return false
  const placeTail = place[tail]!
  const endR = n + R + r
  let best = allowance
  let at = -1
  let head = -1
  for (let k = u * after.width, end = k + after.count[u]!; k < end; k++) {
    const v = after.list[k]!
    const q = routeOf[v]!
    if (q < 0 || q === r || c.lockedBefore[v] === 1) continue
    const before = prev[v]!
    // Two routes become one: no way out and home again.
    const joins = before >= n && tail >= n
    const back = joins ? 0 : seconds[place[before]! * places + placeTail]!
    let added = after.way[k]! + back - leg[u]! - leg[before]!
    const endQ = n + R + q
    if (place[endQ] !== place[endR]) {
      const lastR = place[prev[endR]!]! * places
      const lastQ = place[prev[endQ]!]! * places
      added += seconds[lastQ + place[endR]!]! - seconds[lastQ + place[endQ]!]!
      added += seconds[lastR + place[endQ]!]! - seconds[lastR + place[endR]!]!
    }
    const cost = added * Math.min(c.secondRate[r]!, c.secondRate[q]!)
    if (cost >= best) continue
    if (sameClock(s, r, q)) {
      if (depart[u]! + after.way[k]! > latest[v]!) continue
      if (!joins && depart[before]! + back > latest[tail]!) continue
    }
    if ((c.maxStops[r]! < n || c.maxStops[q]! < n) && !keepsCounts(s, u, before, r, q)) continue
    if (dims > 0) {
      if (head < 0) {
        head = 0
        for (let i = u; i < n; i = prev[i]!) head += demand[i * dims]!
      }
      let other = 0
      for (let i = before; i < n; i = prev[i]!) other += demand[i * dims]!
      if (head + s.load[q * dims]! - other > c.capacity[r * dims]!) continue
      if (other + s.load[r * dims]! - head > c.capacity[q * dims]!) continue
    }
    best = cost
    at = v
  }
  if (at < 0) return false
  const q = routeOf[at]!
  first.length = second.length = 0
  for (let i = next[n + r]!; i !== tail; i = next[i]!) first.push(i)
  for (let i = next[n + q]!; i !== at; i = next[i]!) second.push(i)
  for (let i = at; i < n; i = next[i]!) {
    if (c.fixed[i] === 1) return false
    first.push(i)
  }
  for (let i = tail; i < n; i = next[i]!) {
    if (c.fixed[i] === 1) return false
    second.push(i)
  }
  return relink(moves, r, q)
}

/** The best place behind a near visit of another route for a piece that begins with u, its order kept. */
function movePiece(moves: PairMoves, u: number, allowance: number): boolean {
  const { s, near, random, first, second } = moves
  const { c, next, prev, routeOf, leg } = s
  const { n, place, places, seconds, dims, demand } = c
  if (!moves.loose) return false
  const r = routeOf[u]!
  const length = 1 + random.int(Math.min(LONGEST_PIECE, s.count[r]!))
  let last = u
  let load = dims > 0 ? demand[u * dims]! : 0
  for (let k = 1; k < length && next[last]! < n; k++) {
    last = next[last]!
    if (dims > 0) load += demand[last * dims]!
  }
  const left = prev[u]!
  const right = next[last]!
  const closing = left >= n && right >= n ? 0 : seconds[place[left]! * places + place[right]!]!
  const taken = leg[left]! + leg[last]! - closing
  const lastRow = place[last]! * places
  const { before } = near
  let best = allowance
  let at = -1
  for (let k = u * before.width, end = k + before.count[u]!; k < end; k++) {
    const v = before.list[k]!
    const q = routeOf[v]!
    if (q < 0 || q === r || s.slack[q]! < load) continue
    const added = before.way[k]! + seconds[lastRow + place[next[v]!]!]! - leg[v]! - taken
    const cost = added * Math.min(c.secondRate[r]!, c.secondRate[q]!)
    if (cost >= best) continue
    if (sameClock(s, r, q) && s.depart[v]! + before.way[k]! > s.c.lastClose[u]!) continue
    best = cost
    at = v
  }
  if (at < 0) return false
  const q = routeOf[at]!
  first.length = second.length = 0
  for (let i = next[n + r]!; i !== u; i = next[i]!) first.push(i)
  for (let i = right; i < n; i = next[i]!) first.push(i)
  for (let i = next[n + q]!; i !== at; i = next[i]!) second.push(i)
  second.push(at)
  for (let i = u; i !== right; i = next[i]!) second.push(i)
  for (let i = next[at]!; i < n; i = next[i]!) second.push(i)
  return relink(moves, r, q)
}
