import { evaluate } from '../../../solver/evaluate.ts'
import type { CrewDay, Plan, Problem, Visit } from '../../../solver/problem.ts'
import {
  crewDayOf,
  daysLate,
  freeOf,
  type Ground,
  isBegun,
  isOnMap,
  layOut,
  type Orders,
  ordersOf,
  problemVisit,
  secondsFor,
} from './policy.ts'

/** What a search is asked, and how its answer is judged against what is there. */

export type Wish = { crewIds?: readonly string[] | undefined; keepAssignments: boolean; placeDue: boolean }

/** The search's view of a day, with the plan it starts from. Null when there is nothing to plan. */
export type Task = { problem: Problem; warmStart: Plan; visitIds: string[]; crewIds: string[] }

/**
 * Crews that work on the day (or have stops already) and the open visits on the map that they may have. What is under way or over is
 * no part of it: the crew starts where and when it is free. A pinned stop stays with its crew and in its order.
 */
export const taskOf = (ground: Ground, wish: Wish): Task | null => {
  const orders = ordersOf(ground)
  const crews = ground.data.crews.filter((crew) =>
    wish.crewIds ? wish.crewIds.includes(crew.id) : crew.works || orders.get(crew.id)!.length > 0,
  )
  const visits: Visit[] = []
  const routes: Plan['routes'] = []
  const offMap = new Map<string, number>()
  for (const crew of crews) {
    const ids = orders.get(crew.id)!
    const routable = ids.flatMap((id) => ground.byId.get(id) ?? []).filter(isOnMap)
    offMap.set(
      crew.id,
      ids
        .flatMap((id) => ground.byId.get(id) ?? [])
        .filter((v) => !isOnMap(v))
        .reduce((sum, v) => sum + secondsFor(v, crew), 0),
    )
    routes.push({ crewDayId: crew.id, visitIds: routable.map((v) => v.id) })
    for (const [order, visit] of routable.entries())
      visits.push({
        ...problemVisit(ground, visit),
        ...(visit.pinned
          ? { pin: { crewDayId: crew.id, order } }
          : wish.keepAssignments
            ? { pin: { crewDayId: crew.id } }
            : {}),
      })
  }
  if (wish.placeDue)
    for (const visit of ground.data.visits.filter((v) => !isBegun(v) && v.crewId === null && isOnMap(v)))
      visits.push({
        ...problemVisit(ground, visit),
        priority: Math.min(100, Math.max(0, daysLate(visit, ground.data.day))),
      })
  if (visits.length === 0 || crews.length === 0) return null
  const crewDays = crews.map((crew): CrewDay => {
    const free = freeOf(ground, crew)
    const day = crewDayOf(ground, crew, free)
    const tail = offMap.get(crew.id) ?? 0
    // A crew at work keeps what it has, also when it runs over: nothing is taken from it because the morning was slow.
    const end = free.rolling
      ? Math.max(day.shiftEndSeconds, (layOut(ground, crew, orders.get(crew.id)!).endMinute ?? 0) * 60)
      : day.shiftEndSeconds
    return { ...day, shiftEndSeconds: Math.max(day.shiftStartSeconds, end - tail) }
  })
  const slowest = Math.max(...crews.map((crew) => crew.driveFactorPercent))
  return {
    problem: { matrix: ground.matrixFor(slowest), visits, crewDays },
    warmStart: { routes },
    visitIds: visits.map((v) => v.id),
    crewIds: crews.map((c) => c.id),
  }
}

/** Mean seconds from a visit to its nearest neighbour, and from a yard to a visit. */
const meanLegs = ({ matrix, visits, crewDays }: Problem): { near: number; home: number } => {
  const seconds = (from: number, to: number) => Math.max(0, matrix.seconds[from * matrix.size + to] ?? 0)
  const near = visits.map((v) => {
    const others = visits.filter((o) => o.id !== v.id).map((o) => seconds(v.location, o.location))
    return others.length ? Math.min(...others) : 0
  })
  const home = visits.map((v) => Math.min(...crewDays.map((c) => seconds(c.startLocation, v.location))))
  const mean = (list: number[]) => list.reduce((a, b) => a + b, 0) / list.length
  return { near: mean(near), home: mean(home) }
}

/**
 * The same problem with shorter days, so that the work is shared out: an equal number of stops and a margin for the drives. What does not
 * fit then is planned with the whole shift. Null when it would not make a difference.
 */
export const evenly = ({ problem }: Task): Problem | null => {
  const crews = problem.crewDays.length
  if (crews < 2) return null
  const onSite = (v: Visit, day: CrewDay) => v.serviceSecondsByClass?.[day.crewClass ?? ''] ?? v.serviceSeconds
  const work = problem.visits.reduce(
    (sum, v) => sum + problem.crewDays.reduce((all, day) => all + onSite(v, day), 0) / crews,
    0,
  )
  const stops = Math.ceil(problem.visits.length / crews)
  const legs = meanLegs(problem)
  const share = (work / problem.visits.length) * stops * 1.08 + legs.near * stops * 1.4 + legs.home * 2.2 + 300
  let shorter = false
  const crewDays = problem.crewDays.map((day) => {
    const rest = day.break && day.shiftStartSeconds + share > day.break.latestSeconds ? day.break.durationSeconds : 0
    const end = day.shiftStartSeconds + share + rest
    if (end >= day.shiftEndSeconds) return day
    shorter = true
    return { ...day, shiftEndSeconds: Math.round(end) }
  })
  return shorter ? { ...problem, crewDays } : null
}

/** How a plan does against another: what it leaves out, whether it breaks rules, what it costs on the road. */
export type Score = { unserved: number; broken: boolean; cents: number }

export const scoreOf = (ground: Ground, task: Task, orders: Orders): Score => {
  let cents = 0
  let broken = false
  const served = new Set<string>()
  for (const crewDay of task.problem.crewDays) {
    const crew = ground.data.crews.find((c) => c.id === crewDay.id)!
    const ids = (orders.get(crew.id) ?? []).filter((id) => isOnMap(ground.byId.get(id)!))
    const visits = ids.flatMap((id) => task.problem.visits.find((v) => v.id === id) ?? [])
    const evaluation = evaluate(
      { matrix: ground.matrixFor(crew.driveFactorPercent), visits, crewDays: [crewDay] },
      { routes: [{ crewDayId: crew.id, visitIds: ids }] },
    )
    cents += evaluation.cost.driveLabourCents + evaluation.cost.mileageCents + evaluation.cost.latenessCents
    broken ||= evaluation.violations.some((v) => !v.byPins)
    for (const id of ids) served.add(id)
  }
  return { unserved: task.visitIds.filter((id) => !served.has(id)).length, broken, cents }
}

/** A plan that breaks no rule before one that does, then more visits, then less money. A tie keeps the old one. */
export const isBetter = (next: Score, old: Score): boolean => {
  if (next.broken !== old.broken) return old.broken
  if (next.unserved !== old.unserved) return next.unserved < old.unserved
  return next.cents < old.cents
}
