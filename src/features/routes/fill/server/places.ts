import { setImmediate } from 'node:timers/promises'
import type { Reason } from '../../../../solver/problem.ts'
import { propose } from '../../../../solver/propose.ts'
import {
  closedOn,
  crewDayId,
  crewDayOf,
  freeOf,
  isRoutable,
  type Orders,
  ordersOf,
  type PlanCrew,
  type PlanningContext,
  problemVisit,
} from '../../server/day/planning-context.ts'
import { sequenceRoute } from '../../server/plan/sequence.ts'
import { totalsOf } from '../../server/plan/totals.ts'
import { outsideReason, reasonLabel } from '../../server/plan/unplaced.ts'
import type { weatherNotes } from '../../server/rain/preview.ts'
import { byWorth, type DueFacts, fillRefusal, fullPercent, mostPlaces } from '../rules.ts'

/** Where due work goes when a day is filled: one visit after another, the best first, where it adds the least driving. */

export type FillPlace = { crewId: string; startMinute: number | null; addedDriveSeconds: number; facts: DueFacts }
export type Filled = {
  orders: Orders
  placed: FillPlace[]
  left: { visitId: string; reason: string }[]
  percents: Map<string, { before: number; after: number } & Later>
  addedDriveSeconds: number
}

/** Stops that stood there and begin later now, and by how much the latest of them. */
type Later = { laterStops: number; laterMinutes: number }
const laterOf = (
  was: readonly { visit: { id: string }; startMinute: number | null }[],
  starts: ReadonlyMap<string, number | null>,
): Later => {
  const minutes = was
    .map((stop) => (starts.get(stop.visit.id) ?? 0) - (stop.startMinute ?? 0))
    .filter((more) => more > 0)
  return { laterStops: minutes.length, laterMinutes: Math.max(0, ...minutes) }
}

type Place = { crew: PlanCrew; position: number; addedDriveSeconds: number }
type Answer = { places: Place[]; reason: string | null }

/** Then others have their turn: a long list must not hold up the server. */
const sliceMs = 8

/** Of what stands in each crew's way: what stands in the way of those that may do the work. */
export const whyNone = (reasons: readonly { code: Reason['code']; text: string; crew: string }[]): string | null => {
  const able = reasons.filter((one) => one.code !== 'skill' && one.code !== 'not-allowed')
  const full = able.find((one) => one.code === 'full')
  if (full) return reasonLabel(full, reasons)
  const [one] = able
  return one ? `${one.crew}: ${one.text}` : (reasons[0]?.text ?? null)
}

/** The best place of a visit with each crew, the least added driving first. */
export const placesFor = (
  context: PlanningContext,
  crews: readonly PlanCrew[],
  orders: Orders,
  visitId: string,
): Answer => {
  const visit = context.byId.get(visitId)
  if (!visit) return { places: [], reason: 'It is not due any more.' }
  const outside = outsideReason(context, visit)
  if (outside) return { places: [], reason: outside.text }
  if (crews.length === 0) return { places: [], reason: 'No crew works on this day.' }
  const reasons: (Reason & { crew: string })[] = []
  const places = crews.flatMap((crew): Place[] => {
    const ids = (orders.get(crew.id) ?? []).filter((id) => context.locations.has(id))
    const found = propose(
      {
        matrix: context.matrixFor(crew.driveFactorPercent),
        visits: ids.flatMap((id) => context.byId.get(id) ?? []).map((one) => problemVisit(context, one)),
        crewDays: [crewDayOf(context, crew, freeOf(context, crew))],
      },
      { routes: [{ crewDayId: crewDayId(crew.id, context.data.day), visitIds: ids }] },
      problemVisit(context, visit),
    )
    const [general, own = general] = found.reasons
    if (own)
      reasons.push({ ...own, crew: crew.name, ...(own.code === 'skill' && general ? { text: general.text } : {}) })
    return found.places.slice(0, 1).map(({ position, addedDriveSeconds }) => ({ crew, position, addedDriveSeconds }))
  })
  return { places: places.sort((x, y) => x.addedDriveSeconds - y.addedDriveSeconds), reason: whyNone(reasons) }
}

/**
 * The day with what is due on it until its crews are full, driving included; what stands there keeps its crew and its turn.
 * @param crewOf of each visit the one crew that may have it; any that works when left out
 */
export const fillOrders = async (
  context: PlanningContext,
  due: readonly DueFacts[],
  options: { crewOf?: ReadonlyMap<string, string>; notes: ReturnType<typeof weatherNotes> },
): Promise<Filled> => {
  const { day } = context.data
  const wanted = new Set(due.map((one) => one.visitId))
  const orders: Orders = new Map(
    [...ordersOf(context)].map(([crewId, ids]) => [crewId, ids.filter((id) => !wanted.has(id))]),
  )
  const crews = context.data.crews.filter((crew) => crew.works)
  const crewsFor = (visitId: string) => {
    const only = options.crewOf?.get(visitId)
    return only === undefined ? crews : crews.filter((crew) => crew.id === only)
  }
  const standing = (crew: PlanCrew, ids: readonly string[]) => {
    const route = sequenceRoute(context, crew, ids)
    const { shiftPercent, driveSeconds } = totalsOf(context, route)
    return { percent: shiftPercent, driveSeconds, stops: route.stops }
  }
  const now = new Map(crews.map((crew) => [crew.id, standing(crew, orders.get(crew.id) ?? [])]))
  const before = new Map(now)
  const placed: Omit<FillPlace, 'startMinute'>[] = []
  const left: Filled['left'] = []
  const none = "Every crew's day is full."
  let began = performance.now()
  const breathe = async () => {
    if (performance.now() - began < sliceMs) return
    await setImmediate()
    began = performance.now()
  }
  const closed = closedOn(context.data)
  const ranked: { facts: DueFacts; addedDriveSeconds: number }[] = []
  for (const facts of due) {
    const refusal = closed ?? fillRefusal(facts, day)
    const { places, reason } = refusal
      ? { places: [], reason: refusal }
      : placesFor(context, crewsFor(facts.visitId), orders, facts.visitId)
    if (places[0]) ranked.push({ facts, addedDriveSeconds: places[0].addedDriveSeconds })
    else left.push({ visitId: facts.visitId, reason: reason ?? none })
    await breathe()
  }
  const takenWorks = new Set<string>()
  const takenJobs = new Set<string>()
  /** Puts a visit there, or says why the day of that crew does not take it. */
  const put = (facts: DueFacts, { crew, position, addedDriveSeconds }: Place): string | null => {
    const ids = withStop(context, orders.get(crew.id) ?? [], facts.visitId, position)
    const then = standing(crew, ids)
    if (then.percent > fullPercent)
      return `${crew.name} would be at ${then.percent}% of its day; it is filled to ${fullPercent}%.`
    const startedAt = new Map(now.get(crew.id)?.stops.map((stop) => [stop.visit.id, stop.startMinute]))
    for (const stop of then.stops) {
      // What stands there or was placed before starts later now: into what the weather does, or farther into it, it is not sent.
      const own = stop.visit.id === facts.visitId
      if (!own && (stop.startMinute ?? 0) <= (startedAt.get(stop.visit.id) ?? 0)) continue
      const [note] = options.notes(stop.visit, { day, startMinute: stop.startMinute, crew })
      if (note !== undefined) return own ? note : `${stop.visit.street} would begin later: ${note}`
    }
    orders.set(crew.id, ids)
    now.set(crew.id, then)
    takenJobs.add(facts.jobId)
    for (const one of facts.works) takenWorks.add(one)
    placed.push({ facts, crewId: crew.id, addedDriveSeconds })
    return null
  }
  for (const { facts } of ranked.sort(byWorth(day))) {
    if (placed.length === mostPlaces) {
      left.push({
        visitId: facts.visitId,
        reason: `${mostPlaces} visits are placed at a time; fill the day once more.`,
      })
      continue
    }
    const { visitId, jobId, minGapDays } = facts
    const twice =
      minGapDays > 0 && takenJobs.has(jobId)
        ? 'Another visit of its job is placed on this day.'
        : facts.works.some((one) => takenWorks.has(one))
          ? 'The same work is placed at this property on this day.'
          : null
    const open = placesFor(context, crewsFor(visitId), orders, visitId)
    let why: string | null = twice ?? open.reason ?? none
    for (const place of twice ? [] : open.places) {
      why = put(facts, place)
      if (why === null) break
    }
    if (why !== null) left.push({ visitId, reason: why })
    await breathe()
  }
  const starts = new Map(
    [...now.values()].flatMap(({ stops }) => stops.map((one) => [one.visit.id, one.startMinute] as const)),
  )
  const of = (crewId: string) => ({ was: before.get(crewId), is: now.get(crewId) })
  return {
    orders,
    placed: placed.map((one) => ({ ...one, startMinute: starts.get(one.facts.visitId) ?? null })),
    left,
    percents: new Map(
      crews.map(({ id }) => [
        id,
        {
          before: of(id).was?.percent ?? 0,
          after: of(id).is?.percent ?? 0,
          ...laterOf(of(id).was?.stops ?? [], starts),
        },
      ]),
    ),
    addedDriveSeconds: crews.reduce(
      (sum, { id }) => sum + (of(id).is?.driveSeconds ?? 0) - (of(id).was?.driveSeconds ?? 0),
      0,
    ),
  }
}

/** A crew's stops with one more; `position` counts those that the engine plans. */
export const withStop = (
  context: PlanningContext,
  ids: readonly string[],
  visitId: string,
  position: number,
): string[] => {
  const planned = ids.flatMap((id) => {
    const visit = context.byId.get(id)
    return visit && isRoutable(context, visit) ? [id] : []
  })
  const next = planned[position]
  const at = next === undefined ? ids.length : ids.indexOf(next)
  return ids.toSpliced(at, 0, visitId)
}
