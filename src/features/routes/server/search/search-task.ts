import { daysBetween } from '../../../../shared/dates.ts'
import type { CrewDay, Matrix, Plan, Problem, Visit } from '../../../../solver/problem.ts'
import {
  crewDayId,
  crewDayOf,
  type DayVisit,
  daysLate,
  freeOf,
  type Ground,
  isBegun,
  isRoutable,
  ordersOf,
  type PlanCrew,
  problemVisit,
  secondsFor,
} from '../day/planning-context.ts'
import { layOut } from '../plan/lay-out.ts'
import type { PlanJob } from './plan-job.ts'

/** What a search is asked: the open visits and the crews of one day or several. */

export type Wish = {
  crewIds?: readonly string[] | undefined
  /** Stops stay with their crew; only their order changes. */
  keepAssignments: boolean
  /** Also gives a place to what is due and has no crew; over several days on the best of them. */
  placeDue: boolean
  /** How far a visit that repeats may go from its day; 0 keeps all on theirs. */
  moveDays: number
  /** Days that a visit with a crew may be on, when the wish has rules of its own; null lets it go anywhere, pinned or not. */
  daysFor?: (visit: DayVisit, ground: Ground) => ReadonlySet<string> | null
}

/** The search's view, with the plan it starts from. */
export type Task = {
  problem: Omit<Problem, 'matrix'>
  drives: Matrix
  percents: number[]
  start: Plan
  visitIds: string[]
  crewIds: string[]
}

/** What a visit costs that goes a day from where it was booked, and one that leaves the crew it was sent to. */
const otherDayCents = 1200
const otherCrewCents = 300
/** Two crews that could do the same work do not swap it for nothing. */
const swapCents = 40

export const crewsOf = (ground: Ground, wish: Pick<Wish, 'crewIds'>): PlanCrew[] => {
  const orders = ordersOf(ground)
  return ground.data.crews.filter((crew) =>
    wish.crewIds ? wish.crewIds.includes(crew.id) : crew.works || (orders.get(crew.id)?.length ?? 0) > 0,
  )
}

/** Days from its own on which a visit may be: never nearer to the visits of the same job before and after than their service allows, nor than half of what it is now. */
const movesOf = (visit: DayVisit, wish: Wish): { back: number; on: number } => {
  const fixed = visit.locked || visit.pinned || visit.publishedDay !== null || !visit.recurring
  if (wish.moveDays === 0 || fixed) return { back: 0, on: 0 }
  const room = (gap: number | null): number =>
    gap === null
      ? wish.moveDays
      : Math.max(0, Math.min(wish.moveDays, Math.floor((gap - Math.max(1, visit.minGapDays)) / 2), Math.floor(gap / 4)))
  return { back: room(visit.daysSinceLast), on: room(visit.daysToNext) }
}

const daysFor = (ground: Ground, grounds: readonly Ground[], visit: DayVisit, wish: Wish): ReadonlySet<string> => {
  const placed = visit.crewId !== null
  if (!placed && !visit.locked)
    return new Set(
      grounds.filter((g) => g.data.day >= ground.data.day || visit.day < ground.data.day).map((g) => g.data.day),
    )
  const { back, on } = movesOf(visit, wish)
  if (back === 0 && on === 0) return new Set([ground.data.day])
  return new Set(
    grounds
      .map((g) => g.data.day)
      .filter((day) => daysBetween(ground.data.day, day) >= -back && daysBetween(ground.data.day, day) <= on),
  )
}

/**
 * Crews that work on the days (or have stops already) and the open visits on the map that they may have. What is under way or over is no part of
 * it: the crew starts where and when it is free. A pinned stop stays with its crew and in its order. Null when there is nothing to plan.
 */
export const taskOf = (grounds: readonly Ground[], wish: Wish): Task | null => {
  const [first] = grounds
  if (!first) return null
  const visits: Visit[] = []
  const routes: Plan['routes'] = []
  const crewDays: CrewDay[] = []
  const percents: number[] = []
  const days = new Map<string, { day: string; crewId: string }>()
  // Every visit is asked for every day: how far they are apart is counted once.
  const apart = grounds.map(
    (a) => new Map(grounds.map((b) => [b.data.day, Math.abs(daysBetween(a.data.day, b.data.day))])),
  )
  const indexOf = new Map(grounds.map((g, i) => [g, i]))
  const loose: { visit: Visit; from: DayVisit; ground: Ground }[] = []
  for (const [index, ground] of grounds.entries()) {
    const orders = ordersOf(ground)
    for (const crew of crewsOf(ground, wish)) {
      const id = crewDayId(crew.id, ground.data.day)
      const stops = orders.get(crew.id)!.flatMap((visitId) => ground.byId.get(visitId) ?? [])
      const routable = stops.filter((visit) => isRoutable(ground, visit))
      const tail = stops.filter((v) => !isRoutable(ground, v)).reduce((sum, v) => sum + secondsFor(v, crew), 0)
      days.set(id, { day: ground.data.day, crewId: crew.id })
      routes.push({ crewDayId: id, visitIds: routable.map((v) => v.id) })
      crewDays.push({ ...crewDayWith(ground, crew, tail), day: index })
      percents.push(crew.driveFactorPercent)
      for (const [order, visit] of routable.entries()) {
        const free = wish.daysFor?.(visit, ground) === null
        const pin = free
          ? undefined
          : visit.pinned
            ? { crewDayId: id, order }
            : wish.keepAssignments
              ? { crewDayId: id }
              : undefined
        loose.push({ visit: { ...problemVisit(ground, visit), ...(pin ? { pin } : {}) }, from: visit, ground })
      }
    }
    if (wish.placeDue)
      for (const visit of ground.data.visits)
        if (!isBegun(visit) && visit.crewId === null && isRoutable(ground, visit))
          loose.push({
            visit: { ...problemVisit(ground, visit), priority: Math.min(100, daysLate(visit, ground.data.day)) },
            from: visit,
            ground,
          })
  }
  for (const { visit, from, ground } of loose) {
    const allowed = visit.pin ? null : wish.daysFor ? wish.daysFor(from, ground) : daysFor(ground, grounds, from, wish)
    const costs: Record<string, number> = {}
    const ids: string[] = []
    for (const [id, { day, crewId }] of days) {
      if (allowed && !allowed.has(day)) continue
      ids.push(id)
      const away = (apart[indexOf.get(ground) ?? 0]?.get(day) ?? 0) * otherDayCents
      const sent = from.publishedCrewId !== null && from.publishedDay === day && from.publishedCrewId !== crewId
      const cents = away + (sent ? otherCrewCents : from.crewId !== null && from.crewId !== crewId ? swapCents : 0)
      if (cents > 0) costs[id] = cents
    }
    visits.push({
      ...visit,
      ...(grounds.length > 1 && allowed ? { allowedCrewDayIds: ids } : {}),
      ...(Object.keys(costs).length ? { crewDayCostCents: costs } : {}),
    })
  }
  if (visits.length === 0 || crewDays.length === 0) return null
  return {
    problem: { visits, crewDays },
    drives: first.matrixFor(100),
    percents,
    start: { routes },
    visitIds: visits.map((v) => v.id),
    crewIds: [...new Set([...days.values()].map(({ crewId }) => crewId))],
  }
}

/** A crew's day as far as it is free, less what it has to do where no drive is known. */
const crewDayWith = (ground: Ground, crew: PlanCrew, tailSeconds: number): CrewDay => {
  const free = freeOf(ground, crew)
  const day = crewDayOf(ground, crew, free)
  // A crew at work keeps what it has, also when it runs over: nothing is taken from it because the morning was slow.
  const end = free.rolling
    ? Math.max(day.shiftEndSeconds, (layOut(ground, crew, ordersOf(ground).get(crew.id)!).endMinute ?? 0) * 60)
    : day.shiftEndSeconds
  return { ...day, shiftEndSeconds: Math.max(day.shiftStartSeconds, end - tailSeconds) }
}

/** How hard to search: as long as it brings something for so many stops, about one to five seconds. */
const effortFor = (visits: number): number => (visits <= 150 ? 8 : visits <= 400 ? 6 : visits <= 800 ? 4 : 3)
const longer = 4

/** The task as a planning thread gets it. */
export const jobOf = (
  task: Task,
  options: { longer?: boolean; closed?: string[]; kind?: PlanJob['kind']; announced?: string[] },
): PlanJob => ({
  kind: options.kind ?? 'optimise',
  drives: task.drives,
  percents: task.percents,
  problem: task.problem,
  start: task.start,
  closed: options.closed ?? [],
  stability: { announcedVisitIds: options.announced ?? [] },
  effort: effortFor(task.visitIds.length) * (options.longer ? longer : 1),
  seed: options.longer ? 2 : 1,
  limitMs: options.longer ? 20_000 : 6_000,
})
