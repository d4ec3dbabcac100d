/**
 * Change in percent against an earlier figure, with one decimal.
 * @returns null when there was nothing to compare with: never infinity
 */
export const changePercent = (now: number, before: number): number | null =>
  before === 0 ? null : Math.round(((now - before) / before) * 1000) / 10

/**
 * What a labor hour earned: money over the man-seconds on site and on the road.
 * @returns cents per labor hour, or null before a quarter of a labor hour was worked, when the figure would only be noise
 */
export const perLaborHour = (earnedCents: number, laborSeconds: number): number | null =>
  laborSeconds < 900 ? null : Math.round(earnedCents / (laborSeconds / 3600))
