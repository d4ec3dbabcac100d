import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addDays, daysBetween, weekdayOf } from '../../../shared/dates.ts'
import { occurrences, type Recurrence, weekLetter } from '../rules.ts'
import { goingLines, placedRule, placedSlot, slotsOf, weekNumber, weeksBetween } from './rules.ts'

const weekly = (changes: Partial<Recurrence> = {}): Recurrence => ({
  freq: 'week',
  interval: 1,
  weekdays: [2],
  phaseOn: '2026-04-06',
  holiday: 'next',
  exceptions: [],
  ...changes,
})
const line = (recurrence: Recurrence | null, budgetMinutes = 60) => ({ recurrence, budgetMinutes })
const days = (rule: Recurrence, from = '2026-06-01', to = '2026-08-31') =>
  occurrences(rule, { from, to, holidays: [] }).map(({ day }) => day)

describe('where recurring work stands', () => {
  it.each([
    ['weekly', [line(weekly())], [{ weekday: 2, everyWeeks: 1, week: 0, minutes: 60 }], null],
    [
      'week A',
      [line(weekly({ interval: 2, phaseOn: '2026-04-13' }))],
      [{ weekday: 2, everyWeeks: 2, week: 0, minutes: 60 }],
      null,
    ],
    ['week B', [line(weekly({ interval: 2 }))], [{ weekday: 2, everyWeeks: 2, week: 1, minutes: 60 }], null],
    [
      'a bed every other time',
      [line(weekly()), line(weekly({ interval: 2 }), 40)],
      [{ weekday: 2, everyWeeks: 1, week: 0, minutes: 80, minutesByWeek: [60, 100] }],
      null,
    ],
    [
      'lines in turns come every week',
      [line(weekly({ interval: 2 })), line(weekly({ interval: 2, phaseOn: '2026-04-13' }), 30)],
      [{ weekday: 2, everyWeeks: 1, week: 0, minutes: 45, minutesByWeek: [30, 60] }],
      null,
    ],
    [
      'the third Tuesday',
      [line({ ...weekly({ freq: 'month', weekdays: [] }), nth: { week: 3, weekday: 2 } })],
      [{ weekday: 2, everyWeeks: 4, week: 2, minutes: 60, nth: 3 }],
      null,
    ],
    [
      'the last Tuesday',
      [line({ ...weekly({ freq: 'month', weekdays: [] }), nth: { week: -1, weekday: 2 } })],
      [{ weekday: 2, everyWeeks: 4, week: 3, minutes: 60, nth: -1 }],
      null,
    ],
    [
      'the third Tuesday of a quarter',
      [line({ ...weekly({ freq: 'month', weekdays: [], interval: 3 }), nth: { week: 3, weekday: 2 } })],
      [{ weekday: 2, everyWeeks: 13, week: 2, minutes: 60, nth: 3 }],
      'long_rhythm',
    ],
    [
      'the fifth Tuesday',
      [line({ ...weekly({ freq: 'month', weekdays: [] }), nth: { week: 5, weekday: 2 } })],
      [{ weekday: 2, everyWeeks: 13, week: 0, minutes: 60, nth: 5 }],
      'long_rhythm',
    ],
    [
      'a single day beside it',
      [line(weekly()), line(null)],
      [{ weekday: 2, everyWeeks: 1, week: 0, minutes: 60 }],
      null,
    ],
    [
      'two days a week',
      [line(weekly({ weekdays: [2, 5] }))],
      [
        { weekday: 2, everyWeeks: 1, week: 0, minutes: 60 },
        { weekday: 5, everyWeeks: 1, week: 0, minutes: 60 },
      ],
      'several_days',
    ],
    [
      'after the last visit',
      [line(weekly({ anchor: 'completion' }))],
      [{ weekday: 2, everyWeeks: 1, week: 0, minutes: 60 }],
      'follows',
    ],
    [
      'every six weeks',
      [line(weekly({ interval: 6 }))],
      [{ weekday: 2, everyWeeks: 6, week: expect.any(Number), minutes: 60 }],
      'long_rhythm',
    ],
    ['the 15th', [line(weekly({ freq: 'month', weekdays: [], dayOfMonth: 15 }))], [], 'no_weekday'],
    ['every ten days', [line(weekly({ freq: 'day', weekdays: [], interval: 10 }))], [], 'no_weekday'],
    [
      'every second week in winter only',
      [line(weekly({ periods: [{ from: '12-01', to: '02-28', interval: 2 }] }))],
      [{ weekday: 2, everyWeeks: 1, week: 0, minutes: 60 }],
      null,
    ],
  ])('%s', (_, lines, slots, fixed) => {
    const found = slotsOf(lines, [])
    expect([found.slots, found.fixed]).toEqual([slots, fixed])
  })

  it('knows the weeks of a year in which it comes where they are not the season of the business', () => {
    const season = [{ from: '03-01', to: '11-30' }]
    const span = { today: '2026-04-06', startOn: '2026-01-05', endOn: null }
    const weeks = (rule: Recurrence, changes = {}) =>
      slotsOf([line(rule)], season, { ...span, ...changes }).slots[0]?.weeksAYear
    expect(weeks(weekly())).toBeUndefined()
    expect(weeks(weekly({ season }))).toBeUndefined()
    expect(weeks(weekly({ season: [{ from: '06-01', to: '08-31' }] }))).toBe(13)
    expect(weeks(weekly({ season: [] }))).toBe(52)
    expect(weeks(weekly({ end: { on: '2026-06-01' } }))).toBe(8)
    expect(weeks(weekly(), { endOn: '2026-06-01' })).toBe(8)
    // From September on, and next March again.
    expect(weeks(weekly({ phaseOn: '2026-09-07' }))).toBe(17)
    expect(weeks(weekly(), { startOn: '2026-09-07' })).toBe(17)
  })

  it('forgets lines that are over', () => {
    const lines = [line(weekly({ end: { on: '2026-05-01' } })), line(weekly({ end: { count: 2 } })), line(weekly())]
    expect(goingLines(lines, '2026-04-06', [])).toHaveLength(3)
    expect(goingLines(lines, '2026-06-01', [])).toEqual([lines[2]])
  })

  it('counts weeks as the letters do', () => {
    for (let n = 0; n < 60; n++) {
      const day = addDays('2026-03-01', n)
      expect(weekLetter(day)).toBe(weekNumber(day) % 2 === 0 ? 'A' : 'B')
    }
  })
})

describe('another place', () => {
  it('is where it was asked to be, and keeps the rhythm', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 0, max: 6 }),
        fc.integer({ min: 0, max: 6 }),
        fc.integer({ min: 0, max: 3 }),
        fc.integer({ min: 0, max: 27 }),
        (interval, was, weekday, wanted, phase) => {
          const rule = weekly({ interval, weekdays: [was], phaseOn: addDays('2026-04-06', phase) })
          const [slot] = slotsOf([line(rule)], []).slots
          const toWeek = wanted % interval
          const placed = placedRule(rule, { weekday, weeks: weeksBetween(slot!, toWeek) })
          expect(slotsOf([line(placed)], []).slots).toEqual([{ ...slot, weekday, week: toWeek }])
          const named = days(placed)
          expect(named.length).toBeGreaterThan(2)
          for (const day of named) expect([weekdayOf(day), weekNumber(day) % interval]).toEqual([weekday, toWeek])
          for (const [at, day] of named.slice(1).entries()) expect(daysBetween(named[at]!, day)).toBe(7 * interval)
        },
      ),
    )
  })

  it('is moved by the rhythm of the slot, also where the rule has another pace or its lines have several', () => {
    const shoulder = weekly({ interval: 1, periods: [{ from: '03-01', to: '11-15', interval: 2 }] })
    const [slot] = slotsOf([line(shoulder)], [{ from: '03-01', to: '11-30' }]).slots
    expect(slot).toMatchObject({ everyWeeks: 2, week: 1 })
    const placed = placedRule(shoulder, { weekday: 2, weeks: weeksBetween(slot!, 0) })
    expect(slotsOf([line(placed)], [{ from: '03-01', to: '11-30' }]).slots).toEqual([{ ...slot, week: 0 }])
    const lines = [line(weekly({ interval: 2 })), line(weekly({ interval: 4 }), 40)]
    const [both] = slotsOf(lines, []).slots
    expect(both).toMatchObject({ everyWeeks: 2, week: 1 })
    const moved = lines.map((one) =>
      line(placedRule(one.recurrence!, { weekday: 4, weeks: weeksBetween(both!, 0) }), one.budgetMinutes),
    )
    // Both services still come together.
    expect(slotsOf(moved, []).slots).toEqual([placedSlot(both!, { weekday: 4, week: 0 })])
  })

  it('keeps the weeks of what ends after so many visits', () => {
    expect(slotsOf([line(weekly({ interval: 2, end: { count: 12 } }))], []).keepsWeek).toBe(true)
    expect(slotsOf([line(weekly({ interval: 2 }))], []).keepsWeek).toBe(false)
  })

  it('moves a weekday of the month and nothing else', () => {
    const rule = { ...weekly({ freq: 'month', weekdays: [] }), nth: { week: 3, weekday: 2 } }
    expect(placedRule(rule, { weekday: 4, weeks: 1 })).toEqual({ ...rule, nth: { week: 3, weekday: 4 } })
  })
})
