import type { Session, SessionState } from '../../features/accounts/web/session.ts'
import { tourApi } from '../../features/tour/contract.ts'
import { ApiError, call } from '../../shared/client.ts'
import type { SessionKind } from '../../shared/roles.ts'

export type TourParts = {
  /** Whose screens these are: the office's or the crew's. */
  kind: SessionKind
  read: () => string | null
  keep: (token: string | null) => void
  /** Shows the public site. */
  leave: () => void
}

const onTour = () => new Error('This tab takes the tour. Sign in at /signin.')

/**
 * The session of a tab that takes the tour: a token that stands for nobody, kept with the tab. It knows no cookie, no refresh and no other tab,
 * so whoever is signed in in this browser stays so.
 */
export const createTourSession = ({ kind, read, keep, leave }: TourParts): Session => {
  let state: SessionState = { phase: 'starting' }
  let token = read()
  let asking: Promise<boolean> | null = null
  const listeners = new Set<() => void>()

  const become = (next: SessionState): void => {
    state = next
    for (const listener of listeners) listener()
  }
  const isRefusal = (error: unknown): error is ApiError =>
    error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429
  const end = (error: ApiError): void => {
    token = null
    keep(null)
    become({ phase: 'ended', notice: error.message, tour: error.status === 404 ? 'none' : 'over' })
  }

  /** @returns whether the tour still goes on */
  const lookAgain = (): Promise<boolean> => {
    if (token === null) return Promise.resolve(false)
    asking ??= call(tourApi.view, {}, { token, retries: 1 })
      .then(({ user, businessName, invoiceId }) => {
        become({ phase: 'signedIn', user, verified: true, tour: { businessName, invoiceId } })
        return true
      })
      .catch((error: unknown) => {
        if (isRefusal(error)) end(error)
        return false
      })
      .finally(() => {
        asking = null
      })
    return asking
  }

  const begin = async (): Promise<boolean> => {
    try {
      const given = await call(tourApi.start, {}, { token: '', retries: 1 })
      token = given.token
      keep(token)
      return true
    } catch (error) {
      if (isRefusal(error)) end(error)
      return false
    }
  }

  return {
    get: () => state,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    start: async () => {
      become({ phase: 'starting' })
      if (token !== null || (await begin())) await lookAgain()
      if (state.phase === 'starting') become({ phase: 'unreachable' })
    },
    refresh: lookAgain,
    refreshUser: async () => {
      await lookAgain()
      return state.phase === 'signedIn' ? state.user : null
    },
    signOut: async () => {
      token = null
      keep(null)
      leave()
    },
    signIn: () => Promise.reject(onTour()),
    adopt: () => {
      throw onTour()
    },
    token: () => token,
    kind: () => kind,
  }
}
