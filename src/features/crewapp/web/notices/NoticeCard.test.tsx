import { screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import type { CrewNotice } from '../../../../shared/crew-notice.ts'
import { answerWith, show } from '../../../../ui/testing/show.tsx'
import type { Crew } from '../data.ts'
import { textsOf } from '../texts.ts'
import { NoticeCard, noticeText } from './NoticeCard.tsx'
import { noticeTexts } from './noticeTexts.ts'
import { seenNotices } from './seen.ts'

beforeEach(() => localStorage.clear())

it.each<[CrewNotice, string, string]>([
  [
    { code: 'crew', crew: 'North', from: '2026-06-12', to: '2026-06-12' },
    'You are on North on Fri, Jun 12.',
    'Estás en North el vie, 12 de jun.',
  ],
  [
    { code: 'crew', crew: null, from: '2026-06-12', to: null },
    'You are on no crew from Fri, Jun 12.',
    'No estás en ningún equipo desde el vie, 12 de jun.',
  ],
  [
    { code: 'moved', street: '7 Bay St', day: '2026-06-12', sameDay: true },
    'The office gave 7 Bay St to another crew. Leave it out.',
    'La oficina dio 7 Bay St a otro equipo. No vayas.',
  ],
  [
    { code: 'moved', street: '7 Bay St', day: null, sameDay: false },
    'The office took 7 Bay St off the calendar. Leave it out.',
    'La oficina quitó 7 Bay St del calendario. No vayas.',
  ],
  [
    { code: 'route', day: '2026-06-12', stops: 3, firstMinute: 450, again: true },
    'The office changed Fri, Jun 12. Look at it before you drive on. Fri, Jun 12: 3 stops, the first at 7:30 AM.',
    'La oficina cambió el vie, 12 de jun. Míralo antes de seguir. vie, 12 de jun: 3 paradas, la primera a las 7:30 AM.',
  ],
])('says %o in both languages', (about, english, spanish) => {
  expect(noticeText(about, noticeTexts.en, textsOf('en'))).toBe(english)
  expect(noticeText(about, noticeTexts.es, textsOf('es'))).toBe(spanish)
})

it('stands on the screen of the day until it was seen, also without a signal, and tells the server when it can', async () => {
  let signal = false
  const told: unknown[] = []
  answerWith(async (request) => {
    if (!signal) throw new TypeError('no signal')
    told.push(await request.json())
    return { body: { updated: 1, unreadCount: 0 } }
  })
  const id = '0197c0de-0000-7000-8000-000000000001'
  const crew = (notices: object[]) =>
    ({
      t: textsOf('es'),
      language: 'es',
      today: '2026-06-12',
      outbox: { userId: 'luis' },
      bundle: { notices },
    }) as unknown as Crew
  const notice = { id, at: '2026-06-12T10:00:00Z', about: { code: 'crewBack' } }
  const { user, rerender } = show(<NoticeCard crew={crew([notice])} />)
  screen.getByText(/La oficina deshizo un cambio/)
  await user.click(screen.getByRole('button', { name: 'Ya lo vi' }))
  expect(screen.queryByText(/La oficina deshizo/)).toBeNull()
  signal = true
  // the next day bundle still has it: it is told again, and not shown
  rerender(<NoticeCard crew={crew([{ ...notice }])} />)
  expect(screen.queryByText(/La oficina deshizo/)).toBeNull()
  await waitFor(() => expect(told).toEqual([{ notificationIds: [id] }]))
})

it('of a day that was sent twice only the newest word stands, and both are seen with it', async () => {
  const about = (stops: number) => ({
    code: 'route' as const,
    day: '2026-06-12',
    stops,
    firstMinute: null,
    again: true,
  })
  const notices = [
    { id: 'n1', at: '2026-06-12T12:00:00Z', about: about(6) },
    { id: 'n2', at: '2026-06-12T12:30:00Z', about: about(5) },
  ]
  answerWith(() => ({ body: {} }))
  const crew = {
    t: textsOf('en'),
    language: 'en',
    today: '2026-06-12',
    outbox: { userId: 'luis' },
    bundle: { notices },
  }
  const { user } = show(<NoticeCard crew={crew as unknown as Crew} />)
  screen.getByText(/5 stops/)
  expect(screen.queryByText(/6 stops/)).toBeNull()
  await user.click(screen.getByRole('button'))
  expect(seenNotices('luis')).toEqual(['n1', 'n2'])
})
