import { useMemo } from 'react'
import type { MapPin } from '../../../ui/mapPins.ts'
import { RoadMap } from '../../travel/web/RoadMap.tsx'
import { stripState } from '../../visits/rules.ts'
import type { CrewStop } from '../contract.ts'
import type { Texts } from './texts.ts'

type Place = CrewStop & { latitude: number; longitude: number }
const hasPlace = (stop: CrewStop): stop is Place => stop.latitude !== null && stop.longitude !== null

/** The route on streets; only loaded by whoever asks for it. */
export const RouteMap = ({
  stops,
  nextId,
  t,
  onOpen,
}: {
  stops: readonly CrewStop[]
  nextId: string | null
  t: Texts
  onOpen: (id: string) => void
}) => {
  const placed = stops.filter(hasPlace)
  const pins = placed.map((stop): MapPin => {
    const state = stripState(stop.status)
    return {
      id: stop.id,
      lat: stop.latitude,
      lon: stop.longitude,
      label: stops.indexOf(stop) + 1,
      name: stop.street,
      state: state === 'paused' ? 'now' : state,
      selected: stop.id === nextId,
    }
  })
  const lines = useMemo(() => {
    const points = stops.filter(hasPlace).map((stop) => ({ lat: stop.latitude, lon: stop.longitude }))
    return [{ id: 'route', color: 'var(--pine)', points }]
  }, [stops])
  return (
    <RoadMap label={t.route} words={t.map} pins={pins} lines={lines} onPinClick={onOpen} height="100%" cooperative />
  )
}
