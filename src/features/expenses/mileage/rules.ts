import type { Day } from '../../../shared/dates.ts'

/**
 * The IRS standard mileage rate for business, in tenths of a cent a mile, from a day on. Sources: IRS Notices 2022-03 and Announcement 2022-13, 2023-03,
 * 2024-08, 2025-5 and 2026-10. A new year is a new row; until it stands here the last one is used and said to be.
 */
export const irsRates: readonly { from: Day; tenthCents: number }[] = [
  { from: '2022-01-01', tenthCents: 585 },
  { from: '2022-07-01', tenthCents: 625 },
  { from: '2023-01-01', tenthCents: 655 },
  { from: '2024-01-01', tenthCents: 670 },
  { from: '2025-01-01', tenthCents: 700 },
  { from: '2026-01-01', tenthCents: 725 },
]

/** The rate of a day, in tenths of a cent a mile; null before the table begins. `known` is false in a year that it has no row for. */
export const irsRateOn = (day: Day): { tenthCents: number; known: boolean } | null => {
  const rate = irsRates.findLast(({ from }) => from <= day)
  const last = irsRates.at(-1)
  return rate
    ? { tenthCents: rate.tenthCents, known: rate !== last || day.slice(0, 4) === rate.from.slice(0, 4) }
    : null
}

/** What so many tenths of a mile come to, in cents, rounded half up. */
export const mileageCents = (tenthMiles: number, tenthCents: number): number =>
  Math.round((tenthMiles * tenthCents) / 100)

const metersPerTenthMile = 160.9344

/** Meters in tenths of a mile. */
export const tenthMilesOf = (meters: number): number => Math.round(meters / metersPerTenthMile)

/** "72.5¢" */
export const rateText = (tenthCents: number): string => `${(tenthCents / 10).toFixed(tenthCents % 10 === 0 ? 0 : 1)}¢`

/** "128.4" of tenths. */
export const milesText = (tenthMiles: number): string =>
  (tenthMiles / 10).toLocaleString('en-US', { minimumFractionDigits: 1, maximumFractionDigits: 1 })
