import type { CrewDay, Matrix, Visit } from '../../../../solver/problem.ts'
import type { PlanJob } from './plan-job.ts'

/** Days that share their work out over the crews. */

/** Mean seconds from a visit to its nearest neighbor, and from a depot to a visit. */
const meanLegs = (matrix: Matrix, visits: readonly Visit[], crewDays: readonly CrewDay[]) => {
  const seconds = (from: number, to: number) => Math.max(0, matrix.seconds[from * matrix.size + to] ?? 0)
  // A sample says enough of a big day.
  const some = visits.length <= 200 ? visits : visits.filter((_, i) => i % Math.ceil(visits.length / 200) === 0)
  const mean = (list: number[]) => (list.length ? list.reduce((a, b) => a + b, 0) / list.length : 0)
  const near = some.map((v) => {
    const others = visits.filter((o) => o !== v).map((o) => seconds(v.location, o.location))
    return others.length ? Math.min(...others) : 0
  })
  const home = some.map((v) => Math.min(...crewDays.map((c) => seconds(c.startLocation, v.location))))
  return { near: mean(near), home: mean(home) }
}

/**
 * The same days made shorter, so that the work is shared out over the crews of each: an equal number of stops and a margin for the drives. What
 * does not fit then is planned with the whole shift. Null when it would not make a difference.
 */
export const evenly = ({ problem, travelTimes }: Pick<PlanJob, 'problem' | 'travelTimes'>): CrewDay[] | null => {
  const onSite = (v: Visit, day: CrewDay) => v.serviceSecondsByClass?.[day.crewClass ?? ''] ?? v.serviceSeconds
  let shorter = false
  const byDay = Map.groupBy(problem.crewDays, (c) => c.day ?? 0)
  const share = new Map<number, number>()
  for (const [day, crews] of byDay) {
    if (crews.length < 2) continue
    const ids = new Set(crews.map((c) => c.id))
    const mine = problem.visits.filter((v) =>
      v.pin ? ids.has(v.pin.crewDayId) : (v.allowedCrewDayIds?.some((id) => ids.has(id)) ?? true),
    )
    if (mine.length === 0) continue
    // A visit that several days may have counts in part on each.
    const weight = (v: Visit) =>
      v.pin || !v.allowedCrewDayIds ? 1 : crews.length / Math.max(crews.length, v.allowedCrewDayIds.length)
    const count = mine.reduce((sum, v) => sum + weight(v), 0)
    const work = mine.reduce(
      (sum, v) => sum + (weight(v) * crews.reduce((all, c) => all + onSite(v, c), 0)) / crews.length,
      0,
    )
    const stops = Math.ceil(count / crews.length)
    const legs = meanLegs(travelTimes, mine, crews)
    share.set(day, (work / count) * stops * 1.08 + legs.near * stops * 1.4 + legs.home * 2.2 + 300)
  }
  const crewDays = problem.crewDays.map((day) => {
    const seconds = share.get(day.day ?? 0)
    if (seconds === undefined) return day
    const rest = day.break && day.shiftStartSeconds + seconds > day.break.latestSeconds ? day.break.durationSeconds : 0
    const end = day.shiftStartSeconds + seconds + rest
    if (end >= day.shiftEndSeconds) return day
    shorter = true
    return { ...day, shiftEndSeconds: Math.round(end) }
  })
  return shorter ? crewDays : null
}
