/** Days for which a position is kept. */
export const positionDays = 14

/** So many at once: a morning without a signal is sent in a few. */
export const mostAtOnce = 100

/** A phone's clock may be ahead by so much; what is further ahead is no time at all. */
const aheadMs = 120_000

type Spell = { kind: string; startedAt: string; endedAt: string | null }

/**
 * Whether a position may be kept: its person had said yes, was on the clock and on no break at that instant, and it is not older than we keep any.
 * @param at instants are ISO, `nowMs` milliseconds
 */
export const mayKeep = (at: string, since: string | null, spells: readonly Spell[], nowMs: number): boolean => {
  const ms = Date.parse(at)
  if (since === null || ms < Date.parse(since) || ms > nowMs + aheadMs || ms < nowMs - positionDays * 86_400_000)
    return false
  return spells.some(
    ({ kind, startedAt, endedAt }) =>
      kind !== 'break' && Date.parse(startedAt) <= ms && (endedAt === null || ms <= Date.parse(endedAt)),
  )
}

const feetPerMeter = 3.28084

/** How sure a place is, in words: its accuracy in meters as feet, by tens. */
export const accuracyIn = (meters: number): string =>
  `within ${Math.max(10, Math.round((meters * feetPerMeter) / 10) * 10)} ft`
