import type { Evaluation, Plan, Problem, Visit } from './problem.ts'

/** Where and when a visit stood before and stands after; null = unserved. */
export type Change = {
  visitId: string
  kind: 'served' | 'dropped' | 'other-day' | 'other-crew' | 'time'
  from: { crewDayId: string; startSeconds: number } | null
  to: { crewDayId: string; startSeconds: number } | null
  /** Start after minus start before on the same day; 0 for other kinds. */
  shiftSeconds: number
}

/** A start that moves by less is not worth telling a customer. */
const TELLING_SECONDS = 30 * 60

type Place = { crewDayId: string; startSeconds: number }

function placesOf(plan: Pick<Evaluation, 'routes'>): Map<string, Place> {
  const places = new Map<string, Place>()
  for (const route of plan.routes)
    for (const stop of route.stops)
      places.set(stop.visitId, { crewDayId: route.crewDayId, startSeconds: stop.startSeconds })
  return places
}

/** What differs between two evaluated plans, visit by visit; a start on the same crew-day counts from 30 minutes on. */
export function changesBetween(
  problem: Problem,
  before: Pick<Evaluation, 'routes'>,
  after: Pick<Evaluation, 'routes'>,
): Change[] {
  const old = placesOf(before)
  const now = placesOf(after)
  const dayOf = new Map(problem.crewDays.map((c) => [c.id, c.day ?? 0]))
  return problem.visits.flatMap((visit): Change[] => {
    const from = old.get(visit.id) ?? null
    const to = now.get(visit.id) ?? null
    const change = (kind: Change['kind'], shiftSeconds = 0): Change[] => [
      { visitId: visit.id, kind, from, to, shiftSeconds },
    ]
    if (!from) return to ? change('served') : []
    if (!to) return change('dropped')
    if (dayOf.get(from.crewDayId) !== dayOf.get(to.crewDayId)) return change('other-day')
    const shift = to.startSeconds - from.startSeconds
    if (from.crewDayId !== to.crewDayId) return change('other-crew', shift)
    return Math.abs(shift) >= TELLING_SECONDS ? change('time', shift) : []
  })
}

/** Prices in cents for moving a visit away from where the published plan has it. */
export type Stability = {
  /** Default 2,000. */
  otherDayCents?: number
  /** Default 700. */
  otherCrewCents?: number
  /** Visits whose day the customer was told: prices x3. */
  announcedVisitIds?: string[]
}

/** A copy of the problem in which leaving the place in `plan` costs what `stability` says. */
export function withStability(problem: Problem, plan: Plan, stability: Stability): Problem {
  const { otherDayCents = 2000, otherCrewCents = 700, announcedVisitIds = [] } = stability
  const announced = new Set(announcedVisitIds)
  const home = new Map(plan.routes.flatMap((route) => route.visitIds.map((id) => [id, route.crewDayId])))
  const dayOf = new Map(problem.crewDays.map((c) => [c.id, c.day ?? 0]))
  const visits = problem.visits.map((visit): Visit => {
    const at = home.get(visit.id)
    if (at === undefined) return visit
    const factor = announced.has(visit.id) ? 3 : 1
    const crewDayCostCents: Record<string, number> = { ...visit.crewDayCostCents }
    for (const crewDay of problem.crewDays) {
      if (crewDay.id === at) continue
      const price = dayOf.get(at) === (crewDay.day ?? 0) ? otherCrewCents : otherDayCents
      crewDayCostCents[crewDay.id] = (crewDayCostCents[crewDay.id] ?? 0) + factor * price
    }
    return { ...visit, crewDayCostCents }
  })
  return { ...problem, visits }
}
