import { setImmediate } from 'node:timers/promises'
import type { Reason } from '../../../../solver/problem.ts'
import { type Proposals, propose } from '../../../../solver/propose.ts'
import type { UnplacedVisit } from '../../contract.ts'
import { adviceFor } from '../../proposals/rules.ts'
import {
  crewDayId,
  crewDayOf,
  type DayVisit,
  daysLate,
  freeOf,
  inBookedOrder,
  isBegun,
  isOnMap,
  isRoutable,
  mostPlaces,
  notBrought,
  type Orders,
  type PlanningContext,
  problemVisit,
  splitCrewDay,
} from '../day/planning-context.ts'

/** What is due and has no crew: where it could go, or why it cannot and what to do about it. */

/** Places are looked for this many unplaced visits; the rest get theirs by Optimize. */
const proposed = 60
/** Then others have their turn: a long list must not hold up the server. */
const sliceMs = 8

const noPin = 'No place on the map: give the property a pin, then it can be planned.'

/** Why the engine has not been asked about a visit, or null when it can be. */
export const outsideReason = (context: PlanningContext, visit: DayVisit): { code: string; text: string } | null => {
  if (!isOnMap(visit)) return { code: 'off-map', text: noPin }
  const closed = notBrought(context.data, visit)
  if (closed) return { code: 'closed', text: closed }
  if (!isRoutable(context, visit))
    return {
      code: 'too-many',
      text: `One plan holds ${mostPlaces.toLocaleString('en-US')} addresses, and this day has more.`,
    }
  return null
}

/** One day is looked at here: the engine speaks of many. What follows the first reason is by crew: one that may not do it is not full. */
export const reasonLabel = (
  reason: Pick<Reason, 'code' | 'text'> | undefined,
  others: readonly Pick<Reason, 'code'>[] = [],
): string | null =>
  !reason
    ? null
    : reason.code !== 'full'
      ? reason.text
      : others.some((one) => one.code !== 'full')
        ? 'The crews that can do it are full.'
        : "Every crew's day is full."

export const unplacedOf = async (context: PlanningContext, orders: Orders): Promise<UnplacedVisit[]> => {
  const { data } = context
  const placed = [...orders.values()].flat()
  const has = new Set(placed)
  const visits = data.visits
    .filter((v) => !isBegun(v) && !has.has(v.id))
    .sort((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : inBookedOrder(a, b)))
  if (visits.length === 0) return []
  // A crew that is off keeps what could not be moved, and is offered nothing more.
  const crews = data.crews.filter((crew) => crew.works || (crew.off === null && (orders.get(crew.id)?.length ?? 0) > 0))
  const routable = (ids: readonly string[]) => ids.filter((id) => context.locations.has(id))
  const problem = {
    matrix: context.matrixFor(Math.max(100, ...crews.map((c) => c.driveFactorPercent))),
    visits: routable(placed).flatMap((id) => {
      const visit = context.byId.get(id)
      return visit ? [problemVisit(context, visit)] : []
    }),
    crewDays: crews.map((crew) => crewDayOf(context, crew, freeOf(context, crew))),
  }
  const plan = {
    routes: crews.map((crew) => ({
      crewDayId: crewDayId(crew.id, data.day),
      visitIds: routable(orders.get(crew.id) ?? []),
    })),
  }
  let began = performance.now()
  const list: UnplacedVisit[] = []
  for (const [index, visit] of visits.entries()) {
    const outside = outsideReason(context, visit)
    const found: Proposals =
      !outside && crews.length > 0 && index < proposed
        ? propose(problem, plan, problemVisit(context, visit))
        : { places: [], reasons: [] }
    const reason =
      outside ?? (crews.length === 0 ? { code: 'no-crew-day', text: 'No crew works on this day.' } : found.reasons[0])
    const advice = reason ? adviceFor(reason.code, visit) : null
    list.push({
      visitId: visit.id,
      street: visit.street,
      city: visit.city,
      customerName: visit.customerName,
      title: visit.title,
      day: visit.day,
      daysLate: daysLate(visit, data.day),
      budgetMinutes: visit.budgetMinutes,
      windowStartMinute: visit.windowStartMinute,
      windowEndMinute: visit.windowEndMinute,
      latitude: visit.latitude,
      longitude: visit.longitude,
      approximate: visit.approximate,
      places: found.places.map((place) => {
        const { crewId } = splitCrewDay(place.crewDayId)
        return {
          crewId,
          position: place.position + context.begunOf(crewId).length,
          addedDriveSeconds: place.addedDriveSeconds,
          startMinute: Math.floor(place.startSeconds / 60),
        }
      }),
      reason: reasonLabel(reason as Reason | undefined, found.reasons.slice(1)),
      advice: advice?.advice ?? null,
      adviceHref: advice?.href ?? null,
    })
    if (performance.now() - began < sliceMs) continue
    await setImmediate()
    began = performance.now()
  }
  return list
}

/** Where among a crew's open stops a visit costs the least; the end when the day has no room for it. */
export const bestPlace = (
  context: PlanningContext,
  crewId: string,
  openIds: readonly string[],
  visitId: string,
): number => {
  const crew = context.data.crews.find((c) => c.id === crewId)
  const visit = context.byId.get(visitId)
  const onMap = openIds.filter((id) => context.locations.has(id))
  if (!crew || !visit || !isRoutable(context, visit)) return openIds.length
  const problem = {
    matrix: context.matrixFor(crew.driveFactorPercent),
    visits: onMap.map((id) => problemVisit(context, context.byId.get(id)!)),
    crewDays: [crewDayOf(context, crew, freeOf(context, crew))],
  }
  const plan = { routes: [{ crewDayId: crewDayId(crewId, context.data.day), visitIds: onMap }] }
  const { places } = propose(problem, plan, problemVisit(context, visit))
  return places[0]?.position ?? openIds.length
}
