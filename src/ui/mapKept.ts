import * as maplibregl from 'maplibre-gl'
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?url'
import 'maplibre-gl/dist/maplibre-gl.css'
import { bareStyle } from './mapBase.ts'
import { drawImages, showPlaces, withOverlay } from './mapOverlay.ts'
import { resolveColor } from './mapPins.ts'
import type { MapViewProps } from './mapProps.ts'
import { drawnWords, englishMap, type MapWords } from './mapWords.ts'

/**
 * A map costs most when it begins: its context, its shaders and its worker are 200 ms and more without a graphics card. So the map that was left
 * last is kept without our places on it, and the next screen gets that one.
 */

maplibregl.setWorkerUrl(workerUrl)

export type KeptMap = {
  map: maplibregl.Map
  element: HTMLDivElement
  /** Until then it takes no other style. */
  loaded: Promise<void>
  /** What it shows below our places, and for which base map it was put there. */
  base: maplibregl.StyleSpecification
  put: maplibregl.StyleSpecification | null
  cluster: boolean
  /** Our images on it are drawn in these colors. */
  look: string
  words: MapWords
}
type Dress = (base: maplibregl.StyleSpecification) => maplibregl.StyleSpecification

const forgetAfterMs = 10 * 60_000
const nothing = { pins: [], lines: [] }

let kept: KeptMap | null = null
let forgetting: ReturnType<typeof setTimeout> | undefined

const lookNow = (): string =>
  ['--ink', '--on-crew', '--side', '--flag'].map((name) => resolveColor(`var(${name})`)).join()

/** Gives a map the size of its place; false where it has that already, or no place. */
const toSize = (map: maplibregl.Map): boolean => {
  const { clientWidth, clientHeight } = map.getContainer()
  const { style } = map.getCanvas()
  if (clientWidth * clientHeight === 0) return false
  if (style.width === `${clientWidth}px` && style.height === `${clientHeight}px`) return false
  map.resize()
  return true
}

const makeMap = (dress: Dress, cluster: boolean, words: MapWords): KeptMap => {
  const element = document.createElement('div')
  element.className = 'ui-map__drawn'
  const base = bareStyle()
  const map = new maplibregl.Map({
    container: element,
    // our pins stand on the bare ground at once; streets come below them when they answer
    style: dress(base),
    attributionControl: false,
    locale: drawnWords(words),
    // our own layers; a foreign style is looked at when it is put here
    validateStyle: false,
    // while it is kept it has no size, and a canvas that changes its size is made anew
    trackResize: false,
    dragRotate: false,
    pitchWithRotate: false,
    maxZoom: 19,
  })
  map.touchZoomRotate.disableRotation()
  drawImages(map)
  map.addControl(new maplibregl.AttributionControl({}))
  map.addControl(new maplibregl.NavigationControl({ showCompass: false }), 'top-right')
  // without a listener MapLibre writes each failed square to the console
  map.on('error', () => undefined)
  const loaded = new Promise<void>((resolve) => void map.once('style.load', () => resolve()))
  new ResizeObserver(() => toSize(map) && map.redraw()).observe(element)
  return { map, element, loaded, base, put: null, cluster, look: lookNow(), words }
}

const isGood = ({ map, look }: KeptMap): boolean =>
  look === lookNow() && map.getCanvas().getContext('webgl2')?.isContextLost() === false

/** @param words what it has to say; any where it only goes */
const takeKept = (words?: MapWords): KeptMap | null => {
  const found = kept
  kept = null
  clearTimeout(forgetting)
  if (!found || (isGood(found) && (!words || found.words === words))) return found
  found.map.remove()
  return null
}

const keep = (one: KeptMap): void => {
  if (kept || !isGood(one)) one.map.remove()
  else {
    kept = one
    forgetting = setTimeout(() => takeKept()?.map.remove(), forgetAfterMs)
  }
}

const isKept = (one: KeptMap): boolean => kept === one

/**
 * A map in this holder, with our places on it as soon as they are shown there: the one that is kept, else a new one.
 * @throws Error where none can be drawn
 */
export const takeMap = (
  holder: HTMLElement,
  dress: Dress,
  props: Pick<MapViewProps, 'cluster' | 'cooperative' | 'words'>,
): KeptMap => {
  const { cluster = false, cooperative = false, words = englishMap } = props
  const one = takeKept(words) ?? makeMap(dress, cluster, words)
  if (one.cluster !== cluster)
    void one.loaded.then(() => {
      if (isKept(one)) return
      one.cluster = cluster
      one.map.setStyle(dress(one.base), { diff: true, validate: false })
    })
  holder.append(one.element)
  one.map.cooperativeGestures[cooperative ? 'enable' : 'disable']()
  toSize(one.map)
  return one
}

/** Takes our places off a map that its screen has left, and keeps it for the next. */
export const leaveMap = (one: KeptMap): void => {
  one.element.remove()
  one.map.stop()
  one.map.getCanvas().title = ''
  keep(one)
  void one.loaded.then(() => {
    if (isKept(one)) showPlaces(one.map, nothing)
  })
}

const idle = (): Promise<void> =>
  new Promise((resolve) => {
    if ('requestIdleCallback' in window) window.requestIdleCallback(() => resolve(), { timeout: 2_000 })
    else setTimeout(resolve, 50)
  })

/** Makes the map before anybody asks for it, piece by piece where the browser has nothing else to do. */
export const makeAhead = async (): Promise<void> => {
  await idle()
  if (kept || document.querySelector('.ui-map')) return
  const one = makeMap((base) => withOverlay(base, nothing, false), false, englishMap)
  keep(one)
  await one.loaded
  const center = one.map.getCenter()
  const here = { lat: center.lat, lon: center.lng }
  const line = { id: 'line', color: 'var(--crew-1)', points: [here, { lat: here.lat, lon: here.lon + 20 }] }
  const pin = { ...here, id: 'pin', name: '' }
  // each kind of layer brings its own shader
  for (const places of [{ pins: [], lines: [line] }, { pins: [pin], lines: [] }, nothing]) {
    await idle()
    if (!isKept(one)) return
    const drawn = new Promise<void>((resolve) => void one.map.once('idle', () => resolve()))
    showPlaces(one.map, places)
    await drawn
  }
}
