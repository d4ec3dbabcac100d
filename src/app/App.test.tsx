import { QueryClient } from '@tanstack/react-query'
import { act, render } from '@testing-library/react'
import { createMemoryRouter } from 'react-router'
import { expect, it } from 'vitest'
import type { Session, SessionState } from '../features/accounts/web/session.ts'
import { App } from './App.tsx'

it('what a person has loaded goes with them, also where they were known before the app was drawn', async () => {
  const listeners = new Set<() => void>()
  let state = { phase: 'signedIn', user: { _id: 'u1' }, verified: true } as SessionState
  const session = {
    get: () => state,
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  } as unknown as Session
  const client = new QueryClient()
  client.setQueryData(['visits'], 'of the first')
  const router = createMemoryRouter([{ path: '*', element: null }])
  await act(async () => {
    render(<App client={client} session={session} router={router} />)
  })
  expect(client.getQueryData(['visits'])).toBe('of the first')
  await act(async () => {
    state = { phase: 'signedOut' }
    for (const listener of listeners) listener()
  })
  expect(client.getQueryData(['visits'])).toBeUndefined()
})
