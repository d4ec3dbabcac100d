/** What is sent within this time is not worth a word: it would only flash after every tap. */
export const graceMs = 2_000

type Item = { state: string; queuedAt: number; notBefore?: number }

/**
 * How many of what waits on this phone its person should hear of, and when that changes by itself (milliseconds, null for never). With a
 * signal what was just done, or can still be undone, leaves in a moment. Without one everything counts at once.
 */
export const waitingOf = (
  items: readonly Item[],
  canSend: boolean,
  nowMs: number,
): { count: number; changesAt: number | null } => {
  const waiting = items.filter((item) => item.state === 'waiting')
  if (!canSend) return { count: waiting.length, changesAt: null }
  const lateAt = waiting.map(({ queuedAt, notBefore = 0 }) => Math.max(queuedAt, notBefore) + graceMs)
  const coming = lateAt.filter((at) => at > nowMs)
  return { count: lateAt.length - coming.length, changesAt: coming.length > 0 ? Math.min(...coming) : null }
}
