import { isTourPath } from '../../../../shared/tour.ts'

export const key = 'swath-load'
/** What is ticked, by "person crew day". */
export type Kept = Record<string, string[]>

export const stored = (): Kept => {
  try {
    return isTourPath(window.location.pathname) ? {} : (JSON.parse(localStorage.getItem(key) ?? '{}') as Kept)
  } catch {
    return {}
  }
}

/** What people who left this phone had loaded. */
export const dropTicked = (isGone: (userId: string) => boolean): void => {
  const left = Object.fromEntries(Object.entries(stored()).filter(([list]) => !isGone(list.split(' ')[0] ?? '')))
  if (Object.keys(left).length > 0) localStorage.setItem(key, JSON.stringify(left))
  else localStorage.removeItem(key)
}
