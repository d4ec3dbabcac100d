import { useSyncExternalStore } from 'react'

const watch = (query: string) => (notify: () => void) => {
  const media = window.matchMedia(query)
  media.addEventListener('change', notify)
  return () => media.removeEventListener('change', notify)
}
const narrow = '(max-width: 768px)'
const watchNarrow = watch(narrow)

/** True on a phone: tables become cards, panels become sheets. */
export const useNarrow = (): boolean => useSyncExternalStore(watchNarrow, () => window.matchMedia(narrow).matches)
