/** Where the crew app keeps what was chosen on this phone. */
export const crewSettingsKey = 'swath.crew.settings'

/**
 * The language before anybody is known on a phone: the one that was chosen in the crew app here, else the phone's own. What speaks to the office alone
 * is English and does not ask.
 */
export const phoneLanguage = (): 'en' | 'es' => {
  try {
    const { language } = JSON.parse(localStorage.getItem(crewSettingsKey) ?? '{}') as { language?: unknown }
    if (language === 'en' || language === 'es') return language
  } catch {
    // a private window, or nothing that can be read: the phone's own
  }
  return navigator.language?.toLowerCase().startsWith('es') ? 'es' : 'en'
}
