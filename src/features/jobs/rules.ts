import { addDays, type Day, daysBetween } from '../../shared/dates.ts'
import type { Frequency } from '../services/rules.ts'
import {
  followsDone,
  type HolidayRule,
  inSeason,
  namedDays,
  type Recurrence,
  type SeasonSpan,
  toDay,
  toNumber,
  weekday,
} from './cadence/rules.ts'

export type { HolidayRule, PacePeriod, Recurrence, SeasonSpan } from './cadence/rules.ts'
export {
  followsDone,
  inSeason,
  intervalOn,
  isLongGap,
  paceGaps,
  spacingProblem,
  weekLetter,
  weekOf,
} from './cadence/rules.ts'
export { nextAfterDone } from './follow/rules.ts'
export type { Undated } from './undated/rules.ts'

/** `on` is the day the rule names and never changes; `day` is where a holiday moved it. */
export type Occurrence = { on: Day; day: Day }

/** Window and calendar of the business. Without `workDays` every day is one. */
export type OccurrenceWindow = {
  from: Day
  to: Day
  workDays?: readonly number[]
  holidays: readonly Day[]
  /** The season where the rule has none. */
  season?: readonly SeasonSpan[]
}

/** Farther than this a holiday moves no visit; then it is left out. */
const longestShiftDays = 14

/**
 * The days on which a rule's work falls, by the day the rule names (`on`) within `from` to `to`, in order.
 * A holiday moves the visit to the next or previous work day or drops it; a rule that names no weekday (every 10 days, the 15th) moves off
 * days that are no work days too, forward unless it says previous. It stays in season, inside the tolerance and its distance to the others; where
 * that is impossible the visit is left out. A moved visit that lands on a day of the same rule merges into it, so no day comes twice.
 * The answer for a window is the same however the window is cut.
 */
export const occurrences = (rule: Recurrence, window: OccurrenceWindow): Occurrence[] => {
  const from = toNumber(window.from)
  const to = toNumber(window.to)
  if (to < from) return []
  const season = rule.season ?? window.season ?? []
  const holidays = new Set(window.holidays.map(toNumber))
  const workDays = window.workDays && window.workDays.length > 0 ? new Set(window.workDays) : null
  const choseWeekday = rule.freq === 'week' || (rule.freq === 'month' && rule.nth !== undefined)
  const phase = toNumber(rule.phaseOn)
  const isFree = (day: number) => !holidays.has(day) && (workDays === null || workDays.has(weekday(day)))
  const stays = (day: number) => !holidays.has(day) && (choseWeekday || isFree(day))
  const { before: early = longestShiftDays, after: late = longestShiftDays } = rule.tolerance ?? {}
  const minGap = rule.minGapDays ?? 0
  const landing = (day: number, last: number, next: number): number | null => {
    if (stays(day)) return day
    if (rule.holiday === 'skip' && holidays.has(day)) return null
    const directions = rule.holiday === 'previous' ? [-1, 1] : [1, -1]
    for (const direction of directions) {
      for (let step = 1; step <= Math.min(longestShiftDays, direction < 0 ? early : late); step++) {
        const target = day + direction * step
        if (target < phase || !inSeason(toDay(target), season)) break
        if (isFree(target) && (minGap === 0 || (target - last >= minGap && next - target >= minGap))) return target
      }
    }
    return null
  }
  const margin = 2 * longestShiftDays + minGap
  const around = namedDays(rule, from - margin, to + margin, season)
  const taken = new Set(around.filter(stays))
  const found: Occurrence[] = []
  let last = Number.MIN_SAFE_INTEGER
  for (const [at, on] of around.entries()) {
    const day = landing(on, last, around[at + 1] ?? Number.MAX_SAFE_INTEGER)
    if (day === null) continue
    if (day !== on) {
      if (taken.has(day)) continue
      taken.add(day)
    }
    last = day
    if (on >= from && on <= to) found.push({ on: toDay(on), day: toDay(day) })
  }
  return found
}

/** The first occurrence named on or after a day, or null when the rule has none within two years. */
export const nextOccurrence = (rule: Recurrence, from: Day, calendar: Omit<OccurrenceWindow, 'from' | 'to'>) => {
  const spans = [120, 400, 800]
  for (const days of spans) {
    const [first] = occurrences(rule, { ...calendar, from, to: addDays(from, days) })
    if (first) return first
  }
  return null
}

/** How often work comes back, as far as its price cares; null is once. */
export const frequencyOf = (rule: Recurrence | null): Frequency => {
  if (!rule) return 'once'
  const days =
    rule.freq === 'day' ? rule.interval : rule.freq === 'week' ? rule.interval * 7 : Math.round(rule.interval * 30.4)
  const each = rule.freq === 'week' ? days / Math.max(1, rule.weekdays.length) : days
  return each <= 9 ? 'weekly' : each <= 17 ? 'biweekly' : 'monthly'
}

/** The calendar of a business as recurrence needs it. */
export type Calendar = {
  today: Day
  workDays: number[]
  holidays: Day[]
  holidayRule: HolidayRule
  season: SeasonSpan[]
}

export const horizonDays = 84

/** The day on which twelve weeks of days in season have gone by since `from`; at most 13 months on. */
export const seasonHorizon = (from: Day, season: readonly SeasonSpan[]): Day => {
  let left = horizonDays
  let day = from
  for (let step = 0; step < 395; step++) {
    if (inSeason(day, season)) left -= 1
    if (left === 0) break
    day = addDays(day, 1)
  }
  return day
}

/**
 * Up to which day visits of a job exist: twelve weeks of days in season from `from` on, and its single days. Over winter that reaches into
 * the next spring, so a season booked in November stands in the calendar.
 */
export const horizonOf = (
  from: Day,
  lines: readonly { recurrence: Recurrence | null; onceOn: Day | null }[],
  businessSeason: readonly SeasonSpan[],
  bySeason: (from: Day, season: readonly SeasonSpan[]) => Day = seasonHorizon,
): Day =>
  lines
    .map((line) => line.onceOn ?? bySeason(from, line.recurrence?.season ?? businessSeason))
    .concat(addDays(from, horizonDays - 1))
    .sort()
    .at(-1) ?? from

/** `dueOn` is the open visit of a rule that follows its last one. */
export type LineSchedule = { id: string; recurrence: Recurrence | null; onceOn: Day | null; dueOn?: Day | null }
export type PlannedVisit = { on: Day; day: Day; lineIds: string[] }

/** The visits of one job in a window of named days: lines that fall on the same day are one visit, known by the earliest day named. */
export const plannedVisits = (
  lines: readonly LineSchedule[],
  window: OccurrenceWindow & { startOn: Day; endOn: Day | null },
): PlannedVisit[] => {
  const from = [window.from, window.startOn].sort()[1] as Day
  const to = window.endOn !== null && window.endOn < window.to ? window.endOn : window.to
  const byDay = new Map<Day, PlannedVisit>()
  const add = (lineId: string, { on, day }: Occurrence) => {
    const visit = byDay.get(day)
    if (!visit) byDay.set(day, { on, day, lineIds: [lineId] })
    else {
      visit.lineIds.push(lineId)
      if (on < visit.on) visit.on = on
    }
  }
  for (const line of lines) {
    if (line.onceOn !== null) {
      if (line.onceOn >= window.from && line.onceOn <= window.to) add(line.id, { on: line.onceOn, day: line.onceOn })
    } else if (followsDone(line.recurrence) && line.dueOn !== undefined) {
      if (line.dueOn !== null && line.dueOn >= from && line.dueOn <= to)
        add(line.id, { on: line.dueOn, day: line.dueOn })
    } else if (line.recurrence !== null) {
      for (const occurrence of occurrences(line.recurrence, { ...window, from, to })) add(line.id, occurrence)
    }
  }
  return [...byDay.values()].sort((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0))
}

/**
 * What a job that starts on a day makes: its first visit from today on (null when its rules name none within two years), and the visits of
 * days before today, which are only made when they are asked for.
 */
export const firstVisits = (
  lines: readonly LineSchedule[],
  { startOn, endOn }: { startOn: Day; endOn: Day | null },
  calendar: Calendar,
): { first: PlannedVisit | null; over: PlannedVisit[] } => {
  const { today, ...window } = calendar
  const within = (from: Day, to: Day) => plannedVisits(lines, { ...window, from, to, startOn, endOn })
  const from = startOn > today ? startOn : today
  // Most jobs come within a quarter: two years of a daily rule are looked at only for those that do not.
  const first = [120, 800].map((days) => within(from, addDays(from, days))[0]).find((visit) => visit !== undefined)
  return { first: first ?? null, over: startOn < today ? within(startOn, addDays(today, -1)) : [] }
}

/**
 * Which old visits stand for which new days: the nearest first, each at most once, none farther than `reach` days.
 * @returns the new day of each visit that has one
 */
export const nearestPairs = <V extends { occurrenceOn: Day }, P extends { on: Day }>(
  visits: readonly V[],
  planned: readonly P[],
  reach: number,
): Map<V, P> => {
  const near = visits.flatMap((visit) =>
    planned.flatMap((day) => {
      const distance = Math.abs(daysBetween(visit.occurrenceOn, day.on))
      return distance <= reach ? [{ visit, day, distance }] : []
    }),
  )
  const pairs = new Map<V, P>()
  const taken = new Set<P>()
  for (const { visit, day } of near.sort((a, b) => a.distance - b.distance)) {
    if (pairs.has(visit) || taken.has(day)) continue
    pairs.set(visit, day)
    taken.add(day)
  }
  return pairs
}
