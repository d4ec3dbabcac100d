import { countUnsentOf } from '../../web/store.ts'

/** What a phone holds of a person that the office has not: counted before they sign out, also where the app is not loaded. */

const quoteOf = 'swath.draft.crew-quote.'

/** A quote that was noted at a stop and not sent counts as one thing, with all that is in it. */
export const unsentNotes = (userId: string): number => {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(quoteOf + userId) ?? 'null')
    if (kept === null || typeof kept !== 'object') return 0
    const holds = (value: unknown): boolean =>
      Array.isArray(value)
        ? value.length > 0
        : value !== null && typeof value === 'object'
          ? Object.keys(value).length > 0
          : typeof value === 'string' && value.trim() !== ''
    return Object.values(kept).some(holds) ? 1 : 0
  } catch {
    return 0
  }
}

/** So long somebody waits at most who wants to leave. */
const patienceMs = 2_000

/** Everything of this person that waits on this phone. A phone that cannot say holds nobody back. */
export const countUnsent = async (userId: string): Promise<number> => {
  const waiting = await Promise.race([
    countUnsentOf(userId).catch(() => 0),
    new Promise<number>((resolve) => setTimeout(() => resolve(0), patienceMs)),
  ])
  return waiting + unsentNotes(userId)
}
