import type { Day } from '../../../shared/dates.ts'
import { sumEntries, type WeekDay, weekOf } from '../rules.ts'
import type { Entry } from './data.ts'

/** One person's week as a row. */
export type Sheet = {
  userId: string
  name: string
  crews: string[]
  days: WeekDay[]
  paidSeconds: number
  breakSeconds: number
  flags: number
  open: boolean
  entries: Entry[]
}

/** The entries of a week by person, in the order of names. */
export const sheetsOf = (entries: readonly Entry[], from: Day, timeZone: string, nowMs: number): Sheet[] =>
  [...Map.groupBy(entries, (entry) => entry.userId).values()]
    .map((own): Sheet => {
      const week = weekOf(own, from, timeZone, nowMs)
      return {
        userId: own[0]!.userId,
        name: own[0]!.name,
        crews: [...new Set(own.flatMap((entry) => entry.crewName ?? []))],
        days: week.days,
        paidSeconds: week.paidSeconds,
        breakSeconds: sumEntries(own, nowMs).breakSeconds,
        flags: own.filter((entry) => entry.flagged !== null).length,
        open: own.some((entry) => entry.endedAt === null),
        entries: own,
      }
    })
    .sort((a, b) => a.name.localeCompare(b.name))

/** "7:45" for seven hours and three quarters; empty for nothing. */
export const hours = (seconds: number): string => {
  const minutes = Math.round(seconds / 60)
  return minutes === 0 ? '' : `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`
}
