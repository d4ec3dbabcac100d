import type { Map as GlMap, MapSourceDataEvent, StyleSpecification } from 'maplibre-gl'
import type { MapSettings } from '../shared/maps.ts'
import { describeStreets, readyStreets } from './mapAnswer.ts'
import { type Base, forgetAnswers, mapSettings, patienceMs, type View, within } from './mapAsk.ts'
import { pictureCredit, readyPictures } from './mapPictures.ts'
import { resolveColor } from './mapPins.ts'

/** Which base map there is under our pins: streets, pictures from above, or the plain map when whoever is asked does not answer. */

export type BaseName = 'streets' | 'satellite'
export type BaseState = {
  shown: BaseName | 'plain' | null
  /** What was wished for and does not answer. */
  missing: BaseName | null
  hasStreets: boolean
  hasSatellite: boolean
  /** Whose pictures are in view, where that changes from place to place. */
  credit: string
}

/** The ground alone, for the moment before anything has answered. */
export const bareStyle = (): StyleSpecification => ({
  version: 8,
  sources: {},
  layers: [{ id: 'land', type: 'background', paint: { 'background-color': resolveColor('var(--map-land)') } }],
})

const firstAgainMs = 30_000
const longestAgainMs = 300_000
/** So many squares that fail in a row are no accident. */
const enoughFailures = 4

/** Calls `onDead` once when the sources of a base map fail again and again, or say nothing for as long as anybody waits. */
const watchTiles = (map: GlMap, ids: readonly string[], onDead: () => void): (() => void) => {
  let failures = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  const isOurs = (event: unknown) => ids.includes((event as { sourceId?: string }).sourceId ?? '')
  const stop = () => {
    clearTimeout(timer)
    map.off('sourcedataloading', onAsked)
    map.off('sourcedata', onAnswer)
    map.off('sourcedataabort', onAnswer)
    map.off('error', onError)
  }
  const dead = () => {
    stop()
    onDead()
  }
  const wait = () => {
    clearTimeout(timer)
    const isWaiting = ids.some((id) => map.getSource(id) && !map.isSourceLoaded(id))
    timer = isWaiting ? setTimeout(dead, patienceMs) : undefined
  }
  const onAsked = (event: MapSourceDataEvent) => {
    if (isOurs(event) && event.tile) timer ??= setTimeout(dead, patienceMs)
  }
  const onAnswer = (event: MapSourceDataEvent) => {
    if (!isOurs(event) || !event.tile) return
    if (event.type === 'sourcedata') failures = 0
    wait()
  }
  const onError = (event: unknown) => {
    if (!isOurs(event)) return
    failures += 1
    if (failures >= enoughFailures) dead()
    else wait()
  }
  map.on('sourcedataloading', onAsked)
  map.on('sourcedata', onAnswer)
  map.on('sourcedataabort', onAnswer)
  map.on('error', onError)
  return stop
}

type Hands = {
  /** The plain map around what is shown. */
  plain: () => Promise<StyleSpecification>
  /** Our pins and lines over a base map. */
  dress: (base: StyleSpecification) => StyleSpecification
  onState: (state: BaseState) => void
}

/** A map, when it takes a style, what it shows below our places, and for which base map that was put there. */
type Ground = { map: GlMap; loaded: Promise<void>; base: StyleSpecification; put: StyleSpecification | null }

/** Keeps the best base map that answers under a map: what is wished for, else streets, else the plain one, and looks again later. */
export const keepBase = (kept: Ground, wished: BaseName, { plain, dress, onState }: Hands) => {
  const { map, loaded } = kept
  let wish = wished
  let run = new AbortController()
  let again: ReturnType<typeof setTimeout> | undefined
  let tries = 0
  let unwatch = () => {}
  let settings: MapSettings | null = null
  let state: BaseState = { shown: null, missing: null, hasStreets: false, hasSatellite: false, credit: '' }
  const tell = (change: Partial<BaseState>) => {
    state = { ...state, ...change }
    onState(state)
  }

  const put = (style: StyleSpecification, isForeign = false): void => {
    if (style === kept.put) return
    const ground = bareStyle().layers
    const isWhole = style.layers.some(({ type }) => type === 'background')
    kept.base = isWhole ? style : { ...style, layers: [...ground, ...style.layers] }
    kept.put = style
    map.setStyle(dress(kept.base), { diff: true, validate: isForeign })
    const last = style.layers.at(-1)
    // what MapLibre refuses as a style it leaves out without a word to us
    if (last && !map.getLayer(last.id)) throw new Error('This is no style.')
  }
  const view = (): View => ({ lat: map.getCenter().lat, lon: map.getCenter().lng, zoom: map.getZoom() })

  const later = () => {
    clearTimeout(again)
    again = setTimeout(retry, Math.min(longestAgainMs, firstAgainMs * 2 ** tries))
    tries += 1
  }
  const fallBack = async (missing: BaseName | null, signal: AbortSignal) => {
    unwatch()
    if (missing) later()
    if (state.shown !== 'plain' || !missing) {
      const style = await plain()
      if (signal.aborted) return
      put(style)
    }
    tell({ shown: 'plain', missing, credit: '' })
  }
  const take = (base: Base, shown: BaseName, missing: BaseName | null, signal: AbortSignal) => {
    unwatch()
    put(base.style, base.isForeign)
    const onDead = () => void (shown === 'satellite' ? attempt({ without: shown }) : fallBack(shown, signal))
    unwatch = watchTiles(map, base.watched, onDead)
    if (missing) later()
    else tries = 0
    tell({ shown, missing, credit: '' })
    if (shown === 'satellite') void showCredit()
  }

  /** `without` pictures that have just died: streets may answer all the same. */
  const attempt = async ({ without }: { without?: BaseName } = {}): Promise<void> => {
    run.abort()
    run = new AbortController()
    clearTimeout(again)
    const { signal } = run
    let wanted: BaseName = wish
    try {
      await loaded
      // nobody who is asked pays for the time that the map itself took
      const patience = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)])
      settings = await within(mapSettings(), patience)
      const { streets, satellite } = settings
      tell({ hasStreets: streets !== null, hasSatellite: satellite !== null })
      if (wanted === 'satellite' && !satellite) wanted = 'streets'
      const ready = streets ? readyStreets(streets, view(), patience) : Promise.reject(new Error('No streets are set.'))
      ready.catch(() => undefined)
      if (wanted === 'satellite' && satellite && without !== 'satellite') {
        const named = () => (streets ? describeStreets(streets) : null)
        const base = await readyPictures(satellite, ready, named, view(), patience).catch(() => null)
        if (signal.aborted) return
        if (base) return take(base, 'satellite', null, signal)
      }
      if (!streets) return await fallBack(wanted === 'satellite' ? wanted : null, signal)
      const base = await ready
      if (!signal.aborted) take(base, 'streets', wanted === 'satellite' ? wanted : null, signal)
    } catch {
      if (!signal.aborted) await fallBack(wanted, signal).catch(() => undefined)
    }
  }
  const retry = () => {
    forgetAnswers()
    void attempt()
  }
  const showCredit = async () => {
    const box = map.getBounds()
    const bounds = { north: box.getNorth(), south: box.getSouth(), east: box.getEast(), west: box.getWest() }
    const credit = await pictureCredit(settings?.satellite ?? null, bounds, map.getZoom()).catch(() => state.credit)
    if (state.shown === 'satellite' && credit !== state.credit) tell({ credit })
  }
  const onMoved = () => {
    if (state.shown === 'satellite') void showCredit()
  }
  const onBack = () => {
    if (state.missing && document.visibilityState === 'visible') retry()
  }
  const redraw = () => void attempt()
  const themes = new MutationObserver(redraw)
  themes.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] })
  const system = matchMedia('(prefers-color-scheme: dark)')
  system.addEventListener('change', redraw)
  window.addEventListener('online', onBack)
  document.addEventListener('visibilitychange', onBack)
  const moves = map.on('moveend', onMoved)
  void attempt()

  return {
    choose: (next: BaseName) => {
      wish = next
      tries = 0
      void attempt()
    },
    stop: () => {
      run.abort()
      clearTimeout(again)
      unwatch()
      moves.unsubscribe()
      themes.disconnect()
      system.removeEventListener('change', redraw)
      window.removeEventListener('online', onBack)
      document.removeEventListener('visibilitychange', onBack)
    },
  }
}
