import { compile } from './compile.ts'
import { evaluate } from './evaluate.ts'
import { explainAbsent } from './explain.ts'
import { fits, insertionCost } from './insertion.ts'
import { stateOf } from './orders.ts'
import type { Plan, Problem, Reason, Visit } from './problem.ts'
import { scheduleRoute } from './schedule.ts'

/** One place for the visit: before the stop that has `position` now (0 = first). Seconds and cents are what it adds. */
export type Proposal = {
  crewDayId: string
  position: number
  addedDriveSeconds: number
  addedCostCents: number
  arriveSeconds: number
  startSeconds: number
  leaveSeconds: number
  /** Other stops of the day that start later than now, by seconds. */
  delays: { visitId: string; seconds: number }[]
}

export type Proposals = {
  places: Proposal[]
  /** Why there is none; [] when there is. */
  reasons: Reason[]
}

/**
 * The best places for one visit in the plan as it stands, over every gap of every crew-day, exact, nothing else moved.
 * `visit` need not be in the problem yet; if the plan serves it, it is taken out first. At most `top` (default 3)
 * answers, cheapest first, one per crew-day unless `perCrewDay` is larger than its default 1.
 */
export function propose(
  problem: Problem,
  plan: Plan,
  visit: Visit,
  options: { top?: number; perCrewDay?: number } = {},
): Proposals {
  const { top = 3, perCrewDay = 1 } = options
  const loose: Visit = visit.pin?.order === undefined ? visit : { ...visit, pin: { crewDayId: visit.pin.crewDayId } }
  const others = problem.visits.filter((v) => v.id !== visit.id)
  const extended: Problem = { ...problem, visits: [...others, loose] }
  const bare: Plan = {
    routes: plan.routes.map((route) => ({
      crewDayId: route.crewDayId,
      visitIds: route.visitIds.filter((id) => id !== visit.id),
    })),
  }
  const c = compile(extended)
  const u = c.n - 1
  const s = stateOf(c, bare)
  const found: { r: number; after: number; position: number; cost: number }[] = []
  if (!c.excluded.has(u)) {
    for (let r = 0; r < c.routes; r++) {
      if (c.allowed[u * c.routes + r] === 0) continue
      const here: typeof found = []
      let position = 0
      for (let i = c.n + r; i < c.n || i === c.n + r; i = s.next[i]!) {
        if (fits(s, u, i, r)) here.push({ r, after: i, position, cost: insertionCost(s, u, i, r) })
        position++
      }
      found.push(...here.sort((a, b) => a.cost - b.cost || a.position - b.position).slice(0, perCrewDay))
    }
  }
  found.sort((a, b) => a.cost - b.cost || a.r - b.r || a.position - b.position)
  const places = found.slice(0, top).map(({ r, position }): Proposal => {
    const crewDay = problem.crewDays[r]!
    const byId = new Map(extended.visits.map((v) => [v.id, v]))
    const ids = bare.routes.find((route) => route.crewDayId === crewDay.id)?.visitIds ?? []
    const now = ids.map((id) => byId.get(id)!).filter(Boolean)
    const then = [...now.slice(0, position), loose, ...now.slice(position)]
    const before = scheduleRoute(extended, crewDay, now)
    const after = scheduleRoute(extended, crewDay, then)
    const one = { ...extended, visits: then, crewDays: [crewDay] }
    const costNow = evaluate(one, { routes: [{ crewDayId: crewDay.id, visitIds: now.map((v) => v.id) }] })
    const costThen = evaluate(one, { routes: [{ crewDayId: crewDay.id, visitIds: then.map((v) => v.id) }] })
    const stop = after.stops[position]!
    const delays = now.flatMap((v, k) => {
      const seconds = after.stops[k < position ? k : k + 1]!.start - before.stops[k]!.start
      return seconds > 0 ? [{ visitId: v.id, seconds }] : []
    })
    return {
      crewDayId: crewDay.id,
      position,
      addedDriveSeconds: costThen.totals.driveSeconds - costNow.totals.driveSeconds,
      addedCostCents:
        costThen.cost.totalCents - costThen.cost.unservedCents - (costNow.cost.totalCents - costNow.cost.unservedCents),
      arriveSeconds: stop.arrive,
      startSeconds: stop.start,
      leaveSeconds: stop.leave,
      delays,
    }
  })
  return { places, reasons: places.length ? [] : (explainAbsent(extended, bare, [visit.id], c).get(visit.id) ?? []) }
}
