import type { Compiled } from './compile.ts'

/** A route of some plan, in cents on any crew-day of its type; type -1: leaving its one visit out. */
type Column = { type: number; cost: number; order: number[] }

/** Routes of many plans of one problem, one for each set of visits and type of crew-day. */
export type Archive = {
  c: Compiled
  columns: Map<string, Column>
  /** Routes can be changed for each other: no fixed stops, no series, no evenness. */
  open: boolean
  /** How many routes there were when they were put together last. */
  tried: number
}

type Prices = {
  /** No plan of the columns costs less. */
  bound: number
  /** Cents that a plan with the column costs more than `bound` at least. */
  reduced: Float64Array
}

/** Most steps of the subgradient. */
const ROUNDS = 250
/** Steps without a better bound before they get shorter, and how short is short enough. */
const PATIENCE = 12
const SHORTEST = 0.01
/** A search over more branches is given up with the best it has. */
const MOST_BRANCHES = 3000
const LEAST_GAIN = 1e-6

/** An archive without routes; nothing is kept where routes cannot be changed for each other. */
export function createArchive(c: Compiled): Archive {
  const open = !c.series && !c.balance && !c.fixed.includes(1) && !c.frozen.includes(1)
  return { c, columns: new Map(), open, tried: 0 }
}

/** Keeps the routes of a plan, `costs` in cents by route; of two with the same visits the cheaper. */
export function addRoutes({ c, columns, open }: Archive, orders: number[][], costs: ArrayLike<number>): void {
  if (!open) return
  for (const [r, order] of orders.entries()) {
    if (order.length === 0) continue
    const type = c.typeOf[r]!
    const cost = costs[r]!
    const key = `${type}:${order.toSorted((a, b) => a - b).join()}`
    const there = columns.get(key)
    if (!there || cost < there.cost - LEAST_GAIN) columns.set(key, { type, cost, order: order.slice() })
  }
}

/**
 * The cheapest plan below `limit` cents that can be put together from the routes kept (set partitioning: Lagrangian bound
 * by subgradient, columns fixed by reduced cost, depth first). Orders by route; null where none is found.
 */
export function combineRoutes(archive: Archive, limit: number): number[][] | null {
  const { c, open } = archive
  if (!open || archive.columns.size === archive.tried) return null
  archive.tried = archive.columns.size
  const columns = [...archive.columns.values()]
  for (let u = 0; u < c.n; u++) if (!c.excluded.has(u)) columns.push({ type: -1, cost: c.prize[u]!, order: [u] })
  const room = new Int32Array(c.types)
  for (let r = 0; r < c.routes; r++) room[c.typeOf[r]!] = room[c.typeOf[r]!]! + 1
  const prices = priceVisits(c, columns, room, limit)
  if (prices.bound >= limit - LEAST_GAIN) return null
  const chosen = pickColumns(c, columns, prices, room, limit - LEAST_GAIN)
  if (!chosen) return null
  const orders: number[][] = Array.from({ length: c.routes }, () => [])
  const next = new Int32Array(c.types)
  for (const { type, order } of chosen) {
    if (type < 0) continue
    const r = c.typeOf.indexOf(type, next[type])
    next[type] = r + 1
    orders[r] = order
  }
  return orders
}

/** Prices of visits and rents of crew-day types that make the bound as high as it gets, or reach `limit`. */
function priceVisits(c: Compiled, columns: Column[], room: Int32Array, limit: number): Prices {
  const { n, types, excluded } = c
  const price = new Float64Array(n).fill(Number.POSITIVE_INFINITY)
  for (const { cost, order } of columns) for (const u of order) price[u] = Math.min(price[u]!, cost / order.length)
  for (const u of excluded.keys()) price[u] = 0
  const rent = new Float64Array(types)
  /** By how much visits lack a route and types lack crew-days in the cheapest choice at these prices. */
  const lacking = new Int32Array(n)
  const over = new Int32Array(types)
  const reduced = new Float64Array(columns.length)
  const best: Prices = { bound: Number.NEGATIVE_INFINITY, reduced: reduced.slice() }
  let pace = 1
  let since = 0
  for (let round = 0; round < ROUNDS && pace >= SHORTEST && best.bound < limit; round++) {
    let bound = 0
    for (let u = 0; u < n; u++) {
      bound += price[u]!
      lacking[u] = excluded.has(u) ? 0 : 1
    }
    for (let t = 0; t < types; t++) {
      bound -= rent[t]! * room[t]!
      over[t] = -room[t]!
    }
    for (let j = 0; j < columns.length; j++) {
      const { type, cost, order } = columns[j]!
      let value = type < 0 ? cost : cost + rent[type]!
      for (const u of order) value -= price[u]!
      reduced[j] = value
      if (value >= 0) continue
      bound += value
      for (const u of order) lacking[u] = lacking[u]! - 1
      if (type >= 0) over[type] = over[type]! + 1
    }
    since++
    if (bound > best.bound) {
      best.bound = bound
      best.reduced.set(reduced)
      since = 0
    } else if (since >= PATIENCE) {
      pace /= 2
      since = 0
    }
    let norm = 0
    for (let u = 0; u < n; u++) norm += lacking[u]! ** 2
    for (let t = 0; t < types; t++) if (over[t]! > 0 || rent[t]! > 0) norm += over[t]! ** 2
    if (norm === 0) break
    const step = (pace * (limit - bound)) / norm
    for (let u = 0; u < n; u++) price[u] = price[u]! + step * lacking[u]!
    for (let t = 0; t < types; t++) rent[t] = Math.max(0, rent[t]! + step * over[t]!)
  }
  return best
}

/** The columns that hold every visit once at the least cost below `limit`; null where there are none. */
function pickColumns(c: Compiled, columns: Column[], prices: Prices, room: Int32Array, limit: number): Column[] | null {
  const { n } = c
  const worse = prices.reduced.map((value) => Math.max(0, value))
  const holders: number[][] = Array.from({ length: n }, () => [])
  for (const j of Array.from(columns.keys()).sort((a, b) => worse[a]! - worse[b]! || a - b))
    if (prices.bound + worse[j]! < limit) for (const u of columns[j]!.order) holders[u]!.push(j)
  const covered = new Uint8Array(n)
  for (const u of c.excluded.keys()) covered[u] = 1
  const left = room.slice()
  const chosen: Column[] = []
  let best: Column[] | null = null
  let least = limit
  let branches = 0
  const isFree = ({ type, order }: Column): boolean =>
    (type < 0 || left[type]! > 0) && order.every((u) => covered[u] === 0)
  const put = ({ type, order }: Column, by: 1 | -1): void => {
    for (const u of order) covered[u] = by === 1 ? 1 : 0
    if (type >= 0) left[type] = left[type]! - by
  }
  /** The open visit with the fewest routes left that may still be part of a better plan, -1 = none is open. */
  const hardest = (bound: number): number => {
    let pick = -1
    let fewest = Number.POSITIVE_INFINITY
    for (let u = 0; u < n && fewest > 0; u++) {
      if (covered[u]) continue
      let count = 0
      for (const j of holders[u]!) {
        if (bound + worse[j]! >= least || count >= fewest) break
        if (isFree(columns[j]!)) count++
      }
      if (count >= fewest) continue
      fewest = count
      pick = u
    }
    return pick
  }
  const branch = (bound: number, cost: number): void => {
    const u = hardest(bound)
    if (u < 0 && cost < least) {
      least = cost
      best = chosen.slice()
    }
    if (u < 0) return
    for (const j of holders[u]!) {
      if (bound + worse[j]! >= least) return
      const column = columns[j]!
      if (!isFree(column)) continue
      if (++branches > MOST_BRANCHES) return
      put(column, 1)
      chosen.push(column)
      branch(bound + worse[j]!, cost + column.cost)
      chosen.pop()
      put(column, -1)
    }
  }
  branch(prices.bound, 0)
  return best
}
