import type { Session } from '../features/accounts/web/session.ts'
import { isTourPath } from '../shared/tour.ts'
import { loadScreen } from './loading.ts'
import { isSupportTab } from './session/supportTab.ts'
import { startSession } from './startSession.ts'

export const isOnTour = isTourPath(window.location.pathname)
/** Support's tab is of the office, whoever is signed in in this browser. */
export const isForSupport = !isOnTour && isSupportTab()

/** The session of this tab. What only the tour or support needs comes only to their tabs. `asked`: the server was asked, and there is time. */
export const startTab = async (build: 'admin' | 'crew', asked?: () => void): Promise<Session> => {
  if (isOnTour) return (await loadScreen(() => import('./startTour.ts'))).startTour(build)
  if (isForSupport) return (await loadScreen(() => import('./startSupport.ts'))).startSupport()
  return startSession(build, asked)
}
