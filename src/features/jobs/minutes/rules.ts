/** Labor minutes that a visit took on site (people times minutes), and what is learned of them for the next ones. */

/** So many of the newest finished visits are looked at, at the most. */
export const visitsLookedAt = 5

/** So many of them have to agree: two say nothing of a third. */
export const leastVisits = 3

/** Older visits are of another lawn: trees grow, beds are made. */
export const lookBackDays = 365

/** So many are accepted or dismissed at once: they are one transaction, and somebody waits for it. */
export const mostAtOnce = 100

const middle = (sorted: readonly number[]): number => {
  const half = sorted.length >> 1
  return sorted.length % 2 === 1 ? (sorted[half] ?? 0) : ((sorted[half - 1] ?? 0) + (sorted[half] ?? 0)) / 2
}

/** The middle one of some numbers, or the mean of the two in the middle; 0 of none. */
export const medianOf = (values: readonly number[]): number => middle(values.toSorted((a, b) => a - b))

/** Beyond this modified z-score a value is an outlier. */
const outlierScore = 3.5
/** The median absolute deviation of a normal distribution in standard deviations. */
const normalDeviation = 0.6745
/** Within this part of the median no visit is an outlier, however alike the others are. */
const usualSpread = 0.25

/**
 * Visits without those that say nothing of the lawn: a clock that was forgotten, a tap right at the gate, one day of a storm's branches. Left out is
 * whose modified z-score, by the median and the median absolute deviation, is above 3.5, unless it lies within a quarter of the median.
 * @param minutes labor minutes on site, in any order
 * @see B. Iglewicz and D. Hoaglin, How to Detect and Handle Outliers, ASQC Quality Press 1993; NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.5.17
 */
export const withoutOutliers = (minutes: readonly number[]): number[] => {
  const center = medianOf(minutes)
  const spread = medianOf(minutes.map((one) => Math.abs(one - center)))
  const allowed = Math.max((outlierScore * spread) / normalDeviation, usualSpread * center)
  return minutes.filter((one) => Math.abs(one - center) <= allowed)
}

/**
 * What a lawn takes, by its newest visits: their median without outliers, in whole labor minutes.
 * @param minutes of the newest visits, at most five are looked at; the newest first
 * @returns null where fewer than three agree
 */
export const learnedMinutes = (
  minutes: readonly number[],
): { minutes: number; visits: number; leftOut: number } | null => {
  const looked = minutes.slice(0, visitsLookedAt)
  const kept = withoutOutliers(looked)
  if (kept.length < leastVisits) return null
  return { minutes: Math.max(1, Math.round(medianOf(kept))), visits: kept.length, leftOut: looked.length - kept.length }
}

/** Less than this is nobody's news: a day of twelve stops is right to an hour either way. */
const leastDifferenceMinutes = 5
const leastDifferenceShare = 0.15

/** Whether two numbers of labor minutes differ by so much that a day should be planned otherwise: five minutes and 15 percent of the first. */
export const differs = (from: number, to: number): boolean =>
  Math.abs(to - from) >= Math.max(leastDifferenceMinutes, leastDifferenceShare * from)

/** What somebody did not want: these minutes, instead of what was planned then. */
export type Dismissal = { learnedMinutes: number; budgetMinutes: number }

/** Whether a lawn's minutes are proposed: they differ from the planned ones, and nobody left them so. Another plan is another question. */
export const isProposed = (budgetMinutes: number, learned: number, dismissed: Dismissal | null): boolean =>
  differs(budgetMinutes, learned) &&
  (dismissed === null || dismissed.budgetMinutes !== budgetMinutes || differs(dismissed.learnedMinutes, learned))

/** Whether they would be proposed if nobody had dismissed them. */
export const isDismissed = (budgetMinutes: number, learned: number, dismissed: Dismissal | null): boolean =>
  differs(budgetMinutes, learned) && !isProposed(budgetMinutes, learned, dismissed)

/** "12 lawns". */
export const lawnsText = (n: number): string => `${n.toLocaleString('en-US')} ${n === 1 ? 'lawn' : 'lawns'}`

/** "12 lawns take longer than planned, 3 take less." Null where all are as planned. */
export const headline = ({ longer, shorter }: { longer: number; shorter: number }): string | null => {
  const more = longer > 0 ? `${lawnsText(longer)} ${longer === 1 ? 'takes' : 'take'} longer than planned` : null
  const less =
    shorter > 0
      ? `${more ? shorter.toLocaleString('en-US') : lawnsText(shorter)} ${shorter === 1 ? 'takes' : 'take'} less`
      : null
  return more || less ? `${[more, less].filter(Boolean).join(', ')}.` : null
}
