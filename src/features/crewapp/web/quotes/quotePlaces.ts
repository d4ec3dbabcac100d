import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Crew } from '../data.ts'
import { countedStops } from '../labels.ts'
import { type CrewQuotes, keptQuotes, loadQuotes, patienceMs } from './keptQuotes.ts'

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
            bedSquareFeet: null,
            edgeFeet: null,
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
    queryFn: ({ signal }) => loadQuotes(userId, today, AbortSignal.any([signal, AbortSignal.timeout(patienceMs)])),
  })
  const waiting = crew.state.commands.filter(({ command }) => command.type === 'note_quote')
  // What left the phone stands in the list.
  const left = waiting.length
  useEffect(() => {
    if (left === 0) void refetch()
  }, [left, refetch])
  const last = data ? null : keptQuotes(userId)
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
