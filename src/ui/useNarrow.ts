import { useSyncExternalStore } from 'react'

const watch = (query: string) => (notify: () => void) => {
  const media = window.matchMedia(query)
  media.addEventListener('change', notify)
  return () => media.removeEventListener('change', notify)
}
const narrow = '(max-width: 768px)'
const wide = '(min-width: 1360px)'
const watchNarrow = watch(narrow)
const watchWide = watch(wide)

/** True on a phone: tables become cards, panels become sheets. */
export const useNarrow = (): boolean => useSyncExternalStore(watchNarrow, () => window.matchMedia(narrow).matches)

/** True where a list and an open record have room beside each other (RecordPanel.css). */
export const useWide = (): boolean => useSyncExternalStore(watchWide, () => window.matchMedia(wide).matches)
