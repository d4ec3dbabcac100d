import { MapView } from '../../../ui/MapView.tsx'
import type { MapViewProps } from '../../../ui/mapProps.ts'
import { useRoads } from './ways.ts'

const none: NonNullable<MapViewProps['lines']> = []

/** A map whose lines run on roads where the road engine says how. */
export const RoadMap = ({ lines = none, ...rest }: MapViewProps) => <MapView {...rest} lines={useRoads(lines)} />
