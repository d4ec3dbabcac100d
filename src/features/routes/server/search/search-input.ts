import { daysBetween } from '../../../../shared/dates.ts'
import type { CrewDay, Matrix, Plan, Problem, Visit } from '../../../../solver/problem.ts'
import {
  crewDayId,
  crewDayOf,
  type DayVisit,
  daysLate,
  freeOf,
  isBegun,
  isRoutable,
  notBrought,
  ordersOf,
  type PlanCrew,
  type PlanningContext,
  problemVisit,
  secondsFor,
} from '../day/planning-context.ts'
import { sequenceRoute } from '../plan/sequence.ts'
import type { PlanTask } from './plan-task.ts'

/** What a search is asked: the open visits and the crews of one day or several. */

export type PlanRequest = {
  crewIds?: readonly string[] | undefined
  /** Stops stay with their crew; only their order changes. */
  keepAssignments: boolean
  /** Also gives a place to what is due and has no crew; over several days on the best of them. */
  placeDue: boolean
  /** How far a visit that repeats may go from its day; 0 keeps all on theirs. */
  moveDays: number
  /** Days that a visit with a crew may be on, when the request has rules of its own; null lets it go anywhere, pinned or not. */
  daysFor?: (visit: DayVisit, context: PlanningContext) => ReadonlySet<string> | null
}

/** The search's view, with the plan it starts from. */
export type SearchInput = {
  problem: Omit<Problem, 'matrix'>
  travelTimes: Matrix
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

export const crewsOf = (context: PlanningContext, input: Pick<PlanRequest, 'crewIds'>): PlanCrew[] => {
  const orders = ordersOf(context)
  return context.data.crews.filter((crew) =>
    input.crewIds ? input.crewIds.includes(crew.id) : crew.works || (orders.get(crew.id)?.length ?? 0) > 0,
  )
}

/** Days from its own on which a visit may be: never nearer to the visits of the same task before and after than their service allows, nor than half of what it is now. */
const movesOf = (visit: DayVisit, input: PlanRequest): { back: number; on: number } => {
  const fixed = visit.locked || visit.pinned || visit.publishedDay !== null || !visit.recurring
  if (input.moveDays === 0 || fixed) return { back: 0, on: 0 }
  const room = (gap: number | null): number =>
    gap === null
      ? input.moveDays
      : Math.max(
          0,
          Math.min(input.moveDays, Math.floor((gap - Math.max(1, visit.minGapDays)) / 2), Math.floor(gap / 4)),
        )
  return { back: room(visit.daysSinceLast), on: room(visit.daysToNext) }
}

const daysFor = (
  context: PlanningContext,
  contexts: readonly PlanningContext[],
  visit: DayVisit,
  input: PlanRequest,
  away: readonly number[],
): ReadonlySet<string> => {
  const placed = visit.crewId !== null
  const isOpen = ({ data }: PlanningContext): boolean => notBrought(data, visit) === null
  if (!placed && !visit.locked)
    return new Set(
      contexts
        .filter((g) => isOpen(g) && (g.data.day >= context.data.day || visit.day < context.data.day))
        .map((g) => g.data.day),
    )
  const { back, on } = movesOf(visit, input)
  if (back === 0 && on === 0) {
    // Its own day is always open to it; one that is late comes to the first day, or to the next that is open.
    const day = isOpen(context) ? context : contexts.find(isOpen)
    return new Set(day ? [day.data.day] : [])
  }
  return new Set(contexts.filter((g, i) => away[i]! >= -back && away[i]! <= on && isOpen(g)).map((g) => g.data.day))
}

/**
 * Crews that work on the days (or have stops already) and the open visits on the map that they may have. What is under way or over is no part of
 * it: the crew starts where and when it is free. A pinned stop stays with its crew and in its order. Null when there is nothing to plan.
 */
export const searchInputOf = (contexts: readonly PlanningContext[], input: PlanRequest): SearchInput | null => {
  const [first] = contexts
  if (!first) return null
  const visits: Visit[] = []
  const routes: Plan['routes'] = []
  const crewDays: CrewDay[] = []
  const percents: number[] = []
  // Every visit is asked for every day: how far they are apart is counted once.
  const awayFrom = new Map(contexts.map((a) => [a, contexts.map((b) => daysBetween(a.data.day, b.data.day))]))
  const crewsOn = contexts.map((): { id: string; crewId: string }[] => [])
  const loose: { visit: Visit; from: DayVisit; context: PlanningContext }[] = []
  for (const [index, context] of contexts.entries()) {
    const orders = ordersOf(context)
    for (const crew of crewsOf(context, input)) {
      const id = crewDayId(crew.id, context.data.day)
      const stops = orders.get(crew.id)!.flatMap((visitId) => context.byId.get(visitId) ?? [])
      const routable = stops.filter((visit) => isRoutable(context, visit))
      const tail = stops.filter((v) => !isRoutable(context, v)).reduce((sum, v) => sum + secondsFor(v, crew), 0)
      crewsOn[index]!.push({ id, crewId: crew.id })
      routes.push({ crewDayId: id, visitIds: routable.map((v) => v.id) })
      crewDays.push({ ...crewDayWith(context, crew, tail), day: index })
      percents.push(crew.driveFactorPercent)
      for (const [order, visit] of routable.entries()) {
        const free = input.daysFor?.(visit, context) === null
        const pin = free
          ? undefined
          : visit.pinned
            ? { crewDayId: id, order }
            : input.keepAssignments
              ? { crewDayId: id }
              : undefined
        loose.push({ visit: { ...problemVisit(context, visit), ...(pin ? { pin } : {}) }, from: visit, context })
      }
    }
    if (input.placeDue)
      for (const visit of context.data.visits)
        if (
          !isBegun(visit) &&
          visit.crewId === null &&
          isRoutable(context, visit) &&
          (contexts.length > 1 || notBrought(context.data, visit) === null)
        )
          loose.push({
            visit: { ...problemVisit(context, visit), priority: Math.min(100, daysLate(visit, context.data.day)) },
            from: visit,
            context,
          })
  }
  for (const { visit, from, context } of loose) {
    const aways = awayFrom.get(context)!
    const allowed = visit.pin
      ? null
      : input.daysFor
        ? input.daysFor(from, context)
        : daysFor(context, contexts, from, input, aways)
    const costs: Record<string, number> = {}
    const ids: string[] = []
    for (const [index, { data }] of contexts.entries()) {
      if (allowed && !allowed.has(data.day)) continue
      const away = Math.abs(aways[index]!) * otherDayCents
      const sent = from.publishedDay === data.day ? from.publishedCrewId : null
      for (const { id, crewId } of crewsOn[index]!) {
        ids.push(id)
        const leaves = sent !== null && sent !== crewId ? otherCrewCents : 0
        const cents = away + (leaves || (from.crewId !== null && from.crewId !== crewId ? swapCents : 0))
        if (cents > 0) costs[id] = cents
      }
    }
    visits.push({
      ...visit,
      ...(contexts.length > 1 && allowed ? { allowedCrewDayIds: ids } : {}),
      ...(Object.keys(costs).length ? { crewDayCostCents: costs } : {}),
    })
  }
  if (visits.length === 0 || crewDays.length === 0) return null
  return {
    problem: { visits, crewDays },
    travelTimes: first.matrixFor(100),
    percents,
    start: { routes },
    visitIds: visits.map((v) => v.id),
    crewIds: [...new Set(crewsOn.flat().map(({ crewId }) => crewId))],
  }
}

/** A crew's day as far as it is free, less what it has to do where no drive is known. */
const crewDayWith = (context: PlanningContext, crew: PlanCrew, tailSeconds: number): CrewDay => {
  const free = freeOf(context, crew)
  const day = crewDayOf(context, crew, free)
  // A crew at work keeps what it has, also when it runs over: nothing is taken from it because the morning was slow.
  const end = free.rolling
    ? Math.max(day.shiftEndSeconds, (sequenceRoute(context, crew, ordersOf(context).get(crew.id)!).endMinute ?? 0) * 60)
    : day.shiftEndSeconds
  return { ...day, shiftEndSeconds: Math.max(day.shiftStartSeconds, end - tailSeconds) }
}

/** How hard to search: as long as it brings something for so many stops, about one to five seconds. */
const effortFor = (visits: number): number => (visits <= 150 ? 8 : visits <= 400 ? 6 : visits <= 800 ? 4 : 3)
const longer = 4

/** The searchInput as a planning thread gets it. */
export const planTaskOf = (
  searchInput: SearchInput,
  options: {
    longer?: boolean
    evenness?: PlanTask['evenness']
    closed?: string[]
    fixed?: string[]
    limitMs?: number
    kind?: PlanTask['kind']
    announced?: string[]
  },
): PlanTask => ({
  kind: options.kind ?? 'optimize',
  travelTimes: searchInput.travelTimes,
  percents: searchInput.percents,
  problem: searchInput.problem,
  start: searchInput.start,
  closed: options.closed ?? [],
  fixed: options.fixed ?? [],
  stability: { announcedVisitIds: options.announced ?? [] },
  evenness: options.evenness ?? 'cost',
  effort: effortFor(searchInput.visitIds.length) * (options.longer ? longer : 1),
  seed: options.longer ? 2 : 1,
  islands: 1,
  limitMs: options.limitMs ?? (options.longer ? 20_000 : 6_000),
})
