import type { Session } from '../features/accounts/web/session.ts'
import { configureClient } from '../shared/client.ts'
import { paths } from '../shared/paths.ts'
import { createTourSession } from './session/tour.ts'

const key = 'swath.tour'

/** The token of this tab's tour. It lives and ends with the tab. */
const read = (): string | null => {
  try {
    return sessionStorage.getItem(key)
  } catch {
    return null
  }
}

const keep = (token: string | null): void => {
  try {
    if (token === null) sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, token)
  } catch {
    // a private window: the tour begins anew with the next document
  }
}

/** The session of a tab that takes the tour, tied to the client that every call goes through. */
export const startTour = (build: 'admin' | 'crew'): Session => {
  const session = createTourSession({
    kind: build === 'crew' ? 'employee' : 'admin',
    read,
    keep,
    leave: () => window.location.assign(paths.landing),
  })
  configureClient({ token: session.token, clientApp: session.kind, refresh: session.refresh })
  void session.start()
  return session
}
