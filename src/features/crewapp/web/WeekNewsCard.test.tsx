import { screen } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import { answerWith, show } from '../../../ui/testing/show.tsx'
import type { SheetChange } from '../../timeclock/sheets/contract.ts'
import type { Crew } from './data.ts'
import { textsOf } from './texts.ts'
import { WeekNewsCard } from './WeekNewsCard.tsx'
import { noteWeeksSeen, seenWeeksAt, weekNews } from './weekNews.ts'

const now = Date.parse('2026-06-17T15:00:00Z')
const week = '2026-06-08'
const change = (action: SheetChange['action'], at: string, reason = ''): SheetChange => ({
  id: crypto.randomUUID(),
  action,
  at,
  by: 'Dana',
  reason,
  before: null,
  after: null,
})
const aWeek = (status: 'open' | 'submitted' | 'approved' | 'returned', ...changes: SheetChange[]) => ({
  week,
  status,
  reason: changes[0]?.reason ?? '',
  changes,
})

beforeEach(() => localStorage.clear())

it('tells what others did since one looked, the last of it, and a week sent back until it is handed in', () => {
  const corrected = aWeek(
    'approved',
    change('changed', '2026-06-16T10:00:00Z', 'Noon'),
    change('submitted', '2026-06-15T10:00:00Z'),
  )
  const back = aWeek('returned', change('returned', '2026-06-15T10:00:00Z', 'Monday is missing'))
  const said = (seenAt: string | null, ...sheets: Parameters<typeof weekNews>[0]) =>
    weekNews(sheets, seenAt, now).map(({ kind, reason }) => [kind, reason])
  expect(said(null, corrected)).toEqual([['corrected', 'Noon']])
  expect(said('2026-06-16T10:00:00Z', corrected)).toEqual([])
  expect(said('2026-06-17T10:00:00Z', back)).toEqual([['returned', 'Monday is missing']])
  expect(said(null, aWeek('approved', change('approved', '2026-06-01T10:00:00Z')))).toEqual([])
  expect(said(null, aWeek('submitted', change('submitted', '2026-06-16T10:00:00Z')))).toEqual([])
})

it('says it on the day’s screen in the person’s language, and no more once the weeks were looked at', async () => {
  const sheets = [
    aWeek('approved', change('changed', '2026-06-16T10:00:00Z', 'The office corrected it after it was approved.')),
  ]
  answerWith(() => ({ body: { today: '2026-06-17', timeZone: 'America/New_York', items: sheets } }))
  const crew = {
    t: textsOf('es'),
    language: 'es',
    now,
    outbox: { userId: 'luis' },
    state: { commands: [] },
  } as unknown as Crew
  const { unmount } = show(<WeekNewsCard crew={crew} />)
  await screen.findByText(/La oficina corrigió tu semana/)
  screen.getByText(/La oficina la corrigió después de aprobarla/)
  screen.getByRole('link', { name: 'Ver mis semanas' })
  unmount()
  noteWeeksSeen('luis', sheets)
  expect(weekNews(sheets, seenWeeksAt('luis'), now)).toEqual([])
})
