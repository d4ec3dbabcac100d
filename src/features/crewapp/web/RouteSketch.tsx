import { stripState } from '../../visits/rules.ts'
import type { CrewStop } from '../contract.ts'
import { placeOnSketch } from './sketch.ts'

import './crewapp.css'

const [width, height, margin] = [560, 340, 34]

/** The route as a drawing of our own: needs no tiles, no signal and no library. */
export const RouteSketch = ({
  stops,
  label,
  nextId,
  numberOf,
}: {
  stops: readonly CrewStop[]
  label: string
  nextId: string | null
  numberOf: (stop: CrewStop) => number
}) => {
  const placed = placeOnSketch(stops, width, height, margin)
  if (placed.length === 0) return null
  return (
    <svg className="c-sketch" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
      <polyline className="c-sketch__line" points={placed.map((p) => `${p.x},${p.y}`).join(' ')} />
      {placed.map((p) => {
        const stop = stops.find((s) => s.id === p.id)
        if (!stop) return null
        return (
          <g
            key={p.id}
            className={`is-${stripState(stop.status)}${p.id === nextId ? ' is-next' : ''}`}
            transform={`translate(${p.x} ${p.y})`}
          >
            <circle r={p.id === nextId ? 18 : 15} />
            <text>{numberOf(stop)}</text>
          </g>
        )
      })}
    </svg>
  )
}
