import { dayOf, formatDay, formatTime } from '../../shared/dates.ts'
import { supportVisitHours } from '../../shared/support.ts'

/** For how many hours an Owner can let support in. */
export const grantHours = [1, 4, 24, 72] as const
export type GrantHours = (typeof grantHours)[number]

export const noteMost = 500

/** How long the code from the desk is good. */
export const codeSeconds = 60

const later = (instant: string, hours: number): string =>
  new Date(Date.parse(instant) + hours * 3_600_000).toISOString()

/** When a grant ends by itself. @param grantedAt ISO instant */
export const grantEnd = (grantedAt: string, hours: GrantHours): string => later(grantedAt, hours)

/** When a visit ends by itself: with its grant, after 8 hours at the latest. Both ISO instants. */
export const visitEnd = (openedAt: string, grantExpiresAt: string): string => {
  const longest = later(openedAt, supportVisitHours)
  return Date.parse(grantExpiresAt) < Date.parse(longest) ? new Date(grantExpiresAt).toISOString() : longest
}

/** When a visit was over: left, ended with its grant, or by its own time, whichever came first; null while it goes on. */
export const visitOver = (
  visit: { endedAt: string | null; grantEndedAt: string | null; expiresAt: string },
  nowMs: number,
): string | null => {
  const ends = [visit.endedAt, visit.grantEndedAt, visit.expiresAt].filter((end) => end !== null)
  const first = ends.sort((a, b) => Date.parse(a) - Date.parse(b))[0]
  return first !== undefined && Date.parse(first) <= nowMs ? first : null
}

/** An instant as the log writes it, on the wall clock of the business: "Tue, May 5 at 9:40 PM". */
export const logText = (instant: string, timeZone: string): string =>
  `${formatDay(dayOf(instant, timeZone))} at ${formatTime(instant, timeZone)}`

/**
 * An instant on the wall clock of the business, with its day when that is not today there: "9:40 PM", "Tue, May 5 at 9:40 PM".
 * @param now ISO instant
 */
export const momentText = (instant: string, timeZone: string, now: string): string =>
  dayOf(instant, timeZone) === dayOf(now, timeZone) ? formatTime(instant, timeZone) : logText(instant, timeZone)

type AccessLogEntry = { area: string; times: number }

/** What was looked at in one sentence: "Customers (12 times), Invoices (once)". The most looked at stands first. */
export const accessLogText = (entries: readonly AccessLogEntry[]): string =>
  [...entries]
    .sort((a, b) => b.times - a.times || a.area.localeCompare(b.area))
    .map(({ area, times }) => `${area} (${times === 1 ? 'once' : `${times} times`})`)
    .join(', ')
