import type { Compiled } from './compile.ts'
import type { Plan, Problem } from './problem.ts'
import { createState, detach, linkRoute, refreshEmpty, type State } from './state.ts'

/** A plan from visit numbers by crew-day number. */
export function planFrom(problem: Problem, orders: number[][]): Plan {
  return {
    routes: orders.map((order, r) => ({
      crewDayId: problem.crewDays[r]!.id,
      visitIds: order.map((u) => problem.visits[u]!.id),
    })),
  }
}

/** Visit numbers by crew-day number; unknown ids are passed over. */
export function ordersOf(problem: Problem, plan: Plan): number[][] {
  const visits = new Map(problem.visits.map((visit, u) => [visit.id, u]))
  const orders: number[][] = problem.crewDays.map(() => [])
  for (const route of plan.routes) {
    const r = problem.crewDays.findIndex((crewDay) => crewDay.id === route.crewDayId)
    if (r >= 0) for (const id of route.visitIds) if (visits.has(id)) orders[r]!.push(visits.get(id)!)
  }
  return orders
}

/** The plan as a search state exactly as it stands, broken rules and all (then no insertion fits where they are broken). */
export function stateOf(c: Compiled, plan: Plan): State {
  const s = createState(c)
  const placed = new Set<number>()
  for (const [r, order] of ordersOf(c.problem, plan).entries()) {
    const once = order.filter((u) => !placed.has(u) && placed.add(u))
    for (const u of c.skeletons[r]!) if (!placed.has(u)) detach(s, u)
    linkRoute(s, r, once)
  }
  for (let t = 0; t < c.types; t++) refreshEmpty(s, t)
  return s
}
