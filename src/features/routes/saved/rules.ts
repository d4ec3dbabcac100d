import { addDays, type Day, weekdayOf } from '../../../shared/dates.ts'

/** A saved route beside a day, and how a weekday has changed. */

export type DayStopFacts = {
  id: string
  jobId: string
  crewId: string | null
  pinned: boolean
}

export type Differences = {
  /** Visits of its jobs that the crew has or gets, in its order. */
  order: string[]
  kept: string[]
  brought: string[]
  /** Visits that are pinned with another crew. */
  held: string[]
  /** Jobs without an open visit on the day. */
  missing: string[]
  extra: string[]
}

/** What of a day's open visits a saved route takes, leaves and misses. A job with two visits on the day brings both; what the crew may not do stays. */
export const differencesOf = (
  jobIds: readonly string[],
  crewId: string,
  open: readonly DayStopFacts[],
  mayNot: (visitId: string) => boolean = () => false,
): Differences => {
  const found: Differences = { order: [], kept: [], brought: [], held: [], missing: [], extra: [] }
  for (const jobId of new Set(jobIds)) {
    const visits = open.filter((visit) => visit.jobId === jobId)
    if (visits.length === 0) found.missing.push(jobId)
    for (const { id, crewId: now, pinned } of visits) {
      if (now !== crewId && ((now !== null && pinned) || mayNot(id))) found.held.push(id)
      else {
        found.order.push(id)
        ;(now === crewId ? found.kept : found.brought).push(id)
      }
    }
  }
  const wanted = new Set(jobIds)
  found.extra = open.filter((visit) => visit.crewId === crewId && !wanted.has(visit.jobId)).map((visit) => visit.id)
  return found
}

/**
 * Where one more stop costs the least way among stops in their order, from the depot and back where it is known; at the end where places are not.
 * @param distance between two places, in whatever unit
 * @returns how many stops come before it
 */
export const cheapestPlace = <P>(
  depot: P | null,
  stops: readonly (P | null)[],
  point: P | null,
  distance: (a: P, b: P) => number,
): number => {
  if (point === null) return stops.length
  const way = (a: P | null | undefined, b: P | null | undefined) => (a && b ? distance(a, b) : 0)
  const costs = Array.from({ length: stops.length + 1 }, (_, at) => {
    const [before, after] = [at === 0 ? depot : stops[at - 1], at === stops.length ? depot : stops[at]]
    return way(before, point) + way(point, after) - way(before, after)
  })
  return costs.lastIndexOf(Math.min(...costs))
}

/** The next day of a weekday, today included. */
export const nextWeekday = (today: Day, weekday: number): Day => addDays(today, (weekday - weekdayOf(today) + 7) % 7)

export type DrivenDay = { day: Day; driveSeconds: number; stops: number }

const few = 3
const middle = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/**
 * How far a weekday has drifted: the middle of its newest three days against the middle of its first three, so that one odd day says nothing.
 * @param days oldest first
 */
export const driftOf = (days: readonly DrivenDay[]): { since: Day; driveMinutes: number; stops: number } | null => {
  const first = days[0]
  if (!first || days.length < 2 * few) return null
  const [then, now] = [days.slice(0, few), days.slice(-few)]
  const change = (of: (one: DrivenDay) => number) => middle(now.map(of)) - middle(then.map(of))
  return {
    since: first.day,
    driveMinutes: Math.round(change((one) => one.driveSeconds) / 60),
    stops: change((one) => one.stops),
  }
}
