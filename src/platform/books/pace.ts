import { setTimeout as pause } from 'node:timers/promises'

// Intuit takes 10 requests a second of one company and 500 a minute: a gap between them keeps both, and nobody is turned away to begin with.

/** Between two requests for the same company. */
export const gapMs = 120

/**
 * Says when the next request for a company may leave.
 * @returns for a company and an instant, how long to wait from then
 */
export const pacer = (gap: number) => {
  const free = new Map<string, number>()
  return (realmId: string, nowMs: number): number => {
    // what was long ago is forgotten, so that the list is as long as what is asked at the moment
    for (const [realm, at] of free) if (at <= nowMs) free.delete(realm)
    const at = Math.max(nowMs, free.get(realmId) ?? 0)
    free.set(realmId, at + gap)
    return at - nowMs
  }
}

const waitOf = pacer(gapMs)

/** Waits for the company's turn: requests of one company leave one after the other, whoever asks for them. */
export const takeTurn = async (realmId: string): Promise<void> => {
  const ms = waitOf(realmId, performance.now())
  if (ms > 0) await pause(ms)
}
