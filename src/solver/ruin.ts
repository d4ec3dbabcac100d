import type { Arcs } from './insertion.ts'
import { type Journal, rememberRoute } from './journal.ts'
import type { Random } from './random.ts'
import type { Waiting } from './recreate.ts'
import { removePiece, type State } from './state.ts'

/** Settings of Christiaens and Vanden Berghe (2020), "Slack Induction by String Removals", their names in brackets. */
export const RUIN = {
  /** Mean number of visits removed (c-bar). 5 to 10 alike up to 200 visits, 5 worse above, 14 not better anywhere. */
  meanRemoved: 10,
  /** Longest string (L-max). */
  longest: 10,
  /**
   * Share of ruins that take a whole route out besides the strings: else a plan with a route too many never loses it. Ours; 0.15 is worse.
   * With many visits it costs more than it brings: at most `emptyVisits` / visits.
   */
  emptyShare: 0.05,
  emptyVisits: 4,
  /** Share of ruins whose strings lie near each other in time as well as on the road: what long routes with windows need. Ours. */
  inTimeShare: 0.2,
  /** Longest route that is. */
  emptied: 20,
  /** Share of strings that keep a piece in the middle (alpha). */
  splitShare: 0.5,
  /** Chance to stop growing the kept piece (1 - beta). */
  splitStop: 0.9,
  /** Share of split strings that take both ends of the route instead: what clustered customers with long routes need. Ours. */
  endsShare: 0.5,
}

export type Ruin = {
  s: State
  near: Arcs
  nearInTime: Arcs
  random: Random
  journal: Journal
  /** Visits taken out are appended here. */
  waiting: Waiting
  /** Visits on routes now. */
  served: number
}

/** Takes strings of neighboring stops out of routes near `seed`, one string per route. */
export function ruinStrings(ruin: Ruin, seed: number): void {
  const { s, random, journal } = ruin
  const near = random.next() < RUIN.inTimeShare ? ruin.nearInTime : ruin.near
  const { routeOf, count } = s
  const used = s.used
  if (used === 0) return
  const longest = Math.min(RUIN.longest, ruin.served / used)
  const emptiesFirst = random.next() < Math.min(RUIN.emptyShare, RUIN.emptyVisits / s.c.n)
  const usual = Math.floor(random.next() * ((4 * RUIN.meanRemoved) / (1 + longest) - 1) + 1)
  const strings = emptiesFirst ? usual + 1 : usual
  const begin = seed * near.width
  const end = begin + near.count[seed]!
  let done = 0
  for (let k = begin - 1; k < end && done < strings; k++) {
    const v = k < begin ? seed : near.list[k]!
    const r = routeOf[v]!
    if (r < 0 || journal.stamp[r] === journal.iteration) continue
    rememberRoute(journal, r)
    const size = count[r]!
    const most =
      emptiesFirst && done === 0
        ? Math.min(size, RUIN.emptied)
        : Math.min(size, Math.floor(random.next() * Math.min(size, longest) + 1))
    if (most > 1 && most < size && random.next() < RUIN.splitShare) {
      let kept = 1
      if (random.next() < RUIN.endsShare) kept = size - most
      else while (most + kept < size && random.next() > RUIN.splitStop) kept++
      takeString(ruin, v, most + kept, random.int(most) + (random.next() < 0.5 ? 0 : 1), kept)
    } else takeString(ruin, v, most, most, 0)
    done++
  }
}

/** Takes `total` neighboring stops around v out, but for `kept` of them after the first `head`; fixed ones stay. */
function takeString(ruin: Ruin, v: number, total: number, head: number, kept: number): void {
  const { s, random, waiting } = ruin
  const { c, next, prev } = s
  let before = 0
  let first = v
  while (before < total - 1 && prev[first]! < c.n) {
    first = prev[first]!
    before++
  }
  let after = 0
  for (let i = v; after < total - 1 && next[i]! < c.n; i = next[i]!) after++
  // The string must hold v: it begins between `before` and `total - 1 - after` stops ahead of it.
  const least = Math.max(0, total - 1 - after)
  let shift = before - (least + random.int(before - least + 1))
  while (shift-- > 0) first = next[first]!
  let pieceStart = -1
  let i = first
  for (let k = 0; k < total; k++) {
    const following = next[i]!
    const stays = (k >= head && k < head + kept) || c.fixed[i] === 1
    if (!stays) {
      if (pieceStart < 0) pieceStart = i
      waiting.list[waiting.count++] = i
    }
    if (pieceStart >= 0 && (stays || k === total - 1)) {
      removePiece(s, pieceStart, stays ? prev[i]! : i)
      pieceStart = -1
    }
    i = following
  }
}
