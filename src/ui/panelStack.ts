import { useEffect, useId, useSyncExternalStore } from 'react'

/** Panels that are open at once: one that stands over the others has the keys, the others wait below it. */
let open: readonly { id: string; over: boolean }[] = []
const listeners = new Set<() => void>()

const set = (next: typeof open): void => {
  open = next
  for (const notify of listeners) notify()
}
const subscribe = (notify: () => void) => {
  listeners.add(notify)
  return () => void listeners.delete(notify)
}
const listOf = () => open

/** Whether a panel is the one that the person works with. */
export const useTopPanel = (isOpen: boolean, over: boolean): boolean => {
  const id = useId()
  useEffect(() => {
    if (!isOpen) return
    set([...open, { id, over }])
    return () => set(open.filter((panel) => panel.id !== id))
  }, [isOpen, over, id])
  const list = useSyncExternalStore(subscribe, listOf)
  // Before it stands in the list it is where it will be, so that it can take the focus as it opens.
  const all = list.some((panel) => panel.id === id) ? list : [...list, { id, over }]
  return (all.findLast((panel) => panel.over) ?? all.at(-1))?.id === id
}
