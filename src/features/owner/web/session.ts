import { useQueryClient } from '@tanstack/react-query'
import { createContext, use, useCallback, useMemo, useState } from 'react'
import { ApiError, type CallOptions, call, clearCache, type Route } from '../../../shared/client.ts'
import type { CallInput, Endpoint, ResponseOf } from '../../../shared/endpoint.ts'
import { ownerApi } from '../contract.ts'

/** The desk forgets with its tab, the portal stays signed in on its computer until logout. The server ends both after 8 hours. */
export type OwnerPlace = 'desk' | 'portal'

const keys: Record<OwnerPlace, string> = { desk: 'swath.owner-desk', portal: 'swath.owner-portal' }
const storeOf = (place: OwnerPlace): Storage => (place === 'desk' ? sessionStorage : localStorage)

const read = (place: OwnerPlace): string | null => {
  try {
    return storeOf(place).getItem(keys[place])
  } catch {
    return null
  }
}

const write = (place: OwnerPlace, token: string | null): void => {
  try {
    if (token === null) storeOf(place).removeItem(keys[place])
    else storeOf(place).setItem(keys[place], token)
  } catch {
    // a private window forgets it
  }
}

export type OwnerCall = <E extends Endpoint>(
  route: Route<E> | E,
  input: CallInput<E>,
  extra?: CallOptions,
) => Promise<ResponseOf<E>>

/** The product owner's session of one of the two places: its token goes with every call, and a token that ended leads back to the login. */
export const useOwnerState = (place: OwnerPlace) => {
  const [token, setToken] = useState(() => read(place))
  /** The server ended the session while it was used: the login says why it is there. */
  const [hasEnded, setEnded] = useState(false)
  const client = useQueryClient()
  const set = useCallback(
    (next: string | null) => {
      write(place, next)
      setToken(next)
      setEnded(false)
      if (next !== null) return
      // Who signs in next at this computer sees nothing of what was read before.
      clearCache()
      for (const queryKey of [['desk'], ['owner']]) client.removeQueries({ queryKey })
    },
    [place, client],
  )
  const signIn = useCallback(
    async (username: string, password: string, code?: string) => {
      const answer = await call(ownerApi.login, { body: { username, password, ...(code ? { code } : {}) } })
      set(answer.token)
    },
    [set],
  )
  const signOut = useCallback(() => set(null), [set])
  const ask: OwnerCall = useCallback(
    async (route, input, extra = {}) => {
      try {
        return await call(route, input, { ...extra, token: token ?? '' })
      } catch (error) {
        if (error instanceof ApiError && error.status === 401) {
          set(null)
          setEnded(true)
        }
        throw error
      }
    },
    [token, set],
  )
  return useMemo(() => ({ token, hasEnded, signIn, signOut, ask }), [token, hasEnded, signIn, signOut, ask])
}

export type OwnerSession = ReturnType<typeof useOwnerState>

const Context = createContext<OwnerSession | null>(null)
export const OwnerSessionContext = Context.Provider

/** The session of the screen around; only inside a screen that has signed in. */
export const useOwner = (): OwnerSession => {
  const session = use(Context)
  if (!session) throw new Error('There is no product owner here.')
  return session
}
