import { isTourPath } from '../../../shared/tour.ts'
import type { SheetChange, SheetDetail } from '../../timeclock/sheets/contract.ts'

export type WeekNewsKind = 'approved' | 'returned' | 'reopened' | 'answered' | 'corrected'

const kindOf: Partial<Record<SheetChange['action'], WeekNewsKind>> = {
  approved: 'approved',
  returned: 'returned',
  reopened: 'reopened',
  answered: 'answered',
  added: 'corrected',
  changed: 'corrected',
  removed: 'corrected',
}

export type WeekNews = { week: string; kind: WeekNewsKind; reason: string; at: string }

/** A phone that never looked begins with what is this young. */
const firstLookMs = 7 * 86_400_000

/**
 * What others did to one's weeks since they were looked at, a week once, by the last of it. A week that was sent back stays until it is handed in.
 * @param seenAt instant of the newest change that was looked at; null for never
 */
export const weekNews = (
  sheets: readonly Pick<SheetDetail, 'week' | 'status' | 'reason' | 'changes'>[],
  seenAt: string | null,
  nowMs: number,
): WeekNews[] => {
  const sinceMs = seenAt === null ? nowMs - firstLookMs : Date.parse(seenAt)
  return sheets.flatMap(({ week, status, reason, changes }): WeekNews[] => {
    const [last] = changes.filter(({ action }) => kindOf[action] !== undefined)
    if (status === 'returned') return [{ week, kind: 'returned', reason, at: last?.at ?? '' }]
    const kind = last && kindOf[last.action]
    return last && kind && Date.parse(last.at) > sinceMs ? [{ week, kind, reason: last.reason, at: last.at }] : []
  })
}

const keyOf = (userId: string): string => `swath-weeks-seen:${userId}`

/** When the newest change was that this person looked at on this phone. */
export const seenWeeksAt = (userId: string): string | null => {
  try {
    return localStorage.getItem(keyOf(userId))
  } catch {
    return null
  }
}

/** What is on the screen now has been seen. */
export const noteWeeksSeen = (userId: string, sheets: readonly Pick<SheetDetail, 'changes'>[]): void => {
  if (isTourPath(window.location.pathname)) return
  const newest = sheets
    .flatMap(({ changes }) => changes.map(({ at }) => at))
    .sort()
    .at(-1)
  try {
    if (newest && newest > (seenWeeksAt(userId) ?? '')) localStorage.setItem(keyOf(userId), newest)
  } catch {
    // A full phone says it again.
  }
}
