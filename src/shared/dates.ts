/**
 * A day is a `YYYY-MM-DD` string in the business's time zone; an instant is ISO 8601 in UTC. Day arithmetic never goes through
 * a local Date, so neither the zone of the machine nor a daylight-saving night can move a day.
 */
export type Day = string

const dayMs = 86_400_000
const pattern = /^(\d{4})-(\d{2})-(\d{2})$/

const toUtc = (day: Day): number => Date.parse(`${day}T00:00:00Z`)
const fromUtc = (ms: number): Day => new Date(ms).toISOString().slice(0, 10)

/** True for a day that exists: 2026-02-29 does not. */
export const isDay = (text: string): boolean => {
  if (!pattern.test(text)) return false
  const ms = toUtc(text)
  return !Number.isNaN(ms) && fromUtc(ms) === text
}

export const addDays = (day: Day, days: number): Day => fromUtc(toUtc(day) + days * dayMs)

/** Whole days from `from` to `to`; negative when `to` is earlier. */
export const daysBetween = (from: Day, to: Day): number => Math.round((toUtc(to) - toUtc(from)) / dayMs)

/** Whether a span has a day: its first and last are of it, and one without an end lasts. */
export const covers = ({ from, to }: { from: Day; to: Day | null }, day: Day): boolean =>
  from <= day && (to === null || to >= day)

/** 0 = Sunday ... 6 = Saturday. */
export const weekdayOf = (day: Day): number => new Date(toUtc(day)).getUTCDay()

/** Monday of the week that the day is in. */
export const startOfWeek = (day: Day): Day => addDays(day, -((weekdayOf(day) + 6) % 7))

/** The same day of another month, or that month's last day when it has no such day. */
export const addMonths = (day: Day, months: number, dayOfMonth = Number(day.slice(8, 10))): Day => {
  const total = Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1 + months
  const year = Math.floor(total / 12)
  const month = total - year * 12
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  return fromUtc(Date.UTC(year, month, Math.min(dayOfMonth, last)))
}

type Shape = 'day' | 'minute' | 'wall'
const shapes: Record<Shape, [locale: string, options: Intl.DateTimeFormatOptions]> = {
  day: ['en-CA', { year: 'numeric', month: '2-digit', day: '2-digit' }],
  minute: ['en-US', { hour: 'numeric', minute: 'numeric', hourCycle: 'h23' }],
  wall: [
    'en-US',
    {
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    },
  ],
}
// Making a formatter costs a hundred times what using one does.
const formatters = new Map<string, Intl.DateTimeFormat>()
const formatter = (shape: Shape, timeZone: string): Intl.DateTimeFormat => {
  const name = `${shape} ${timeZone}`
  const known = formatters.get(name)
  if (known) return known
  const [locale, options] = shapes[shape]
  const made = new Intl.DateTimeFormat(locale, { timeZone, ...options })
  formatters.set(name, made)
  return made
}

/** The day that an instant falls on in a time zone. */
export const dayOf = (instant: Date | string | number, timeZone: string): Day =>
  formatter('day', timeZone).format(new Date(instant))

/** Minutes since midnight on the wall clock of a time zone, 0 to 1439. */
export const minuteOfDay = (instant: Date | string | number, timeZone: string): number => {
  const parts = formatter('minute', timeZone).formatToParts(new Date(instant))
  const get = (type: string) => Number(parts.find((p) => p.type === type)?.value ?? 0)
  return get('hour') * 60 + get('minute')
}

/** Offset of a zone from UTC at an instant, in milliseconds. */
const offsetMs = (ms: number, timeZone: string): number => {
  const parts = formatter('wall', timeZone).formatToParts(new Date(ms))
  const get = (type: string) => Number(parts.find((p) => p.type === type)?.value ?? 0)
  return (
    Date.UTC(get('year'), get('month') - 1, get('day'), get('hour'), get('minute'), get('second')) -
    Math.floor(ms / 1000) * 1000
  )
}

/**
 * The instant at which the wall clock of a zone shows `minute` minutes after midnight on a day. A time that the
 * daylight-saving night leaves out becomes the same span after the change; one that comes twice is the first.
 * @param minute minutes since midnight; 1440 and more run into the next day
 */
export const instantAt = (day: Day, minute: number, timeZone: string): string => {
  const wall = toUtc(day) + minute * 60_000
  const first = wall - offsetMs(wall, timeZone)
  const second = wall - offsetMs(first, timeZone)
  // Two guesses differ only around a change of the clock. The later one is right in the gap, the earlier one when the hour repeats.
  const fits = [first, second].filter((ms) => ms + offsetMs(ms, timeZone) === wall)
  return new Date(fits.length ? Math.min(...fits) : Math.max(first, second)).toISOString()
}

/** "Fri, Jun 12"; long "Friday, June 12"; with the year "Fri, Jun 12, 2026". */
export const formatDay = (day: Day, options: { long?: boolean; year?: boolean } = {}): string => {
  const date = new Date(toUtc(day))
  const named = (name = '') => (options.long ? name : name.slice(0, 3))
  const rest = `${named(monthNames[date.getUTCMonth()])} ${date.getUTCDate()}`
  return `${named(weekdayNames[date.getUTCDay()])}, ${rest}${options.year ? `, ${date.getUTCFullYear()}` : ''}`
}

/** Minutes since midnight as the wall clock reads them: 435 -> "7:15 AM". */
export const formatMinute = (minute: number): string => {
  const m = ((Math.round(minute) % 1440) + 1440) % 1440
  const hour = Math.floor(m / 60)
  return `${hour % 12 === 0 ? 12 : hour % 12}:${String(m % 60).padStart(2, '0')} ${hour < 12 ? 'AM' : 'PM'}`
}

/** An instant as the wall clock of a zone reads it: "4:35 PM". */
export const formatTime = (instant: Date | string | number, timeZone: string): string =>
  formatMinute(minuteOfDay(instant, timeZone))

/** A span of seconds in the words a crew owner uses: "3 h 12 min", "41 min". */
export const formatDuration = (seconds: number): string => {
  const minutes = Math.round(seconds / 60)
  const hours = Math.floor(minutes / 60)
  return hours === 0 ? `${minutes} min` : `${hours} h ${String(minutes % 60).padStart(2, '0')} min`
}

/** Meters as miles with one decimal: "1.2 mi". */
export const formatMiles = (meters: number): string => `${(meters / 1609.344).toFixed(1)} mi`

export const weekdayNames = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const

export const monthNames = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const

/** A day of any year: "03-01" as "March 1". */
export const monthDayText = (monthDay: string): string =>
  `${monthNames[Number(monthDay.slice(0, 2)) - 1]} ${Number(monthDay.slice(3))}`
