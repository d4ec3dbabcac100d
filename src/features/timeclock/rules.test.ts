import { describe, expect, it } from 'vitest'
import {
  type ClockEntry,
  clockedInSince,
  clockStateOf,
  forgottenEnd,
  fullMinuteSeconds,
  sumEntries,
  weekOf,
} from './rules.ts'

const zone = 'America/New_York'
const entry = (kind: 'work' | 'break', startedAt: string, endedAt: string | null): ClockEntry => ({
  id: startedAt,
  kind,
  startedAt,
  endedAt,
  flagged: null,
})
const day = [
  entry('work', '2026-06-12T11:00:00Z', '2026-06-12T16:00:00Z'),
  entry('break', '2026-06-12T16:00:00Z', '2026-06-12T16:30:00Z'),
  entry('work', '2026-06-12T16:30:00Z', null),
]
const now = Date.parse('2026-06-12T17:00:00Z')

describe('the clock', () => {
  it.each([
    [[], { state: 'off', since: null }],
    [day, { state: 'working', since: '2026-06-12T16:30:00Z' }],
    [[entry('break', 'b', null)], { state: 'break', since: 'b' }],
  ] as const)('knows the state of %#', (entries, expected) => expect(clockStateOf(entries)).toEqual(expected))

  it('pays breaks of up to 20 minutes and no longer ones', () => {
    expect(sumEntries(day, now)).toEqual({ workSeconds: 19_800, breakSeconds: 1800, paidSeconds: 19_800 })
    const short = [entry('break', '2026-06-12T16:00:00Z', '2026-06-12T16:20:00Z')]
    expect(sumEntries(short, now)).toEqual({ workSeconds: 0, breakSeconds: 1200, paidSeconds: 1200 })
  })

  it('puts work on the day on which it began, in the zone of the business', () => {
    const late = [entry('work', '2026-06-15T03:30:00Z', '2026-06-15T05:00:00Z')]
    const week = weekOf([...day, ...late], '2026-06-12', zone, now)
    expect([week.from, week.to]).toEqual(['2026-06-08', '2026-06-14'])
    expect(week.days.filter((d) => d.workSeconds > 0).map((d) => d.day)).toEqual(['2026-06-12', '2026-06-14'])
  })

  it('says since when somebody is at work, over breaks', () => {
    expect(clockedInSince(day, '2026-06-12', zone)).toBe('2026-06-12T11:00:00Z')
    expect(clockedInSince(day, '2026-06-13', zone)).toBeNull()
  })

  it.each([
    ['the shift', null, '2026-06-12T20:00:00.000Z'],
    ['the last thing done', '2026-06-12T21:10:00Z', '2026-06-12T21:10:00.000Z'],
    ['an earlier thing', '2026-06-12T15:00:00Z', '2026-06-12T20:00:00.000Z'],
  ])('ends a forgotten entry with %s', (_, lastCommandAt, expected) => {
    const input = { startedAt: '2026-06-12T11:00:00Z', shiftEnd: '2026-06-12T20:00:00Z', lastCommandAt }
    expect(forgottenEnd({ ...input, now: '2026-06-13T11:00:00Z' })).toBe(expected)
  })
})

it.each([
  [24 * 60_000 + 59_999, 24],
  [25 * 60_000, 25],
  [999, 0],
])('%i ms on the clock are %i full minutes, as the big clock says', (ms, minutes) =>
  expect(fullMinuteSeconds(5_000 + ms, 5_000)).toBe(minutes * 60),
)
