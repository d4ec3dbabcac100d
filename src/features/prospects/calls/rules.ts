import { addDays, type Day, dayOf, daysBetween, instantAt, minuteOfDay, weekdayOf } from '../../../shared/dates.ts'
import { federalHoliday } from '../../../shared/holidays.ts'

/** What a call may last, in minutes: a call of the funnel or the Setup Sprint, and a demo. */
export const callMinutes = [20, 30] as const
export type CallMinutes = (typeof callMinutes)[number]

export const callKinds = ['intro', 'sprint_1', 'sprint_2', 'demo'] as const
export type CallKind = (typeof callKinds)[number]

/** The calls that the Setup Sprint promises, in their order. */
export const sprintCalls = ['sprint_1', 'sprint_2'] as const satisfies readonly CallKind[]
export type SprintCall = (typeof sprintCalls)[number]

export const callStatuses = ['booked', 'held', 'missed', 'canceled'] as const

/** How a call is named to both sides. */
export const callTitles: Record<CallKind, string> = {
  intro: 'Call about your business',
  sprint_1: 'Setup Sprint, call 1',
  sprint_2: 'Setup Sprint, call 2',
  demo: 'Demo',
}

/** Calls begin at this spacing, counted from the start of each span of hours. */
const stepMinutes = 30

export type CallSettings = {
  /** IANA zone of the hours. */
  timeZone: string
  /** Weekday (0 = Sunday) to spans of minutes after midnight. */
  hours: Readonly<Record<string, readonly (readonly [number, number])[]>>
  /** How long before it begins a call can still be booked, in minutes. */
  noticeMinutes: number
  /** How many days ahead, from today in the zone of the hours. */
  horizonDays: number
  /** Pause after each call, in minutes. */
  bufferMinutes: number
  holidays: readonly Day[]
  /** No calls on federal holidays either. */
  restsOnHolidays: boolean
}

/** A booked call with the pause after it, as ISO instants. */
export type Busy = { startsAt: string; busyUntil: string }

/** When a call and the pause after it end, as ISO instants. */
export const endsOf = (
  startsAt: string,
  minutes: number,
  bufferMinutes: number,
): { endsAt: string; busyUntil: string } => {
  const start = Date.parse(startsAt)
  return {
    endsAt: new Date(start + minutes * 60_000).toISOString(),
    busyUntil: new Date(start + (minutes + bufferMinutes) * 60_000).toISOString(),
  }
}

/** Whether no call is offered on a day, whatever its hours say. */
export const isDayOff = ({ holidays, restsOnHolidays }: Pick<CallSettings, 'holidays' | 'restsOnHolidays'>, day: Day) =>
  holidays.includes(day) || (restsOnHolidays && federalHoliday(day) !== null)

const startsOfDay = (settings: CallSettings, day: Day, minutes: number): number[] => {
  if (isDayOff(settings, day)) return []
  return (settings.hours[String(weekdayOf(day))] ?? []).flatMap(([from, to]) => {
    const end = Date.parse(instantAt(day, to, settings.timeZone))
    const starts: number[] = []
    for (let minute = from; minute + minutes <= to; minute += stepMinutes) {
      const start = Date.parse(instantAt(day, minute, settings.timeZone))
      // On the night when the clock jumps, a minute that does not exist is no offer; neither is a call that would end past the hours.
      const exists = minuteOfDay(start, settings.timeZone) === minute && dayOf(start, settings.timeZone) === day
      if (exists && start + minutes * 60_000 <= end) starts.push(start)
    }
    return starts
  })
}

/**
 * Every time at which a call of `minutes` can begin, as ISO instants in order: inside the hours, not on a holiday, late enough to prepare, not
 * too far ahead, and apart from every booked call with its pause. Whoever looks in another zone sees the same instants.
 */
export const freeSlots = (settings: CallSettings, busy: readonly Busy[], minutes: number, now: Date): string[] => {
  const today = dayOf(now, settings.timeZone)
  const earliest = now.getTime() + settings.noticeMinutes * 60_000
  const taken = busy.map(({ startsAt, busyUntil }) => [Date.parse(startsAt), Date.parse(busyUntil)] as const)
  const spanMs = (minutes + settings.bufferMinutes) * 60_000
  const free = Array.from({ length: settings.horizonDays + 1 }, (_, ahead) => addDays(today, ahead))
    .flatMap((day) => startsOfDay(settings, day, minutes))
    .filter((start) => start >= earliest && taken.every(([from, until]) => start >= until || start + spanMs <= from))
  return [...new Set(free)].sort((a, b) => a - b).map((start) => new Date(start).toISOString())
}

/** Spans of hours that make sense: weekdays 0 to 6, minutes of a day, in order and apart. */
export const hoursProblem = (hours: CallSettings['hours']): string | null => {
  for (const [weekday, spans] of Object.entries(hours)) {
    if (!/^[0-6]$/.test(weekday)) return 'Days are numbered from 0 (Sunday) to 6.'
    let last = -1
    for (const [from, to] of spans) {
      if (!Number.isInteger(from) || !Number.isInteger(to) || from < 0 || to > 1440)
        return 'Hours lie between 0:00 and 24:00.'
      if (to <= from) return 'Hours end after they begin.'
      if (from < last) return 'Hours of one day follow each other.'
      last = to
    }
  }
  return null
}

/** Every day from one to another, both with; none when they stand the wrong way round. */
export const daysOfSpan = (from: Day, to: Day): Day[] =>
  Array.from({ length: Math.max(0, daysBetween(from, to) + 1) }, (_, ahead) => addDays(from, ahead))

/** As many days without calls as can be added in one go. */
const longestSpan = 100

/** Why days cannot be taken out of the call hours, or null: the first may not be over, and the last not before it. */
export const spanProblem = (from: Day | null, to: Day | null, today: Day): string | null => {
  if (!from) return null
  if (from < today) return 'This day is over.'
  if (!to) return null
  if (to < from) return 'The last day comes before the first.'
  return daysBetween(from, to) >= longestSpan ? `At most ${longestSpan} days at once.` : null
}

/** Days as spans that have no gap, in order: how a list of days is shown. */
export const spansOf = (days: readonly Day[]): { from: Day; to: Day }[] => {
  const spans: { from: Day; to: Day }[] = []
  for (const day of [...new Set(days)].sort()) {
    const last = spans.at(-1)
    if (last && addDays(last.to, 1) === day) last.to = day
    else spans.push({ from: day, to: day })
  }
  return spans
}

/** Of the calls with one lead the one that stands for a kind: booked or held, the latest. One whose time went by unmarked does not stand. */
export const standingCall = <C extends { kind: string; status: string; startsAt: string; endsAt: string }>(
  calls: readonly C[],
  kind: CallKind,
  now: string,
): C | null =>
  calls
    .filter((call) => call.kind === kind && (call.status === 'held' || (call.status === 'booked' && call.endsAt > now)))
    .toSorted((a, b) => (a.startsAt < b.startsAt ? 1 : -1))[0] ?? null

/** Why a call of the Setup Sprint cannot be booked at an instant, or null. Call 2 follows call 1, whether that took place already or not. */
export const sprintCallProblem = (
  kind: SprintCall,
  startsAt: string,
  calls: readonly { kind: string; status: string; startsAt: string; endsAt: string }[],
  now: string,
): string | null => {
  const first = standingCall(calls, 'sprint_1', now)
  const second = standingCall(calls, 'sprint_2', now)
  const held = kind === 'sprint_1' ? first : second
  if (held?.status === 'held') return `${callTitles[kind]} has taken place already. Nothing was changed.`
  if (kind === 'sprint_1')
    return second && startsAt >= second.startsAt
      ? 'Call 1 comes before call 2. Choose an earlier time; nothing was changed.'
      : null
  if (!first) return 'Book call 1 first: the 14 days begin with it. Nothing was changed.'
  return startsAt < first.endsAt ? 'Call 2 comes after call 1. Choose a later time; nothing was changed.' : null
}
