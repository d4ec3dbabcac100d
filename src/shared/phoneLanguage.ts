/** Where the crew app keeps what was chosen on this phone. */
export const crewSettingsKey = 'swath.crew.settings'

/** Where a phone keeps in which language its last crew member read; nothing of the person. */
const lastLanguageKey = 'swath.crew.language'

/** Whoever comes next on this phone, or comes back, is asked in it who they are. */
export const rememberLanguage = (language: 'en' | 'es'): void => {
  try {
    if (localStorage.getItem(lastLanguageKey) !== language) localStorage.setItem(lastLanguageKey, language)
  } catch {
    // a private window: the phone's own
  }
}

/**
 * The language before anybody is known on a phone: the one in which the crew app was read here last, else the phone's own. What speaks to the office alone
 * is English and does not ask.
 */
export const phoneLanguage = (): 'en' | 'es' => {
  try {
    const last = localStorage.getItem(lastLanguageKey)
    if (last === 'en' || last === 'es') return last
    const { language } = JSON.parse(localStorage.getItem(crewSettingsKey) ?? '{}') as { language?: unknown }
    if (language === 'en' || language === 'es') return language
  } catch {
    // a private window, or nothing that can be read: the phone's own
  }
  return navigator.language?.toLowerCase().startsWith('es') ? 'es' : 'en'
}
