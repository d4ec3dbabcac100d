import { addDays, addMonths, type Day, daysBetween } from '../../shared/dates.ts'
import type { Frequency } from '../services/rules.ts'

/** A part of the year as 'MM-DD' to 'MM-DD', both days inclusive; it may run over new year. */
export type SeasonSpan = { from: string; to: string }
export type HolidayRule = 'skip' | 'next' | 'previous'

/** When work comes back. Days are days of the business's zone, so no clock change touches them. */
export type Recurrence = {
  freq: 'day' | 'week' | 'month'
  /** Every how many days, weeks or months. */
  interval: number
  /** For weeks: 0 = Sunday ... 6 = Saturday; empty means the weekday of `phaseOn`. */
  weekdays: number[]
  /** For months: the first ... fifth or last (-1) of a weekday; a month without it is left out. */
  nth?: { week: number; weekday: number }
  /** For months: 29 to 31 mean the last day of a shorter month. Without it the day of `phaseOn`. */
  dayOfMonth?: number
  /** The first day the rule can name, and where "every N" counts from, for ever. */
  phaseOn: Day
  /** Missing: the season of the business. Empty: all year. */
  season?: SeasonSpan[]
  /** `count` counts the days that the rule names, also those left out as exceptions. */
  end?: { count: number } | { on: Day }
  /** What happens to a day that is a holiday. */
  holiday: HolidayRule
  /** Days the rule would name and must not. */
  exceptions: Day[]
}

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

const epoch = '1970-01-01'
const toNumber = (day: Day): number => daysBetween(epoch, day)
const toDay = (number: number): Day => addDays(epoch, number)
const weekday = (number: number): number => (((number + 4) % 7) + 7) % 7
const mondayOf = (number: number): number => number - ((weekday(number) + 6) % 7)

/** Whether a day lies in one of the spans; no spans means all year. */
export const inSeason = (day: Day, spans: readonly SeasonSpan[]): boolean => {
  if (spans.length === 0) return true
  const md = day.slice(5)
  return spans.some(({ from, to }) => (from <= to ? md >= from && md <= to : md >= from || md <= to))
}

const nthOfMonth = (first: Day, nth: { week: number; weekday: number }): number | null => {
  const start = toNumber(first)
  const next = toNumber(addMonths(first, 1, 1))
  if (nth.week === -1) {
    const last = next - 1
    return last - ((weekday(last) - nth.weekday + 7) % 7)
  }
  const day = start + ((nth.weekday - weekday(start) + 7) % 7) + (nth.week - 1) * 7
  return day < next ? day : null
}

/** The days a rule's cadence names from `from` to `to`, in order, before season, end and exceptions. */
function* cadence(rule: Recurrence, from: number, to: number): Generator<number> {
  const phase = toNumber(rule.phaseOn)
  const start = Math.max(from, phase)
  const interval = Math.max(1, rule.interval)
  if (rule.freq === 'day') {
    for (let day = phase + Math.ceil((start - phase) / interval) * interval; day <= to; day += interval) yield day
    return
  }
  if (rule.freq === 'week') {
    const days = rule.weekdays.length > 0 ? rule.weekdays : [weekday(phase)]
    const offsets = [...new Set(days.map((d) => (d + 6) % 7))].sort((a, b) => a - b)
    const home = mondayOf(phase)
    const step = interval * 7
    for (let week = home + Math.floor((start - home) / step) * step; week <= to; week += step) {
      for (const offset of offsets) {
        const day = week + offset
        if (day >= start && day <= to) yield day
      }
    }
    return
  }
  const phaseMonth = `${rule.phaseOn.slice(0, 7)}-01`
  const months = (Number(toDay(start).slice(0, 4)) - Number(phaseMonth.slice(0, 4))) * 12
  const ahead = months + Number(toDay(start).slice(5, 7)) - Number(phaseMonth.slice(5, 7))
  const dayOfMonth = rule.dayOfMonth ?? Number(rule.phaseOn.slice(8, 10))
  for (let month = Math.floor(ahead / interval) * interval; ; month += interval) {
    const first = addMonths(phaseMonth, month, 1)
    if (toNumber(first) > to) return
    const day = rule.nth ? nthOfMonth(first, rule.nth) : toNumber(addMonths(first, 0, dayOfMonth))
    if (day !== null && day >= start && day <= to) yield day
  }
}

/** Days the rule names from `from` to `to`, exceptions left out, holidays still in. */
const namedDays = (rule: Recurrence, from: number, to: number, season: readonly SeasonSpan[]): number[] => {
  const count = rule.end && 'count' in rule.end ? rule.end.count : null
  const last = rule.end && 'on' in rule.end ? Math.min(to, toNumber(rule.end.on)) : to
  const exceptions = new Set(rule.exceptions.map(toNumber))
  const named: number[] = []
  let seen = 0
  // A rule that ends after a count has to be counted from its beginning; every other one starts at the window.
  for (const day of cadence(rule, count === null ? from : Number.MIN_SAFE_INTEGER, last)) {
    if (!inSeason(toDay(day), season)) continue
    if (count !== null && ++seen > count) break
    if (day >= from && !exceptions.has(day)) named.push(day)
  }
  return named
}

/** Farther than this a holiday moves no visit; then it is left out. */
const longestShiftDays = 14

/**
 * The days on which a rule's work falls, by the day the rule names (`on`) within `from` to `to`, in order.
 * A holiday moves the visit to the next or previous work day or drops it; a rule that names no weekday (every 10 days, the 15th) moves off
 * days that are no work days too, forward unless it says previous. A moved visit that lands on a day of the same rule merges into it, so no day comes twice.
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
  const landing = (day: number): number | null => {
    if (stays(day)) return day
    if (rule.holiday === 'skip' && holidays.has(day)) return null
    const directions = rule.holiday === 'previous' ? [-1, 1] : [1]
    for (const direction of directions) {
      for (let step = 1; step <= longestShiftDays; step++) {
        const target = day + direction * step
        if (target < phase) break
        if (isFree(target)) return target
      }
    }
    return null
  }
  const around = namedDays(rule, from - 2 * longestShiftDays, to + 2 * longestShiftDays, season)
  const taken = new Set(around.filter(stays))
  const found: Occurrence[] = []
  for (const on of around) {
    const day = landing(on)
    if (day === null) continue
    if (day !== on) {
      if (taken.has(day)) continue
      taken.add(day)
    }
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

export type LineSchedule = { id: string; recurrence: Recurrence | null; onceOn: Day | null }
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
