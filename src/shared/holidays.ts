import { addDays, type Day, weekdayOf } from './dates.ts'

const two = (n: number): string => String(n).padStart(2, '0')

/** The nth (from 1) weekday of a month, or its last when n is -1. */
export const nthWeekday = (year: number, month: number, weekday: number, n: number): Day => {
  const first: Day = `${year}-${two(month)}-01`
  const day = addDays(first, ((weekday - weekdayOf(first) + 7) % 7) + 7 * (Math.max(n, 1) - 1))
  if (n > 0) return day
  const last = addDays(day, 28)
  return last.slice(5, 7) === two(month) ? last : addDays(day, 21)
}

const named = (year: number): { day: Day; name: string }[] => [
  { day: `${year}-01-01`, name: "New Year's Day" },
  { day: nthWeekday(year, 1, 1, 3), name: 'Martin Luther King Jr. Day' },
  { day: nthWeekday(year, 2, 1, 3), name: "Presidents' Day" },
  { day: nthWeekday(year, 5, 1, -1), name: 'Memorial Day' },
  { day: `${year}-06-19`, name: 'Juneteenth' },
  { day: `${year}-07-04`, name: 'Independence Day' },
  { day: nthWeekday(year, 9, 1, 1), name: 'Labor Day' },
  { day: nthWeekday(year, 10, 1, 2), name: 'Columbus Day' },
  { day: `${year}-11-11`, name: 'Veterans Day' },
  { day: nthWeekday(year, 11, 4, 4), name: 'Thanksgiving' },
  { day: `${year}-12-25`, name: 'Christmas Day' },
]

/** Where a holiday falls on a weekend it is observed on the weekday beside it: Saturday's on Friday, Sunday's on Monday (5 U.S.C. 6103). */
const observed = (day: Day): Day => addDays(day, { 6: -1, 0: 1 }[weekdayOf(day)] ?? 0)

/** The name of the federal holiday that a day is or stands in for, or null. */
export const federalHoliday = (day: Day): string | null => {
  const year = Number(day.slice(0, 4))
  // New Year's Day on a Saturday is observed in the year before.
  const found = [...named(year), ...named(year + 1)].find((one) => one.day === day || observed(one.day) === day)
  return found?.name ?? null
}
