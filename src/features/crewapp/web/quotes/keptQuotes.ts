import { call } from '../../../../shared/client.ts'
import type { ResponseOf } from '../../../../shared/endpoint.ts'
import { isTourPath } from '../../../../shared/tour.ts'
import { crewQuotesApi } from '../../../quotes/crew/contract.ts'

export type CrewQuotes = ResponseOf<typeof crewQuotesApi.list>
type Kept = { day: string; quotes: CrewQuotes }

/** The number goes up when what is kept has another shape. */
const keyOf = (userId: string): string => `swath-quotes-2:${userId}`

export const keptQuotes = (userId: string): Kept | null => {
  if (isTourPath(window.location.pathname)) return null
  try {
    return JSON.parse(localStorage.getItem(keyOf(userId)) ?? 'null') as Kept | null
  } catch {
    return null
  }
}

const keep = (userId: string, value: Kept): void => {
  if (isTourPath(window.location.pathname)) return
  try {
    localStorage.setItem(keyOf(userId), JSON.stringify(value))
  } catch {
    // A full phone shows the places only with a signal.
  }
}

export const loadQuotes = async (userId: string, today: string, signal: AbortSignal): Promise<CrewQuotes> => {
  const quotes = await call(crewQuotesApi.list, {}, { signal, retries: 0 })
  keep(userId, { day: today, quotes })
  return quotes
}

export const patienceMs = 15_000

/** Has the list of today on the phone, also where nobody has opened it: a customer asks where there is no signal. */
export const keepCrewQuotes = async (userId: string, today: string): Promise<void> => {
  if (keptQuotes(userId)?.day !== today) await loadQuotes(userId, today, AbortSignal.timeout(patienceMs))
}
