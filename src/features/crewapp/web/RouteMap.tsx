import { useMemo } from 'react'
import type { MapPin } from '../../../ui/mapPins.ts'
import { RoadMap } from '../../travel/web/RoadMap.tsx'
import { stripState } from '../../visits/rules.ts'
import type { CrewDayPlan, CrewStop } from '../contract.ts'
import { countedStops } from './labels.ts'
import type { Texts } from './texts.ts'

type Place = CrewStop & { latitude: number; longitude: number }
const hasPlace = (stop: CrewStop): stop is Place => stop.latitude !== null && stop.longitude !== null

/** Pins and line of a day: the same ones until the day changes, and the same line until a place does, for a map draws anew what is new. */
export const useRouteOnMap = (plan: CrewDayPlan, nextId: string | null) => {
  const pins = useMemo(
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
  const way = JSON.stringify(pins.map(({ lat, lon }) => ({ lat, lon })))
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
    {...useRouteOnMap(plan, nextId)}
    onPinClick={onOpen}
    height="100%"
    cooperative
  />
)
