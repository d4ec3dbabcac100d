import { stripState } from '../../visits/rules.ts'
import type { CrewStop } from '../contract.ts'
import { placeOnSketch } from './sketch.ts'

import './crewapp.css'

const depotId = 'depot'

const [width, height, margin] = [560, 340, 34]

/** The route as a drawing of our own: needs no tiles, no signal and no library. */
export const RouteSketch = ({
  stops,
  depot,
  label,
  nextId,
  numberOf,
}: {
  stops: readonly CrewStop[]
  /** Where the crew starts and ends, with its name. */
  depot: { latitude: number; longitude: number; name: string } | null
  label: string
  nextId: string | null
  numberOf: (stop: CrewStop) => number
}) => {
  const all = placeOnSketch(depot ? [{ id: depotId, ...depot }, ...stops] : stops, width, height, margin)
  const home = all.find(({ id }) => id === depotId)
  const placed = all.filter((one) => one !== home)
  if (placed.length === 0) return null
  const way = [...(home ? [home] : []), ...placed, ...(home ? [home] : [])]
  return (
    <svg className="c-sketch" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
      <polyline className="c-sketch__line" points={way.map((p) => `${p.x},${p.y}`).join(' ')} />
      {home ? (
        <g className="c-sketch__depot" transform={`translate(${home.x} ${home.y})`}>
          <title>{depot?.name}</title>
          <rect x="-13" y="-13" width="26" height="26" rx="5" />
          <text>{depot?.name.slice(0, 1)}</text>
        </g>
      ) : null}
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
