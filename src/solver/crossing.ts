import type { Compiled } from './compile.ts'
import type { Arcs } from './insertion.ts'
import type { Random } from './random.ts'

/** Most routes that come from the second plan, as a share of those it uses. */
const MOST_TAKEN = 0.5

/**
 * A plan with some neighboring routes of `other` in the place of the routes of `base` that have most of their visits.
 * Visits that lose their route are on none; fixed ones stay. Orders of visits by route.
 */
export function crossed(c: Compiled, near: Arcs, random: Random, base: number[][], other: number[][]): number[][] {
  const inBase = routesOf(c, base)
  const inOther = routesOf(c, other)
  const used = other.filter((order) => order.length > 0).length
  const wanted = 1 + random.int(Math.max(1, Math.floor(used * MOST_TAKEN)))
  const chosen = new Set<number>()
  const seed = random.int(c.n)
  const begin = seed * near.width
  for (let k = begin - 1; k < begin + near.count[seed]! && chosen.size < wanted; k++) {
    const r = inOther[k < begin ? seed : near.list[k]!]!
    if (r >= 0 && isLoose(c, r)) chosen.add(r)
  }
  const taken = new Map<number, number[]>()
  const moved = new Set<number>()
  for (const r of chosen) {
    const order = other[r]!
    const shared = new Map<number, number>()
    for (const u of order) shared.set(inBase[u]!, (shared.get(inBase[u]!) ?? 0) + 1)
    let place = -1
    for (const [q, visits] of shared)
      if (q >= 0 && !taken.has(q) && c.typeOf[q] === c.typeOf[r] && isLoose(c, q))
        if (place < 0 || visits > shared.get(place)!) place = q
    if (place < 0) continue
    taken.set(place, order)
    for (const u of order) moved.add(u)
  }
  return base.map((order, r) => taken.get(r)?.slice() ?? order.filter((u) => !moved.has(u)))
}

/** Nothing on the route is fixed. */
function isLoose(c: Compiled, r: number): boolean {
  return c.frozen[r] === 0 && c.skeletons[r]!.length === 0
}

function routesOf(c: Compiled, orders: number[][]): Int32Array {
  const routeOf = new Int32Array(c.n).fill(-1)
  for (const [r, order] of orders.entries()) for (const u of order) routeOf[u] = r
  return routeOf
}
