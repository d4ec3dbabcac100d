import { looksAtMaps } from '../ui/mapMemory.ts'
import { prefetchMap } from '../ui/mapPrefetch.ts'

/** Links to screens that are a map. */
const toMap = 'a[href^="/route-map"], a[href^="/customers"][href*="tab=map"]'

/** Fetches the map before it is asked for: at once where maps are looked at, else when somebody reaches for a link to one. */
export const aheadOfMaps = (signal: AbortSignal): void => {
  if (signal.aborted) return
  const fetchAhead = () => {
    prefetchMap()
    void import('../features/routes/web/RouteMapScreen.tsx').catch(() => undefined)
  }
  if (looksAtMaps()) fetchAhead()
  const reach = (event: Event) => {
    if (event.target instanceof Element && event.target.closest(toMap)) fetchAhead()
  }
  for (const way of ['pointerover', 'focusin', 'touchstart'] as const)
    document.addEventListener(way, reach, { passive: true, signal })
}
