import type { Session, SessionState } from '../../features/accounts/web/session.ts'
import { type SupportView, supportApi } from '../../features/support/contract.ts'
import { ApiError, call } from '../../shared/client.ts'
import type { SupportMemory } from './supportTab.ts'

export const supportNotices = {
  none: 'Nothing is open here. Open a business from the Support tab of the desk.',
  left: 'You left the business. Nothing was changed in it.',
} as const

export type SupportParts = {
  /** The code that the desk gave along, good once. */
  code: string | null
  read: () => SupportMemory | null
  keep: (memory: SupportMemory) => void
}

const inSupport = () => new Error('This tab is a support view. Close it and sign in in another one.')

/**
 * The session of a tab of support. It knows no cookie, no refresh and no other tab: a token for one visit, kept with the tab, and the
 * sentence with which the visit ended.
 */
export const createSupportSession = ({ code, read, keep }: SupportParts): Session => {
  let state: SessionState = { phase: 'starting' }
  let token: string | null = null
  let waiting = code
  let asking: Promise<boolean> | null = null
  const listeners = new Set<() => void>()

  const become = (next: SessionState): void => {
    state = next
    for (const listener of listeners) listener()
  }
  const end = (notice: string): void => {
    token = null
    keep({ ended: notice })
    become({ phase: 'ended', notice })
  }
  const enter = ({ user, businessName, until }: SupportView): void =>
    become({ phase: 'signedIn', user, verified: true, support: { businessName, until } })

  /** A refusal ends the visit in this tab; no answer does not. */
  const isRefusal = (error: unknown): error is ApiError =>
    error instanceof ApiError && error.status >= 400 && error.status < 500

  /** @returns whether the visit still goes on */
  const lookAgain = (): Promise<boolean> => {
    if (token === null) return Promise.resolve(false)
    asking ??= call(supportApi.view, {}, { token, retries: 1 })
      .then((view) => {
        if (token === null) return false
        enter(view)
        return true
      })
      .catch((error: unknown) => {
        if (isRefusal(error)) end(error.message)
        return false
      })
      .finally(() => {
        asking = null
      })
    return asking
  }

  const open = async (text: string): Promise<void> => {
    try {
      // A lost request is sent again. When only its answer was lost the code is used up, and the tab says so.
      const { token: given, ...view } = await call(supportApi.open, { body: { code: text } }, { retries: 2, token: '' })
      waiting = null
      token = given
      keep({ token: given })
      enter(view)
    } catch (error) {
      if (isRefusal(error)) end(error.message)
      else become({ phase: 'unreachable' })
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
      if (waiting !== null) return open(waiting)
      const kept = read()
      if (kept && 'token' in kept) {
        token = kept.token
        if (!(await lookAgain()) && state.phase === 'starting') become({ phase: 'unreachable' })
      } else end(kept?.ended ?? supportNotices.none)
    },
    refresh: lookAgain,
    refreshUser: async () => {
      await lookAgain()
      return state.phase === 'signedIn' ? state.user : null
    },
    signOut: async () => {
      const last = token
      end(supportNotices.left)
      // Without an answer the visit ends by itself; this tab has forgotten it anyway.
      if (last) await call(supportApi.leave, {}, { token: last, retries: 1 }).catch(() => undefined)
    },
    signIn: () => Promise.reject(inSupport()),
    adopt: () => {
      throw inSupport()
    },
    token: () => token,
    kind: () => 'admin',
  }
}
