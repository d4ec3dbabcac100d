import { addDays, type Day, dayOf, startOfWeek } from '../../shared/dates.ts'

/** Time on the clock: whole seconds are kept, rounding is a matter of the payroll's view. */

/** What a spell on the clock is: `work` is at the stops and between them, `shop` in the yard, `rain` waiting it out. Only a break is not work. */
export const entryKinds = ['work', 'break', 'shop', 'rain'] as const
export type EntryKind = (typeof entryKinds)[number]

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

/** Seconds at work and on breaks up to an instant. Short breaks are paid, so they count as work too. */
export const sumEntries = (
  entries: readonly ClockEntry[],
  nowMs: number,
): { workSeconds: number; breakSeconds: number; paidSeconds: number } => {
  let [workSeconds, breakSeconds, paidSeconds] = [0, 0, 0]
  for (const entry of entries) {
    const seconds = secondsOf(entry, nowMs)
    if (entry.kind === 'break') breakSeconds += seconds
    else workSeconds += seconds
    if (entry.kind !== 'break' || seconds <= paidBreakSeconds) paidSeconds += seconds
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
): { from: Day; to: Day; days: WeekDay[]; paidSeconds: number } => {
  const from = startOfWeek(anyDay)
  const days = Array.from({ length: 7 }, (_, i) => {
    const day = addDays(from, i)
    return {
      day,
      ...sumEntries(
        entries.filter((e) => dayOf(e.startedAt, timeZone) === day),
        nowMs,
      ),
    }
  })
  return { from, to: addDays(from, 6), days, paidSeconds: days.reduce((sum, d) => sum + d.paidSeconds, 0) }
}

/** When the first piece of work of today's run began: breaks between do not start it anew. */
export const clockedInSince = (entries: readonly ClockEntry[], day: Day, timeZone: string): string | null =>
  entries
    .filter((e) => e.kind !== 'break' && dayOf(e.startedAt, timeZone) === day)
    .map((e) => e.startedAt)
    .sort()[0] ?? null

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

/** Seconds of the full minutes of a span in milliseconds: what runs is never ahead of the clock above it. */
export const fullMinuteSeconds = (endMs: number, startMs: number): number => Math.floor((endMs - startMs) / 60_000) * 60
