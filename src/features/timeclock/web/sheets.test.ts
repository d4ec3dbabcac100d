import { describe, expect, it } from 'vitest'
import type { OfficeEntry } from './data.ts'
import { hoursText, sheetsOf } from './sheets.ts'

const entry = (changes: Partial<OfficeEntry>): OfficeEntry => ({
  id: 'e',
  kind: 'work',
  startedAt: '2026-06-12T11:00:00Z',
  endedAt: '2026-06-12T15:00:00Z',
  flagged: null,
  userId: 'u',
  name: 'Ana',
  crewId: null,
  crewName: null,
  source: 'clock',
  skewSeconds: 0,
  note: '',
  ...changes,
})

describe('timesheets', () => {
  it('adds up by person and day; a spell over midnight stands where it began', () => {
    const sheets = sheetsOf(
      [
        entry({}),
        entry({ id: 'f', startedAt: '2026-06-13T03:00:00Z', endedAt: '2026-06-13T05:00:00Z' }),
        entry({ id: 'g', userId: 'v', name: 'Abe', endedAt: null, flagged: 'skew' }),
      ],
      'America/New_York',
      Date.parse('2026-06-12T12:00:00Z'),
    )
    expect(sheets.map((s) => [s.name, s.paidSeconds / 3600, s.flags, s.isOpen])).toEqual([
      ['Abe', 1, 1, true],
      ['Ana', 6, 0, false],
    ])
    expect([...(sheets[1]?.byDay.keys() ?? [])]).toEqual(['2026-06-12'])
  })
  it('reads as payroll does', () => expect([hoursText(27_900), hoursText(0)]).toEqual(['7.75', '–']))
})
