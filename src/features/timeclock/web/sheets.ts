import { type Day, dayOf } from '../../../shared/dates.ts'
import { sumEntries } from '../rules.ts'
import type { OfficeEntry } from './data.ts'

export type Sheet = {
  userId: string
  name: string
  paidSeconds: number
  flags: number
  isOpen: boolean
  byDay: Map<Day, { paidSeconds: number; entries: OfficeEntry[] }>
}

/** Entries as one sheet a person, an entry on the day on which it began; by name. */
export const sheetsOf = (entries: readonly OfficeEntry[], timeZone: string, nowMs: number): Sheet[] => {
  const people = Map.groupBy(entries, (entry) => entry.userId)
  return [...people]
    .map(([userId, own]) => {
      const days = Map.groupBy(own, (entry) => dayOf(entry.startedAt, timeZone))
      return {
        userId,
        name: own[0]?.name ?? '',
        paidSeconds: sumEntries(own, nowMs).paidSeconds,
        flags: own.filter((entry) => entry.flagged).length,
        isOpen: own.some((entry) => entry.endedAt === null),
        byDay: new Map(
          [...days].map(([day, list]) => [
            day,
            {
              paidSeconds: sumEntries(list, nowMs).paidSeconds,
              entries: list.toSorted((a, b) => (a.startedAt < b.startedAt ? -1 : 1)),
            },
          ]),
        ),
      }
    })
    .sort((a, b) => a.name.localeCompare(b.name))
}

/** Hours with two decimals as payroll reads them: "7.75"; nothing is a dash. */
export const hoursText = (seconds: number): string => (seconds === 0 ? '–' : (seconds / 3600).toFixed(2))
