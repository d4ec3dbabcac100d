/**
 * Change in percent against an earlier figure, with one decimal.
 * @returns null when there was nothing to compare with: never infinity
 */
export const changePercent = (now: number, before: number): number | null =>
  before === 0 ? null : Math.round(((now - before) / before) * 1000) / 10

/**
 * What a man-hour earned: money over the man-seconds on site and on the road.
 * @returns cents per man-hour, or null before a quarter of a man-hour was worked, when the figure would only be noise
 */
export const perManHour = (earnedCents: number, manSeconds: number): number | null =>
  manSeconds < 900 ? null : Math.round(earnedCents / (manSeconds / 3600))
