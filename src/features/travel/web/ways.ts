import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { call } from '../../../shared/client.ts'
import { isTourPath } from '../../../shared/tour.ts'
import type { MapLine } from '../../../ui/mapPins.ts'
import { travelApi } from '../contract.ts'

type Points = MapLine['points']

/** A search moves stops several times a second: roads are asked for once they stay. */
const restMs = 600
const mostPlaces = 200
const mostLines = 20
/** After that the server is asked again where it could not tell all. */
const againMs = 60_000

const waysQuery = (ways: readonly Points[]) =>
  queryOptions({
    queryKey: ['roads', ways],
    queryFn: async ({ signal }) => {
      const asked = ways.map((points) => points.map(({ lat, lon }) => ({ lat, lon })))
      return { asked, ...(await call(travelApi.ways, { body: { ways: asked } }, { signal, retries: 0 })) }
    },
    // The question is a POST, which no tour may ask: there the lines stay straight.
    enabled: ways.length > 0 && !isTourPath(window.location.pathname),
    staleTime: ({ state }) => (state.data?.again ? againMs : Number.POSITIVE_INFINITY),
    refetchInterval: ({ state }) => (state.data?.again || state.status === 'error' ? againMs : false),
    placeholderData: keepPreviousData,
  })

const keyOf = (points: Points): string => points.map(({ lat, lon }) => `${lat},${lon}`).join(';')

/** Lines as they run on roads where a road engine says so; straight ones, and broken ones, stay as they are. */
export const useRoads = (lines: readonly MapLine[]): readonly MapLine[] => {
  const [settled, setSettled] = useState<readonly MapLine[]>([])
  useEffect(() => {
    const timer = setTimeout(() => setSettled(lines), restMs)
    return () => clearTimeout(timer)
  }, [lines])
  const ways = useMemo(
    () =>
      settled
        .filter(({ dashed, points }) => !dashed && points.length > 1 && points.length <= mostPlaces)
        .slice(0, mostLines)
        .map(({ points }) => points),
    [settled],
  )
  const { data } = useQuery(waysQuery(ways))
  return useMemo(() => {
    const roads = new Map(data?.asked.map((points, i) => [keyOf(points), data.ways[i] ?? null]))
    return lines.map((line) => {
      const points = line.dashed ? null : roads.get(keyOf(line.points))
      return points ? { ...line, points } : line
    })
  }, [lines, data])
}
