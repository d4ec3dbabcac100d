import { useSyncExternalStore } from 'react'
import { crewSettingsKey as key } from '../../../shared/phoneLanguage.ts'
import { isTourPath } from '../../../shared/tour.ts'
import { type FieldTheme, setFieldTheme } from '../../../ui/field/fieldTheme.ts'
import type { Language } from './texts.ts'

/** What this phone is set to; a phone belongs to one pair of eyes, so it stays on the phone. */
type Settings = {
  language: Language | null
  /** Whose language the server has not heard of yet; null when it has. */
  untold: string | null
  theme: FieldTheme
  photosOn: 'any' | 'wifi'
}

const languages: readonly unknown[] = ['en', 'es']
const themes: readonly unknown[] = ['sun', 'night', 'auto']

const read = (): Settings => {
  let found: Partial<Settings> = {}
  try {
    found = (JSON.parse(localStorage.getItem(key) ?? '{}') ?? {}) as Partial<Settings>
  } catch {
    // a private window: the settings last as long as the tab
  }
  return {
    language: languages.includes(found.language) ? (found.language ?? null) : null,
    untold: typeof found.untold === 'string' ? found.untold : null,
    theme: themes.includes(found.theme) ? (found.theme ?? 'sun') : 'sun',
    photosOn: found.photosOn === 'wifi' ? 'wifi' : 'any',
  }
}

let settings: Settings | null = null
const listeners = new Set<() => void>()

const get = (): Settings => {
  if (!settings) {
    settings = read()
    setFieldTheme(settings.theme)
  }
  return settings
}

/** What this phone is set to now, for what is no component. */
export const readSettings = get

export const changeSettings = (change: Partial<Settings>): void => {
  settings = { ...get(), ...change }
  setFieldTheme(settings.theme)
  for (const listener of listeners) listener()
  // What is chosen on the tour is not what this phone's own crew member chose.
  if (isTourPath(window.location.pathname)) return
  try {
    localStorage.setItem(key, JSON.stringify(settings))
  } catch {
    // as above
  }
}

export const useSettings = (): Settings =>
  useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, get)
