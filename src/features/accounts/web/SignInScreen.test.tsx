import { screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterEach, expect, it } from 'vitest'
import { rememberLanguage } from '../../../shared/phoneLanguage.ts'
import { show } from '../../../ui/testing/show.tsx'
import { rememberPin } from '../team/web/data.ts'
import { SignInScreen } from './SignInScreen.tsx'
import { type Session, SessionContext } from './session.ts'

const state = { phase: 'signedOut' }
const session = { subscribe: () => () => undefined, get: () => state } as unknown as Session
const sentHere = () =>
  show(
    <SessionContext value={session}>
      <MemoryRouter
        initialEntries={[{ pathname: '/signin', state: { message: 'Please sign in to access this page.' } }]}
      >
        <SignInScreen />
      </MemoryRouter>
    </SessionContext>,
  )

afterEach(() => {
  rememberPin(false)
  localStorage.clear()
})

it('a phone that signs in by PIN asks for the PIN again, and says that the office may have ended its access', () => {
  rememberPin(true)
  sentHere()
  expect(screen.getByLabelText('PIN')).toBeTruthy()
  expect(screen.getByText('You are signed out on this phone.')).toBeTruthy()
  expect(screen.queryByText('Please sign in to access this page.')).toBeNull()
})

it('every other browser asks for the e-mail', () => {
  sentHere()
  expect(screen.getByText('Please sign in to access this page.')).toBeTruthy()
  expect(screen.getByLabelText('Email')).toBeTruthy()
})

it('a phone on which the crew app was read in Spanish last asks in Spanish, whoever comes next', () => {
  localStorage.setItem('swath.crew.settings', JSON.stringify({ language: 'en' }))
  rememberLanguage('es')
  sentHere()
  screen.getByRole('heading', { name: 'Entrar' })
  screen.getByRole('button', { name: 'Mostrar la contraseña' })
})

it('a phone that speaks Spanish is asked for the PIN in Spanish, and told in Spanish what was wrong', async () => {
  localStorage.setItem('swath.crew.settings', JSON.stringify({ language: 'es' }))
  rememberPin(true)
  const { user } = sentHere()
  screen.getByRole('heading', { name: 'Entrar' })
  screen.getByText('Saliste de la aplicación en este teléfono.')
  await user.click(screen.getByRole('button', { name: 'Entrar' }))
  await screen.findByText('Escribe tu número de teléfono.')
  expect(document.documentElement.lang).toBe('es')
  await user.click(screen.getByRole('button', { name: 'Entrar con correo' }))
  // why they are here was said in English by the gate
  screen.getByText('Entra para ver esta página.')
  await user.click(screen.getByRole('button', { name: 'Entrar' }))
  await screen.findByText('Escribe tu correo.')
})
