import { compile } from './compile.ts'
import { agree, createCourse, finish, shapeFor, temperatureAt } from './course.ts'
import { evaluate } from './evaluate.ts'
import { explainAbsent } from './explain.ts'
import type { Exchange } from './islands.ts'
import { chainNearest } from './locality.ts'
import { ordersOf, planFrom } from './orders.ts'
import type { Plan, Problem, Reason, Solution, SolveStats } from './problem.ts'
import { bestOrders, createSearch, type Search, step } from './search.ts'

/** What a caller may watch or stop while the search runs. Costs in cents; `plan` makes the best plan so far on demand. */
export type Progress = {
  iterations: number
  share: number
  costCents: number
  unserved: number
  elapsedMs: number
  plan(): Plan
}

export type SolveOptions = {
  /** Same problem, seed and iterations: the same bytes. Default 1. */
  seed?: number
  /** Ruin-and-recreate steps. Default from `effort`. */
  iterations?: number
  /** 1 (quick) to 10; iterations = effort x 60 x visits, at least 2,000 x effort. Default 3. */
  effort?: number
  /** Safety stop on the caller's clock; needs `now`. A stop by it sets `stats.truncated`. */
  deadlineMs?: number
  /** Milliseconds of any steady clock. */
  now?: () => number
  /**
   * true: the temperature falls by the time spent of `deadlineMs` instead of by iterations, which are then unlimited.
   * Uses the time fully but is not repeatable. For measuring only.
   */
  coolByTime?: boolean
  warmStart?: Plan
  /** Meets the searches of the same problem in other threads, see `islands.ts`: all end with the best plan of any. */
  exchange?: Exchange
  signal?: { readonly aborted: boolean }
  shouldStop?: () => boolean
  /** Called about every `progressEvery` (default 2,000) iterations, on the search's thread. */
  onProgress?: (progress: Progress) => void
  progressEvery?: number
}

/** Iterations that `solve` runs for an effort and number of visits. */
export function iterationsFor(effort: number, visits: number): number {
  return Math.round(effort * Math.max(2000, 60 * visits))
}

/** By time, how many steps there will be is guessed in the first part of it. */
const GUESSED = 0.03

/** Steps between two looks at the clock and the signal. */
const SLICE = 64

/**
 * Plans every visit it can, cheapest first by unserved priority, then money. Never throws on bad data: what cannot be
 * planned is in `unserved` with reasons. Pins are kept even where they break rules, which `violations` then lists.
 */
export function solve(given: Problem, options: SolveOptions = {}): Solution {
  const { seed = 1, effort = 3, now, deadlineMs, signal, shouldStop, onProgress, progressEvery = 2000 } = options
  const started = now?.() ?? 0
  const elapsed = (): number => (now ? now() - started : 0)
  const problem: Problem = { ...given, visits: chainNearest(given.visits, given.matrix) }
  const c = compile(problem)
  const search = createSearch(c, seed, options.warmStart && ordersOf(problem, options.warmStart))
  const planned = options.iterations ?? iterationsFor(effort, c.n)
  const byTime = options.coolByTime === true && now !== undefined && deadlineMs !== undefined
  const startCostCents = Math.round(search.bestCost)
  const movable = c.n - c.excluded.size - c.fixed.reduce((a, b) => a + b, 0)
  let stoppedBy: SolveStats['stoppedBy'] = 'done'
  if (movable > 0 && c.routes > 0) {
    const hot = startTemperature(search)
    const islands = options.exchange !== undefined
    const course = createCourse(shapeFor(c.n, byTime ? 0 : planned, islands), hot, options.exchange ?? null)
    let reported = 0
    while (byTime || search.iterations < planned) {
      const spent = elapsed()
      if (now && deadlineMs !== undefined && spent >= deadlineMs) {
        if (!byTime) stoppedBy = 'deadline'
        break
      }
      if (signal?.aborted || shouldStop?.()) {
        stoppedBy = 'signal'
        break
      }
      const share = byTime ? spent / deadlineMs : search.iterations / planned
      if (byTime && course.phase === 0 && share > 0 && share < GUESSED)
        course.shape = shapeFor(c.n, search.iterations / share, islands)
      const temperature = temperatureAt(course, search, share)
      const until = byTime ? search.iterations + SLICE : Math.min(planned, search.iterations + SLICE)
      while (search.iterations < until) step(search, temperature)
      if (onProgress && search.iterations - reported >= progressEvery) {
        reported = search.iterations
        onProgress({
          iterations: search.iterations,
          share,
          costCents: Math.round(search.bestCost),
          unserved: search.bestUnserved,
          elapsedMs: elapsed(),
          plan: () => planFrom(problem, bestOrders(search)),
        })
      }
    }
    finish(course, search)
    if (islands) agree(course, search)
  }
  const plan = planFrom(problem, bestOrders(search))
  const evaluation = evaluate(given, plan, reasonsFor(given, plan))
  return {
    ...evaluation,
    stats: {
      iterations: search.iterations,
      truncated: stoppedBy !== 'done',
      stoppedBy,
      elapsedMs: elapsed(),
      improvements: search.improvements,
      startCostCents,
    },
  }
}

/** Twice the mean cost of a leg of the first plan: accepts a detour of that size about once in e tries at the start. */
function startTemperature(search: Search): number {
  const { s } = search
  let cost = 0
  let legs = 0
  for (let r = 0; r < s.c.routes; r++) {
    if (s.count[r] === 0) continue
    cost += s.drive[r]! * s.c.secondRate[r]!
    legs += s.count[r]! + 1
  }
  return legs === 0 || cost === 0 ? 1 : (2 * cost) / legs
}

function reasonsFor(problem: Problem, plan: Plan): Map<string, Reason[]> {
  const served = new Set(plan.routes.flatMap((route) => route.visitIds))
  const absent = problem.visits.filter((visit) => !served.has(visit.id)).map((visit) => visit.id)
  return explainAbsent(problem, plan, absent)
}
