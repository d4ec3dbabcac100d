import type { Session } from '../features/accounts/web/session.ts'
import { configureClient } from '../shared/client.ts'
import { screenAt } from '../shared/screens.ts'
import { browserChannel, browserExclusive } from './session/channel.ts'
import { browserMemory } from './session/memory.ts'
import { createSession } from './session/session.ts'
import { watchInput } from './session/unsaved.ts'

/**
 * The session of this tab, tied to the client that every call goes through.
 * @param asked called once, as soon as the server has been asked who this is
 */
export const startSession = (build: 'admin' | 'crew', asked?: () => void): Session => {
  let waits = asked
  const session = createSession({
    fetch: (...args) => {
      const answer = globalThis.fetch(...args)
      waits?.()
      waits = undefined
      return answer
    },
    memory: browserMemory(),
    channel: browserChannel(),
    exclusive: browserExclusive,
    now: () => Date.now(),
    fallbackKind: build === 'crew' ? 'employee' : 'admin',
    remembersProfile: build === 'crew',
    pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    // The crew app keeps what is typed in its own store.
    hasUnsavedInput: build === 'admin' ? watchInput(document).has : () => false,
  })
  configureClient({ token: session.token, clientApp: session.kind, refresh: session.refresh, outage: session.outage })
  void session.start({ needsUser: screenAt(window.location.pathname)?.access !== 'open' })
  return session
}
