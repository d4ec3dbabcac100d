import { setImmediate } from 'node:timers/promises'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { addDays } from '../../../../shared/dates.ts'
import { propose } from '../../../../solver/propose.ts'
import { todayOf } from '../../../businesses/server/queries.ts'
import {
  closedOn,
  crewDayId,
  crewDayOf,
  type DayData,
  type DayVisit,
  freeOf,
  ordersOf,
  placesOf,
  planningContextsOf,
  problemVisit,
} from '../../server/day/planning-context.ts'
import { departureOf, readDays } from '../../server/day/read-day.ts'
import { travelTimesBetween } from '../../server/day/travel-times.ts'
import { type DayAnswer, rankWeekdays } from '../rules.ts'

/** Two weeks: of work every other week both kinds of weeks are seen. */
const daysAhead = 14

type Place = { latitude: number; longitude: number }

/** A stop that is not booked yet. */
const stopOf = (
  data: DayData,
  { latitude, longitude }: Place,
  need: { minutes: number; skills: string[] },
): DayVisit => ({
  id: `new@${data.day}`,
  jobId: 'new',
  customerId: 'new',
  jobNumber: 0,
  title: '',
  street: '',
  city: '',
  customerName: '',
  latitude,
  longitude,
  approximate: false,
  day: data.day,
  crewId: null,
  storedCrewId: null,
  storedDay: null,
  position: null,
  pinned: false,
  locked: false,
  movedFrom: null,
  status: 'scheduled',
  budgetMinutes: need.minutes,
  skills: need.skills,
  daysSinceLast: null,
  daysToNext: null,
  minGapDays: 0,
  maxGapDays: null,
  treats: false,
  recurring: true,
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

/**
 * On which weekdays a new place adds the least driving: what its visit would add to each crew's route on each day of the next two weeks, by the same
 * engine that places what is due.
 */
export const listBestWeekdays = async (
  db: TenantDb,
  place: Place,
  need: { minutes: number; skills: string[] },
): Promise<ReturnType<typeof rankWeekdays>> => {
  const today = await todayOf(db)
  const days = Array.from({ length: daysAhead }, (_, at) => addDays(today, at + 1))
  const read = await readDays(db, days)
  const open = read.filter((data) => closedOn(data) === null)
  const withStop = open.map((data) => ({ ...data, visits: [...data.visits, stopOf(data, place, need)] }))
  const [first] = withStop
  if (!first) return rankWeekdays([])
  const { points, locations } = placesOf(withStop)
  const times = await travelTimesBetween(db, points, first.business, departureOf(first))
  const answers: DayAnswer[] = []
  for (const context of planningContextsOf(withStop, locations, times)) {
    const { data } = context
    const own = data.visits.at(-1)
    if (!own || !locations.has(own.id)) continue
    const orders = ordersOf(context)
    for (const crew of data.crews.filter(({ works }) => works)) {
      const ids = (orders.get(crew.id) ?? []).filter((id) => locations.has(id))
      const found = propose(
        {
          matrix: context.matrixFor(crew.driveFactorPercent),
          visits: ids.flatMap((id) => context.byId.get(id) ?? []).map((one) => problemVisit(context, one)),
          crewDays: [crewDayOf(context, crew, freeOf(context, crew))],
        },
        { routes: [{ crewDayId: crewDayId(crew.id, data.day), visitIds: ids }] },
        problemVisit(context, own),
      )
      const [best] = found.places
      answers.push({
        day: data.day,
        crewId: crew.id,
        crewName: crew.name,
        addedSeconds: best ? best.addedDriveSeconds : null,
        stops: ids.length,
        reason: found.reasons[0]?.text ?? null,
      })
    }
    // others have their turn between two days
    await setImmediate()
  }
  return rankWeekdays(answers)
}
