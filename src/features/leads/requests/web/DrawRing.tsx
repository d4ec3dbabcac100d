import { useMemo, useState } from 'react'
import { Button } from '../../../../ui/Button.tsx'
import { IconArrowBackUp, IconTrash } from '../../../../ui/icons.ts'
import { MapView } from '../../../../ui/MapView.tsx'
import type { MapLine, MapPin } from '../../../../ui/mapPins.ts'
import { crossingOf } from '../../../customers/areas/rules.ts'

export type Ring = [number, number][]
type Props = {
  /** What the map shows, for those who do not see it. */
  label: string
  ring: Ring
  onRing: (ring: Ring) => void
  home: { lat: number; lon: number; name: string } | null
  closest: number
  height?: number
  fromAbove?: boolean
}

const cornerOf = (id: string): number => Number(id.replace('corner-', ''))

/** One closed line on the map: a tap sets a corner, a drag moves it, Undo takes the last step back. */
export const DrawRing = ({ label, ring, onRing, home, closest, height = 340, fromAbove = false }: Props) => {
  const [past, setPast] = useState<Ring[]>([])
  const [fit] = useState(() => crypto.randomUUID())
  const change = (next: Ring) => {
    setPast((now) => [...now, ring].slice(-100))
    onRing(next)
  }
  const pins = useMemo<MapPin[]>(
    () => [
      ...(home
        ? [{ id: 'home', lat: home.lat, lon: home.lon, name: home.name, kind: 'depot' as const, faded: true }]
        : []),
      ...ring.map(([lat, lon], at) => ({
        id: `corner-${at}`,
        lat,
        lon,
        name: `Corner ${at + 1}`,
        label: String(at + 1),
        color: 'var(--crew-1)',
        kind: 'customer' as const,
      })),
    ],
    [ring, home],
  )
  const lines = useMemo<MapLine[]>(
    () =>
      ring.length < 2
        ? []
        : [
            {
              id: 'ring',
              color: 'var(--crew-1)',
              points: [...ring, ...ring.slice(0, 1)].map(([lat, lon]) => ({ lat, lon })),
              dashed: ring.length < 3,
            },
          ],
    [ring],
  )
  const draggable = useMemo(() => ring.map((_, at) => `corner-${at}`), [ring])
  const crossing = ring.length > 3 ? crossingOf(ring) : null
  return (
    <div className="draw-ring">
      <MapView
        label={label}
        pins={pins}
        lines={lines}
        draggableIds={draggable}
        fitKey={fit}
        closest={closest}
        height={height}
        fromAbove={fromAbove}
        onMapClick={({ lat, lon }) => ring.length < 200 && change([...ring, [lat, lon]])}
        onPinDrag={(id, { lat, lon }) =>
          change(ring.map((corner, at) => (at === cornerOf(id) ? [lat, lon] : corner)) as Ring)
        }
      />
      <div className="draw-ring__foot">
        <Button
          size="s"
          icon={<IconArrowBackUp />}
          disabled={past.length === 0}
          onClick={() => {
            const last = past.at(-1)
            if (!last) return
            setPast(past.slice(0, -1))
            onRing(last)
          }}
        >
          Undo
        </Button>
        <Button size="s" kind="quiet" icon={<IconTrash />} disabled={ring.length === 0} onClick={() => change([])}>
          Start over
        </Button>
        <span className={crossing ? 'draw-ring__bad' : 'hint'} role="status">
          {crossing
            ? 'The line crosses itself. Move a corner, or undo.'
            : ring.length === 0
              ? 'Tap the corners one after the other. Drag a corner to move it.'
              : ring.length < 3
                ? `${3 - ring.length} more ${ring.length === 2 ? 'corner' : 'corners'} at least.`
                : `${ring.length} corners.`}
        </span>
      </div>
    </div>
  )
}
