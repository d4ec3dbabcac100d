import type { MapLine, MapPin } from './mapPins.ts'
import type { MapWords } from './mapWords.ts'

export type MapViewProps = {
  /** What the map shows, for those who do not see it. */
  label: string
  pins: readonly MapPin[]
  lines?: readonly MapLine[]
  onPinClick?: (id: string) => void
  onMapClick?: (place: { lat: number; lon: number }) => void
  onPinDrag?: (id: string, place: { lat: number; lon: number }) => void
  /** While it is given the map stands still and a line is drawn around places; says which lie inside. */
  onLasso?: ((ids: string[]) => void) | undefined
  /** Which pins can be dragged; all when left out. */
  draggableIds?: readonly string[]
  /** Another value moves the view to show everything. */
  fitKey?: string | number
  /** How near the view goes to show everything, as a zoom level; 14.5 when left out. */
  closest?: number
  /** Brings this pin to the middle. */
  focusId?: string | null
  /** Gathers near pins into one with their number. For customers, not for routes. */
  cluster?: boolean
  /** Two fingers or Ctrl to move: for a map inside a page that scrolls. */
  cooperative?: boolean
  /** Begins with the pictures from above where there are any, whatever was looked at last: for drawing a lawn. */
  fromAbove?: boolean
  height?: number | string
  words?: MapWords
}
