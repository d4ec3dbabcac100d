import type { TenantDb } from '../../../../platform/db/tenant.ts'
import type { Day } from '../../../../shared/dates.ts'
import { fullPercent } from '../../fill/rules.ts'
import { placesFor, withStop } from '../../fill/server/places.ts'
import {
  closedOn,
  type DayVisit,
  type Orders,
  ordersOf,
  type PlanningContext,
  placesOf,
  planningContextsOf,
} from '../../server/day/planning-context.ts'
import { departureOf, readDays } from '../../server/day/read-day.ts'
import { travelTimesBetween } from '../../server/day/travel-times.ts'
import { sequenceRoute } from '../../server/plan/sequence.ts'
import { totalsOf } from '../../server/plan/totals.ts'

/** Where one more lawn would go on the days ahead, before it is anybody's job. */

/** Beyond that no day likes it: the crew would drive longer for it than it works there. */
const mostAddedSeconds = 45 * 60

export type Wish = { latitude: number; longitude: number; budgetMinutes: number; skills: readonly string[] }
/** A place that somebody holds and that is no visit yet. */
export type HeldPlace = Omit<Wish, 'skills'> & { id: string; day: Day; crewId: string }
export type Opening = { day: Day; crewId: string; startMinute: number | null; addedDriveSeconds: number }

/** A lawn as the planner sees visits; nothing of it is kept. */
const asVisit = (id: string, day: Day, { latitude, longitude, budgetMinutes, skills }: Wish): DayVisit => ({
  id,
  jobId: id,
  customerId: id,
  jobNumber: Number.MAX_SAFE_INTEGER,
  title: '',
  street: '',
  city: '',
  customerName: '',
  latitude,
  longitude,
  approximate: false,
  day,
  crewId: null,
  storedCrewId: null,
  storedDay: day,
  position: null,
  pinned: false,
  locked: false,
  movedFrom: null,
  status: 'scheduled',
  budgetMinutes,
  skills: [...skills],
  daysSinceLast: null,
  daysToNext: null,
  minGapDays: 0,
  maxGapDays: null,
  treats: false,
  recurring: false,
  windowStartMinute: null,
  windowEndMinute: null,
  plannedStartMinute: null,
  plannedDriveSeconds: null,
  publishedDay: null,
  publishedCrewId: null,
  publishedPosition: null,
  beganMinute: null,
  finishedMinute: null,
  workedSeconds: 0,
})

const wished = 'wish'

/** The crew whose day takes it with the least driving, or null: a full day stays full, driving included. */
const openingOn = (context: PlanningContext, held: readonly HeldPlace[]): Opening | null => {
  const { day, crews } = context.data
  if (closedOn(context.data) !== null) return null
  const working = crews.filter((crew) => crew.works)
  const orders: Orders = ordersOf(context)
  for (const { id, crewId } of held) {
    const [place] = placesFor(
      context,
      working.filter((crew) => crew.id === crewId),
      orders,
      id,
    ).places
    // What is held counts also where the engine sees no room for it any more: nobody is promised the last place twice.
    orders.set(crewId, withStop(context, orders.get(crewId) ?? [], id, place?.position ?? Number.MAX_SAFE_INTEGER))
  }
  for (const { crew, position, addedDriveSeconds } of placesFor(context, working, orders, wished).places) {
    if (addedDriveSeconds > mostAddedSeconds) continue
    const route = sequenceRoute(context, crew, withStop(context, orders.get(crew.id) ?? [], wished, position))
    if (totalsOf(context, route).shiftPercent > fullPercent) continue
    const startMinute = route.stops.find(({ visit }) => visit.id === wished)?.startMinute ?? null
    return { day, crewId: crew.id, startMinute, addedDriveSeconds: Math.max(0, addedDriveSeconds) }
  }
  return null
}

/**
 * The days that have room for one more lawn at a place, each with the crew that drives least more for it. Nothing is written; drives are as roads were
 * answered so far.
 * @param held places that others hold on those days
 */
export const listOpenings = async (
  db: TenantDb,
  days: readonly Day[],
  wish: Wish,
  held: readonly HeldPlace[],
): Promise<Opening[]> => {
  const openings: Opening[] = []
  // Day by day: the drives between the places of one day are few.
  for (const day of days) {
    const [data] = await readDays(db, [day])
    if (!data) continue
    const onDay = held.filter((one) => one.day === day)
    const planned = {
      ...data,
      visits: [
        ...data.visits.filter((visit) => visit.crewId !== null),
        ...onDay.map((one) => asVisit(one.id, day, { ...one, skills: [] })),
        asVisit(wished, day, wish),
      ],
    }
    const { points, locations } = placesOf([planned])
    const drives = await travelTimesBetween(db, points, data.business, departureOf(data))
    const [context] = planningContextsOf([planned], locations, drives)
    const opening = context ? openingOn(context, onDay) : null
    if (opening) openings.push(opening)
  }
  return openings
}
