import { addDays, addMonths, type Day, daysBetween } from '../../../shared/dates.ts'

/** A part of the year as 'MM-DD' to 'MM-DD', both days inclusive; it may run over new year. */
export type SeasonSpan = { from: string; to: string }
/** A part of the year in which work comes back every `interval` days, weeks or months. */
export type PacePeriod = SeasonSpan & { interval: number }
export type Tolerance = { before: number; after: number }
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
  /** Parts of the year with a pace of their own, in the unit of `freq`; outside of them `interval` holds. They count from `phaseOn`, too. */
  periods?: PacePeriod[]
  /** How many days before or after the named one the work may be. Missing: as far as a holiday asks. */
  tolerance?: Tolerance
  /** Fewest days between two visits; what would come sooner is left out. */
  minGapDays?: number
  /** Most days between two visits of a season. */
  maxGapDays?: number
  /** Missing: `calendar`. With `completion` the next visit comes one interval after the day on which the last one was done; only that one is open. */
  anchor?: 'calendar' | 'completion'
  /** Days the rule would name and must not. */
  exceptions: Day[]
}

const epoch = '1970-01-01'
/** A day as a count of days, to reckon with. */
export const toNumber = (day: Day): number => daysBetween(epoch, day)
/** The day of such a count. */
export const toDay = (number: number): Day => addDays(epoch, number)
/** The weekday of such a count, Sunday is 0. */
export const weekday = (number: number): number => (((number + 4) % 7) + 7) % 7
const mondayOf = (number: number): number => number - ((weekday(number) + 6) % 7)

const inSpan = (day: Day, { from, to }: SeasonSpan): boolean => {
  const md = day.slice(5)
  return from <= to ? md >= from && md <= to : md >= from || md <= to
}

/** Whether a day lies in one of the spans; no spans means all year. */
export const inSeason = (day: Day, spans: readonly SeasonSpan[]): boolean =>
  spans.length === 0 || spans.some((span) => inSpan(day, span))

/** Every how many days, weeks or months a rule comes on a day of the year. */
export const intervalOn = (rule: Pick<Recurrence, 'interval' | 'periods'>, day: Day): number =>
  Math.max(1, rule.periods?.find((period) => inSpan(day, period))?.interval ?? rule.interval)

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

/** The days that a rule with one pace names from `from` to `to`, in order. */
function* atPace(rule: Recurrence, interval: number, from: number, to: number): Generator<number> {
  const phase = toNumber(rule.phaseOn)
  const start = Math.max(from, phase)
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

/** The days a rule's cadence names from `from` to `to`, in order, before season, end and exceptions. */
function* cadence(rule: Recurrence, from: number, to: number): Generator<number> {
  if (!rule.periods?.length) {
    yield* atPace(rule, Math.max(1, rule.interval), from, to)
    return
  }
  const paces = new Set([rule.interval, ...rule.periods.map((period) => period.interval)].map((n) => Math.max(1, n)))
  const days = [...paces].flatMap((pace) =>
    [...atPace(rule, pace, from, to)].filter((day) => intervalOn(rule, toDay(day)) === pace),
  )
  yield* days.sort((a, b) => a - b)
}

/** Days the rule names from `from` to `to`, exceptions left out, holidays still in. */
export const namedDays = (rule: Recurrence, from: number, to: number, season: readonly SeasonSpan[]): number[] => {
  const count = rule.end && 'count' in rule.end ? rule.end.count : null
  const last = rule.end && 'on' in rule.end ? Math.min(to, toNumber(rule.end.on)) : to
  const exceptions = new Set(rule.exceptions.map(toNumber))
  const minGap = rule.minGapDays ?? 0
  const named: number[] = []
  let seen = 0
  let before = Number.MIN_SAFE_INTEGER
  // A rule that ends after a count has to be counted from its beginning; every other one starts where the gap to the day before is known.
  for (const day of cadence(rule, count === null ? from - minGap : Number.MIN_SAFE_INTEGER, last)) {
    if (!inSeason(toDay(day), season)) continue
    const tooSoon = day - before < minGap
    before = day
    if (tooSoon) continue
    if (count !== null && ++seen > count) break
    if (day >= from && !exceptions.has(day)) named.push(day)
  }
  return named
}

/** Days between two visits of the same pace at the least. */
const gapAtPace = (rule: Recurrence, interval: number): number => {
  if (rule.freq === 'day') return interval
  if (rule.freq === 'month') return interval * 28
  const days = [...new Set(rule.weekdays.map((d) => (d + 6) % 7))].sort((a, b) => a - b)
  if (days.length < 2) return interval * 7
  const between = days.map((day, at) => (days[at + 1] ?? (days[0] ?? 0) + interval * 7) - day)
  return Math.min(...between)
}

/** The shortest and the longest time that a rule leaves between two visits by its own paces, in days, the edges between paces left out. */
export const paceGaps = (rule: Recurrence): { shortest: number; longest: number } => {
  const paces = [rule.interval, ...(rule.periods ?? []).map((period) => period.interval)]
  const gaps = paces.map((pace) => gapAtPace(rule, Math.max(1, pace)))
  return { shortest: Math.min(...gaps), longest: Math.max(...gaps) }
}

/** The week of the business in which a day lies: A and B take turns for ever, whatever is booked. Weeks begin on Monday. */
export const weekLetter = (day: Day): 'A' | 'B' => (((mondayOf(toNumber(day)) - 4) / 7) % 2 === 0 ? 'A' : 'B')

/** The Monday of a day's week. */
export const weekOf = (day: Day): Day => toDay(mondayOf(toNumber(day)))

/**
 * Whether two days of work that follow each other are farther apart than the rule allows. Over a time outside the season nobody counts.
 * @param season the season that holds for the rule
 */
export const isLongGap = (
  rule: Pick<Recurrence, 'maxGapDays'>,
  before: Day,
  day: Day,
  season: readonly SeasonSpan[],
): boolean => {
  const days = daysBetween(before, day)
  if (rule.maxGapDays === undefined || days <= rule.maxGapDays) return false
  return Array.from({ length: days }, (_, n) => addDays(before, n)).every((one) => inSeason(one, season))
}

/**
 * What a day for a visit breaks of the distances that its rule asks for, as a sentence, or null.
 * @param on the day that the rule names
 * @param others days of the same work beside it
 */
export const spacingProblem = (
  rule: Pick<Recurrence, 'tolerance' | 'minGapDays'>,
  day: Day,
  on: Day,
  others: readonly Day[],
): string | null => {
  const off = daysBetween(on, day)
  const { before, after } = rule.tolerance ?? { before: Number.MAX_SAFE_INTEGER, after: Number.MAX_SAFE_INTEGER }
  const said = (n: number) => `${n} ${n === 1 ? 'day' : 'days'}`
  if (off > after) return `${said(off)} late, ${said(after)} ${after === 1 ? 'is' : 'are'} allowed`
  if (-off > before) return `${said(-off)} early, ${said(before)} ${before === 1 ? 'is' : 'are'} allowed`
  const nearest = Math.min(...others.map((other) => Math.abs(daysBetween(other, day))))
  return rule.minGapDays !== undefined && nearest < rule.minGapDays
    ? `${said(nearest)} from the visit beside it, at least ${rule.minGapDays} are asked for`
    : null
}

/** Whether the next visit of a rule waits for the last one to be done. */
export const followsDone = (rule: Recurrence | null): rule is Recurrence & { anchor: 'completion' } =>
  rule?.anchor === 'completion'
