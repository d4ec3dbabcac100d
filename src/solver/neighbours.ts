import type { Compiled } from './compile.ts'
import { NO_WAY } from './compile-windows.ts'
import type { Neighbours } from './insertion.ts'

/** Share of a forced wait, and of a forced lateness, that counts as distance (Vidal et al. 2013: 0.2 and 1). */
const WAIT_WEIGHT = 0.2
const LATE_WEIGHT = 1

/**
 * The `width` nearest visits of each. With `byTime` the nearness counts the wait or lateness that going directly from
 * one to the other forces; without it, travel seconds alone. Visits that no crew-day can have both are left out.
 */
export function nearest(c: Compiled, width: number, byTime: boolean): Neighbours {
  const { n, place, places, seconds, secondsTo, windows, service, classes } = c
  const w = Math.max(0, Math.min(width, n - 1))
  const list = new Int32Array(n * w)
  const inward = new Int32Array(n * w)
  const count = new Int32Array(n)
  const least = new Int32Array(n)
  const score = new Float64Array(n)
  const order = new Int32Array(n)
  const open = new Float64Array(n)
  const close = new Float64Array(n)
  for (let u = 0; u < n; u++) {
    const from = windows.offset[u * windows.days]!
    const to = windows.offset[(u + 1) * windows.days]!
    open[u] = Number.POSITIVE_INFINITY
    close[u] = Number.NEGATIVE_INFINITY
    for (let k = from; k < to; k++) {
      open[u] = Math.min(open[u]!, windows.open[k]!)
      close[u] = Math.max(close[u]!, windows.close[k]!)
    }
  }
  const together = compatibility(c)
  for (let u = 0; u < n; u++) {
    if (c.excluded.has(u)) continue
    const row = place[u]! * places
    const serviceU = service[u * classes]!
    let m = 0
    for (let v = 0; v < n; v++) {
      if (v === u || c.excluded.has(v) || !together(u, v)) continue
      const out = seconds[row + place[v]!]!
      const back = secondsTo[row + place[v]!]!
      let near = Math.min(out, back)
      if (byTime) {
        const serviceV = service[v * classes]!
        const uv =
          out +
          WAIT_WEIGHT * Math.max(0, open[v]! - close[u]! - serviceU - out) +
          LATE_WEIGHT * Math.max(0, open[u]! + serviceU + out - close[v]!)
        const vu =
          back +
          WAIT_WEIGHT * Math.max(0, open[u]! - close[v]! - serviceV - back) +
          LATE_WEIGHT * Math.max(0, open[v]! + serviceV + back - close[u]!)
        near = Math.min(uv, vu)
      }
      score[v] = near
      order[m++] = v
    }
    const take = Math.min(w, m)
    if (take < m) quickSelect(order, score, m, take)
    const part = order.slice(0, take).sort((a, b) => score[a]! - score[b]! || a - b)
    list.set(part, u * w)
    for (let k = 0; k < take; k++) inward[u * w + k] = secondsTo[row + place[part[k]!]!]!
    least[u] = leastOut(c, u)
    count[u] = take
  }
  return { width: w, count, list, inward, least }
}

/** Least seconds from u to any other node that could follow it. */
function leastOut(c: Compiled, u: number): number {
  const row = c.place[u]! * c.places
  let least = NO_WAY
  for (let j = 0; j < c.nodes; j++) {
    if (j === u || (j >= c.n && j < c.n + c.routes)) continue
    const s = c.seconds[row + c.place[j]!]!
    if (s < least) least = s
  }
  return least
}

/** Whether two visits share an allowed crew-day, by distinct rows of `allowed` (usually a handful). */
function compatibility(c: Compiled): (u: number, v: number) => boolean {
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
  if (rows.length === 1) return () => true
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
