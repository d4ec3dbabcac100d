import { addDays, type Day, weekdayOf } from '../../shared/dates.ts'

/** What the estimator takes for usual roads, in seconds for the first kilometer by the crow. */
export const usualDriveFactor = 180
/** How much longer roads are than the crow flies. */
const circuity = 1.4
const kmPerMile = 1.609_344

/** What a drive over so many road miles counts as, in minutes; the same curve as the route engine's estimate. */
export const driveExampleMinutes = (roadMiles: number, factorSeconds: number, exponent: number): number =>
  Math.round((factorSeconds * ((roadMiles * kmPerMile) / circuity) ** exponent) / 60)

const usualExponent = 0.66

/** The estimate's exponent from how much longer twice the distance takes, within the limits of the setting. */
export const exponentOf = (twice: number | null): number =>
  twice === null || twice <= 0 ? usualExponent : Math.min(1.2, Math.max(0.3, Math.round(Math.log2(twice) * 100) / 100))

const two = (n: number): string => String(n).padStart(2, '0')
/** The nth (from 1) weekday of a month, or its last when n is -1. */
const nthWeekday = (year: number, month: number, weekday: number, n: number): Day => {
  const first: Day = `${year}-${two(month)}-01`
  const day = addDays(first, ((weekday - weekdayOf(first) + 7) % 7) + 7 * (Math.max(n, 1) - 1))
  if (n > 0) return day
  const last = addDays(day, 28)
  return last.slice(5, 7) === two(month) ? last : addDays(day, 21)
}

/** The holidays on which most US crews stay home. */
export const usualHolidays = (year: number): { day: Day; name: string }[] => [
  { day: `${year}-01-01`, name: "New Year's Day" },
  { day: nthWeekday(year, 5, 1, -1), name: 'Memorial Day' },
  { day: `${year}-07-04`, name: 'Independence Day' },
  { day: nthWeekday(year, 9, 1, 1), name: 'Labor Day' },
  { day: nthWeekday(year, 11, 4, 4), name: 'Thanksgiving' },
  { day: `${year}-12-25`, name: 'Christmas Day' },
]

/** What is wrong with an address of a public page, in words, or null. */
export const slugProblem = (text: string): string | null => {
  const slug = text.trim().toLowerCase()
  if (slug.length < 3 || slug.length > 50) return 'Three to 50 characters'
  if (!/^[a-z0-9-]+$/.test(slug)) return 'Small letters, digits and dashes only'
  return /^-|-$/.test(slug) ? 'It begins and ends with a letter or digit' : null
}

/** What an hour of one person really costs: wage and what is paid on top. Cents. */
export const loadedWageCents = (wageCents: number, burdenPercent: number): number =>
  Math.round((wageCents * (100 + burdenPercent)) / 100)
