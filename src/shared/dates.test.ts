import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  addDays,
  addMonths,
  dayOf,
  daysBetween,
  formatDuration,
  formatMinute,
  instantAt,
  isDay,
  minuteOfDay,
  startOfWeek,
  weekdayOf,
} from './dates.ts'

const zone = 'America/New_York'

describe('days', () => {
  it.each([
    ['2026-02-28', true],
    ['2026-02-29', false],
    ['2028-02-29', true],
    ['2026-13-01', false],
    ['2026-6-1', false],
    ['', false],
  ])('%s exists: %s', (day, exists) => {
    expect(isDay(day)).toBe(exists)
  })
  it.each([
    ['2026-01-31', 1, '2026-02-28'],
    ['2028-01-31', 1, '2028-02-29'],
    ['2026-03-31', -1, '2026-02-28'],
    ['2026-12-15', 1, '2027-01-15'],
    ['2026-01-15', -1, '2025-12-15'],
  ])('%s and %i months is %s', (day, months, expected) => {
    expect(addMonths(day, months)).toBe(expected)
  })
  it('counts and comes back, over leap days and changes of the clock', () => {
    fc.assert(
      fc.property(fc.integer({ min: -20_000, max: 20_000 }), (n) => {
        const day = addDays('2026-03-08', n)
        expect(daysBetween('2026-03-08', day)).toBe(n)
        expect(weekdayOf(startOfWeek(day))).toBe(1)
        expect(daysBetween(startOfWeek(day), day)).toBe((weekdayOf(day) + 6) % 7)
      }),
    )
  })
})

describe('instants on the wall clock of a zone', () => {
  it.each([
    ['an ordinary morning', '2026-06-12', 420, '2026-06-12T11:00:00.000Z'],
    ['the hour that spring leaves out', '2026-03-08', 150, '2026-03-08T07:30:00.000Z'],
    ['the hour that comes twice is the first', '2026-11-01', 90, '2026-11-01T05:30:00.000Z'],
    ['after midnight runs into the next day', '2026-06-12', 1500, '2026-06-13T05:00:00.000Z'],
  ])('%s', (_name, day, minute, instant) => {
    expect(instantAt(day, minute, zone)).toBe(instant)
  })
  it('comes back to the same day and minute, but for the hour that is not there', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 20_000 }),
        fc.integer({ min: 0, max: 1439 }),
        fc.constantFrom(zone, 'America/Phoenix', 'Pacific/Honolulu', 'Asia/Kathmandu'),
        (n, minute, timeZone) => {
          const day = addDays('2000-01-01', n)
          const instant = instantAt(day, minute, timeZone)
          const back = minuteOfDay(instant, timeZone)
          if (back !== minute) expect(Math.abs(back - minute)).toBe(60)
          else expect(dayOf(instant, timeZone)).toBe(day)
        },
      ),
    )
  })
})

describe('words', () => {
  it.each([
    [0, '12:00 AM'],
    [435, '7:15 AM'],
    [720, '12:00 PM'],
    [1439, '11:59 PM'],
    [1440, '12:00 AM'],
  ])('minute %i is %s', (minute, text) => {
    expect(formatMinute(minute)).toBe(text)
  })
  it.each([
    [0, '0 min'],
    [2460, '41 min'],
    [11_520, '3 h 12 min'],
    [3600, '1 h 00 min'],
  ])('%i seconds are %s', (seconds, text) => {
    expect(formatDuration(seconds)).toBe(text)
  })
})
