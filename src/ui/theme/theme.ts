import { useSyncExternalStore } from 'react'

export type Theme = 'light' | 'dark' | 'auto'

/** Kept in the browser, not with the person: a desk in the sun and a laptop at night want different ones. `theme.js` reads it before the first paint. */
export const themeKey = 'swath.theme'

const themes: readonly unknown[] = ['light', 'dark', 'auto']
const isTheme = (value: unknown): value is Theme => themes.includes(value)

const read = (): Theme => {
  try {
    const kept = localStorage.getItem(themeKey)
    return isTheme(kept) ? kept : 'auto'
  } catch {
    return 'auto'
  }
}

let now: Theme | undefined
const listeners = new Set<() => void>()
const notify = () => {
  for (const listener of listeners) listener()
}

const follow = (listener: () => void) => {
  // another tab of the same browser changed it
  const onStorage = ({ key }: StorageEvent) => {
    if (key !== themeKey && key !== null) return
    now = read()
    notify()
  }
  listeners.add(listener)
  window.addEventListener('storage', onStorage)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', onStorage)
  }
}

/** The colors this browser was told to use; `auto` follows the system. */
export const useTheme = (): Theme =>
  useSyncExternalStore(follow, () => {
    now ??= read()
    return now
  })

/** Takes effect on every open screen and tab at once; in a private window until it is closed. */
export const setTheme = (theme: Theme): void => {
  now = theme
  try {
    localStorage.setItem(themeKey, theme)
  } catch {
    // kept for as long as the page is open
  }
  notify()
}
