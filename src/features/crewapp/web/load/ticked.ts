import { useSyncExternalStore } from 'react'
import { isTourPath } from '../../../../shared/tour.ts'
import { type Kept, key, stored } from './tickedKept.ts'

/** What of a list is on the truck already: on this phone alone, for the last few days that were loaded. */

const mostDays = 3

const none: readonly string[] = []
const listeners = new Set<() => void>()
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

let kept: Kept | null = null
const all = (): Kept => {
  kept ??= stored()
  return kept
}

/** What people who left this phone had loaded went from what is kept: it is read anew. */
export const forgetTicked = (): void => {
  kept = null
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
