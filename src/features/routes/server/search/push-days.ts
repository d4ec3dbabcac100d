import { evaluate } from '../../../../solver/evaluate.ts'
import type { CrewDay, Plan, Problem } from '../../../../solver/problem.ts'

/**
 * Days that fall out, pushed back: each crew does the stops of its closed day first thing on its next day, in the same order. When that day then
 * has no room for its own stops they move on in the same way, until a day takes all; fixed stops of a day stay on it. What no day has room for is in
 * none of the routes, but no day loses its own stops for what comes from the days before it on the last day of all.
 * So as few customers as possible hear of another day, and no order is changed. What is left over in the end goes where there is room after all: back to
 * its own day, else to the first day of its crew, at the place where the day ends earliest.
 */
export const pushDays = (
  problem: Problem,
  plan: Plan,
  closed: ReadonlySet<string>,
  fixed: ReadonlySet<string> = new Set(),
): Plan => {
  const now = new Map(plan.routes.map((route) => [route.crewDayId, route.visitIds]))
  const byId = new Map(problem.visits.map((visit) => [visit.id, visit]))
  const evaluated = (crewDay: CrewDay, visitIds: readonly string[]) =>
    evaluate(
      { ...problem, visits: visitIds.flatMap((id) => byId.get(id) ?? []), crewDays: [crewDay] },
      { routes: [{ crewDayId: crewDay.id, visitIds: [...visitIds] }] },
    )
  const fits = (crewDay: CrewDay, visitIds: readonly string[]): boolean =>
    evaluated(crewDay, visitIds).violations.length === 0
  /** The stops of a day with one more where the day ends earliest, or null when it has no room. */
  const withRoom = (crewDay: CrewDay, visitIds: readonly string[], id: string): string[] | null => {
    let best: { visitIds: string[]; endSeconds: number } | null = null
    for (let at = 0; at <= visitIds.length; at++) {
      const tried = visitIds.toSpliced(at, 0, id)
      const {
        violations,
        routes: [route],
      } = evaluated(crewDay, tried)
      const endSeconds = route?.totals.endSeconds ?? 0
      if (violations.length === 0 && (!best || endSeconds < best.endSeconds)) best = { visitIds: tried, endSeconds }
    }
    return best?.visitIds ?? null
  }
  /** So many of the first stops as a day has room for before what stays on it. */
  const roomFor = (crewDay: CrewDay, first: readonly string[], stay: readonly string[]): number => {
    let [least, most] = [0, first.length]
    while (least < most) {
      const middle = Math.ceil((least + most) / 2)
      if (fits(crewDay, [...first.slice(0, middle), ...stay])) least = middle
      else most = middle - 1
    }
    return least
  }
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
      if (carried.length === 0 || fits(day, both)) {
        routes.push({ crewDayId: day.id, visitIds: both })
        carried = []
        continue
      }
      const stay = day === last ? own : own.filter((id) => fixed.has(id))
      const taken = roomFor(day, carried, stay)
      routes.push({ crewDayId: day.id, visitIds: [...carried.slice(0, taken), ...stay] })
      carried = [...carried.slice(taken), ...own.filter((id) => !stay.includes(id))]
    }
    for (const id of carried) {
      const isOwn = (day: CrewDay): boolean => (now.get(day.id) ?? []).includes(id)
      const open = inOrder.filter((day) => !closed.has(day.id))
      for (const day of [...open.filter(isOwn), ...open.filter((one) => !isOwn(one))]) {
        const route = routes.find((one) => one.crewDayId === day.id)
        const found = route && withRoom(day, route.visitIds, id)
        if (!found) continue
        route.visitIds = found
        break
      }
    }
  }
  return { routes }
}
