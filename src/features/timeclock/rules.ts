import { addDays, type Day, dayOf, instantAt, isDay, startOfWeek } from '../../shared/dates.ts'

/** Time on the clock: whole seconds are kept, rounding is a matter of the payroll's view. */

/** What a spell on the clock is: `work` is at the stops and between them, `shop` in the yard, `rain` waiting it out. Only a break is not work. */
export const entryKinds = ['work', 'break', 'shop', 'rain'] as const
export type EntryKind = (typeof entryKinds)[number]

/** What a phone does with the clock. */
export const clockActions = ['clock_in', 'clock_out', 'break_start', 'break_end', 'switch'] as const
export type ClockAction = (typeof clockActions)[number]

/** What a person does on the phone after work as well: written words, weeks and receipts. Whatever else they do there is work, also what is added later. */
export const offClockTaps = ['submit_week', 'ask_week', 'chat', 'hand_in', 'note_quote'] as const

export type ClockEntry = {
  id: string
  kind: EntryKind
  startedAt: string
  endedAt: string | null
  flagged: string | null
}

/** Whether somebody is at work, on a break or off, and since when. */
export type ClockState = { state: 'off' | 'working' | 'break'; since: string | null }

/** Above this a person has forgotten to clock out: nobody mows 14 hours. */
export const forgottenAfterHours = 14

/** A phone whose clock is further off than this is said so; below it nobody cares. */
export const skewLimitSeconds = 120

/** A paid break by US rule: up to 20 minutes counts as work. */
export const paidBreakSeconds = 20 * 60

export const clockStateOf = (entries: readonly ClockEntry[]): ClockState => {
  const open = entries.find((e) => e.endedAt === null)
  if (!open) return { state: 'off', since: null }
  return { state: open.kind === 'break' ? 'break' : 'working', since: open.startedAt }
}

const secondsOf = (entry: Pick<ClockEntry, 'startedAt' | 'endedAt'>, nowMs: number): number =>
  Math.max(0, Math.round(((entry.endedAt ? Date.parse(entry.endedAt) : nowMs) - Date.parse(entry.startedAt)) / 1000))

/** How long a spell is read as, in place of what was clocked: a view of the payroll, which moves no spell to another day and makes no break longer. */
export type ReadAs = (entry: ClockEntry) => Pick<ClockEntry, 'startedAt' | 'endedAt'>

/** Seconds at work and on breaks up to an instant. Short breaks are paid, so they count as work too. */
export const sumEntries = (
  entries: readonly ClockEntry[],
  nowMs: number,
  readAs: ReadAs = (entry) => entry,
): { workSeconds: number; breakSeconds: number; paidSeconds: number } => {
  let [workSeconds, breakSeconds, paidSeconds] = [0, 0, 0]
  for (const entry of entries) {
    const seconds = secondsOf(readAs(entry), nowMs)
    if (entry.kind === 'break') breakSeconds += seconds
    else workSeconds += seconds
    if (entry.kind !== 'break' || secondsOf(entry, nowMs) <= paidBreakSeconds) paidSeconds += seconds
  }
  return { workSeconds, breakSeconds, paidSeconds }
}

export type WeekDay = { day: Day; workSeconds: number; breakSeconds: number; paidSeconds: number }

/** The seven days of a week from Monday, an entry on the day on which it began. */
export const weekOf = (
  entries: readonly ClockEntry[],
  anyDay: Day,
  timeZone: string,
  nowMs: number,
  readAs?: ReadAs,
): { from: Day; to: Day; days: WeekDay[]; paidSeconds: number } => {
  const from = startOfWeek(anyDay)
  const days = Array.from({ length: 7 }, (_, i) => {
    const day = addDays(from, i)
    return {
      day,
      ...sumEntries(
        entries.filter((e) => dayOf(e.startedAt, timeZone) === day),
        nowMs,
        readAs,
      ),
    }
  })
  return { from, to: addDays(from, 6), days, paidSeconds: days.reduce((sum, d) => sum + d.paidSeconds, 0) }
}

/** What lies this close together is one run: a switch of the clock ends and begins in the same moment, by two clocks not quite. */
const runGapMs = 60_000

/** When today's last run of work began: breaks between do not start it anew, clocking out does. */
export const clockedInSince = (
  entries: readonly Pick<ClockEntry, 'kind' | 'startedAt' | 'endedAt'>[],
  day: Day,
  timeZone: string,
): string | null => {
  let since: string | null = null
  let endMs = Number.NEGATIVE_INFINITY
  const ofDay = entries.filter((e) => dayOf(e.startedAt, timeZone) === day)
  for (const { kind, startedAt, endedAt } of ofDay.sort((a, b) => Date.parse(a.startedAt) - Date.parse(b.startedAt))) {
    if (Date.parse(startedAt) - endMs > runGapMs) since = null
    if (kind !== 'break') since ??= startedAt
    endMs = Math.max(endMs, endedAt === null ? Number.POSITIVE_INFINITY : Date.parse(endedAt))
  }
  return since
}

/**
 * Where an entry that nobody ended stops: at the end of the shift or at the last thing its person did on the phone, whichever is later, and never
 * before it began or after now.
 */
export const forgottenEnd = (input: {
  startedAt: string
  shiftEnd: string
  lastCommandAt: string | null
  now: string
}): string => {
  const candidates = [input.shiftEnd, ...(input.lastCommandAt ? [input.lastCommandAt] : []), input.startedAt]
  const latest = Math.max(...candidates.map(Date.parse))
  return new Date(Math.min(latest, Date.parse(input.now))).toISOString()
}

/** A day that a clock can show; a forged or broken one is told so before anything counts with it. */
export const isClockDay = (text: string): boolean => isDay(text) && text >= '2000-01-01' && text < '2100-01-01'

/** An instant that a phone can show: one with an empty battery begins in 1970. */
export const isClockInstant = (text: string): boolean => {
  const ms = Date.parse(text)
  return ms >= 0 && ms < Date.UTC(2100, 0)
}

/** What the clock marks a spell with. `late_open` came in late and waits for its end: it has no length until that comes. */
export type EntryFlag = 'forgotten' | 'adjusted' | 'skew' | 'late' | 'late_open'

/** Whether an end can be that of a beginning: nobody works longer. */
export const isOnePair = (startedAt: string, at: string): boolean => {
  const ms = Date.parse(at) - Date.parse(startedAt)
  return ms >= 0 && ms <= forgottenAfterHours * 3600_000
}

/** The parts of a span that nothing else covers, in order; milliseconds. */
export const freeParts = (
  span: readonly [from: number, to: number],
  taken: readonly (readonly [from: number, to: number])[],
): [number, number][] => {
  let [at, to] = span
  const parts: [number, number][] = []
  for (const [from, until] of [...taken].sort((a, b) => a[0] - b[0])) {
    if (from > at && at < to) parts.push([at, Math.min(from, to)])
    at = Math.max(at, until)
  }
  if (at < to) parts.push([at, to])
  return parts
}

/**
 * When somebody stopped who says a time of the clock afterwards: on the day of the start, or after midnight. Null when it cannot be.
 * @param minute of the day
 */
export const saidEnd = (startedAt: string, minute: number, timeZone: string, nowMs: number): string | null => {
  const day = dayOf(startedAt, timeZone)
  const ends = [day, addDays(day, 1)].map((one) => instantAt(one, minute, timeZone))
  const end = ends.find((one) => Date.parse(one) > Date.parse(startedAt))
  return end && isOnePair(startedAt, end) && Date.parse(end) <= nowMs ? end : null
}

/**
 * Seconds of the full minutes of a span in milliseconds: what runs is never ahead of the clock above it. A screen looks at the clock now and then, so
 * its now may be a moment before what has just begun: that is nothing yet, and never less.
 */
export const fullMinuteSeconds = (endMs: number, startMs: number): number =>
  Math.max(0, Math.floor((endMs - startMs) / 60_000)) * 60
