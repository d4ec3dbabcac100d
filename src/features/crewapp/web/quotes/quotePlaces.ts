import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { call } from '../../../../shared/client.ts'
import type { ResponseOf } from '../../../../shared/endpoint.ts'
import { isTourPath } from '../../../../shared/tour.ts'
import { crewQuotesApi } from '../../../quotes/crew/contract.ts'
import type { Crew } from '../data.ts'
import { countedStops } from '../labels.ts'

export type CrewQuotes = ResponseOf<typeof crewQuotesApi.list>
type Kept = { day: string; quotes: CrewQuotes }

/** The number goes up when what is kept has another shape. */
const keyOf = (userId: string): string => `swath-quotes-1:${userId}`

const kept = (userId: string): Kept | null => {
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

const load = async (userId: string, today: string, signal: AbortSignal): Promise<CrewQuotes> => {
  const quotes = await call(crewQuotesApi.list, {}, { signal, retries: 0 })
  keep(userId, { day: today, quotes })
  return quotes
}

const patienceMs = 15_000

/** Has the list of today on the phone, also where nobody has opened it: a customer asks where there is no signal. */
export const keepCrewQuotes = async (userId: string, today: string): Promise<void> => {
  if (kept(userId)?.day !== today) await load(userId, today, AbortSignal.timeout(patienceMs))
}

/** Where somebody works today by the day on this phone: what was kept of another day knows only the places of that day. */
const placesOfDay = (crew: Crew, known: CrewQuotes['places']): CrewQuotes['places'] => {
  const stops = crew.plan ? countedStops(crew.plan) : []
  const places = stops.flatMap(({ propertyId, street, city }) =>
    propertyId
      ? [
          known.find((one) => one.propertyId === propertyId) ?? {
            propertyId,
            street,
            city,
            lawnSquareFeet: null,
            areas: [],
          },
        ]
      : [],
  )
  return [...new Map(places.map((place) => [place.propertyId, place])).values()]
}

/** Where a quote can be noted today, what can be noted and what was: from the server, without a signal as this phone last had it. */
export const useCrewQuotes = (crew: Crew) => {
  const { userId } = crew.outbox
  const { today } = crew
  const { data, isError, isFetching, refetch } = useQuery({
    queryKey: ['quotes', 'crew', userId],
    queryFn: ({ signal }) => load(userId, today, AbortSignal.any([signal, AbortSignal.timeout(patienceMs)])),
  })
  const waiting = crew.state.commands.filter(({ command }) => command.type === 'note_quote')
  // What left the phone stands in the list.
  const left = waiting.length
  useEffect(() => {
    if (left === 0) void refetch()
  }, [left, refetch])
  const last = data ? null : kept(userId)
  const found = data ?? last?.quotes ?? null
  return {
    found: found && last && last.day !== today ? { ...found, places: placesOfDay(crew, found.places) } : found,
    isAsOfBefore: !data && found !== null && isError,
    waiting,
    isError: isError && !found,
    isFetching,
    again: () => void refetch(),
  }
}
