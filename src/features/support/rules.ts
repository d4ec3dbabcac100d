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

type Look = { area: string; times: number }

/** What was looked at in one sentence: "Customers (12 times), Invoices (once)". The most looked at stands first. */
export const looksText = (looks: readonly Look[]): string =>
  [...looks]
    .sort((a, b) => b.times - a.times || a.area.localeCompare(b.area))
    .map(({ area, times }) => `${area} (${times === 1 ? 'once' : `${times} times`})`)
    .join(', ')
