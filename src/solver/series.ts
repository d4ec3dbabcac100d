import type { CrewDay, Plan, Problem, Visit } from './problem.ts'

/** Visits of one series next to each other in it: `before[u]` and `after[u]`, -1 = none, with the days that must lie between. */
export type SeriesLinks = {
  before: Int32Array
  after: Int32Array
  /** Least and most days from the occurrence before to this one, by this one. */
  leastDays: Float64Array
  mostDays: Float64Array
}

/** The links of a problem's series, null without any. */
export function seriesLinks(problem: Problem): SeriesLinks | null {
  const { visits } = problem
  const members = visits.flatMap((visit, u) => (visit.series ? [u] : []))
  const series = Map.groupBy(members, (u) => visits[u]!.series!.id)
  if (series.size === 0) return null
  const links: SeriesLinks = {
    before: new Int32Array(visits.length).fill(-1),
    after: new Int32Array(visits.length).fill(-1),
    leastDays: Float64Array.from(visits, (v) => v.series?.leastDaysAfterPrevious ?? Number.NEGATIVE_INFINITY),
    mostDays: Float64Array.from(visits, (v) => v.series?.mostDaysAfterPrevious ?? Number.POSITIVE_INFINITY),
  }
  for (const list of series.values()) {
    list.sort((a, b) => visits[a]!.series!.occurrence - visits[b]!.series!.occurrence || a - b)
    for (let k = 1; k < list.length; k++) {
      links.before[list[k]!] = list[k - 1]!
      links.after[list[k - 1]!] = list[k]!
    }
  }
  return links
}

/** Whether the visit may be on the day as far as its neighbors in the series go; `dayOf` says where a visit is, null = unserved. */
export function keepsGaps(links: SeriesLinks, u: number, day: number, dayOf: (v: number) => number | null): boolean {
  const before = links.before[u]!
  if (before >= 0) {
    const from = dayOf(before)
    if (from !== null && (day - from < links.leastDays[u]! || day - from > links.mostDays[u]!)) return false
  }
  const after = links.after[u]!
  if (after < 0) return true
  const to = dayOf(after)
  return to === null || (to - day >= links.leastDays[after]! && to - day <= links.mostDays[after]!)
}

/** Day by visit of a plan, by number of the visit in the problem. */
export function daysOf(problem: Problem, plan: Plan): (u: number) => number | null {
  const dayOf = new Map(problem.crewDays.map((c) => [c.id, c.day ?? 0]))
  const days = new Map(
    plan.routes.flatMap((route) => route.visitIds.map((id) => [id, dayOf.get(route.crewDayId) ?? 0])),
  )
  return (u) => days.get(problem.visits[u]!.id) ?? null
}

/**
 * The part's visits with the crew-days alone that keep the gaps to those of their series that the plan has outside the
 * part: for searches that see a part of a problem only.
 */
export function withGapsKept(problem: Problem, plan: Plan, part: Visit[], crewDays: CrewDay[]): Visit[] {
  const links = seriesLinks(problem)
  if (!links) return part
  const inside = new Set(part.map((visit) => visit.id))
  const dayOf = daysOf(problem, plan)
  const outside = (u: number): number | null => (inside.has(problem.visits[u]!.id) ? null : dayOf(u))
  const number = new Map(problem.visits.map((visit, u) => [visit.id, u]))
  return part.map((visit) => {
    const u = number.get(visit.id)
    if (!visit.series || u === undefined) return visit
    const kept = crewDays.filter((c) => keepsGaps(links, u, c.day ?? 0, outside)).map((c) => c.id)
    return { ...visit, allowedCrewDayIds: visit.allowedCrewDayIds?.filter((id) => kept.includes(id)) ?? kept }
  })
}

/** When an occurrence of a recurring visit is wanted: day numbers of the horizon. */
export type Occurrence = { targetDay: number; earliestDay: number; latestDay: number; centsPerDayOff: number }

/** The visit on the crew-days inside its day window, dearer by every day away from the one it is meant for. */
export function onDays(visit: Visit, wanted: Occurrence, crewDays: CrewDay[]): Visit {
  const open = crewDays.filter((c) => (c.day ?? 0) >= wanted.earliestDay && (c.day ?? 0) <= wanted.latestDay)
  const costs: Record<string, number> = { ...visit.crewDayCostCents }
  for (const crewDay of open) {
    const off = Math.abs((crewDay.day ?? 0) - wanted.targetDay)
    if (off > 0) costs[crewDay.id] = (costs[crewDay.id] ?? 0) + off * wanted.centsPerDayOff
  }
  const ids = open.map((c) => c.id)
  return {
    ...visit,
    allowedCrewDayIds: visit.allowedCrewDayIds?.filter((id) => ids.includes(id)) ?? ids,
    crewDayCostCents: costs,
  }
}
