import { useSyncExternalStore } from 'react'
import { isTourPath } from '../../../../shared/tour.ts'

/** What of a list is on the truck already: on this phone alone, for the last few days that were loaded. */

const key = 'swath-load'
const mostDays = 3
type Kept = Record<string, string[]>

const none: readonly string[] = []
const listeners = new Set<() => void>()
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const stored = (): Kept => {
  try {
    return isTourPath(window.location.pathname) ? {} : (JSON.parse(localStorage.getItem(key) ?? '{}') as Kept)
  } catch {
    return {}
  }
}
let kept: Kept | null = null
const all = (): Kept => {
  kept ??= stored()
  return kept
}

/** What people who left this phone had loaded. */
export const forgetTicked = (isGone: (userId: string) => boolean): void => {
  kept = Object.fromEntries(Object.entries(all()).filter(([list]) => !isGone(list.split(' ')[0] ?? '')))
  if (Object.keys(kept).length > 0) localStorage.setItem(key, JSON.stringify(kept))
  else localStorage.removeItem(key)
}

/** @param list person, crew and day */
export const useTicked = (list: string): [readonly string[], (thing: string, done: boolean) => void] => {
  const ticked = useSyncExternalStore(subscribe, () => all()[list] ?? none)
  return [
    ticked,
    (thing, done) => {
      const now = [...(all()[list] ?? none).filter((one) => one !== thing), ...(done ? [thing] : [])]
      const others = Object.entries(all()).filter(([name]) => name !== list)
      kept = Object.fromEntries([...others.slice(1 - mostDays), [list, now]])
      try {
        if (!isTourPath(window.location.pathname)) localStorage.setItem(key, JSON.stringify(kept))
      } catch {
        // a full phone knows it until the app is closed
      }
      for (const listener of listeners) listener()
    },
  ]
}
