import type { MapLine, MapPin } from './mapPins.ts'

export type MapViewProps = {
  /** What the map shows, for those who do not see it. */
  label: string
  pins: readonly MapPin[]
  lines?: readonly MapLine[]
  /** A MapLibre style address; null draws our own map, as does a style or tiles that do not come. */
  styleUrl?: string | null
  onPinClick?: (id: string) => void
  onMapClick?: (place: { lat: number; lon: number }) => void
  onPinDrag?: (id: string, place: { lat: number; lon: number }) => void
  /** Which pins can be dragged; all when left out. */
  draggableIds?: readonly string[]
  /** Another value moves the view to show everything. */
  fitKey?: string | number
  /** Brings this pin to the middle. */
  focusId?: string | null
  /** Gathers near pins into one with their number. For customers, not for routes. */
  cluster?: boolean
  /** Two fingers or Ctrl to move: for a map inside a page that scrolls. */
  cooperative?: boolean
  height?: number | string
}
