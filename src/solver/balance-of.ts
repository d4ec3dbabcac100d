import type { Evaluation, Problem } from './problem.ts'

/** Days with at least two crews, as numbers of their routes, and the price of ending apart. */
export type BalanceOf = {
  days: Int32Array[]
  toleranceSeconds: number
  /** Cents of a second between the first and the last crew to end. */
  rate: number
  /** Cents that a second more costs on each route, by how far it is behind the others of its day: for choosing a place. */
  pull: Float64Array
}

/** What the problem asks for, null when crews may end as they like. */
export function compileBalance(problem: Problem): BalanceOf | null {
  const { balance, crewDays } = problem
  if (!balance || !(balance.centsPerHour > 0)) return null
  const byDay = Map.groupBy(
    crewDays.map((_, r) => r),
    (r) => crewDays[r]!.day ?? 0,
  )
  const days = [...byDay.values()].filter((routes) => routes.length > 1).map((routes) => Int32Array.from(routes))
  if (days.length === 0) return null
  return {
    days,
    toleranceSeconds: balance.toleranceSeconds,
    rate: balance.centsPerHour / 3600,
    pull: new Float64Array(crewDays.length),
  }
}

/** Seconds between the first and the last crew to end, of the worst day with at least two crews; a crew without stops ends as its shift begins. */
export function apartSeconds(problem: Pick<Problem, 'crewDays'>, plan: Pick<Evaluation, 'routes'>): number {
  const ends = new Map(plan.routes.map((route) => [route.crewDayId, route.totals.endSeconds]))
  const byDay = Map.groupBy(problem.crewDays, (crewDay) => crewDay.day ?? 0)
  let worst = 0
  for (const crewDays of byDay.values()) {
    if (crewDays.length < 2) continue
    const list = crewDays.map((crewDay) => ends.get(crewDay.id) ?? crewDay.shiftStartSeconds)
    worst = Math.max(worst, Math.max(...list) - Math.min(...list))
  }
  return worst
}
