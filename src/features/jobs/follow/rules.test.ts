import fc from 'fast-check'
import { expect, it } from 'vitest'
import { addDays, daysBetween, weekdayOf } from '../../../shared/dates.ts'
import { inSeason, nextAfterDone, type Recurrence } from '../rules.ts'

const rule = (changes: Partial<Recurrence> = {}): Recurrence => ({
  freq: 'week',
  interval: 2,
  weekdays: [2],
  phaseOn: '2026-01-06',
  season: [{ from: '03-01', to: '11-15' }],
  holiday: 'next',
  exceptions: [],
  anchor: 'completion',
  ...changes,
})
const calendar = { holidays: ['2026-05-26'], workDays: [1, 2, 3, 4, 5] }
const next = (r: Recurrence, doneOn: string, earliest = doneOn) => nextAfterDone(r, doneOn, earliest, calendar)

it.each<[string, Recurrence, string, string | null]>([
  ['on the weekday of the route', rule(), '2026-04-07', '2026-04-21'],
  ['done two days late, back on the weekday', rule(), '2026-04-09', '2026-04-21'],
  ['done on a Friday, forward to the weekday', rule(), '2026-04-10', '2026-04-21'],
  ['no farther than the tolerance', rule({ tolerance: { before: 0, after: 1 } }), '2026-04-09', '2026-04-23'],
  ['not on a holiday', rule(), '2026-05-12', '2026-05-25'],
  ['not before the least gap', rule({ minGapDays: 13 }), '2026-04-09', '2026-04-23'],
  ['not after the longest gap', rule({ maxGapDays: 14, weekdays: [5] }), '2026-04-08', '2026-04-22'],
  ['over the winter into the first week of the season', rule(), '2026-11-10', '2027-03-02'],
  [
    'slower in a part of the year',
    rule({ periods: [{ from: '10-01', to: '11-15', interval: 4 }] }),
    '2026-10-06',
    '2026-11-03',
  ],
  ['a month later', rule({ freq: 'month', interval: 1 }), '2026-03-31', '2026-04-30'],
  ['every 10 days, on a work day', rule({ freq: 'day', interval: 10, weekdays: [] }), '2026-04-08', '2026-04-17'],
  ['not after its end', rule({ end: { on: '2026-04-20' } }), '2026-04-07', null],
])('%s', (_name, r, doneOn, expected) => {
  expect(next(r, doneOn)).toBe(expected)
})

it('of work that was entered late comes today at the earliest', () => {
  expect(next(rule(), '2026-04-07', '2026-05-06')).toBe('2026-05-12')
})

it('a whole life of visits: always later, in season, off holidays, not nearer than the gap', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 5 }),
      fc.integer({ min: 1, max: 5 }),
      fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 40, maxLength: 40 }),
      fc.uniqueArray(fc.integer({ min: 0, max: 1400 }), { maxLength: 60 }),
      (interval, day, delays, off) => {
        const r = rule({ interval, weekdays: [day], minGapDays: 5, season: [{ from: '02-29', to: '11-15' }] })
        const holidays = off.map((n) => addDays('2026-03-01', n))
        let doneOn = '2026-03-03'
        for (const delay of delays) {
          const found = nextAfterDone(r, doneOn, doneOn, { holidays, workDays: [1, 2, 3, 4, 5] })
          expect(found).not.toBeNull()
          const on = found ?? ''
          expect(daysBetween(doneOn, on)).toBeGreaterThanOrEqual(5)
          expect(inSeason(on, r.season ?? [])).toBe(true)
          expect(holidays.includes(on)).toBe(false)
          expect([1, 2, 3, 4, 5]).toContain(weekdayOf(on))
          doneOn = addDays(on, delay)
        }
      },
    ),
  )
})
