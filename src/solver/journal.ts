import { detach, linkRoute, refreshEmpty, type State } from './state.ts'

/** The routes changed in this iteration as they stood before, so that a refused step is undone without a copy of the plan. */
export type Journal = {
  s: State
  stamp: Int32Array
  iteration: number
  routes: Int32Array
  routeCount: number
  /** saved[from[k] .. from[k + 1]) are the visits of routes[k]. */
  from: Int32Array
  saved: Int32Array
  costBefore: Float64Array
}

/** An empty journal for a state. */
export function createJournal(s: State): Journal {
  const { routes, n } = s.c
  return {
    s,
    stamp: new Int32Array(routes),
    iteration: 0,
    routes: new Int32Array(routes),
    routeCount: 0,
    from: new Int32Array(routes + 1),
    saved: new Int32Array(n),
    costBefore: new Float64Array(routes),
  }
}

/** Forgets everything: what stands now is what a roll-back returns to. */
export function openJournal(journal: Journal): void {
  journal.iteration++
  journal.routeCount = 0
}

/** Must be called before a route is changed; only the first call in an iteration does anything. */
export function rememberRoute(journal: Journal, r: number): void {
  const { s, saved } = journal
  if (journal.stamp[r] === journal.iteration) return
  journal.stamp[r] = journal.iteration
  let at = journal.from[journal.routeCount]!
  journal.routes[journal.routeCount] = r
  journal.costBefore[journal.routeCount] = s.cost[r]!
  const { next } = s
  const n = s.c.n
  for (let u = next[n + r]!; u < n; u = next[u]!) saved[at++] = u
  journal.from[++journal.routeCount] = at
}

/** Cents by which the touched routes cost more now than before. */
export function costChange(journal: Journal): number {
  const { s, routes, costBefore } = journal
  let change = 0
  for (let k = 0; k < journal.routeCount; k++) change += s.cost[routes[k]!]! - costBefore[k]!
  return change
}

/** Puts every touched route back as it was. */
export function rollBack(journal: Journal): void {
  const { s, routes, saved, from } = journal
  const { next, c } = s
  // Everything that stands on a changed route now may belong elsewhere: take all of it off before linking.
  for (let k = 0; k < journal.routeCount; k++) for (let u = next[c.n + routes[k]!]!; u < c.n; u = next[u]!) detach(s, u)
  for (let k = 0; k < journal.routeCount; k++) {
    const r = routes[k]!
    const countNow = s.count[r]!
    linkRoute(s, r, saved, from[k]!, from[k + 1]!)
    if (countNow === 0 || s.count[r] === 0) refreshEmpty(s, c.typeOf[r]!)
  }
}
