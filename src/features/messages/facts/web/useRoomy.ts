import { useSyncExternalStore } from 'react'

const query = '(min-width: 1280px)'
const watch = (notify: () => void) => {
  const media = window.matchMedia(query)
  media.addEventListener('change', notify)
  return () => media.removeEventListener('change', notify)
}

/** True where a list, a conversation and what is known of the customer have room beside each other. */
export const useRoomy = (): boolean => useSyncExternalStore(watch, () => window.matchMedia(query).matches)
