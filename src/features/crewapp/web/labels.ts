import { type Day, daysBetween, formatDuration, formatMiles, formatMinute, formatTime } from '../../../shared/dates.ts'
import type { StripStop } from '../../../ui/stripLayout.ts'
import type { Clock } from '../../timeclock/contract.ts'
import { fullMinuteSeconds } from '../../timeclock/rules.ts'
import { isSkipReason, stripState } from '../../visits/rules.ts'
import type { CrewDayPlan, CrewStop } from '../contract.ts'
import { driveMinutes, plannedMinutes } from '../figures/rules.ts'
import type { Language, Texts } from './texts.ts'

/** "2:55" of a minute of the day: a crew knows morning from afternoon. */
export const shortTime = (minute: number): string => formatMinute(minute).replace(/ [AP]M$/, '')

/** A time that stays with its AM or PM: torn from it over two lines it is read wrong. */
export const unbroken = (time: string): string => time.replaceAll(' ', '\u00a0')

export const timeOf = formatTime
export const spanOf = formatDuration

export { plannedMinutes, workedMinutes } from '../figures/rules.ts'

type ClockNow = Pick<Clock, 'state' | 'since' | 'clockedInAt' | 'entries' | 'week'>

/** How the clock stands: since when, and how much that makes; of the day, where somebody clocked out and came back. */
export const clockLabel = (
  { clock, now, timeZone, today }: { clock: ClockNow | null; now: number; timeZone: string; today: Day },
  t: Texts,
): string => {
  if (!clock) return ''
  if (clock.state === 'off') return t.offClock
  if (clock.state === 'break') return t.onBreak(spanOf(fullMinuteSeconds(now, Date.parse(clock.since ?? ''))))
  const worked = clock.week.days.find((d) => d.day === today)?.workSeconds ?? 0
  const since = clock.clockedInAt ?? clock.since
  const isBack = clock.entries.some(
    ({ kind, endedAt }) =>
      kind !== 'break' && endedAt !== null && since !== null && Date.parse(endedAt) < Date.parse(since),
  )
  const words = isBack ? t.clockedInAgain : t.clockedIn
  // full minutes, as the clock below counts them
  return words(timeOf(since ?? now, timeZone), spanOf(Math.floor(worked / 60) * 60))
}

/** What is done at a stop, in the language of who reads it. */
export const servicesOf = (
  { language }: { language: Language },
  stop: Pick<CrewStop, 'services' | 'servicesEs'>,
): string => ((language === 'es' && stop.servicesEs) || stop.services).join(', ')

/** Stops that count: what the office canceled does not. */
export const countedStops = (plan: CrewDayPlan): CrewStop[] => plan.stops.filter((s) => s.status !== 'canceled')

/** The number of a stop among those that count; one that the office canceled has none. */
export const stopNumber = (plan: CrewDayPlan, stop: CrewStop): number | null =>
  stop.status === 'canceled' ? null : countedStops(plan).findIndex(({ id }) => id === stop.id) + 1 || null

export const stripStops = (plan: CrewDayPlan): StripStop[] =>
  countedStops(plan).map((stop) => ({
    id: stop.id,
    label: stop.street,
    minutes: Math.max(4, plannedMinutes(stop)),
    driveMinutesBefore: driveMinutes(stop),
    state: stripState(stop.status),
    detail: stop.customer,
  }))

/** "1.2 mi · 4 min", or null when nothing is known of the way. */
export const locationLabel = (stop: CrewStop): string | null => {
  const parts = [
    stop.driveMeters !== null && stop.driveMeters > 80 ? formatMiles(stop.driveMeters) : null,
    stop.driveSeconds !== null ? `${Math.max(1, driveMinutes(stop))} min` : null,
  ].filter(Boolean)
  return parts.length ? parts.join(' · ') : null
}

/** A reason for skipping in the person's language; one of the business's own is its own words. */
export const skipLabel = (
  { code, nameEs }: { code: string; nameEs: string },
  { t, language }: { t: Texts; language: Language },
): string => (isSkipReason(code) ? t.skipReasons[code] : language === 'es' && nameEs ? nameEs : code)

/** When a customer wants it, or null. */
export const windowLabel = (stop: CrewStop, t: Texts): string | null => {
  const [from, to] = [stop.windowStartMinute, stop.windowEndMinute]
  if (from !== null && to !== null) return t.between(formatMinute(from), formatMinute(to))
  if (to !== null) return t.before(formatMinute(to))
  return from === null ? null : t.after(formatMinute(from))
}

/** "Today", "Tomorrow", then the weekday in the person's language. */
export const dayLabel = (day: Day, today: Day, t: Texts): string => {
  const away = daysBetween(today, day)
  if (away === 0) return t.today
  if (away === 1) return t.tomorrow
  const date = new Date(`${day}T12:00:00Z`)
  return new Intl.DateTimeFormat(t.locale, { timeZone: 'UTC', weekday: 'long', day: 'numeric', month: 'long' }).format(
    date,
  )
}

/** "Fri, Jun 12", and "vie, 12 de jun" for who reads Spanish. */
export const shortDay = (day: Day, t: Texts): string =>
  new Intl.DateTimeFormat(t.locale, { timeZone: 'UTC', weekday: 'short', day: 'numeric', month: 'short' }).format(
    new Date(`${day}T12:00:00Z`),
  )

export const addressOf = (stop: CrewStop): string =>
  [[stop.street, stop.unit].filter(Boolean).join(' '), stop.city, [stop.state, stop.zip].filter(Boolean).join(' ')]
    .filter(Boolean)
    .join(', ')
