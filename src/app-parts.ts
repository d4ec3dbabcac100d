import { subscribers } from './app-events.ts'
import { readSession } from './features/accounts/server/session-reader.ts'
import { listBusinessIds } from './features/businesses/server/queries.ts'
import { logAccess } from './features/support/server/commands.ts'
import { findVisit } from './features/support/server/queries.ts'
import { setSubscribers } from './platform/events/events.ts'
import { setSessionReader } from './platform/http/session.ts'
import { setSupportBook } from './platform/http/support.ts'
import { setBusinessList } from './platform/tasks/walk.ts'

/** Hands the platform what only features know. Every process begins with it: one that answers, and one that only works on tasks. */
export const compose = (): void => {
  setSubscribers(subscribers)
  setSessionReader(readSession)
  setSupportBook({ findVisit, logAccess })
  setBusinessList(listBusinessIds)
}
