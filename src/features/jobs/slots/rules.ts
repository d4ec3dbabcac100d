import { addDays, type Day, daysBetween } from '../../../shared/dates.ts'
import { followsDone, inSeason, intervalOn, type Recurrence, type SeasonSpan, weekOf } from '../rules.ts'

/** Where recurring work stands in the week and in the weeks of its rhythm: what a plan of the season moves. */

/** `week`: 0 to `everyWeeks` - 1, counted by the calendar as weeks A and B are. Minutes are labor minutes on site of one visit, on average. */
export type Slot = { weekday: number; everyWeeks: number; week: number; minutes: number }

/** Another place for a job: a weekday, by how many weeks its rhythm is moved, a crew. */
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

type Part = { weekday: number; everyWeeks: number; week: number; minutes: number; monthly: boolean }

const partsOf = (
  { recurrence: rule, budgetMinutes: minutes }: SlotLine,
  season: readonly SeasonSpan[],
): Part[] | null => {
  if (!rule) return []
  if (rule.freq === 'month' && rule.nth)
    // The third Tuesday comes every four weeks, and now and then every five: near enough to plan by.
    return [{ weekday: rule.nth.weekday, everyWeeks: 4, week: modulo(rule.nth.week - 1, 4), minutes, monthly: true }]
  if (rule.freq !== 'week' || rule.weekdays.length === 0) return null
  const everyWeeks = usualPace(rule, season)
  return [...new Set(rule.weekdays)].map((weekday) => ({
    weekday,
    everyWeeks,
    week: modulo(weekNumber(rule.phaseOn), everyWeeks),
    minutes,
    monthly: false,
  }))
}

/** One slot that comes as often as any of the parts, with what it takes on average. */
const together = (parts: readonly [Part, ...Part[]]): Slot => {
  const [first] = parts
  const everyWeeks = parts.reduce((e, part) => gcd(gcd(e, part.everyWeeks), Math.abs(part.week - first.week)), 0) || 1
  return {
    weekday: first.weekday,
    everyWeeks,
    week: modulo(first.week, everyWeeks),
    minutes: Math.round(parts.reduce((sum, part) => sum + (part.minutes * everyWeeks) / part.everyWeeks, 0)),
  }
}

/**
 * The slots of a job by its lines; single days and work without days are no part of it.
 * @param season of the business, where a rule has none
 */
export const slotsOf = (lines: readonly SlotLine[], season: readonly SeasonSpan[]): JobSlots => {
  const rules = lines.filter((line) => line.recurrence !== null)
  const found = rules.map((line) => partsOf(line, season))
  if (found.length === 0 || found.includes(null)) return { slots: [], fixed: 'no_weekday', keepsWeek: true }
  const parts = found.flatMap((one) => one ?? [])
  const slots = [...Map.groupBy(parts, (part) => part.weekday).values()].map((one) =>
    together(one as [Part, ...Part[]]),
  )
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
  return { slots, fixed, keepsWeek: counts || parts.some((part) => part.monthly) }
}

/** A rule at another place. Its weeks move with the phase; the nth weekday of a month has none to move. */
export const placedRule = (rule: Recurrence, { weekday, weeks }: Pick<Place, 'weekday' | 'weeks'>): Recurrence =>
  rule.nth
    ? { ...rule, nth: { ...rule.nth, weekday } }
    : {
        ...rule,
        weekdays: [weekday],
        // To the Monday, so that no day of the first week is before the phase. Back in time: a later phase would name nothing before it.
        ...(weeks === 0
          ? {}
          : { phaseOn: addDays(weekOf(rule.phaseOn), 7 * (weeks > 0 ? weeks - rule.interval : weeks)) }),
      }

/** By how many weeks a rhythm moves from one week to another. */
export const weeksBetween = (from: Pick<Slot, 'week' | 'everyWeeks'>, toWeek: number): number =>
  modulo(toWeek - from.week, from.everyWeeks)
