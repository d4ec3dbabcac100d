import { lazyAhead } from './lazyAhead.tsx'

/** The drawn map is a module of its own, the largest that there is. */
const loadMap = () => import('./MapCanvas.tsx')
export const MapCanvas = lazyAhead(() => loadMap().then((module) => module.MapCanvas))

export const savesData = (): boolean =>
  (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true

/** Fetches the map ahead of the screen that shows one, so that it is there when the screen is. */
export const prefetchMap = (): void => {
  if (savesData()) return
  MapCanvas.ahead()
  void loadMap()
    .then(({ warmUp }) => warmUp())
    .catch(() => undefined)
}
