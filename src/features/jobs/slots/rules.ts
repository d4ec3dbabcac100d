import { addDays, type Day, daysBetween } from '../../../shared/dates.ts'
import {
  followsDone,
  inSeason,
  intervalOn,
  nextOccurrence,
  type Recurrence,
  type SeasonSpan,
  weekOf,
} from '../rules.ts'

/** Where recurring work stands in the week and in the weeks of its rhythm: what a plan of the season moves. */

/** `week`: 0 to `everyWeeks` - 1, counted by the calendar as weeks A and B are. Minutes are labor minutes on site of one visit, on average. */
export type Slot = {
  weekday: number
  everyWeeks: number
  week: number
  minutes: number
  /** Where visits differ: the minutes of each week, counted as `week` is, 0 where it does not come. */
  minutesByWeek?: number[]
  /** The first ... fourth or last (-1) of its weekday in a month. */
  nth?: number
  /** Weeks of the coming year in which it comes, where these are not those of the business's season. */
  weeksAYear?: number
}

/** Another place for a job: a weekday, by how many weeks its rhythm is moved (back in time: 0 or less), a crew. */
export type Place = { weekday: number; weeks: number; crewId: string }

export const fixedReasons = ['several_days', 'different_days', 'follows', 'long_rhythm'] as const
/** Why work keeps its slot. */
export type FixedReason = (typeof fixedReasons)[number]

export type SlotLine = { recurrence: Recurrence | null; budgetMinutes: number }

/** The slots of a job: one where it can be moved; several, or one that stays, with why; none where its days are no weekdays. */
export type JobSlots =
  | { slots: Slot[]; fixed: FixedReason | null; keepsWeek: boolean }
  | { slots: []; fixed: 'no_weekday'; keepsWeek: true }

/** Rhythms that a season is planned by; what comes more seldom stays where it is. */
export const longestRhythm = 4

/** Days of one year that decide which pace of a rule with shoulder seasons is its usual one. */
const yearDays = Array.from({ length: 366 }, (_, n) => addDays('2024-01-01', n))

/** Weeks since a Monday of week A. */
export const weekNumber = (day: Day): number => daysBetween('1970-01-05', weekOf(day)) / 7

const modulo = (n: number, by: number): number => ((n % by) + by) % by
const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b))

/** The pace that a rule has on most days of its season. */
const usualPace = (rule: Recurrence, season: readonly SeasonSpan[]): number => {
  if (!rule.periods?.length) return Math.max(1, rule.interval)
  const days = new Map<number, number>()
  for (const day of yearDays)
    if (inSeason(day, rule.season ?? season))
      days.set(intervalOn(rule, day), (days.get(intervalOn(rule, day)) ?? 0) + 1)
  return [...days].reduce((a, b) => (b[1] > a[1] ? b : a), [Math.max(1, rule.interval), 0] as [number, number])[0]
}

type Part = { weekday: number; everyWeeks: number; week: number; minutes: number; nth: number | null; line: SlotLine }

const weeksAMonth = 365 / 7 / 12

const partsOf = (line: SlotLine, season: readonly SeasonSpan[]): Part[] | null => {
  const { recurrence: rule, budgetMinutes: minutes } = line
  if (!rule) return []
  if (rule.freq === 'month' && rule.nth) {
    const { week: nth, weekday } = rule.nth
    // A month has a fifth one three times a year only.
    const months = nth > 4 ? 3 : usualPace(rule, season)
    // The third Tuesday comes every four weeks, and now and then every five: near enough to plan by. The last one is the fourth more often than not.
    const everyWeeks = months > 1 ? Math.round(months * weeksAMonth) : 4
    return [{ weekday, everyWeeks, week: nth === -1 ? 3 : (nth - 1) % 4, minutes, nth, line }]
  }
  if (rule.freq !== 'week' || rule.weekdays.length === 0) return null
  const everyWeeks = usualPace(rule, season)
  return [...new Set(rule.weekdays)].map((weekday) => ({
    weekday,
    everyWeeks,
    week: modulo(weekNumber(rule.phaseOn), everyWeeks),
    minutes,
    nth: null,
    line,
  }))
}

/** What a slot takes week by week; parts that come seldom count with their share of a visit. Null where each visit takes the same. */
const minutesByWeekOf = (parts: readonly Part[], { everyWeeks, week }: Pick<Slot, 'everyWeeks' | 'week'>) => {
  const often = parts.filter((part) => part.everyWeeks <= longestRhythm)
  const cycle = often.reduce((all, part) => (all * part.everyWeeks) / gcd(all, part.everyWeeks), everyWeeks)
  const rest = parts.reduce(
    (sum, part) => sum + (often.includes(part) ? 0 : (part.minutes * everyWeeks) / part.everyWeeks),
    0,
  )
  const list = Array.from({ length: cycle }, (_, w) =>
    w % everyWeeks === week
      ? Math.round(rest + often.reduce((sum, p) => sum + (w % p.everyWeeks === p.week ? p.minutes : 0), 0))
      : 0,
  )
  const visits = list.filter((_, w) => w % everyWeeks === week)
  return new Set(visits).size > 1 ? list : null
}

/** One slot that comes as often as any of the parts, with what it takes on average and week by week. */
const together = (parts: readonly [Part, ...Part[]]): Slot => {
  const [first] = parts
  const everyWeeks = parts.reduce((e, part) => gcd(gcd(e, part.everyWeeks), Math.abs(part.week - first.week)), 0) || 1
  const week = modulo(first.week, everyWeeks)
  const minutesByWeek = minutesByWeekOf(parts, { everyWeeks, week })
  return {
    weekday: first.weekday,
    everyWeeks,
    week,
    minutes: Math.round(parts.reduce((sum, part) => sum + (part.minutes * everyWeeks) / part.everyWeeks, 0)),
    ...(minutesByWeek ? { minutesByWeek } : {}),
    ...(first.nth !== null && parts.every((part) => part.nth === first.nth) ? { nth: first.nth } : {}),
  }
}

/** Days from and to which work of a job is counted. */
export type SlotSpan = { today: Day; startOn: Day; endOn: Day | null }

/** Lines that still name a day from one on. */
export const goingLines = <L extends SlotLine>(lines: readonly L[], from: Day, season: readonly SeasonSpan[]): L[] =>
  lines.filter(({ recurrence: rule }) => {
    if (!rule?.end) return true
    return 'on' in rule.end ? rule.end.on >= from : nextOccurrence(rule, from, { holidays: [], season }) !== null
  })

/** In how many weeks of the coming year a slot of these lines comes; null where these are the weeks of the business's season. */
const weeksAYearOf = (
  weekday: number,
  lines: readonly SlotLine[],
  season: readonly SeasonSpan[],
  { today, startOn, endOn }: SlotSpan,
): number | null => {
  const rules = lines.flatMap(({ recurrence }) => (recurrence ? [recurrence] : []))
  const soon = addDays(today, 7)
  const isUsual = (rule: Recurrence) => !rule.season && !rule.end && rule.phaseOn <= soon
  if (startOn <= soon && endOn === null && rules.some(isUsual)) return null
  const days = Array.from({ length: 52 }, (_, n) => addDays(weekOf(today), 7 * n + ((weekday + 6) % 7)))
  const comes = (day: Day) =>
    day >= startOn &&
    (endOn === null || day <= endOn) &&
    rules.some(
      (rule) =>
        day >= weekOf(rule.phaseOn) &&
        !(rule.end && 'on' in rule.end && day > rule.end.on) &&
        inSeason(day, rule.season ?? season),
    )
  const weeks = days.filter(comes).length
  return weeks === days.filter((day) => inSeason(day, season)).length ? null : Math.max(1, weeks)
}

/**
 * The slots of a job by its lines; single days and work without days are no part of it.
 * @param season of the business, where a rule has none
 * @param span counts the weeks of a year in which each slot comes
 */
export const slotsOf = (lines: readonly SlotLine[], season: readonly SeasonSpan[], span?: SlotSpan): JobSlots => {
  const rules = lines.filter((line) => line.recurrence !== null)
  const found = rules.map((line) => partsOf(line, season))
  if (found.length === 0 || found.includes(null)) return { slots: [], fixed: 'no_weekday', keepsWeek: true }
  const parts = found.flatMap((one) => one ?? [])
  const slots = [...Map.groupBy(parts, (part) => part.weekday)].map(([weekday, one]): Slot => {
    const slot = together(one as [Part, ...Part[]])
    const own = one.map((part) => part.line)
    const weeksAYear = span ? weeksAYearOf(weekday, own, season, span) : null
    return { ...slot, ...(weeksAYear === null ? {} : { weeksAYear }) }
  })
  const fixed = rules.some((line) => followsDone(line.recurrence))
    ? 'follows'
    : rules.some((line) => (line.recurrence?.weekdays.length ?? 0) > 1)
      ? 'several_days'
      : slots.length > 1
        ? 'different_days'
        : slots.some((slot) => slot.everyWeeks > longestRhythm)
          ? 'long_rhythm'
          : null
  // A rule that ends after so many visits counts them from its phase.
  const counts = rules.some(({ recurrence }) => recurrence?.end && 'count' in recurrence.end)
  return { slots, fixed, keepsWeek: counts || parts.some((part) => part.nth !== null) }
}

/** A rule at another place. Its weeks move with the phase; the nth weekday of a month has none to move. */
export const placedRule = (rule: Recurrence, { weekday, weeks }: Pick<Place, 'weekday' | 'weeks'>): Recurrence =>
  rule.nth
    ? { ...rule, nth: { ...rule.nth, weekday } }
    : {
        ...rule,
        weekdays: [weekday],
        // To the Monday, so that no day of the first week is before the phase.
        ...(weeks === 0 ? {} : { phaseOn: addDays(weekOf(rule.phaseOn), 7 * weeks) }),
      }

/**
 * By how many weeks a rhythm moves from one week to another. Back in time, by the rhythm of the slot, which all of its rules share: a later phase
 * would name nothing before it.
 */
export const weeksBetween = (from: Pick<Slot, 'week' | 'everyWeeks'>, toWeek: number): number => {
  const weeks = modulo(toWeek - from.week, from.everyWeeks)
  return weeks === 0 ? 0 : weeks - from.everyWeeks
}

/** A slot on another weekday and in another week, as `placedRule` moves its rules. */
export const placedSlot = (slot: Slot, { weekday, week }: Pick<Slot, 'weekday' | 'week'>): Slot => {
  const { minutesByWeek: list } = slot
  const weeks = weeksBetween(slot, week)
  return {
    ...slot,
    weekday,
    week,
    ...(list ? { minutesByWeek: list.map((_, w) => list[modulo(w - weeks, list.length)] ?? 0) } : {}),
  }
}
