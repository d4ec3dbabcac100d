import { countUnsentOf } from '../../web/store.ts'

/** What a phone holds of a person that the office has not: counted before they sign out, also where the app is not loaded. */

const quoteOf = 'swath.draft.crew-quote.'

/** A quote that was noted at a stop and not sent counts as one thing, with all that is in it. */
export const unsentNotes = (userId: string): number => {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(quoteOf + userId) ?? 'null')
    if (kept === null || typeof kept !== 'object') return 0
    const { picked, note, photos } = kept as { picked?: object; note?: string; photos?: unknown[] }
    // a place alone is chosen by itself where there is only one
    const holds = Object.keys(picked ?? {}).length > 0 || (note ?? '').trim() !== '' || (photos ?? []).length > 0
    return holds ? 1 : 0
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
