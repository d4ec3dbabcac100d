import { useEffect, useId, useLayoutEffect, useSyncExternalStore } from 'react'
import { useWide } from './useNarrow.ts'

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

let rooms: readonly number[] = []
const takeRoom = (widths: readonly number[]): void => {
  rooms = widths
  const root = document.documentElement
  const lists = [...document.querySelectorAll('.ui-grid')]
  const before = lists.map((list) => list.getBoundingClientRect().top)
  root.toggleAttribute('data-beside', widths.length > 0)
  root.style.setProperty('--panel-room', `${Math.max(0, ...widths)}px`)
  // What stands above a list may need a line more in the narrower page; the rows stay where the eye and the pointer are.
  for (const [i, list] of lists.entries()) list.scrollTop += list.getBoundingClientRect().top - (before[i] ?? 0)
  for (const notify of listeners) notify()
}

/** The office makes room for the panel while it is open, where the window is wide enough for both (RecordPanel.css says when). */
export const useRoom = (widthPx: number | null): void =>
  useLayoutEffect(() => {
    if (widthPx === null) return
    takeRoom([...rooms, widthPx])
    return () => takeRoom(rooms.toSpliced(rooms.indexOf(widthPx), 1))
  }, [widthPx])

const hasRoom = () => rooms.length > 0

/** Whether a panel stands beside the page: lists then leave out what the panel says anyway. */
export const useBesidePanel = (): boolean => {
  const wide = useWide()
  return useSyncExternalStore(subscribe, hasRoom) && wide
}
