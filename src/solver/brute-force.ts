import { mayServe, prizeCentsOf } from './compile.ts'
import { evaluate } from './evaluate.ts'
import type { Problem, Visit } from './problem.ts'

/** The least cost in cents of any plan without violations, by trying every order of every subset on every crew-day. Tests only: up to 8 visits. */
export function bruteForceCents(problem: Problem): number {
  const n = problem.visits.length
  const subsets = 1 << n
  let best = new Float64Array(subsets).fill(Number.POSITIVE_INFINITY)
  best[0] = 0
  for (const crewDay of problem.crewDays) {
    const cost = new Float64Array(subsets).fill(Number.POSITIVE_INFINITY)
    cost[0] = 0
    const grow = (order: Visit[], used: number): void => {
      for (let u = 0; u < n; u++) {
        const visit = problem.visits[u]!
        if (used & (1 << u) || !mayServe(visit, crewDay)) continue
        const longer = [...order, visit]
        const plan = { routes: [{ crewDayId: crewDay.id, visitIds: longer.map((v) => v.id) }] }
        const result = evaluate({ ...problem, visits: longer, crewDays: [crewDay] }, plan)
        const set = used | (1 << u)
        if (result.violations.length === 0) cost[set] = Math.min(cost[set]!, result.cost.totalCents)
        // A longer order can fix only an early end (a stop that comes before the break's last start); lateness stays.
        if (!result.violations.some((v) => v.kind === 'late' || v.kind === 'capacity' || v.kind === 'max-stops'))
          grow(longer, set)
      }
    }
    grow([], 0)
    const joined = best.slice()
    for (let set = 0; set < subsets; set++)
      for (let part = set; part > 0; part = (part - 1) & set) {
        const total = best[set ^ part]! + cost[part]!
        if (total < joined[set]!) joined[set] = total
      }
    best = joined
  }
  let least = Number.POSITIVE_INFINITY
  for (let set = 0; set < subsets; set++) {
    let total = best[set]!
    for (let u = 0; u < n; u++) if (!(set & (1 << u))) total += prizeCentsOf(problem.visits[u]!)
    least = Math.min(least, total)
  }
  return least
}
