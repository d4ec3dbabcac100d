import { useMemo } from 'react'
import type { MapPin } from '../../../ui/mapPins.ts'
import { RoadMap } from '../../travel/web/RoadMap.tsx'
import { stripState } from '../../visits/rules.ts'
import type { CrewDayPlan, CrewStop } from '../contract.ts'
import { countedStops } from './labels.ts'
import type { Texts } from './texts.ts'

/** The pin of the depot, which is no stop. */
const depotPin = 'depot'

type Place = CrewStop & { latitude: number; longitude: number }
const hasPlace = (stop: CrewStop): stop is Place => stop.latitude !== null && stop.longitude !== null

/** Where the crew starts and ends, where the office has said so. */
const depotOf = (plan: CrewDayPlan): { lat: number; lon: number } | null => {
  const depot = plan.crew?.depot
  return depot ? { lat: depot.latitude, lon: depot.longitude } : null
}

/** Pins and line of a day, from the depot and back to it: the same ones until the day changes, and the same line until a place does, for a map draws anew what is new. */
export const useRouteOnMap = (plan: CrewDayPlan, nextId: string | null, depotName = '') => {
  const stops = useMemo(
    () =>
      countedStops(plan).flatMap((stop, at): MapPin[] => {
        if (!hasPlace(stop)) return []
        const state = stripState(stop.status)
        return [
          {
            id: stop.id,
            lat: stop.latitude,
            lon: stop.longitude,
            label: at + 1,
            name: stop.street,
            state: state === 'paused' ? 'now' : state,
            selected: stop.id === nextId,
          },
        ]
      }),
    [plan, nextId],
  )
  const home = JSON.stringify(depotOf(plan))
  const pins = useMemo(() => {
    const depot = JSON.parse(home) as ReturnType<typeof depotOf>
    return depot ? [{ id: depotPin, ...depot, name: depotName, kind: 'depot' as const }, ...stops] : stops
  }, [stops, home, depotName])
  const ends = home === 'null' ? [] : [JSON.parse(home)]
  const way = JSON.stringify([...ends, ...stops.map(({ lat, lon }) => ({ lat, lon })), ...ends])
  const lines = useMemo(() => {
    const points = JSON.parse(way) as { lat: number; lon: number }[]
    return [{ id: 'route', color: 'var(--pine)', points }]
  }, [way])
  return { pins, lines }
}

/** The route on streets; only loaded by whoever asks for it. */
export const RouteMap = ({
  plan,
  nextId,
  t,
  onOpen,
}: {
  plan: CrewDayPlan
  nextId: string | null
  t: Texts
  onOpen: (id: string) => void
}) => (
  <RoadMap
    label={t.route}
    words={t.map}
    {...useRouteOnMap(plan, nextId, t.depot)}
    onPinClick={(id) => id !== depotPin && onOpen(id)}
    height="100%"
    cooperative
  />
)
