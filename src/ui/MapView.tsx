import { Suspense, useState } from 'react'
import './MapView.css'
import { ErrorBoundary } from './ErrorBoundary.tsx'
import { MapPlaces } from './MapPlaces.tsx'
import { MapCanvas } from './mapPrefetch.ts'
import type { MapViewProps, MapWords } from './mapProps.ts'

const english: MapWords = {
  map: 'Map',
  satellite: 'Satellite',
  noStreets: 'Streets are not available right now. Your places are all here.',
  noSatellite: 'Satellite pictures are not available right now. Your places are all here.',
  undrawn: 'The map cannot be drawn on this device. The places are listed here.',
  places: 'Places on the map',
}

/** Pins and routes over streets. The same pins are a list of buttons for the keyboard and the screen reader; it shows itself on focus. */
export const MapView = (props: MapViewProps) => {
  const { label, height = '100%', focusId, words = english } = props
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
