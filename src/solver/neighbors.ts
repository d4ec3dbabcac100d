import type { Compiled } from './compile.ts'
import { NO_WAY } from './compile-windows.ts'
import type { Arcs, Neighbors } from './insertion.ts'

/** Share of a forced wait that counts as distance (Vidal et al. 2013). */
const WAIT_WEIGHT = 0.2

/** How many near visits are looked at, by kind of list. */
export type Widths = { arcs: number; around: number }

type Four<T> = [T, T, T, T]

/**
 * The near visits of each. An arc that forces a wait counts part of it as distance, one that no clock allows is left out;
 * so are visits that no crew-day can have both.
 */
export function nearest(c: Compiled, widths: Widths): Neighbors {
  const { n, place, places, seconds, secondsTo } = c
  const listBefore = emptyArcs(n, widths.arcs)
  const listAfter = emptyArcs(n, widths.arcs)
  const around = emptyArcs(n, widths.around)
  const aroundInTime = emptyArcs(n, widths.around)
  const { open, close, stay } = envelopes(c)
  const together = compatibility(c)
  const [scoreBefore, scoreAfter, scoreAround, scoreInTime] = Array.from(
    { length: 4 },
    () => new Float64Array(n),
  ) as Four<Float64Array>
  const [orderBefore, orderAfter, orderAround, orderInTime] = Array.from(
    { length: 4 },
    () => new Int32Array(n),
  ) as Four<Int32Array>
  const leastOut = new Int32Array(n)
  const leastIn = new Int32Array(n)
  for (let u = 0; u < n; u++) {
    if (c.excluded.has(u)) continue
    const row = place[u]! * places
    const readyU = open[u]! + stay[u]!
    const openU = open[u]!
    const closeU = close[u]!
    const lastU = closeU + stay[u]!
    let countBefore = 0
    let countAfter = 0
    let countAround = 0
    for (let v = 0; v < n; v++) {
      if (v === u || (together && !together(u, v)) || c.excluded.has(v)) continue
      const out = seconds[row + place[v]!]!
      const back = secondsTo[row + place[v]!]!
      scoreAround[v] = Math.min(out, back)
      orderInTime[countAround] = v
      orderAround[countAround++] = v
      const after = out + WAIT_WEIGHT * Math.max(0, open[v]! - lastU - out)
      const lateV = readyU + out - close[v]!
      if (lateV <= 0) {
        scoreAfter[v] = after
        orderAfter[countAfter++] = v
      }
      const before = back + WAIT_WEIGHT * Math.max(0, openU - close[v]! - stay[v]! - back)
      const lateU = open[v]! + stay[v]! + back - closeU
      if (lateU <= 0) {
        scoreBefore[v] = before
        orderBefore[countBefore++] = v
      }
      scoreInTime[v] = Math.min(after + Math.max(0, lateV), before + Math.max(0, lateU))
    }
    fill(listBefore, u, orderBefore, scoreBefore, countBefore, secondsTo, row, place)
    fill(listAfter, u, orderAfter, scoreAfter, countAfter, seconds, row, place)
    fill(around, u, orderAround, scoreAround, countAround, seconds, row, place)
    fill(aroundInTime, u, orderInTime, scoreInTime, countAround, seconds, row, place)
    leastOut[u] = leastOn(c, seconds, u, n + c.routes, c.nodes)
    leastIn[u] = leastOn(c, secondsTo, u, n, n + c.routes)
  }
  return { before: listBefore, after: listAfter, around, aroundInTime, leastOut, leastIn }
}

function emptyArcs(n: number, width: number): Arcs {
  const w = Math.max(0, Math.min(width, n - 1))
  return { width: w, count: new Int32Array(n), list: new Int32Array(n * w), way: new Int32Array(n * w) }
}

/** First opening and last closing of any day and least time on site of any crew, by visit. */
function envelopes(c: Compiled): { open: Float64Array; close: Float64Array; stay: Float64Array } {
  const { n, windows, service, classes } = c
  const open = new Float64Array(n).fill(Number.POSITIVE_INFINITY)
  const close = new Float64Array(n).fill(Number.NEGATIVE_INFINITY)
  const stay = new Float64Array(n).fill(Number.POSITIVE_INFINITY)
  for (let u = 0; u < n; u++) {
    for (let k = windows.offset[u * windows.days]!; k < windows.offset[(u + 1) * windows.days]!; k++) {
      open[u] = Math.min(open[u]!, windows.open[k]!)
      close[u] = Math.max(close[u]!, windows.close[k]!)
    }
    for (let k = 0; k < classes; k++) stay[u] = Math.min(stay[u]!, service[u * classes + k]!)
  }
  return { open, close, stay }
}

function fill(
  arcs: Arcs,
  u: number,
  order: Int32Array,
  score: Float64Array,
  m: number,
  matrix: Int32Array,
  row: number,
  place: Int32Array,
): void {
  const take = Math.min(arcs.width, m)
  if (take < m) quickSelect(order, score, m, take)
  const part = order.subarray(0, take).sort((a, b) => score[a]! - score[b]! || a - b)
  const at = u * arcs.width
  for (let k = 0; k < take; k++) {
    arcs.list[at + k] = part[k]!
    arcs.way[at + k] = matrix[row + place[part[k]!]!]!
  }
  arcs.count[u] = take
}

/** Least seconds in u's row of the matrix to any other visit or any of the nodes `from` to `to`. */
function leastOn(c: Compiled, matrix: Int32Array, u: number, from: number, to: number): number {
  const row = c.place[u]! * c.places
  let least = NO_WAY
  for (let v = 0; v < c.n; v++) if (v !== u) least = Math.min(least, matrix[row + c.place[v]!]!)
  for (let i = from; i < to; i++) least = Math.min(least, matrix[row + c.place[i]!]!)
  return least
}

/** Whether two visits share an allowed crew-day (null = all do), by distinct rows of `allowed` (usually a handful). */
function compatibility(c: Compiled): ((u: number, v: number) => boolean) | null {
  if (!c.allowed.includes(0)) return null
  const classOf = new Int32Array(c.n)
  const rows: number[] = []
  const byKey = new Map<string, number>()
  for (let u = 0; u < c.n; u++) {
    const key = c.allowed.subarray(u * c.routes, (u + 1) * c.routes).join('')
    let k = byKey.get(key)
    if (k === undefined) {
      k = rows.length
      byKey.set(key, k)
      rows.push(u)
    }
    classOf[u] = k
  }
  if (rows.length === 1) return null
  const meet = new Uint8Array(rows.length * rows.length)
  for (const [a, u] of rows.entries())
    for (const [b, v] of rows.entries())
      for (let r = 0; r < c.routes; r++)
        if (c.allowed[u * c.routes + r] === 1 && c.allowed[v * c.routes + r] === 1) {
          meet[a * rows.length + b] = 1
          break
        }
  return (u, v) => meet[classOf[u]! * rows.length + classOf[v]!] === 1
}

/** Brings the `take` smallest by score to the front of order[0..m), ties by number, so that the result is one set only. */
function quickSelect(order: Int32Array, score: Float64Array, m: number, take: number): void {
  const less = (a: number, b: number): boolean => score[a]! < score[b]! || (score[a] === score[b] && a < b)
  let low = 0
  let high = m - 1
  while (low < high) {
    const pivot = order[(low + high) >> 1]!
    let i = low
    let j = high
    while (i <= j) {
      while (less(order[i]!, pivot)) i++
      while (less(pivot, order[j]!)) j--
      if (i <= j) {
        const swap = order[i]!
        order[i++] = order[j]!
        order[j--] = swap
      }
    }
    if (take - 1 <= j) high = j
    else if (take - 1 >= i) low = i
    else return
  }
}
