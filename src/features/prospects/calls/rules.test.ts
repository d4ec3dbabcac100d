import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dayOf, minuteOfDay, weekdayOf } from '../../../shared/dates.ts'
import {
  type Busy,
  type CallSettings,
  daysOfSpan,
  endsOf,
  freeSlots,
  hoursProblem,
  spanProblem,
  spansOf,
} from './rules.ts'

const settings: CallSettings = {
  timeZone: 'America/New_York',
  hours: { 1: [[540, 600]], 2: [[540, 660]], 0: [[60, 240]] },
  noticeMinutes: 60,
  horizonDays: 7,
  bufferMinutes: 10,
  holidays: [],
  restsOnHolidays: true,
}
const slots = (changes: Partial<CallSettings>, now: string, minutes = 20, busy: Busy[] = []) =>
  freeSlots({ ...settings, ...changes }, busy, minutes, new Date(now))
const local = (instants: string[], zone = 'America/New_York') =>
  instants.map((instant) => `${dayOf(instant, zone)} ${minuteOfDay(instant, zone)}`)
const booked = (startsAt: string, minutes = 20): Busy => ({
  startsAt,
  busyUntil: endsOf(startsAt, minutes, 10).busyUntil,
})

describe('free slots', () => {
  // Monday, June 15, 2026, 7 AM in New York.
  const monday = '2026-06-15T11:00:00Z'

  test('stand inside the hours, every half hour', () => {
    expect(local(slots({ horizonDays: 1 }, monday))).toEqual([
      '2026-06-15 540',
      '2026-06-15 570',
      '2026-06-16 540',
      '2026-06-16 570',
      '2026-06-16 600',
      '2026-06-16 630',
    ])
  })
  test('a call must end inside them', () =>
    expect(local(slots({ hours: { 1: [[540, 595]] }, horizonDays: 0 }, monday, 30))).toEqual(['2026-06-15 540']))
  test('leave time to prepare', () => {
    expect(local(slots({ horizonDays: 0 }, '2026-06-15T12:00:00Z'))).toEqual(['2026-06-15 540', '2026-06-15 570'])
    expect(local(slots({ horizonDays: 0 }, '2026-06-15T12:00:01Z'))).toEqual(['2026-06-15 570'])
  })
  test('are not offered on a holiday', () =>
    expect(local(slots({ holidays: ['2026-06-16'], horizonDays: 1 }, monday))).toEqual([
      '2026-06-15 540',
      '2026-06-15 570',
    ]))
  test('are not offered on a federal holiday, unless it is worked', () => {
    const thanksgiving = { hours: { 4: [[540, 600]], 5: [[540, 600]] }, horizonDays: 6 } as const
    const before = '2026-11-23T12:00:00Z'
    expect(local(slots(thanksgiving, before))).toEqual(['2026-11-27 540', '2026-11-27 570'])
    expect(local(slots({ ...thanksgiving, restsOnHolidays: false }, before))).toContain('2026-11-26 540')
  })
  test('keep away from a booked call and its pause', () => {
    const busy = [booked('2026-06-16T13:30:00.000Z')]
    expect(local(slots({ hours: { 2: [[540, 660]] }, horizonDays: 1 }, monday, 20, busy))).toEqual([
      '2026-06-16 540',
      '2026-06-16 600',
      '2026-06-16 630',
    ])
    // 30 minutes and the pause after them would run into it.
    expect(local(slots({ hours: { 2: [[540, 660]] }, horizonDays: 1 }, monday, 30, busy))).toEqual([
      '2026-06-16 600',
      '2026-06-16 630',
    ])
  })
  test('end at the horizon', () =>
    expect(local(slots({ horizonDays: 6 }, monday)).some((one) => one.startsWith('2026-06-22'))).toBe(false))

  // March 8, 2026: 2:00 to 3:00 does not exist in New York. November 1: 1:00 to 2:00 comes twice.
  test('skip the hour that the spring night leaves out', () =>
    expect(local(slots({ horizonDays: 1 }, '2026-03-07T12:00:00Z'))).toEqual([
      '2026-03-08 60',
      '2026-03-08 90',
      '2026-03-08 180',
      '2026-03-08 210',
    ]))
  test('offer the hour that comes twice once', () =>
    expect(slots({ horizonDays: 1, hours: { 0: [[60, 180]] } }, '2026-10-31T12:00:00Z')).toEqual([
      '2026-11-01T05:00:00.000Z',
      '2026-11-01T05:30:00.000Z',
      '2026-11-01T07:00:00.000Z',
      '2026-11-01T07:30:00.000Z',
    ]))
  test('are the same instants for whoever looks from elsewhere', () =>
    expect(local(slots({ horizonDays: 0 }, monday), 'Asia/Kathmandu')).toEqual(['2026-06-15 1125', '2026-06-15 1155']))

  test('whatever is booked: never overlapping, always inside the hours', () => {
    const week = Date.parse('2026-06-15T00:00:00Z')
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 0, max: 7 * 288 }), fc.constantFrom(20, 30)), { maxLength: 12 }),
        fc.constantFrom(20, 30),
        fc.integer({ min: 0, max: 60 }),
        (calls, minutes, bufferMinutes) => {
          const busy = calls.map(([step, length]) => booked(new Date(week + step * 300_000).toISOString(), length))
          for (const start of slots({ bufferMinutes }, '2026-06-14T23:00:00Z', minutes, busy)) {
            const { endsAt, busyUntil } = endsOf(start, minutes, bufferMinutes)
            for (const one of busy)
              expect(
                Date.parse(start) >= Date.parse(one.busyUntil) || Date.parse(busyUntil) <= Date.parse(one.startsAt),
              ).toBe(true)
            const minute = minuteOfDay(start, 'America/New_York')
            const spans = settings.hours[String(weekdayOf(dayOf(start, 'America/New_York')))] ?? []
            expect(
              spans.some(
                ([from, to]) => minute >= from && minute + (Date.parse(endsAt) - Date.parse(start)) / 60_000 <= to,
              ),
            ).toBe(true)
          }
        },
      ),
      { numRuns: 60 },
    )
  })
})

test.each([
  [
    {
      1: [
        [540, 720],
        [780, 1020],
      ],
    },
    null,
  ],
  [{ 7: [] }, 'Days are numbered from 0 (Sunday) to 6.'],
  [{ 1: [[720, 540]] }, 'Hours end after they begin.'],
  [
    {
      1: [
        [540, 720],
        [700, 800],
      ],
    },
    'Hours of one day follow each other.',
  ],
  [{ 1: [[-5, 1500]] }, 'Hours lie between 0:00 and 24:00.'],
] as [CallSettings['hours'], string | null][])('hours %j: %s', (hours, expected) =>
  expect(hoursProblem(hours)).toBe(expected),
)

test('days are shown as spans and kept as days', () => {
  const days = [...daysOfSpan('2026-12-30', '2027-01-02'), '2026-11-26', '2027-01-02']
  expect(spansOf(days)).toEqual([
    { from: '2026-11-26', to: '2026-11-26' },
    { from: '2026-12-30', to: '2027-01-02' },
  ])
  expect(daysOfSpan('2027-01-02', '2027-01-01')).toEqual([])
  expect(spansOf([])).toEqual([])
})

test.each([
  [null, '2026-11-20', null],
  ['2026-11-20', null, 'This day is over.'],
  ['2026-11-21', null, null],
  ['2026-11-22', '2026-11-21', 'The last day comes before the first.'],
  ['2026-11-22', '2027-03-01', null],
  ['2026-11-22', '2027-03-02', 'At most 100 days at once.'],
] as const)('days without calls from %s to %s: %s', (from, to, problem) => {
  expect(spanProblem(from, to, '2026-11-21')).toBe(problem)
})
