import { useSyncExternalStore } from 'react'
import { isTourPath } from '../../../../shared/tour.ts'
import { type Draft, emptyDraft } from '../../check/rules.ts'

/** A check while it is being done: kept when the sheet is closed, gone when it is sent or the app is. */

const drafts = new Map<string, Draft>()
const listeners = new Set<() => void>()
const changed = (): void => {
  for (const listener of listeners) listener()
}
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** @param key person and day */
export const useDraft = (key: string): [Draft, (change: (draft: Draft) => Draft) => void] => {
  const draft = useSyncExternalStore(subscribe, () => drafts.get(key) ?? emptyDraft)
  return [
    draft,
    (change) => {
      drafts.set(key, change(drafts.get(key) ?? emptyDraft))
      changed()
    },
  ]
}

const doneKey = 'swath-truck-check'
const playedDone = new Set<string>()

/** That this phone has done it, until the day that comes from the server says so. */
export const noteDone = (key: string): void => {
  drafts.delete(key)
  if (isTourPath(window.location.pathname)) playedDone.add(key)
  else
    try {
      localStorage.setItem(doneKey, key)
    } catch {
      // a full phone asks again until the next signal
      playedDone.add(key)
    }
  changed()
}

const isDone = (key: string): boolean => {
  if (playedDone.has(key)) return true
  try {
    return !isTourPath(window.location.pathname) && localStorage.getItem(doneKey) === key
  } catch {
    return false
  }
}

export const useDoneHere = (key: string): boolean => useSyncExternalStore(subscribe, () => isDone(key))
