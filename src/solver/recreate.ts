import { type Finder, findAnywhere, findNear } from './insertion.ts'
import { type Journal, rememberRoute } from './journal.ts'
import type { Random } from './random.ts'
import { insertAfter, type State } from './state.ts'

/** Visits waiting to be placed. */
export type Waiting = { list: Int32Array; count: number; key: Float64Array }

/** Rules to sort by, as often as they are drawn: random 4, demand 4, far 2, close 1, window length 2, opening 2, closing 2. */
const RULES = 17
/** Longer lists stem from building a whole plan: the dearest to leave out come first, always. */
const LONG_LIST = 60
const OVERPAY_SHARE = 0.1
const OVERPAY = 4

/** The rule "far from the depot first": by far the best for building a whole plan at once. */
export const FAR_FIRST = 8

/** Orders the waiting visits by one of the rules of the paper, drawn at random unless given; equal ones by number. */
export function sortWaiting(s: State, waiting: Waiting, random: Random, rule = random.int(RULES)): void {
  const { c } = s
  const { list, key, count } = waiting
  const { offset, open, close, days } = c.windows
  const depot = c.place[c.n]! * c.places
  for (let k = 0; k < count; k++) {
    const u = list[k]!
    if (rule < 4) key[u] = random.next()
    else if (rule < 8) key[u] = c.dims ? -c.demand[u * c.dims]! : -c.service[u * c.classes]!
    else if (rule < 10) key[u] = -c.seconds[depot + c.place[u]!]!
    else if (rule < 11) key[u] = c.seconds[depot + c.place[u]!]!
    else if (rule < 13) key[u] = close[offset[(u + 1) * days]! - 1]! - open[offset[u * days]!]!
    else if (rule < 15) key[u] = open[offset[u * days]!]!
    else key[u] = -close[offset[(u + 1) * days]! - 1]!
  }
  if (count > LONG_LIST) {
    const { prize } = c
    list.subarray(0, count).sort((a, b) => prize[b]! - prize[a]! || key[a]! - key[b]! || a - b)
    return
  }
  if (c.anyPriority && random.next() < 0.5) for (let k = 0; k < count; k++) key[list[k]!] = -c.prize[list[k]!]!
  for (let k = 1; k < count; k++) {
    const u = list[k]!
    const own = key[u]!
    let m = k - 1
    while (m >= 0 && (key[list[m]!]! > own || (key[list[m]!] === own && list[m]! > u))) {
      list[m + 1] = list[m]!
      m--
    }
    list[m + 1] = u
  }
}

/**
 * Places the waiting visits one by one where each is cheapest. What fits nowhere, or costs more than its prize, stays
 * waiting. `everywhere(u)` says for whom every gap of the plan is tried when no near one will do. Gives up, false, as
 * soon as what was placed and left out costs `budget` cents: placing the rest will not make it cheaper.
 */
export function recreate(
  finder: Finder,
  waiting: Waiting,
  journal: Journal,
  random: Random,
  everywhere: (u: number) => boolean,
  budget = Number.POSITIVE_INFINITY,
): boolean {
  const { s } = finder
  const { prize, anyPriority } = s.c
  const { list } = waiting
  let left = 0
  let room = budget
  for (let k = 0; k < waiting.count; k++) {
    const u = list[k]!
    // Two stops may be worth a trip that neither is worth alone.
    const worth = anyPriority && random.next() < OVERPAY_SHARE ? prize[u]! * OVERPAY : prize[u]!
    const limit = Math.min(worth, room)
    let at = findNear(finder, u, limit)
    if (at < 0 && everywhere(u)) at = findAnywhere(finder, u, limit)
    if (at < 0) {
      list[left++] = u
      room -= prize[u]!
      if (room <= 0) return false
    } else {
      const r = s.routeOf[at]!
      rememberRoute(journal, r)
      room += s.cost[r]!
      insertAfter(s, u, at)
      room -= s.cost[r]!
    }
  }
  waiting.count = left
  return true
}
