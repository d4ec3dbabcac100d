import { paths } from '../../shared/paths.ts'
import { tidyPath } from '../../shared/screens.ts'

/** What a tab of support remembers: its token, or why its visit is over. It lives and ends with the tab. */
export type SupportMemory = { token: string } | { ended: string }

const key = 'swath.support'

export const readSupport = (): SupportMemory | null => {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? 'null') as SupportMemory | null
  } catch {
    return null
  }
}

export const saveSupport = (memory: SupportMemory | null): void => {
  try {
    if (memory) sessionStorage.setItem(key, JSON.stringify(memory))
    else sessionStorage.removeItem(key)
  } catch {
    // a private window: the visit ends with the next reload
  }
}

/** Whether this tab is support's: then it has nothing to do with whoever is signed in in this browser. */
export const isSupportTab = (): boolean =>
  tidyPath(window.location.pathname) === paths.supportAccess || readSupport() !== null
