import { useSyncExternalStore } from 'react'

const query = '(max-width: 980px)'
const watch = (notify: () => void) => {
  const media = window.matchMedia(query)
  media.addEventListener('change', notify)
  return () => media.removeEventListener('change', notify)
}

/** True where list, map and stops do not fit beside each other: they become one view at a time. */
export const useCompact = (): boolean => useSyncExternalStore(watch, () => window.matchMedia(query).matches)
