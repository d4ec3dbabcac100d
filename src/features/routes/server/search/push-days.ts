import { evaluate } from '../../../../solver/evaluate.ts'
import type { CrewDay, Plan, Problem } from '../../../../solver/problem.ts'

/**
 * Days that fall out, pushed back: each crew does the stops of its closed day first thing on its next day, in the same order. When that day then
 * has no room for its own stops they move on in the same way, until a day takes all; the last day takes what is left, over its shift or not.
 * So as few customers as possible hear of another day, and no order is changed.
 */
export const pushDays = (problem: Problem, plan: Plan, closed: ReadonlySet<string>): Plan => {
  const now = new Map(plan.routes.map((route) => [route.crewDayId, route.visitIds]))
  const byId = new Map(problem.visits.map((visit) => [visit.id, visit]))
  const fits = (crewDay: CrewDay, visitIds: readonly string[]): boolean =>
    evaluate(
      { ...problem, visits: visitIds.flatMap((id) => byId.get(id) ?? []), crewDays: [crewDay] },
      { routes: [{ crewDayId: crewDay.id, visitIds: [...visitIds] }] },
    ).violations.length === 0
  const routes: Plan['routes'] = []
  for (const days of Map.groupBy(problem.crewDays, (c) => c.crewId ?? c.id).values()) {
    const inOrder = days.toSorted((a, b) => (a.day ?? 0) - (b.day ?? 0))
    const last = inOrder.findLast((day) => !closed.has(day.id))
    let carried: string[] = []
    for (const day of inOrder) {
      const own = now.get(day.id) ?? []
      if (closed.has(day.id)) {
        carried = [...carried, ...own]
        continue
      }
      const both = [...carried, ...own]
      if (carried.length === 0 || own.length === 0 || day === last || fits(day, both)) {
        routes.push({ crewDayId: day.id, visitIds: both })
        carried = []
      } else {
        routes.push({ crewDayId: day.id, visitIds: carried })
        carried = own
      }
    }
  }
  return { routes }
}
