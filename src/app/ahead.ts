import type { QueryClient } from '@tanstack/react-query'
import { isDay } from '../shared/dates.ts'
import { recordParam } from '../shared/links.ts'
import { tabOf } from '../shared/paths.ts'
import { screenAt, tidyPath } from '../shared/screens.ts'
import { insideTour, isTourPath } from '../shared/tour.ts'
import { looksAtMaps } from '../ui/mapMemory.ts'
import { prefetchMap, savesData } from '../ui/mapPrefetch.ts'
import { hubAt } from './hubs.ts'
import { officeScreens } from './officeScreens.ts'
import { screenFileAt } from './screenFiles.ts'

const routeMap = '/route-map'

const placeOf = ({ pathname, searchParams }: URL) => {
  const path = tidyPath(isTourPath(pathname) ? insideTour(pathname) : pathname)
  const hub = hubAt(path)
  return { path, tab: hub ? tabOf(hub, searchParams.get('tab')) : null }
}

/** Fetches the screen of an address while something else is waited for: who asks, when the page has just been opened. */
export const screenAhead = (url: URL): void => {
  const { path, tab } = placeOf(url)
  screenFileAt(officeScreens, screenAt(path)?.path ?? path, tab)?.Screen.ahead()
}

/** Fetches the screen of an address, the map where it shows one, and the day that the route map begins with. */
const fetchAhead = (client: QueryClient, href: string): void => {
  const url = new URL(href, location.href)
  if (url.origin !== location.origin) return
  const { searchParams } = url
  const { path, tab } = placeOf(url)
  screenAhead(url)
  if (path === routeMap || tab === 'map') prefetchMap()
  if (path !== routeMap || tab !== 'route') return
  const day = searchParams.get(recordParam.day)
  void import('../features/routes/web/data.ts')
    .then(({ dayQuery }) => client.prefetchQuery(dayQuery(day && isDay(day) ? day : undefined)))
    .catch(() => undefined)
}

const whenIdle = (work: () => void, signal: AbortSignal): void => {
  const unlessLeft = () => {
    if (!signal.aborted) work()
  }
  if ('requestIdleCallback' in window) window.requestIdleCallback(unlessLeft)
  else setTimeout(unlessLeft, 2_000)
}

/** Fetches what a link leads to when somebody reaches for it, and maps in an idle moment where they are looked at. */
export const aheadOfLinks = (client: QueryClient, signal: AbortSignal): void => {
  if (savesData()) return
  if (looksAtMaps())
    whenIdle(() => {
      prefetchMap()
      screenFileAt(officeScreens, routeMap, 'route')?.Screen.ahead()
    }, signal)
  const reach = ({ target }: Event) => {
    const href = target instanceof Element && target.closest('a[href]')?.getAttribute('href')
    if (href) fetchAhead(client, href)
  }
  for (const way of ['pointerover', 'focusin', 'touchstart'] as const)
    document.addEventListener(way, reach, { passive: true, signal })
}
