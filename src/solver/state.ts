import type { Compiled } from './compile.ts'
import { fitBackward, fitForward, NEVER } from './compile-windows.ts'

/** Node u's numbers begin at u << HOP_SHIFT in `State.hop`. */
export const HOP_SHIFT = 3
/** Place of the next node. */
export const NEXT_PLACE = 0
/** Seconds to the next node. */
export const NEXT_LEG = 1
/** Route, -1 when absent. */
export const ROUTE = 2
/** Earliest departure; `-NEVER` with a break, where the scan's quick test would have to try two labels. */
export const DEPART = 3
/** Latest start of the next node; `NEVER` with a break. */
export const NEXT_LATEST = 4
/** The node's own place. */
export const OWN_PLACE = 5
/** The node before it. */
export const PREVIOUS = 6
/** Seconds from the node before it. */
export const PREVIOUS_LEG = 7

/**
 * The plan under work, as linked lists over nodes with the earliest departure and the latest start of every node, so
 * that an insertion is tested in constant time. Routes with a break carry two labels: break still to come, break taken.
 */
export type State = {
  c: Compiled
  next: Int32Array
  prev: Int32Array
  /** Route of a node, -1 = absent. */
  routeOf: Int32Array
  /** Earliest departure (after service); with a break: before it was taken. End nodes: the earliest arrival. */
  depart: Int32Array
  /** Latest start that keeps everything after it possible. */
  latest: Int32Array
  departTaken: Int32Array
  latestTaken: Int32Array
  /** Seconds (and meters) of the leg from a node to its next, 0 on an empty route. */
  leg: Int32Array
  legMeters: Int32Array
  /** What the insertion scan reads of a node, `HOP` numbers side by side so that one cache line holds them: see `NEXT_PLACE` and on. */
  hop: Int32Array
  /** Room left in the first load dimension, by route; Infinity without one, -Infinity where one stop more is too many. */
  slack: Float64Array
  count: Int32Array
  /** Routes with at least one visit. */
  used: number
  load: Float64Array
  drive: Int32Array
  driveMeters: Int32Array
  serviceSum: Int32Array
  preference: Float64Array
  /** Cents of the route as it stands; 0 when empty. */
  cost: Float64Array
  /** First empty route of each type, -1 = none. */
  firstEmpty: Int32Array
}

/** All routes empty but for their fixed stops. */
export function createState(c: Compiled): State {
  const { nodes, routes: R, n } = c
  const s: State = {
    c,
    next: new Int32Array(nodes),
    prev: new Int32Array(nodes),
    routeOf: new Int32Array(nodes).fill(-1),
    depart: new Int32Array(nodes),
    latest: new Int32Array(nodes),
    departTaken: new Int32Array(c.anyBreak ? nodes : 0),
    latestTaken: new Int32Array(c.anyBreak ? nodes : 0),
    leg: new Int32Array(nodes),
    legMeters: new Int32Array(c.meters ? nodes : 0),
    hop: new Int32Array(nodes << HOP_SHIFT),
    slack: new Float64Array(R).fill(Number.POSITIVE_INFINITY),
    count: new Int32Array(R),
    used: 0,
    load: new Float64Array(R * c.dims),
    drive: new Int32Array(R),
    driveMeters: new Int32Array(R),
    serviceSum: new Int32Array(R),
    preference: new Float64Array(R),
    cost: new Float64Array(R),
    firstEmpty: new Int32Array(c.types).fill(-1),
  }
  for (let i = 0; i < nodes; i++) {
    s.hop[(i << HOP_SHIFT) + OWN_PLACE] = c.place[i]!
    detach(s, i)
  }
  for (let r = 0; r < R; r++) {
    s.routeOf[n + r] = s.routeOf[n + R + r] = r
    linkRoute(s, r, c.frozen[r] ? [] : c.skeletons[r]!)
  }
  for (let t = 0; t < c.types; t++) refreshEmpty(s, t)
  return s
}

/** Puts exactly the visits order[begin..end) on the route (they must be absent or already on it) and recomputes it. */
export function linkRoute(s: State, r: number, order: ArrayLike<number>, begin = 0, end = order.length): void {
  const { n, routes: R } = s.c
  let at = n + r
  for (let i = begin; i < end; i++) {
    const u = order[i]!
    s.next[at] = u
    s.prev[u] = at
    s.routeOf[u] = r
    at = u
  }
  s.next[at] = n + R + r
  s.prev[n + R + r] = at
  recomputeRoute(s, r)
}

/** Remembers which route of a type is the first empty one. */
export function refreshEmpty(s: State, type: number): void {
  const { typeOf, routes, frozen } = s.c
  s.firstEmpty[type] = -1
  for (let r = 0; r < routes; r++) {
    if (typeOf[r] === type && s.count[r] === 0 && !frozen[r]) {
      s.firstEmpty[type] = r
      return
    }
  }
}

/** Brings a node's numbers for the insertion scan in line with its links. */
function setHop(s: State, i: number, r: number): void {
  const { hop, c } = s
  const base = i << HOP_SHIFT
  const j = s.next[i]!
  hop[base + NEXT_PLACE] = c.place[j]!
  hop[base + NEXT_LEG] = s.leg[i]!
  hop[base + ROUTE] = r
  hop[(j << HOP_SHIFT) + PREVIOUS] = i
  hop[(j << HOP_SHIFT) + PREVIOUS_LEG] = s.leg[i]!
}

/** Takes a visit off its route without mending the route: for callers that link the route anew. */
export function detach(s: State, u: number): void {
  s.routeOf[u] = -1
  s.hop[(u << HOP_SHIFT) + ROUTE] = -1
  // So long gaps around it that no visit is looked at twice.
  s.hop[(u << HOP_SHIFT) + NEXT_LEG] = -NEVER
  s.hop[(u << HOP_SHIFT) + PREVIOUS_LEG] = -NEVER
}

/** Sums, legs and both time passes of a route from scratch, from its links. */
export function recomputeRoute(s: State, r: number): void {
  const { c, next, leg, legMeters } = s
  const { n, routes: R, place, places, seconds, meters, dims, demand } = c
  for (let d = 0; d < dims; d++) s.load[r * dims + d] = 0
  let count = 0
  let drive = 0
  let driveMeters = 0
  let service = 0
  let preference = 0
  const k = c.classOf[r]!
  let i = n + r
  const empty = next[i] === n + R + r
  while (i !== n + R + r) {
    const j = next[i]!
    const cell = place[i]! * places + place[j]!
    leg[i] = empty ? 0 : seconds[cell]!
    drive += leg[i]!
    if (meters) {
      legMeters[i] = empty ? 0 : meters[cell]!
      driveMeters += legMeters[i]!
    }
    if (j < n) {
      count++
      service += c.service[j * c.classes + k]!
      for (let d = 0; d < dims; d++) s.load[r * dims + d] = s.load[r * dims + d]! + demand[j * dims + d]!
      if (c.routeCost) preference += c.routeCost[j * R + r]!
    }
    setHop(s, i, r)
    i = j
  }
  s.used += (count > 0 ? 1 : 0) - (s.count[r]! > 0 ? 1 : 0)
  s.count[r] = count
  s.drive[r] = drive
  s.driveMeters[r] = driveMeters
  s.serviceSum[r] = service
  s.preference[r] = preference
  const start = n + r
  const end = n + R + r
  s.depart[start] = c.shiftStart[r]!
  s.hop[(start << HOP_SHIFT) + DEPART] = c.hasBreak[r] ? -NEVER : c.shiftStart[r]!
  s.latest[end] = c.shiftEnd[r]!
  if (c.hasBreak[r]) {
    s.departTaken[start] = NEVER
    s.latest[end] = Math.min(c.shiftEnd[r]!, c.breakLatest[r]!)
    s.latestTaken[end] = c.shiftEnd[r]!
  }
  passForward(s, r, next[start]!, true)
  passBackward(s, r, end, true)
  closeRoute(s, r)
}

/** Earliest departures from `from` on, to the first that does not change; with `full` to the end of the route. */
export function passForward(s: State, r: number, from: number, full = false): void {
  const { c, next, prev, depart, leg, hop } = s
  if (c.hasBreak[r]) {
    passForwardBreak(s, r, from, full)
    return
  }
  const { n, classes, windows } = c
  const { days, offset, open, close } = windows
  const k = c.classOf[r]!
  const day = c.dayOf[r]!
  let i = prev[from]!
  let t = depart[i]!
  for (let j = from; ; j = next[j]!) {
    t += leg[i]!
    if (j >= n) {
      depart[j] = t
      return
    }
    const slot = j * days + day
    const e = offset[slot + 1]!
    let start = NEVER
    for (let w = offset[slot]!; w < e; w++) {
      if (t <= close[w]!) {
        start = Math.max(t, open[w]!)
        break
      }
    }
    t = start + c.service[j * classes + k]!
    // Everything after is as it was.
    if (!full && depart[j] === t && j !== from) return
    depart[j] = t
    hop[(j << HOP_SHIFT) + DEPART] = t
    i = j
  }
}

/** Latest starts from the node before `to` back, to the first that does not change; with `full` to the start of the route. */
export function passBackward(s: State, r: number, to: number, full = false): void {
  const { c, prev, latest, leg, hop } = s
  if (c.hasBreak[r]) {
    passBackwardBreak(s, r, to, full)
    return
  }
  hop[(prev[to]! << HOP_SHIFT) + NEXT_LATEST] = latest[to]!
  const { n, classes, windows } = c
  const { days, offset, open, close } = windows
  const k = c.classOf[r]!
  const day = c.dayOf[r]!
  let t = latest[to]!
  for (let i = prev[to]!; i < n; i = prev[i]!) {
    t -= leg[i]! + c.service[i * classes + k]!
    const slot = i * days + day
    const b = offset[slot]!
    let start = -NEVER
    for (let w = offset[slot + 1]! - 1; w >= b; w--) {
      if (open[w]! <= t) {
        start = Math.min(t, close[w]!)
        break
      }
    }
    t = start
    if (!full && latest[i] === t && prev[to] !== i) return
    latest[i] = t
    hop[(prev[i]! << HOP_SHIFT) + NEXT_LATEST] = t
  }
}

/** Arrival at the next place once the break is taken: either already taken, or before the drive, or after it. */
export function arriveTaken(c: Compiled, r: number, pending: number, taken: number, drive: number): number {
  const earliest = c.breakEarliest[r]!
  const last = c.breakLatest[r]!
  const length = c.breakLength[r]!
  let best = taken + drive
  const before = Math.max(pending, earliest)
  if (before <= last && before + length + drive < best) best = before + length + drive
  const after = Math.max(pending + drive, earliest)
  if (after <= last && after + length < best) best = after + length
  return Math.min(best, NEVER)
}

function passForwardBreak(s: State, r: number, from: number, full: boolean): void {
  const { c, next, prev, depart, departTaken, leg } = s
  const k = c.classOf[r]!
  let i = prev[from]!
  for (let j = from; ; j = next[j]!) {
    const pending = Math.min(NEVER, depart[i]! + leg[i]!)
    const taken = arriveTaken(c, r, depart[i]!, departTaken[i]!, leg[i]!)
    if (j >= c.n) {
      depart[j] = pending
      departTaken[j] = taken
      return
    }
    const slot = j * c.windows.days + c.dayOf[r]!
    const service = c.service[j * c.classes + k]!
    const leave = Math.min(NEVER, fitForward(c.windows, slot, pending) + service)
    const leaveTaken = Math.min(NEVER, fitForward(c.windows, slot, taken) + service)
    // Everything after is as it was.
    if (!full && depart[j] === leave && departTaken[j] === leaveTaken && j !== from) return
    depart[j] = leave
    departTaken[j] = leaveTaken
    s.hop[(j << HOP_SHIFT) + DEPART] = -NEVER
    i = j
  }
}

function passBackwardBreak(s: State, r: number, to: number, full: boolean): void {
  const { c, prev, latest, latestTaken, leg } = s
  const k = c.classOf[r]!
  const earliest = c.breakEarliest[r]!
  const last = c.breakLatest[r]!
  const length = c.breakLength[r]!
  let j = to
  s.hop[(prev[to]! << HOP_SHIFT) + NEXT_LATEST] = NEVER
  for (let i = prev[to]!; i < c.n; i = prev[i]!) {
    s.hop[(prev[i]! << HOP_SHIFT) + NEXT_LATEST] = NEVER
    const drive = leg[i]!
    let leave = latest[j]! - drive
    const before = Math.min(last, latestTaken[j]! - drive - length)
    if (before >= earliest && before > leave) leave = before
    const after = Math.min(last, latestTaken[j]! - length)
    if (after >= earliest && after - drive > leave) leave = after - drive
    const slot = i * c.windows.days + c.dayOf[r]!
    const service = c.service[i * c.classes + k]!
    const start = fitBackward(c.windows, slot, Math.max(-NEVER, leave - service))
    const startTaken = fitBackward(c.windows, slot, Math.max(-NEVER, latestTaken[j]! - drive - service))
    if (!full && latest[i] === start && latestTaken[i] === startTaken && prev[to] !== i) return
    latest[i] = start
    latestTaken[i] = startTaken
    j = i
  }
}

/** Earliest end of the day of a route that keeps its rules. */
export function endOf(s: State, r: number): number {
  const { c } = s
  const end = c.n + c.routes + r
  if (!c.hasBreak[r]) return s.depart[end]!
  return s.depart[end]! <= c.breakLatest[r]! ? s.depart[end]! : s.departTaken[end]!
}

/** Cost and room of a route after its links, sums and times changed. */
function closeRoute(s: State, r: number): void {
  const { dims, capacity, maxStops } = s.c
  const room = dims > 0 ? capacity[r * dims]! - s.load[r * dims]! : Number.POSITIVE_INFINITY
  s.slack[r] = s.count[r]! < maxStops[r]! ? room : Number.NEGATIVE_INFINITY
  s.cost[r] = routeCost(s, r)
}

/** Cents of a route: crew time on the road, miles, opening, overtime, waiting, preferences. */
export function routeCost(s: State, r: number): number {
  const { c } = s
  if (s.count[r] === 0) return 0
  let cost = s.drive[r]! * c.secondRate[r]! + c.fixedCost[r]!
  if (c.meters) cost += s.driveMeters[r]! * c.meterRate[r]!
  if (c.routeCost) cost += s.preference[r]!
  if (c.anyOvertime) {
    const over = endOf(s, r) - c.overtimeAfter[r]!
    if (over > 0) cost += over * c.overtimeRate[r]!
  }
  if (c.anyWaitPrice) {
    const first = s.next[c.n + r]!
    const before =
      s.depart[first]! - c.service[first * c.classes + c.classOf[r]!]! - s.depart[c.n + r]! - s.leg[c.n + r]!
    const rest = c.hasBreak[r] && s.depart[c.n + c.routes + r]! > c.breakLatest[r]! ? c.breakLength[r]! : 0
    const wait = endOf(s, r) - c.shiftStart[r]! - s.drive[r]! - s.serviceSum[r]! - rest - Math.max(0, before)
    if (wait > 0) cost += wait * c.waitRate[r]!
  }
  return cost
}

/** Puts the absent visit u after node i of route r and brings times, sums and cost up to date. */
export function insertAfter(s: State, u: number, i: number): void {
  const { c, next, prev, leg, legMeters } = s
  const { place, places, seconds, dims } = c
  const r = s.routeOf[i]!
  const j = next[i]!
  const pu = place[u]!
  next[i] = u
  prev[u] = i
  next[u] = j
  prev[j] = u
  s.routeOf[u] = r
  const old = leg[i]!
  const iu = seconds[place[i]! * places + pu]!
  const uj = seconds[pu * places + place[j]!]!
  leg[i] = iu
  leg[u] = uj
  s.drive[r] = s.drive[r]! + iu + uj - old
  if (c.meters) {
    const oldMeters = legMeters[i]!
    legMeters[i] = c.meters[place[i]! * places + pu]!
    legMeters[u] = c.meters[pu * places + place[j]!]!
    s.driveMeters[r] = s.driveMeters[r]! + legMeters[i]! + legMeters[u]! - oldMeters
  }
  setHop(s, i, r)
  setHop(s, u, r)
  for (let d = 0; d < dims; d++) s.load[r * dims + d] = s.load[r * dims + d]! + c.demand[u * dims + d]!
  if (c.routeCost) s.preference[r] = s.preference[r]! + c.routeCost[u * c.routes + r]!
  s.serviceSum[r] = s.serviceSum[r]! + c.service[u * c.classes + c.classOf[r]!]!
  s.count[r] = s.count[r]! + 1
  if (s.count[r] === 1) {
    s.used++
    refreshEmpty(s, c.typeOf[r]!)
  }
  passForward(s, r, u)
  passBackward(s, r, j)
  closeRoute(s, r)
}

/** Takes the neighboring visits first..last (one piece of one route) out. Refused by no rule: callers keep fixed ones. */
export function removePiece(s: State, first: number, last: number): void {
  const { c, next, prev, leg, legMeters } = s
  const { place, places, seconds, dims } = c
  const r = s.routeOf[first]!
  const k = c.classOf[r]!
  const i = prev[first]!
  const j = next[last]!
  let gone = leg[i]!
  let goneMeters = c.meters ? legMeters[i]! : 0
  let removed = 0
  for (let u = first; u !== j; u = next[u]!) {
    gone += leg[u]!
    if (c.meters) goneMeters += legMeters[u]!
    for (let d = 0; d < dims; d++) s.load[r * dims + d] = s.load[r * dims + d]! - c.demand[u * dims + d]!
    if (c.routeCost) s.preference[r] = s.preference[r]! - c.routeCost[u * c.routes + r]!
    s.serviceSum[r] = s.serviceSum[r]! - c.service[u * c.classes + k]!
    detach(s, u)
    removed++
  }
  s.count[r] = s.count[r]! - removed
  next[i] = j
  prev[j] = i
  const cell = place[i]! * places + place[j]!
  const empty = s.count[r] === 0
  leg[i] = empty ? 0 : seconds[cell]!
  s.drive[r] = s.drive[r]! - gone + leg[i]!
  if (c.meters) {
    legMeters[i] = empty ? 0 : c.meters[cell]!
    s.driveMeters[r] = s.driveMeters[r]! - goneMeters + legMeters[i]!
  }
  setHop(s, i, r)
  if (empty) {
    s.used--
    s.preference[r] = 0
    for (let d = 0; d < dims; d++) s.load[r * dims + d] = 0
    refreshEmpty(s, c.typeOf[r]!)
  }
  passForward(s, r, j)
  passBackward(s, r, j)
  closeRoute(s, r)
}
