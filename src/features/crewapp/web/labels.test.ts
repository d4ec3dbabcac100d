import { expect, it } from 'vitest'
import type { CrewDayPlan } from '../contract.ts'
import { clockLabel, stopNumber, unbroken } from './labels.ts'
import { textsOf } from './texts.ts'

const spell = (startedAt: string, endedAt: string | null) => ({
  id: startedAt,
  kind: 'work' as const,
  startedAt: `2026-06-12T${startedAt}:00Z`,
  endedAt: endedAt && `2026-06-12T${endedAt}:00Z`,
  flagged: null,
})
const labelOf = (clockedInAt: string, workSeconds: number, ...entries: ReturnType<typeof spell>[]) => {
  const days = [{ day: '2026-06-12', workSeconds, breakSeconds: 0, paidSeconds: workSeconds }]
  const week = { from: '2026-06-08', to: '2026-06-14', paidSeconds: workSeconds, days }
  const clock = { state: 'working' as const, since: clockedInAt, clockedInAt, entries, week }
  const now = Date.parse('2026-06-12T19:00:00Z')
  return clockLabel({ clock, now, timeZone: 'America/New_York', today: '2026-06-12' }, textsOf('en'))
}

it('says since when and how long, and of the day where somebody clocked out and came back', () => {
  const morning = spell('11:00', '15:00')
  expect(labelOf('2026-06-12T11:00:00Z', 8 * 3600, spell('11:00', null))).toBe('Clocked in 7:00 AM · 8 h 00 min')
  expect(labelOf('2026-06-12T18:00:00Z', 5 * 3600, morning, spell('18:00', null))).toBe(
    'Clocked in 2:00 PM · 5 h 00 min today',
  )
  // a switch to the shop is no coming back
  expect(labelOf('2026-06-12T11:00:00Z', 8 * 3600, morning, spell('15:00', null))).toBe(
    'Clocked in 7:00 AM · 8 h 00 min',
  )
})

it('says of a break that began a moment after the screen last looked at the clock that it has just begun', () => {
  const week = { from: '2026-06-08', to: '2026-06-14', paidSeconds: 0, days: [] }
  const clock = { state: 'break' as const, since: '2026-06-12T19:01:00Z', clockedInAt: null, entries: [], week }
  const now = Date.parse('2026-06-12T19:00:00Z')
  expect(clockLabel({ clock, now, timeZone: 'America/New_York', today: '2026-06-12' }, textsOf('en'))).toBe(
    'On a break · 0 min',
  )
})

it('counts full minutes of work, as the clock below it does', () =>
  expect(labelOf('2026-06-12T11:00:00Z', 2 * 3600 + 33 * 60 + 40, spell('11:00', null))).toBe(
    'Clocked in 7:00 AM · 2 h 33 min',
  ))

it('numbers the stops that count, and one that the office canceled not at all', () => {
  const stops = ['completed', 'canceled', 'scheduled'].map((status, at) => ({ id: String(at), status, order: at + 1 }))
  const plan = { stops } as unknown as CrewDayPlan
  expect(plan.stops.map((stop) => stopNumber(plan, stop))).toEqual([1, null, 2])
})

it('a time is not torn from its half of the day', () => expect(unbroken('12:08 PM')).toBe('12:08\u00a0PM'))
