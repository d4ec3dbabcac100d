import { Suspense, useState } from 'react'
import './MapView.css'
import { ErrorBoundary } from './ErrorBoundary.tsx'
import { MapPlaces } from './MapPlaces.tsx'
import { MapCanvas } from './mapPrefetch.ts'
import type { MapViewProps } from './mapProps.ts'
import { englishMap } from './mapWords.ts'

/** Pins and routes over streets. The same pins are a list of buttons for the keyboard and the screen reader; it shows itself on focus. */
export const MapView = (props: MapViewProps) => {
  const { label, height = '100%', focusId, words = englishMap } = props
  const [keyed, setKeyed] = useState<string | null>(null)
  const [undrawn, setUndrawn] = useState(false)
  return (
    <section className="ui-map" aria-label={label} style={{ height }}>
      {undrawn ? (
        <p className="ui-map__note" role="status">
          {words.undrawn}
        </p>
      ) : (
        <ErrorBoundary fallback={null} onError={() => setUndrawn(true)}>
          <Suspense fallback={null}>
            <MapCanvas {...props} words={words} focusId={keyed ?? focusId ?? null} onUndrawn={() => setUndrawn(true)} />
          </Suspense>
        </ErrorBoundary>
      )}
      <MapPlaces {...props} name={`${words.places}: ${label}`} shown={undrawn} onKeyed={setKeyed} />
    </section>
  )
}
