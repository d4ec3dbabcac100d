import { lazy, Suspense, useState } from 'react'
import './MapView.css'
import { ErrorBoundary } from './ErrorBoundary.tsx'
import type { MapViewProps } from './mapProps.ts'

const MapCanvas = lazy(() => import('./MapCanvas.tsx').then((module) => ({ default: module.MapCanvas })))

const step = 0.0005
const arrows: Record<string, [lat: number, lon: number]> = {
  ArrowUp: [step, 0],
  ArrowDown: [-step, 0],
  ArrowLeft: [0, -step],
  ArrowRight: [0, step],
}

/** Pins and routes. The same pins are a list of buttons for the keyboard and the screen reader; it shows itself on focus. */
export const MapView = (props: MapViewProps) => {
  const { label, pins, onPinClick, onPinDrag, height = '100%', focusId } = props
  const [keyed, setKeyed] = useState<string | null>(null)
  const [note, setNote] = useState<'none' | 'no-style' | 'no-drawing'>('none')
  const undrawn = note === 'no-drawing'
  return (
    <section className="ui-map" aria-label={label} style={{ height }}>
      {undrawn ? null : (
        <ErrorBoundary fallback={null} onError={() => setNote('no-drawing')}>
          <Suspense fallback={<div className="ui-map__wait" />}>
            <MapCanvas {...props} focusId={keyed ?? focusId ?? null} onFallback={setNote} />
          </Suspense>
        </ErrorBoundary>
      )}
      {note === 'none' ? null : (
        <p className="ui-map__note" role="status">
          {undrawn
            ? 'The map cannot be drawn on this device. The places are listed here.'
            : 'The street map did not load; places and borders are ours. Squares are a mile.'}
        </p>
      )}
      {pins.length > 0 && pins.length <= 400 ? (
        <ul className={`ui-map__list${undrawn ? ' is-shown' : ''}`} aria-label={`Places on the map: ${label}`}>
          {pins.map((pin) => (
            <li key={pin.id}>
              <button
                type="button"
                aria-pressed={pin.selected ?? false}
                onFocus={() => setKeyed(pin.id)}
                onBlur={() => setKeyed(null)}
                onClick={() => onPinClick?.(pin.id)}
                onKeyDown={(event) => {
                  const move = arrows[event.key]
                  if (!move || !onPinDrag) return
                  event.preventDefault()
                  onPinDrag(pin.id, { lat: pin.lat + move[0], lon: pin.lon + move[1] })
                }}
              >
                {pin.label === undefined ? '' : `${pin.label}. `}
                {pin.name}
              </button>
            </li>
          ))}
        </ul>
      ) : null}
    </section>
  )
}
