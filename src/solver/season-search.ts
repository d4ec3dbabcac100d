import type { Random } from './random.ts'
import {
  cheapestGap,
  linkNode,
  movePrice,
  overCents,
  type Season,
  type SeasonGap,
  type SeasonState,
  unlinkNode,
} from './season-state.ts'

/** Mean number of properties taken out in a step. */
const MEAN_REMOVED = 12
/** Longest piece of a route taken out. */
const LONGEST = 12
/** Share of steps that take pieces of routes; the others take what lies around a property. */
const PIECES = 0.8
/** Share of steps that empty a whole beat besides: else one too many is never lost. */
const EMPTIED = 0.05
const AROUND = 40
const BLINK = 0.02
/** Cents of a property that stands nowhere: never decided by money. */
const UNPLACED = 1e9

/** Ruin and recreate over slots: taking a property out and placing it anew changes every week of its rhythm at once. */
export type SeasonSearch = {
  s: SeasonState
  random: Random
  /** Where each property may stand in this search. */
  allowed: Uint8Array
  weekOnly: Int32Array
  movable: Int32Array
  near: Int32Array
  nearWidth: number
  waiting: number[]
  /** Properties that stand nowhere. */
  pool: Set<number>
  /** What this step did, to be undone backwards; see `note`. */
  log: Int32Array
  logged: number
  before: Int32Array
  touched: number[]
  stamp: Int32Array
  step: number
  cents: Float64Array
  after: Int32Array
  picked: Int32Array
  gap: SeasonGap
  best: { cost: number; beatOf: Int32Array; weekOf: Int32Array; next: Int32Array; unplaced: number }
  improvements: number
}

/** A search from the plan that `s` holds; `today` allows nothing but the slot of today. */
export function createSeasonSearch(s: SeasonState, random: Random, today: boolean): SeasonSearch {
  const { c } = s
  const B = c.beats.length
  const allowed = new Uint8Array(c.size * B)
  const weekOnly = c.weekOnly.slice()
  for (let p = 0; p < c.size; p++) {
    if (c.excluded.has(p)) continue
    if (today && c.todayBeat[p]! >= 0) {
      allowed[p * B + c.todayBeat[p]!] = 1
      weekOnly[p] = c.todayWeek[p]!
    } else if (!today) for (let b = 0; b < B; b++) allowed[p * B + b] = c.allowed[p * B + b]!
  }
  const movable = Int32Array.from(Array.from({ length: c.size }, (_, p) => p).filter((p) => !c.excluded.has(p)))
  const nodes = c.size * c.cycle
  const search: SeasonSearch = {
    s,
    random,
    allowed,
    weekOnly,
    movable,
    ...nearest(c, movable),
    waiting: [],
    pool: new Set(movable.filter((p) => s.beatOf[p]! < 0)),
    log: new Int32Array(6 * nodes + 64),
    logged: 0,
    before: new Int32Array(2 * c.size),
    touched: [],
    stamp: new Int32Array(c.size),
    step: 0,
    cents: new Float64Array(c.cycle),
    after: new Int32Array(c.cycle),
    picked: new Int32Array(c.cycle),
    gap: { cents: 0, after: -1 },
    best: {
      cost: Number.POSITIVE_INFINITY,
      beatOf: s.beatOf.slice(),
      weekOf: s.weekOf.slice(),
      next: s.next.slice(),
      unplaced: 0,
    },
    improvements: 0,
  }
  return search
}

function nearest(c: Season, movable: Int32Array): { near: Int32Array; nearWidth: number } {
  const nearWidth = Math.max(0, Math.min(AROUND, movable.length - 1))
  const near = new Int32Array(c.size * nearWidth)
  const others = [...movable]
  for (const p of movable) {
    const row = c.place[p * c.cycle]! * c.places
    const far = (q: number): number => c.seconds[row + c.place[q * c.cycle]!]!
    const sorted = others.filter((q) => q !== p).sort((a, b) => far(a) - far(b) || a - b)
    for (let k = 0; k < nearWidth; k++) near[p * nearWidth + k] = sorted[k]!
  }
  return { near, nearWidth }
}

/** Cents of the plan, what stands nowhere included. */
export function seasonCost(search: SeasonSearch): number {
  return search.s.cost + search.pool.size * UNPLACED
}

/** `stood` is the node before it for one that was taken out, -1 for one that was put in. */
function note(search: SeasonSearch, node: number, beat: number, stood: number): void {
  const at = search.logged
  search.log[at] = node
  search.log[at + 1] = beat
  search.log[at + 2] = stood
  search.logged += 3
}

/** Takes a property out of all its weeks. */
function takeOut(search: SeasonSearch, p: number): void {
  const { s } = search
  const { c } = s
  const b = s.beatOf[p]!
  const e = c.every[p]!
  remember(search, p)
  for (let w = s.weekOf[p]!; w < c.cycle; w += e) {
    const node = p * c.cycle + w
    const stood = s.prev[node]!
    const r = b * c.cycle + w
    const over = overCents(s, b, r)
    s.cost -= (unlinkNode(s, node, b, r) + over - overCents(s, b, r)) * c.times[w]!
    note(search, node, b, stood)
  }
  s.cost -= movePrice(c, p, b, s.weekOf[p]!)
  s.beatOf[p] = -1
  search.waiting.push(p)
}

function remember(search: SeasonSearch, p: number): void {
  if (search.stamp[p] === search.step) return
  search.stamp[p] = search.step
  search.before[2 * p] = search.s.beatOf[p]!
  search.before[2 * p + 1] = search.s.weekOf[p]!
  search.touched.push(p)
}

/** Puts a property where a season costs least, below `limit` cents; false = nowhere. */
function place(search: SeasonSearch, p: number, limit: number): boolean {
  const { s, cents, after, gap, random } = search
  const { c } = s
  const B = c.beats.length
  const e = c.every[p]!
  let best = limit
  let beat = -1
  let week = -1
  for (let b = 0; b < B; b++) {
    if (search.allowed[p * B + b] === 0 || c.beatPrice[p * B + b]! >= best) continue
    const only = search.weekOnly[p]!
    for (let w = 0; w < c.cycle; w++) {
      if (only >= 0 && w % e !== only) continue
      cheapestGap(s, p, b, w, gap)
      cents[w] = gap.cents * c.times[w]!
      after[w] = gap.after
    }
    for (let first = 0; first < e; first++) {
      if (only >= 0 && first !== only) continue
      let cost = movePrice(c, p, b, first)
      for (let w = first; w < c.cycle && cost < best; w += e) cost += after[w]! < 0 ? best : cents[w]!
      if (cost >= best || random.next() < BLINK) continue
      best = cost
      beat = b
      week = first
      for (let w = first; w < c.cycle; w += e) search.picked[w] = after[w]!
    }
  }
  if (beat < 0) return false
  remember(search, p)
  for (let w = week; w < c.cycle; w += e) {
    linkNode(s, p * c.cycle + w, search.picked[w]!, beat, beat * c.cycle + w)
    note(search, p * c.cycle + w, beat, -1)
  }
  s.cost += best
  s.beatOf[p] = beat
  s.weekOf[p] = week
  return true
}

function undo(search: SeasonSearch): void {
  const { s, log } = search
  const { cycle } = s.c
  for (let k = search.logged - 3; k >= 0; k -= 3) {
    const node = log[k]!
    const beat = log[k + 1]!
    const r = beat * cycle + (node % cycle)
    if (log[k + 2]! < 0) unlinkNode(s, node, beat, r)
    else linkNode(s, node, log[k + 2]!, beat, r)
  }
  for (const p of search.touched) {
    s.beatOf[p] = search.before[2 * p]!
    s.weekOf[p] = search.before[2 * p + 1]!
  }
}

function emptyBeat(search: SeasonSearch, beat: number): void {
  const { s } = search
  const { cycle, size } = s.c
  for (let r = beat * cycle; r < (beat + 1) * cycle; r++)
    for (let node = s.next[size * cycle + r]!; node < size * cycle; node = s.next[size * cycle + r]!)
      takeOut(search, Math.floor(node / cycle))
}

function ruin(search: SeasonSearch): void {
  const { s, random, near, nearWidth, movable } = search
  const { c } = s
  const seed = movable[random.int(movable.length)]!
  const wanted = 1 + random.int(2 * MEAN_REMOVED - 1)
  const pieces = random.next() < PIECES
  if (random.next() < EMPTIED && s.beatOf[seed]! >= 0) emptyBeat(search, s.beatOf[seed]!)
  for (let k = -1; k < nearWidth && search.waiting.length < wanted; k++) {
    const p = k < 0 ? seed : near[seed * nearWidth + k]!
    const b = s.beatOf[p]!
    if (b < 0) continue
    if (!pieces) {
      if (k < 0 || random.next() < 0.7) takeOut(search, p)
      continue
    }
    const e = c.every[p]!
    const w = s.weekOf[p]! + e * random.int(Math.floor((c.cycle - 1 - s.weekOf[p]!) / e) + 1)
    const nodes = c.size * c.cycle
    const length = 1 + random.int(Math.min(LONGEST, s.count[b * c.cycle + w]!))
    let node = p * c.cycle + w
    for (let back = random.int(length); back > 0 && s.prev[node]! < nodes; back--) node = s.prev[node]!
    for (let n = 0; n < length && node < nodes; n++) {
      const following = s.next[node]!
      takeOut(search, Math.floor(node / c.cycle))
      node = following
    }
  }
}

/** Distance from the crew's depot decides who is placed first, or chance, or time on site, or how often it comes. */
function sortWaiting(search: SeasonSearch): void {
  const { s, random, waiting } = search
  const { c } = s
  const rule = random.int(4)
  const depot = c.place[c.size * c.cycle]! * c.places
  const key = new Map(
    waiting.map((p) => [
      p,
      rule === 0
        ? random.next()
        : rule === 1
          ? -c.seconds[depot + c.place[p * c.cycle]!]!
          : rule === 2
            ? -c.service[p * c.cycle * c.beats.length]!
            : c.every[p]! + random.next() / 2,
    ]),
  )
  waiting.sort((a, b) => key.get(a)! - key.get(b)! || a - b)
}

/** Places what stands nowhere, far ones first; for the first plan. */
export function placeAll(search: SeasonSearch): void {
  search.step++
  search.logged = 0
  search.touched.length = 0
  const depot = search.s.c.place[search.s.c.size * search.s.c.cycle]! * search.s.c.places
  const far = (p: number): number => search.s.c.seconds[depot + search.s.c.place[p * search.s.c.cycle]!]!
  for (const p of [...search.pool].sort((a, b) => far(b) - far(a) || a - b))
    if (place(search, p, UNPLACED)) search.pool.delete(p)
}

/**
 * Whether every route this step touched is no longer than it may be. Taking a stop out can make one longer: where the way
 * past it is, or where there is none.
 */
function keepsRoom({ s, log, logged }: SeasonSearch): boolean {
  const { cycle } = s.c
  for (let k = 0; k < logged; k += 3) {
    const r = log[k + 1]! * cycle + (log[k]! % cycle)
    if (s.drive[r]! + s.work[r]! > s.room[r]!) return false
  }
  return true
}

/** One ruin and recreate; kept if the season, what is beyond the shifts counted, costs less than before plus the temperature's allowance. */
export function seasonStep(search: SeasonSearch, temperature: number): void {
  const { s, random, pool, waiting } = search
  const old = seasonCost(search)
  const oldCost = s.cost
  search.step++
  search.logged = 0
  search.touched.length = 0
  waiting.length = 0
  ruin(search)
  const offered = pool.size <= 20 ? [...pool] : []
  for (const p of offered) waiting.push(p)
  sortWaiting(search)
  const limit = old - temperature * Math.log(random.next() || 1e-12)
  const left: number[] = []
  let unplaced = pool.size - offered.length
  let kept = true
  for (const p of waiting) {
    if (!place(search, p, UNPLACED)) {
      left.push(p)
      unplaced++
    }
    if (s.cost + unplaced * UNPLACED >= limit) {
      kept = false
      break
    }
  }
  if (!kept || !keepsRoom(search)) {
    undo(search)
    s.cost = oldCost
    return
  }
  for (const p of offered) pool.delete(p)
  for (const p of left) pool.add(p)
  if (seasonCost(search) < search.best.cost - 1e-6) {
    search.improvements++
    keepBest(search)
  }
}

/** Remembers the plan as it stands as the best. */
export function keepBest(search: SeasonSearch): void {
  const { best, s } = search
  best.cost = seasonCost(search)
  best.beatOf.set(s.beatOf)
  best.weekOf.set(s.weekOf)
  best.next.set(s.next)
  best.unplaced = search.pool.size
}
