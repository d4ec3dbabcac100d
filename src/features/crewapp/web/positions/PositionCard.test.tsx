import { screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { endShell, playShell } from '../../../../ui/testing/playShell.ts'
import { answerWith, show } from '../../../../ui/testing/show.tsx'
import { PositionCard } from './PositionCard.tsx'
import { isSharing, noteTracking } from './sharing.ts'
import type { Seen } from './tracker.ts'
import { watchBy } from './watching.ts'

beforeEach(() => {
  localStorage.clear()
  noteTracking('off')
})
afterEach(endShell)

const card = (language: 'en' | 'es' = 'en') =>
  show(<PositionCard userId="luis" language={language} timeZone="America/New_York" />)

it('says what is taken before anybody says yes, and shares by one press', async () => {
  let own: object = { since: null, lastAt: null }
  const asked = answerWith((request) => {
    if (request.method === 'POST') own = { since: '2026-06-12T13:00:00.000Z', lastAt: null }
    return { body: own }
  })
  const { user } = card()
  expect(await screen.findByText('You do not share it.')).toBeTruthy()
  expect(screen.getByText(/never on a break and never off the clock\. It is kept for 14 days\./)).toBeTruthy()
  expect(isSharing('luis')).toBe(false)
  await user.click(screen.getByRole('button', { name: 'Share while I am on the clock' }))
  expect(await screen.findByText('Sharing since Fri, Jun 12.')).toBeTruthy()
  expect(screen.getByText(/It begins when you clock in\./)).toBeTruthy()
  expect(isSharing('luis')).toBe(true)
  expect(asked.filter((one) => one.startsWith('POST'))).toHaveLength(1)
})

it('shows when the office saw them last and what the phone refuses, in Spanish too, and ends it by one press', async () => {
  let own: object = { since: '2026-06-12T13:00:00.000Z', lastAt: '2026-06-12T18:05:00.000Z' }
  answerWith((request) => {
    if (request.method === 'POST') own = { since: null, lastAt: null }
    return { body: own }
  })
  const { user } = card('es')
  expect(await screen.findByText(/La oficina te vio por última vez a las 2:05/)).toBeTruthy()
  noteTracking('denied')
  expect(await screen.findByText(/Este teléfono no deja que Swath sepa/)).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Dejar de compartir y borrar todo' }))
  expect(await screen.findByText('No la compartes.')).toBeTruthy()
  expect(isSharing('luis')).toBe(false)
})

it('without an answer nothing is changed, and it says so', async () => {
  answerWith((request) =>
    request.method === 'POST' ? { status: 503, body: {} } : { body: { since: null, lastAt: null } },
  )
  const { user } = card()
  await user.click(await screen.findByRole('button', { name: 'Share while I am on the clock' }))
  expect(await screen.findByText('This did not work. You need a signal for it; nothing was changed.')).toBeTruthy()
  expect(isSharing('luis')).toBe(false)
})

it('in the shell the phone watches, also in the pocket; it ends the watch of a page before, and its own', async () => {
  const shell = playShell({ parts: ['BackgroundGeolocation'] })
  const places: Seen[] = []
  const troubles: string[] = []
  const end = watchBy({ title: 'On the clock', text: 'Seen.' })(
    (place) => places.push(place),
    (why) => troubles.push(why),
  )
  const methods = () => shell.asked.map(({ method }) => method)
  await vi.waitFor(() => expect(methods()).toEqual(['stop', 'start']))
  expect(shell.asked[1]?.options).toMatchObject({ backgroundTitle: 'On the clock', backgroundMessage: 'Seen.' })
  const place = { latitude: 32, longitude: -81, accuracy: 7.6, time: Date.parse('2026-06-12T13:00:00Z') }
  shell.tell('BackgroundGeolocation.start', [place])
  shell.tell('BackgroundGeolocation.start', [undefined, { code: 'NOT_AUTHORIZED' }])
  end()
  shell.tell('BackgroundGeolocation.start', [place])
  expect(places).toEqual([{ at: '2026-06-12T13:00:00.000Z', latitude: 32, longitude: -81, accuracyMeters: 8 }])
  expect(troubles).toEqual(['denied'])
  expect(methods()).toEqual(['stop', 'start', 'stop'])
})

it('in a browser the page watches, and stops', () => {
  const cleared: number[] = []
  let onTrouble: (trouble: object) => void = () => undefined
  vi.stubGlobal('navigator', {
    geolocation: {
      watchPosition: (_: unknown, trouble: (trouble: object) => void) => {
        onTrouble = trouble
        return 7
      },
      clearWatch: (id: number) => cleared.push(id),
    },
  })
  const troubles: string[] = []
  const end = watchBy({ title: '', text: '' })(
    () => undefined,
    (why) => troubles.push(why),
  )
  onTrouble({ code: 1, PERMISSION_DENIED: 1 })
  onTrouble({ code: 3, PERMISSION_DENIED: 1 })
  end()
  vi.unstubAllGlobals()
  expect([troubles, cleared]).toEqual([['denied', 'silent'], [7]])
})
