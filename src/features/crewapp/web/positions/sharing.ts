import type { Tracking } from './tracker.ts'

/** What this phone knows of sharing, so that a day without a signal begins with it too. The server decides. */

const keyOf = (userId: string): string => `swath.positions:${userId}`
const listeners = new Set<() => void>()
let tracking: Tracking = 'off'

const tell = (): void => {
  for (const listener of [...listeners]) listener()
}

export const onSharing = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const isSharing = (userId: string): boolean => {
  try {
    return localStorage.getItem(keyOf(userId)) === '1'
  } catch {
    return false
  }
}

export const noteSharing = (userId: string, on: boolean): void => {
  if (isSharing(userId) === on) return
  try {
    if (on) localStorage.setItem(keyOf(userId), '1')
    else localStorage.removeItem(keyOf(userId))
  } catch {
    // a phone that keeps nothing shares nothing
  }
  tell()
}

export const trackingNow = (): Tracking => tracking

export const noteTracking = (state: Tracking): void => {
  if (tracking === state) return
  tracking = state
  tell()
}
