import { createContext, useContext, useSyncExternalStore } from 'react'
import { admits, type Need } from '../../../shared/can.ts'
import { type Day, dayOf } from '../../../shared/dates.ts'
import type { SessionKind } from '../../../shared/roles.ts'
import type { SessionUser } from '../contract.ts'

export type SessionState =
  /** The first answer is still on its way. */
  | { phase: 'starting' }
  /** The server could not be asked and this device remembers nobody. */
  | { phase: 'unreachable' }
  | { phase: 'signedOut'; notice?: string /** The person chose to leave. */; left?: true }
  /** The session ended while something typed was not saved yet: the screen stays, the person signs in over it. */
  | { phase: 'expired'; user: SessionUser; notice: string }
  /** `verified` is false while the crew app lives on the profile this phone remembers. */
  | { phase: 'signedIn'; user: SessionUser; verified: boolean; support?: SupportFacts; tour?: TourFacts }
  /** Support's visit or the tour in this tab is over; the tab shows nothing else until it is closed or a fresh tour begins. */
  | { phase: 'ended'; notice: string; tour?: 'over' | 'none' }

/** The tab is support's, looking at a business that let it in. */
export type SupportFacts = { businessName: string /** ISO instant. */; until: string }

/** The tab takes the tour of the demo business. */
export type TourFacts = { businessName: string /** The invoice of the fourth signpost. */; invoiceId: string | null }

export type Session = {
  get: () => SessionState
  subscribe: (listener: () => void) => () => void
  /** Finds out who this is. Where nobody needs to be signed in, a browser without a trace of a session is not asked about. */
  start: (options?: { needsUser?: boolean }) => Promise<void>
  /** @throws ApiError with the server's words, or 'Invalid token response' */
  signIn: (email: string, password: string, options?: { reopen?: boolean }) => Promise<SessionUser>
  /** Takes over a session that the server opened by another way: registration, a mailed link. @throws 'Invalid token response' */
  adopt: (answer: unknown) => SessionUser
  signOut: () => Promise<void>
  /** Asks the server again who this is; null when it is nobody any more. */
  refreshUser: () => Promise<SessionUser | null>
  /** One new access token, shared by all who ask meanwhile. */
  refresh: () => Promise<boolean>
  token: () => string | null
  kind: () => SessionKind
}

export const SessionContext = createContext<Session | null>(null)

/** The session of this tab: what it can do. */
export const useSession = (): Session => {
  const session = useContext(SessionContext)
  if (!session) throw new Error('useSession needs a SessionContext')
  return session
}

/** What the session is right now; the component follows it. */
export const useSessionState = (): SessionState => {
  const session = useSession()
  return useSyncExternalStore(session.subscribe, session.get)
}

/** The signed-in person, or null. */
export const useMaybeUser = (): SessionUser | null => {
  const state = useSessionState()
  return state.phase === 'signedIn' || state.phase === 'expired' ? state.user : null
}

/** The signed-in person. Only for what a protected screen draws. */
export const useUser = (): SessionUser => {
  const user = useMaybeUser()
  if (!user) throw new Error('useUser needs somebody signed in')
  return user
}

/** What support may know of its visit, or null in the tab of a person of the business. */
export const useSupport = (): SupportFacts | null => {
  const state = useSessionState()
  return state.phase === 'signedIn' ? (state.support ?? null) : null
}

/** What a visitor may know of the tour, or null in everybody else's tab. */
export const useTour = (): TourFacts | null => {
  const state = useSessionState()
  return state.phase === 'signedIn' ? (state.tour ?? null) : null
}

/** Whether nobody of the business is here, who only looks: support, or a visitor of the tour. */
export const useOnlyLooks = (): boolean => {
  const state = useSessionState()
  return state.phase === 'signedIn' && (state.support ?? state.tour) !== undefined
}

/** Whether the person here may call an endpoint; for what stands on no record, like the button that makes one. */
export const useMay = (): ((need: Need) => boolean) => {
  const user = useUser()
  const readOnly = useOnlyLooks()
  const tour = useTour()
  return (need) => admits({ ...user, readOnly, tour }, need)
}

/** Today in the business's time zone, whatever zone this computer is in. */
export const useToday = (): Day => dayOf(new Date(), useUser().business.timeZone)
