import { screen } from '@testing-library/react'
import { MemoryRouter, Route, Routes } from 'react-router'
import { expect, it } from 'vitest'
import { answerWith, show } from '../../../ui/testing/show.tsx'
import { UnsubscribeScreen } from './UnsubscribeScreen.tsx'

const open = (language: 'en' | 'es', refuses = false) => {
  const info = { businessName: 'Oak Lawn', address: 'ann@oak.test', language, unsubscribed: false, mayKeep: false }
  const asked = answerWith((request) =>
    request.method === 'GET'
      ? { body: info }
      : refuses && request.url.endsWith('/keep')
        ? { status: 409, body: { code: 'state_conflict', message: 'Ended in another way.' } }
        : { body: { unsubscribed: !request.url.endsWith('/keep') } },
  )
  const shown = show(
    <MemoryRouter initialEntries={['/u/abc']}>
      <Routes>
        <Route path="/u/:token" element={<UnsubscribeScreen />} />
      </Routes>
    </MemoryRouter>,
  )
  return { ...shown, asked }
}

it.each([
  ['en', 'Stop news and offers', 'That was a mistake: keep getting offers', 'You keep getting offers'],
  [
    'es',
    'No recibir más novedades ni ofertas',
    'Fue un error: seguir recibiendo ofertas',
    'Seguirá recibiendo ofertas',
  ],
] as const)('in %s who ended offers by mistake takes it back', async (language, stop, keep, kept) => {
  const { user, asked } = open(language)
  await user.click(await screen.findByRole('button', { name: stop }))
  await user.click(await screen.findByRole('button', { name: keep }))
  await screen.findByRole('heading', { name: kept })
  expect(asked.slice(1)).toEqual(['POST /api/unsubscribe/abc', 'POST /api/unsubscribe/abc/keep'])
  expect(screen.queryByRole('button')).toBeNull()
})

it('says why it cannot be taken back', async () => {
  const { user } = open('en', true)
  await user.click(await screen.findByRole('button', { name: 'Stop news and offers' }))
  await user.click(await screen.findByRole('button', { name: /That was a mistake/ }))
  expect((await screen.findByRole('alert')).textContent).toBe('Ended in another way.')
})
