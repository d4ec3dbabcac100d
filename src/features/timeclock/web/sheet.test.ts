import { describe, expect, it } from 'vitest'
import type { Entry } from './data.ts'
import { hours, sheetsOf } from './sheet.ts'

const entry = (userId: string, startedAt: string, endedAt: string | null, change: Partial<Entry> = {}): Entry => ({
  id: `${userId}${startedAt}`,
  userId,
  name: userId,
  crewId: null,
  crewName: 'North',
  kind: 'work',
  startedAt,
  endedAt,
  flagged: null,
  source: 'clock',
  skewSeconds: 0,
  note: '',
  ...change,
})

describe('a week of timesheets', () => {
  const sheets = sheetsOf(
    [
      entry('Zoe', '2026-06-16T11:00:00Z', '2026-06-16T19:30:00Z'),
      entry('Ann', '2026-06-16T03:30:00Z', '2026-06-16T04:30:00Z', { flagged: 'forgotten' }),
      entry('Ann', '2026-06-17T11:00:00Z', null),
      entry('Ann', '2026-06-17T12:00:00Z', '2026-06-17T12:40:00Z', { kind: 'break' }),
    ],
    '2026-06-15',
    'America/New_York',
    Date.parse('2026-06-17T12:00:00Z'),
  )
  it('is a row a person by name, a day by the zone of the business', () => {
    expect(sheets.map((s) => s.name)).toEqual(['Ann', 'Zoe'])
    expect(sheets[0]!.days.map((d) => hours(d.paidSeconds))).toEqual(['1:00', '', '1:00', '', '', '', ''])
    expect(hours(sheets[1]!.paidSeconds)).toBe('8:30')
  })
  it('shows who is clocked in, what needs a look and unpaid breaks', () => {
    expect(sheets.map((s) => [s.open, s.flags, hours(s.breakSeconds)])).toEqual([
      [true, 1, '0:40'],
      [false, 0, ''],
    ])
  })
})
