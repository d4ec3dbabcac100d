import * as maplibregl from 'maplibre-gl'
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?url'
import { useEffect, useRef, useState } from 'react'
import 'maplibre-gl/dist/maplibre-gl.css'
import { addOverlay, type Overlay } from './mapOverlay.ts'
import { boundsOf } from './mapPins.ts'
import type { MapViewProps } from './mapProps.ts'
import { ownStyle } from './mapStyle.ts'

maplibregl.setWorkerUrl(workerUrl)

const unitedStates: [number, number, number, number] = [-124.7, 24.5, -66.9, 49.4]
const patienceMs = 6_000

/** The drawn map. Only MapView imports it, and only when a map is on the screen. */
export const MapCanvas = (
  props: MapViewProps & { onFallback: (reason: 'none' | 'no-style' | 'no-drawing') => void },
) => {
  const { pins, lines = [], styleUrl = null, fitKey, focusId, cooperative } = props
  const holder = useRef<HTMLDivElement>(null)
  const overlay = useRef<Overlay | null>(null)
  const latest = useRef(props)
  latest.current = props
  const [map, setMap] = useState<maplibregl.Map | null>(null)
  const box = () => boundsOf([...latest.current.pins, ...(latest.current.lines ?? []).flatMap((line) => line.points)])

  // biome-ignore lint/correctness/useExhaustiveDependencies: a map is made once per style address; the rest is told to it below
  useEffect(() => {
    const element = holder.current
    if (!element) return
    let made: maplibregl.Map
    let own = styleUrl === null
    let gone = false
    let failures = 0
    try {
      made = new maplibregl.Map({
        container: element,
        style: styleUrl ?? { version: 8, sources: {}, layers: [] },
        bounds: box() ?? unitedStates,
        fitBoundsOptions: { padding: 56, maxZoom: 14.5 },
        attributionControl: false,
        cooperativeGestures: cooperative ?? false,
        dragRotate: false,
        pitchWithRotate: false,
        maxZoom: 19,
      })
    } catch {
      latest.current.onFallback('no-drawing')
      return
    }
    made.touchZoomRotate.disableRotation()
    made.addControl(
      new maplibregl.AttributionControl({
        compact: true,
        ...(own ? { customAttribution: 'Borders: U.S. Census Bureau (us-atlas). Squares are a mile.' } : {}),
      }),
    )
    made.addControl(new maplibregl.NavigationControl({ showCompass: false }), 'top-right')
    const fallBack = async () => {
      if (own && failures >= 0) failures = -1
      own = true
      const style = await ownStyle(box())
      if (gone) return
      made.setStyle(style, { diff: false })
    }
    const drawOwn = () => {
      latest.current.onFallback(styleUrl === null ? 'none' : 'no-style')
      void fallBack()
    }
    if (own) drawOwn()
    const timer = own ? undefined : setTimeout(() => !made.isStyleLoaded() && !own && drawOwn(), patienceMs)
    made.on('error', () => {
      failures += 1
      // One tile may fail; a map of nothing but failed tiles is no map.
      if (!own && (failures >= 4 || !made.isStyleLoaded())) drawOwn()
    })
    made.on('style.load', () => {
      overlay.current?.stop()
      overlay.current = addOverlay(made, () => latest.current)
      overlay.current.show(latest.current.pins, latest.current.lines ?? [])
    })
    const themes = new MutationObserver(() => {
      if (own) void fallBack()
    })
    themes.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] })
    setMap(made)
    return () => {
      gone = true
      clearTimeout(timer)
      themes.disconnect()
      overlay.current = null
      made.remove()
      setMap(null)
    }
  }, [styleUrl])

  useEffect(() => overlay.current?.show(pins, lines), [pins, lines])

  // biome-ignore lint/correctness/useExhaustiveDependencies: the caller says by `fitKey` when the view should move
  useEffect(() => {
    const bounds = box()
    if (map && bounds) map.fitBounds(bounds, { padding: 56, maxZoom: 14.5, duration: 300 })
  }, [map, fitKey])

  // biome-ignore lint/correctness/useExhaustiveDependencies: only another pin in focus moves the view, not new pins
  useEffect(() => {
    const pin = pins.find((one) => one.id === focusId)
    if (map && pin) map.easeTo({ center: [pin.lon, pin.lat], duration: 300 })
  }, [map, focusId])

  return <div ref={holder} className="ui-map__canvas" />
}
