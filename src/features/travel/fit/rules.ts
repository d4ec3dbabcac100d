/** Factor and exponent of the estimate (seconds = factor x km^exponent), fitted to the drives that crews clocked. */

/** One drive: as the crow flies, and by the clock without what the crew's trailer adds. */
export type Clocked = { km: number; seconds: number }
export type TravelModel = { factorSeconds: number; exponent: number }

/** So many drives before anything is suggested. */
export const enoughDrives = 40
export const factorRange = [30, 1200] as const
export const exponentRange = [0.3, 1.2] as const

const shortestKm = 0.15
const longestKm = 80
const shortestSeconds = 30
const longestSeconds = 2 * 3600
/** More than that on average is a lunch, less is a phone that was tapped too late. */
const fastestKmh = 110

/** Drives that can be drives: no lunch of two hours, no jump, no next door. */
export const plausible = (drives: readonly Clocked[]): Clocked[] =>
  drives.filter(
    ({ km, seconds }) =>
      km >= shortestKm &&
      km <= longestKm &&
      seconds >= shortestSeconds &&
      seconds <= longestSeconds &&
      km / (seconds / 3600) <= fastestKmh,
  )

const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const half = sorted.length >> 1
  return sorted.length % 2 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2
}

const clamp = (value: number, [least, most]: readonly [number, number]): number =>
  Math.min(most, Math.max(least, value))

/** Slopes grow with the square; this many drives, taken evenly, are as good. */
const mostForSlopes = 500
/** Drives that are all about as long say nothing of the exponent. */
const enoughSpread = Math.log(2.5)

/** What a drive of so many kilometers counts as, in seconds. */
export const driveSeconds = ({ factorSeconds, exponent }: TravelModel, km: number): number =>
  factorSeconds * km ** exponent

/** Median error of the estimate against the clock, in percent. */
export const errorPercent = (travelModel: TravelModel, drives: readonly Clocked[]): number =>
  Math.round(
    median(drives.map(({ km, seconds }) => (Math.abs(driveSeconds(travelModel, km) - seconds) / seconds) * 100)),
  )

/**
 * The roads that fit the drives best, by the medians of slopes and rests of their logarithms (Theil and Sen): a quarter of the drives may be lunches and forgotten
 * taps without moving the line. Null when there are too few drives.
 * @param now what counts today; its exponent stays when all drives are about as long
 */
export const fitTravelModel = (drives: readonly Clocked[], now: TravelModel): TravelModel | null => {
  const good = plausible(drives)
  if (good.length < enoughDrives) return null
  const points = good.map(({ km, seconds }) => [Math.log(km), Math.log(seconds)] as const)
  const sorted = points.toSorted((a, b) => a[0] - b[0])
  const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))]![0]
  let exponent = now.exponent
  if (at(0.9) - at(0.1) >= enoughSpread) {
    const step = Math.max(1, Math.ceil(sorted.length / mostForSlopes))
    const some = sorted.filter((_, i) => i % step === 0)
    const slopes: number[] = []
    for (const [i, [x, y]] of some.entries())
      for (let j = 0; j < i; j++) {
        const run = x - some[j]![0]
        if (run > 0.2) slopes.push((y - some[j]![1]) / run)
      }
    if (slopes.length > 0) exponent = clamp(median(slopes), exponentRange)
  }
  exponent = Math.round(exponent * 100) / 100
  const factor = Math.exp(median(points.map(([x, y]) => y - exponent * x)))
  return { factorSeconds: Math.round(clamp(factor, factorRange)), exponent }
}

/** A suggestion is worth a person's time when it halves into the error by this many points. */
const worthPercent = 2

/** What to suggest, or null when the settings are as good. */
export const suggestTravelModel = (
  drives: readonly Clocked[],
  now: TravelModel,
): (TravelModel & { errorBefore: number; errorAfter: number }) | null => {
  const good = plausible(drives)
  const fit = fitTravelModel(good, now)
  if (!fit) return null
  const [errorBefore, errorAfter] = [errorPercent(now, good), errorPercent(fit, good)]
  return errorBefore - errorAfter >= worthPercent ? { ...fit, errorBefore, errorAfter } : null
}
