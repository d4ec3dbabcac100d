import type { Session } from '../features/accounts/web/session.ts'
import { configureClient } from '../shared/client.ts'
import { paths } from '../shared/paths.ts'
import { tidyPath } from '../shared/screens.ts'
import { createSupportSession } from './session/support.ts'
import { readSupport, saveSupport } from './session/supportTab.ts'

/** The code in the address, which is wiped out of it: it is good once and belongs into no history. */
const takeCode = (): string | null => {
  const { pathname, hash } = window.location
  if (tidyPath(pathname) !== paths.supportAccess || hash.length < 2) return null
  window.history.replaceState(window.history.state, '', pathname)
  return hash.slice(1)
}

/** The session of a tab that the desk opened, tied to the client that every call goes through. */
export const startSupport = (): Session => {
  const session = createSupportSession({ code: takeCode(), read: readSupport, keep: saveSupport })
  configureClient({ token: session.token, clientApp: session.kind, refresh: session.refresh })
  void session.start()
  return session
}
