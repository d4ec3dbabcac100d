import type { Map as GlMap, StyleSpecification } from 'maplibre-gl'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { IconMap2, IconSatellite } from './icons.ts'
import { MapLasso } from './MapLasso.tsx'
import { describeStreets } from './mapAnswer.ts'
import { mapSettings } from './mapAsk.ts'
import { type BaseName, type BaseState, keepBase } from './mapBase.ts'
import { type KeptMap, leaveMap, makeAhead, takeMap } from './mapKept.ts'
import { baseOf, rememberBase, rememberedBase, rememberLooking } from './mapMemory.ts'
import { addOverlay, type Overlay, withOverlay } from './mapOverlay.ts'
import { boundsOf } from './mapPins.ts'
import type { MapViewProps } from './mapProps.ts'
import { ownStyle } from './mapStyle.ts'
import type { MapWords } from './mapWords.ts'

const unitedStates: [number, number, number, number] = [-124.7, 24.5, -66.9, 49.4]

/** Asks ahead for what every map begins with, while the screen that has one is still on its way. */
export const warmUp = (): void => {
  void makeAhead().catch(() => undefined)
  void mapSettings()
    .then(({ streets }) => streets && describeStreets(streets))
    .catch(() => undefined)
}

/** Begins when the screen stands there: drawing a map holds the page up where there is no graphics card. */
const afterPaint = (work: () => void): (() => void) => {
  let timer: ReturnType<typeof setTimeout> | undefined
  const frame = requestAnimationFrame(() => {
    timer = setTimeout(work)
  })
  return () => {
    cancelAnimationFrame(frame)
    clearTimeout(timer)
  }
}

type Props = MapViewProps & { words: MapWords; onUndrawn: () => void }

/** The drawn map. Only MapView imports it, and only when a map is on the screen. */
export const MapCanvas = (props: Props) => {
  const { pins, lines = [], fitKey, focusId, words } = props
  const holder = useRef<HTMLDivElement>(null)
  const overlay = useRef<Overlay | null>(null)
  const base = useRef<ReturnType<typeof keepBase> | null>(null)
  const latest = useRef(props)
  latest.current = props
  const byHand = useRef(false)
  const [map, setMap] = useState<GlMap | null>(null)
  const [state, setState] = useState<BaseState | null>(null)
  const box = () => boundsOf([...latest.current.pins, ...(latest.current.lines ?? []).flatMap((line) => line.points)])

  const begin = (element: HTMLDivElement): (() => void) | undefined => {
    const dress = (style: StyleSpecification) =>
      withOverlay(
        style,
        { pins: latest.current.pins, lines: latest.current.lines ?? [] },
        latest.current.cluster ?? false,
      )
    let kept: KeptMap
    try {
      kept = takeMap(element, dress, props)
    } catch {
      latest.current.onUndrawn()
      return
    }
    const made = kept.map
    // a kept map has the name of where it was before; where two stand side by side each needs its own
    made.getCanvas().setAttribute('aria-label', words.map)
    made.fitBounds(box() ?? unitedStates, { padding: 56, maxZoom: props.closest ?? 14.5, duration: 0 })
    const follow = (next: BaseState) => {
      setState(next)
      const base = baseOf(next)
      if (base && !props.fromAbove) rememberBase(base)
    }
    rememberLooking()
    overlay.current = addOverlay(made, () => latest.current)
    void kept.loaded.then(() => overlay.current?.show(latest.current.pins, latest.current.lines ?? []))
    const drawn = made.on('render', () => {
      if (!made.getSource('our-pins') || !made.isSourceLoaded('our-pins')) return
      drawn.unsubscribe()
      element.dataset.drawn = ''
    })
    const moved = made.on('movestart', ({ originalEvent }) => {
      if (originalEvent) byHand.current = true
    })
    base.current = keepBase(kept, props.fromAbove ? 'satellite' : rememberedBase(), {
      plain: () => ownStyle(box(), latest.current.words.borders),
      dress,
      onState: follow,
    })
    setMap(made)
    return () => {
      drawn.unsubscribe()
      moved.unsubscribe()
      base.current?.stop()
      base.current = null
      overlay.current?.stop()
      overlay.current = null
      leaveMap(kept)
      setMap(null)
    }
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: a map is made once; the rest is told to it below
  useEffect(() => {
    const element = holder.current
    if (!element) return
    let end: (() => void) | undefined
    const unlessLeft = afterPaint(() => {
      end = begin(element)
    })
    return () => {
      unlessLeft()
      end?.()
    }
  }, [])

  useEffect(() => overlay.current?.show(pins, lines), [pins, lines])

  // biome-ignore lint/correctness/useExhaustiveDependencies: the caller says by `fitKey` when the view should move
  useEffect(() => {
    const bounds = box()
    byHand.current = false
    if (map && bounds) map.fitBounds(bounds, { padding: 56, maxZoom: props.closest ?? 14.5, duration: 300 })
  }, [map, fitKey])

  // What stands below takes of the map's height: the pins go where there is room, unless somebody looks at something else.
  const below = `${state?.hasSatellite} ${state?.missing}`
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what comes to stand below, or goes, changes the room
  useLayoutEffect(() => {
    const bounds = box()
    if (!map || !bounds || byHand.current || focusId) return
    map.resize()
    map.fitBounds(bounds, { padding: 56, maxZoom: props.closest ?? 14.5, duration: 0 })
  }, [map, below])

  // biome-ignore lint/correctness/useExhaustiveDependencies: only another pin in focus moves the view, not new pins
  useEffect(() => {
    const pin = pins.find((one) => one.id === focusId)
    if (map && pin) map.easeTo({ center: [pin.lon, pin.lat], duration: 300 })
  }, [map, focusId])

  const choose = (next: BaseName) => {
    rememberBase(next)
    base.current?.choose(next)
  }
  const isAbove = state?.shown === 'satellite'
  return (
    <>
      <div ref={holder} className="ui-map__canvas" data-base={state?.shown ?? 'none'} />
      {map && props.onLasso ? (
        <MapLasso
          pins={pins}
          spotOf={({ lat, lon }) => {
            const { x, y } = map.project([lon, lat])
            return [x, y]
          }}
          onLasso={props.onLasso}
        />
      ) : null}
      {state?.hasSatellite ? (
        <div className="ui-map__above">
          <div className="ui-map__choice">
            <button type="button" onClick={() => choose(isAbove ? 'streets' : 'satellite')}>
              {isAbove ? <IconMap2 size={18} aria-hidden="true" /> : <IconSatellite size={18} aria-hidden="true" />}
              {isAbove ? words.map : words.satellite}
            </button>
            {state.credit ? <small className="ui-map__credit">{state.credit}</small> : null}
          </div>
        </div>
      ) : null}
      {state?.missing && pins.length > 0 ? (
        <p className="ui-map__note" role="status">
          {state.missing === 'streets' ? words.noStreets : words.noSatellite}
        </p>
      ) : null}
    </>
  )
}
