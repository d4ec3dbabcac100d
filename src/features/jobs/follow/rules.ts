import { addDays, addMonths, type Day } from '../../../shared/dates.ts'
import {
  inSeason,
  intervalOn,
  type Recurrence,
  type SeasonSpan,
  type Tolerance,
  toDay,
  toNumber,
  weekday,
} from '../cadence/rules.ts'

const usualTolerance: Tolerance = { before: 3, after: 3 }
/** A whole year and a bit: farther than the longest winter. */
const longestWaitDays = 400

/** One interval after a day, by the pace that holds on it. */
const intervalAfter = (rule: Recurrence, day: Day): Day => {
  const interval = intervalOn(rule, day)
  if (rule.freq === 'month') return addMonths(day, interval)
  return addDays(day, rule.freq === 'week' ? interval * 7 : interval)
}

/**
 * When work that follows its last visit comes next: one interval after the day on which that was done, on the rule's weekday where one lies inside the
 * tolerance and the gaps, else on the nearest day of work; out of season on the first such day of the next one.
 * @param earliest no day before this one
 * @param calendar work days, holidays and the season of the business, and days that are taken already
 * @returns null when the rule has ended by then
 */
export const nextAfterDone = (
  rule: Recurrence,
  doneOn: Day,
  earliest: Day,
  calendar: {
    workDays?: readonly number[]
    holidays: readonly Day[]
    season?: readonly SeasonSpan[]
    taken?: ReadonlySet<Day>
  },
): Day | null => {
  const season = rule.season ?? calendar.season ?? []
  const { before, after } = rule.tolerance ?? usualTolerance
  const target = toNumber(intervalAfter(rule, doneOn))
  const from = Math.max(toNumber(doneOn) + Math.max(1, rule.minGapDays ?? 1), toNumber(earliest))
  const latest = toNumber(doneOn) + (rule.maxGapDays ?? Number.MAX_SAFE_INTEGER)
  const wished = (day: number) =>
    rule.weekdays.length === 0 || rule.freq !== 'week' || rule.weekdays.includes(weekday(day))
  const works = (day: number) =>
    !calendar.workDays?.length ||
    calendar.workDays.includes(weekday(day)) ||
    (rule.freq === 'week' && rule.weekdays.includes(weekday(day)))
  const open = (day: number) =>
    inSeason(toDay(day), season) &&
    works(day) &&
    !calendar.holidays.includes(toDay(day)) &&
    !calendar.taken?.has(toDay(day))
  const near = Array.from({ length: before + after + 1 }, (_, n) => target - before + n)
    .filter((day) => day >= from && day <= latest && open(day))
    .sort((a, b) => Math.abs(a - target) - Math.abs(b - target) || a - b)
  const ahead = (fits: (day: number) => boolean): number | undefined => {
    const start = Math.max(from, Math.min(target - before, latest))
    for (let day = start; day <= start + longestWaitDays; day++) if (fits(day)) return day
    return undefined
  }
  const found = near.find(wished) ?? near[0] ?? ahead((day) => open(day) && wished(day)) ?? ahead(open)
  if (found === undefined) return null
  const day = toDay(found)
  return rule.end && 'on' in rule.end && day > rule.end.on ? null : day
}
