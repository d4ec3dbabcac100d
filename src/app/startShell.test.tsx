import { render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { GoogleButton } from '../features/accounts/web/GoogleButton.tsx'
import { endShell, playShell } from '../ui/testing/playShell.ts'
import { platform } from './platform.ts'
import { startShell } from './startShell.ts'

afterEach(() => {
  endShell()
  vi.restoreAllMocks()
  document.body.replaceChildren()
})

const started = (parts = ['App', 'Network']) => {
  const shell = playShell({ parts })
  const heard: string[] = []
  const went: string[] = []
  const note = (event: Event) => heard.push(event.type)
  window.addEventListener('online', note)
  window.addEventListener('offline', note)
  startShell((place) => went.push(place))
  return { ...shell, heard, went }
}

it('a browser has no shell: nothing is heard, and Google is offered', () => {
  expect(platform()).toBe('web')
  startShell()
  render(<GoogleButton />)
  expect(screen.getByRole('button', { name: 'Sign in with Google' })).toBeTruthy()
})

it('the shell is known, and does not offer what Google refuses there', () => {
  playShell({ parts: [] })
  expect(platform()).toBe('native')
  render(<GoogleButton />)
  expect(screen.queryByRole('button')).toBeNull()
})

it('what the phone says of the network, and the return from the pocket, reaches the page in its own words', () => {
  const { tell, heard } = started()
  tell('Network.networkStatusChange', { connected: false })
  tell('Network.networkStatusChange', { connected: true })
  expect(heard).toEqual(['offline', 'online'])
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(true)
  tell('App.resume', null)
  expect(heard).toEqual(['offline', 'online', 'online'])
})

it('the way back closes what is open, then goes back, then puts the app away', () => {
  const { tell, asked } = started()
  const back = vi.spyOn(window.history, 'back').mockImplementation(() => undefined)
  const sheet = document.createElement('dialog')
  document.body.append(sheet)
  sheet.open = true
  tell('App.backButton', { canGoBack: true })
  expect(sheet.open).toBe(false)
  expect(back).not.toHaveBeenCalled()
  tell('App.backButton', { canGoBack: true })
  expect(back).toHaveBeenCalledOnce()
  expect(asked).toEqual([])
  tell('App.backButton', { canGoBack: false })
  expect(back).toHaveBeenCalledOnce()
  expect(asked.map(({ part, method }) => `${part}.${method}`)).toEqual(['App.minimizeApp'])
})

it('a dialog of the office is closed by Esc', () => {
  const { tell } = started()
  const dialog = document.createElement('div')
  dialog.setAttribute('role', 'dialog')
  document.body.append(dialog)
  const keys: string[] = []
  document.body.addEventListener('keydown', (event) => keys.push(event.key), { once: true })
  tell('App.backButton', { canGoBack: true })
  expect(keys).toEqual(['Escape'])
})

it('a link of our own server opens here; another one and what is no address do not', () => {
  const { tell, went } = started()
  const { protocol, host } = window.location
  tell('App.appUrlOpen', { url: `${protocol}//${host}/employee-invite/abc?x=1#y` })
  tell('App.appUrlOpen', { url: 'https://evil.example/employee-invite/abc' })
  tell('App.appUrlOpen', { url: 'app.swath.crew' })
  expect(went).toEqual(['/employee-invite/abc?x=1#y'])
})

it('an older shell without a part is asked nothing of it', () => {
  const { tell, heard } = started(['App'])
  tell('Network.networkStatusChange', { connected: true })
  expect(heard).toEqual([])
})
