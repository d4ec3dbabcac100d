import { looksAtMaps } from './mapMemory.ts'

/** The drawn map is a module of its own, the largest that there is. */
export const loadMap = () => import('./MapCanvas.tsx')

/** Fetches the map ahead of the screen that shows one, so that it is there when the screen is. */
export const prefetchMap = (): void => {
  if ((navigator as { connection?: { saveData?: boolean } }).connection?.saveData) return
  void loadMap()
    .then(({ warmUp }) => warmUp())
    .catch(() => undefined)
}

/** The same where maps were looked at before: nobody else pays for them. */
export const prefetchMapWhereUsed = (): void => {
  if (looksAtMaps()) prefetchMap()
}
