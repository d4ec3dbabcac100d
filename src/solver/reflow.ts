import { type Change, changesBetween, type Stability, withStability } from './changes.ts'
import { evaluate } from './evaluate.ts'
import type { CrewDay, Evaluation, Plan, Problem, Reason, SolveStats, Visit } from './problem.ts'
import { planOf } from './problem.ts'
import { propose } from './propose.ts'
import { withGapsKept } from './series.ts'
import { type SolveOptions, solve } from './solve.ts'

/** The new plan judged on the problem as given (stability prices are not in its costs), and what it changes. */
export type Reworked = { evaluation: Evaluation; plan: Plan; changes: Change[]; stats: SolveStats | null }

export type ReworkOptions = Omit<SolveOptions, 'warmStart'> & { stability?: Stability }

/**
 * Searches only the named crew-days again; every other route stays as it is, stop for stop. Unserved visits are offered
 * a place there unless `keepUnserved`. The answer is never dearer than the plan as far as the plan breaks no rule.
 */
export function repair(
  problem: Problem,
  plan: Plan,
  crewDayIds: string[],
  options: ReworkOptions & { keepUnserved?: boolean } = {},
): Reworked {
  const open = new Set(crewDayIds)
  const elsewhere = new Set(
    plan.routes.filter((route) => !open.has(route.crewDayId)).flatMap((route) => route.visitIds),
  )
  const inside = new Set(plan.routes.filter((route) => open.has(route.crewDayId)).flatMap((route) => route.visitIds))
  const visits = problem.visits.filter(
    (visit) => !elsewhere.has(visit.id) && (inside.has(visit.id) || !options.keepUnserved),
  )
  return rework(
    problem,
    plan,
    partOf(
      problem,
      plan,
      visits,
      problem.crewDays.filter((c) => open.has(c.id)),
    ),
    options,
  )
}

/**
 * Some crew-days fall out (rain, closed): `push` moves each one's stops whole and in order to the crew's next day that
 * is open, what stood there one further, and so on; `replan` places the stops anew over the days left at the least cost,
 * stability prices included; `skip` leaves them out this time, those in `mustServeVisitIds` are placed anew among the
 * routes as they stand. Violations that a push causes are listed, what finds no day is unserved.
 */
export function reflow(
  problem: Problem,
  plan: Plan,
  closedCrewDayIds: string[],
  policy: 'push' | 'replan' | 'skip',
  options: ReworkOptions & { mustServeVisitIds?: string[] } = {},
): Reworked {
  const closed = new Set(closedCrewDayIds)
  if (policy === 'push') {
    const pushed = push(problem, plan, closed)
    const evaluation = evaluate(problem, pushed)
    return {
      evaluation,
      plan: pushed,
      changes: changesBetween(problem, evaluate(problem, plan), evaluation),
      stats: null,
    }
  }
  if (policy === 'skip') return skip(problem, plan, closed, options)
  return rework(
    problem,
    plan,
    {
      ...problem,
      visits: problem.visits.map((v) => loosen(v, closed)),
      crewDays: problem.crewDays.filter((c) => !closed.has(c.id)),
    },
    options,
  )
}

/** The closed days' visits are left out; those that must be served go where they cost least, no other stop changes its crew-day or order. */
function skip(
  problem: Problem,
  plan: Plan,
  closed: Set<string>,
  options: ReworkOptions & { mustServeVisitIds?: string[] },
): Reworked {
  const must = new Set(options.mustServeVisitIds)
  const out = plan.routes.filter((route) => closed.has(route.crewDayId)).flatMap((route) => route.visitIds)
  const days = problem.crewDays.filter((c) => !closed.has(c.id))
  let left: Plan = { routes: plan.routes.filter((route) => !closed.has(route.crewDayId)) }
  const visits = problem.visits.map((v) => loosen(v, closed))
  const open: Problem = { ...problem, visits, crewDays: days }
  const reasons = new Map<string, Reason[]>()
  for (const id of out) {
    const visit = visits.find((v) => v.id === id)
    if (!visit || !must.has(id)) {
      reasons.set(id, [{ code: 'skipped', text: 'Its day fell out and it is skipped this time.' }])
      continue
    }
    const proposals = propose(open, left, visit, { top: 1 })
    const place = proposals.places[0]
    if (place) left = withStop(left, place.crewDayId, place.position, id)
    else reasons.set(id, proposals.reasons)
  }
  const evaluation = evaluate(problem, left, reasons)
  return {
    evaluation,
    plan: planOf(evaluation),
    changes: changesBetween(problem, evaluate(problem, plan), evaluation),
    stats: null,
  }
}

function withStop(plan: Plan, crewDayId: string, position: number, id: string): Plan {
  if (!plan.routes.some((route) => route.crewDayId === crewDayId))
    return { routes: [...plan.routes, { crewDayId, visitIds: [id] }] }
  return {
    routes: plan.routes.map((route) =>
      route.crewDayId === crewDayId ? { crewDayId, visitIds: route.visitIds.toSpliced(position, 0, id) } : route,
    ),
  }
}

/** A crew is out: its stops go to the other crews of the same day; what does not fit there is unserved. Others may be re-ordered. */
export function spread(
  problem: Problem,
  plan: Plan,
  absentCrewDayIds: string[],
  options: ReworkOptions = {},
): Reworked {
  const absent = new Set(absentCrewDayIds)
  const days = new Set(problem.crewDays.filter((c) => absent.has(c.id)).map((c) => c.day ?? 0))
  const open = problem.crewDays.filter((c) => days.has(c.day ?? 0) && !absent.has(c.id))
  const dayOf = new Map(problem.crewDays.map((c) => [c.id, c.day ?? 0]))
  const home = new Map(plan.routes.flatMap((route) => route.visitIds.map((id) => [id, route.crewDayId])))
  const visits = problem.visits.flatMap((visit): Visit[] => {
    const at = home.get(visit.id)
    if (at === undefined || !days.has(dayOf.get(at) ?? 0)) return []
    const sameDay = open
      .filter((c) => (c.day ?? 0) === dayOf.get(at) && visit.allowedCrewDayIds?.includes(c.id) !== false)
      .map((c) => c.id)
    return [{ ...loosen(visit, absent), allowedCrewDayIds: sameDay }]
  })
  return rework(problem, plan, partOf(problem, plan, visits, open), options)
}

/** Some visits and crew-days of a problem, as the plan's other routes let them be. */
function partOf(problem: Problem, plan: Plan, visits: Visit[], crewDays: CrewDay[]): Problem {
  return { ...problem, visits: withGapsKept(problem, plan, visits, crewDays), crewDays }
}

function loosen(visit: Visit, gone: Set<string>): Visit {
  return visit.pin && gone.has(visit.pin.crewDayId) ? { ...visit, pin: undefined } : visit
}

/** Solves the part of the problem, puts its routes into the plan and compares. */
function rework(problem: Problem, plan: Plan, part: Problem, options: ReworkOptions): Reworked {
  const { stability, ...rest } = options
  const priced = stability ? withStability(part, plan, stability) : part
  const partIds = new Set(part.visits.map((visit) => visit.id))
  const partDays = new Set(part.crewDays.map((c) => c.id))
  const solution = solve(priced, { ...rest, warmStart: plan })
  const kept = plan.routes
    .filter((route) => !partDays.has(route.crewDayId))
    .map((route) => ({ ...route, visitIds: route.visitIds.filter((id) => !partIds.has(id)) }))
  const joined: Plan = { routes: [...kept, ...planOf(solution).routes] }
  const reasons = new Map(solution.unserved.map((item) => [item.visitId, item.reasons]))
  const evaluation = evaluate(problem, joined, reasons)
  return {
    evaluation,
    plan: planOf(evaluation),
    changes: changesBetween(problem, evaluate(problem, plan), evaluation),
    stats: solution.stats,
  }
}

function push(problem: Problem, plan: Plan, closed: Set<string>): Plan {
  const now = new Map(plan.routes.map((route) => [route.crewDayId, route.visitIds]))
  const crews = Map.groupBy(problem.crewDays, (c) => c.crewId ?? c.id)
  const routes: Plan['routes'] = []
  for (const days of crews.values()) {
    days.sort((a, b) => (a.day ?? 0) - (b.day ?? 0))
    let carried: string[] = []
    for (const day of days) {
      const own = now.get(day.id) ?? []
      if (closed.has(day.id)) {
        carried = [...carried, ...own]
        continue
      }
      // The carried work takes the day, the day's own work moves on; a free day swallows it.
      if (carried.length > 0) {
        routes.push({ crewDayId: day.id, visitIds: carried })
        carried = own
      } else routes.push({ crewDayId: day.id, visitIds: own })
    }
  }
  return { routes }
}
