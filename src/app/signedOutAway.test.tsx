import { screen, waitFor } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { beforeEach, expect, it, vi } from 'vitest'
import { type Session, SessionContext } from '../features/accounts/web/session.ts'
import { show } from '../ui/testing/show.tsx'
import { ProtectedRoute } from './ProtectedRoute.tsx'
import { switchApp } from './switchApp.ts'

vi.mock('./switchApp.ts', () => ({ switchApp: vi.fn(() => true) }))
beforeEach(() => vi.mocked(switchApp).mockClear())

const state = { phase: 'signedOut', left: true } as const
const session = { get: () => state, subscribe: () => () => undefined } as unknown as Session
const page = () =>
  show(
    <MemoryRouter initialEntries={['/signin']}>
      <SessionContext value={session}>
        <ProtectedRoute build="crew">{null}</ProtectedRoute>
      </SessionContext>
    </MemoryRouter>,
  )

it('whoever signs out without a signal reads that they are out and what is kept; the page for signing in comes with the signal', async () => {
  const fetching = vi.fn(() => Promise.reject(new TypeError('no signal')))
  vi.stubGlobal('fetch', fetching)
  const { user } = page()
  await screen.findByRole('heading', { name: 'You are signed out' })
  expect(screen.getByText(/kept on this phone/)).toBeTruthy()
  expect(switchApp).not.toHaveBeenCalled()
  fetching.mockImplementation(() => Promise.resolve(new Response('')) as never)
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  await waitFor(() => expect(switchApp).toHaveBeenCalled())
})
