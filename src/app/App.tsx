import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import type { createBrowserRouter } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { type Session, SessionContext } from '../features/accounts/web/session.ts'
import { clearCache } from '../shared/client.ts'

type Props = {
  client: QueryClient
  session: Session
  router: ReturnType<typeof createBrowserRouter>
  children?: ReactNode
}

/** What one person has loaded is never shown to the next. */
const useForgetful = (client: QueryClient, session: Session): void => {
  useEffect(() => {
    const who = (): string | null => {
      const state = session.get()
      return state.phase === 'signedIn' || state.phase === 'expired' ? state.user._id : null
    }
    // The app may be drawn when it has long been known who is here.
    let last = who()
    return session.subscribe(() => {
      const user = who()
      if (last !== null && user !== last) {
        client.clear()
        clearCache()
      }
      last = user
    })
  }, [client, session])
}

/** A profile from the phone's memory is checked as soon as there is a signal; a tab that comes back asks whether it still stands. */
const useVerification = (session: Session): void => {
  useEffect(() => {
    const verify = () => {
      const state = session.get()
      if (state.phase === 'signedIn' && !state.verified && document.visibilityState === 'visible')
        void session.refresh()
      if (state.phase === 'unreachable') void session.start()
    }
    window.addEventListener('online', verify)
    document.addEventListener('visibilitychange', verify)
    return () => {
      window.removeEventListener('online', verify)
      document.removeEventListener('visibilitychange', verify)
    }
  }, [session])
}

export const App = ({ client, session, router, children }: Props) => {
  useForgetful(client, session)
  useVerification(session)
  return (
    <SessionContext value={session}>
      <QueryClientProvider client={client}>
        <RouterProvider router={router} />
        {children}
      </QueryClientProvider>
    </SessionContext>
  )
}
