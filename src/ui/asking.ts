import { useEffect, useSyncExternalStore } from 'react'

/** Questions that stand open over a form: what the form waits for is then the person, not the server. */
let open = 0
const listeners = new Set<() => void>()
const add = (by: number): void => {
  open += by
  for (const notify of listeners) notify()
}
const subscribe = (notify: () => void) => {
  listeners.add(notify)
  return () => listeners.delete(notify)
}

/** For a question that a save waits for, while it is on the screen. */
export const useAsking = (): void =>
  useEffect(() => {
    add(1)
    return () => add(-1)
  }, [])

export const useIsAsked = (): boolean => useSyncExternalStore(subscribe, () => open > 0)
