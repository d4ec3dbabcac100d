import { describe, expect, it } from 'vitest'
import {
  type ClockEntry,
  clockedInSince,
  clockStateOf,
  forgottenEnd,
  freeParts,
  fullMinuteSeconds,
  isClockDay,
  isClockInstant,
  saidEnd,
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

  it('says since when somebody is back who clocked out in between', () => {
    const back = [
      entry('work', '2026-06-12T11:00:00Z', '2026-06-12T14:00:00Z'),
      entry('work', '2026-06-12T18:00:00Z', '2026-06-12T19:00:00.000Z'),
      entry('work', '2026-06-12T19:00:00.400Z', null),
    ]
    expect(clockedInSince(back, '2026-06-12', zone)).toBe('2026-06-12T18:00:00Z')
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
  // the screen looked at the clock before the tap: nothing yet, and no "-1 h -1 min"
  [-3, 0],
  [-90_000, 0],
])('%i ms on the clock are %i full minutes, as the big clock says', (ms, minutes) =>
  expect(fullMinuteSeconds(5_000 + ms, 5_000)).toBe(minutes * 60),
)

describe('late time', () => {
  it.each([
    ['nothing', [], [[10, 50]]],
    [
      'both ends',
      [
        [0, 20],
        [40, 60],
      ],
      [[20, 40]],
    ],
    [
      'the middle',
      [[20, 30]],
      [
        [10, 20],
        [30, 50],
      ],
    ],
    [
      'all of it in pieces',
      [
        [30, 50],
        [5, 30],
      ],
      [],
    ],
    [
      'what only touches',
      [
        [0, 10],
        [50, 60],
      ],
      [[10, 50]],
    ],
    [
      'one inside of another',
      [
        [10, 40],
        [20, 30],
      ],
      [[40, 50]],
    ],
  ] as const)('is without what is taken: %s', (_, taken, expected) => {
    expect(freeParts([10, 50], taken)).toEqual(expected)
  })

  it.each([
    ['the same day', '2026-06-12T11:00:00Z', 900, '2026-06-12T19:00:00.000Z'],
    ['after midnight', '2026-06-13T00:00:00Z', 60, '2026-06-13T05:00:00.000Z'],
    ['more than 14 hours', '2026-06-12T11:00:00Z', 300, null],
    ['still to come', '2026-06-13T11:00:00Z', 900, null],
  ])('ends, when somebody says so afterwards: %s', (_, startedAt, minute, expected) => {
    expect(saidEnd(startedAt, minute, zone, Date.parse('2026-06-13T12:00:00Z'))).toBe(expected)
  })

  it.each([
    ['9999-12-31', false],
    ['0001-01-01', false],
    ['1999-12-31', false],
    ['2026-06-12', true],
    ['2026-02-30', false],
  ])('of the day %s is %s', (day, expected) => expect(isClockDay(day)).toBe(expected))

  it.each([
    ['0001-01-01T00:00:00Z', false],
    ['9999-12-31T23:59:59Z', false],
    ['+275760-09-13T00:00:00Z', false],
    ['1970-01-01T00:10:00Z', true],
    ['soon', false],
  ])('at %s is %s', (instant, expected) => expect(isClockInstant(instant)).toBe(expected))
})

it('a view moves no spell and makes no paid break a long one', () => {
  const spells = [
    entry('work', '2026-06-15T03:54:00Z', '2026-06-15T09:54:00Z'),
    entry('break', '2026-06-12T16:05:00Z', '2026-06-12T16:24:00Z'),
  ]
  const quarter = (instant: string | null) =>
    instant && new Date(Math.round(Date.parse(instant) / 900_000) * 900_000).toISOString()
  const { days } = weekOf(spells, '2026-06-12', zone, now, (one) => ({
    startedAt: quarter(one.startedAt) ?? '',
    endedAt: quarter(one.endedAt),
  }))
  expect(days.map((one) => one.paidSeconds / 60)).toEqual([0, 0, 0, 0, 30, 0, 360])
})
