import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addDays, type Day, daysBetween, startOfWeek, weekdayOf } from '../../shared/dates.ts'
import {
  firstVisits,
  frequencyOf,
  horizonOf,
  inSeason,
  nextOccurrence,
  occurrences,
  plannedVisits,
  type Recurrence,
  type SeasonSpan,
} from './rules.ts'
import { jobFlags, jobStatuses, jobVerbs, nextJobStatus } from './states/rules.ts'
import { recurrenceText, scheduleText } from './wording/rules.ts'

const rule = (changes: Partial<Recurrence> = {}): Recurrence => ({
  freq: 'week',
  interval: 1,
  weekdays: [],
  phaseOn: '2026-03-03',
  season: [],
  holiday: 'next',
  exceptions: [],
  ...changes,
})
const weekdaysOnly = [1, 2, 3, 4, 5]
const days = (r: Recurrence, from: Day, to: Day, calendar: { workDays?: number[]; holidays?: Day[] } = {}) =>
  occurrences(r, { from, to, holidays: [], ...calendar }).map((o) => o.day)

describe('occurrences', () => {
  it.each<[string, Recurrence, Day, Day, Day[]]>([
    ['every Tuesday', rule(), '2026-03-01', '2026-03-20', ['2026-03-03', '2026-03-10', '2026-03-17']],
    ['nothing before its first day', rule(), '2026-02-01', '2026-03-02', []],
    [
      'two days a week, Monday first',
      rule({ weekdays: [5, 1] }),
      '2026-03-01',
      '2026-03-14',
      ['2026-03-06', '2026-03-09', '2026-03-13'],
    ],
    [
      'every two weeks over the spring change of clocks',
      rule({ interval: 2 }),
      '2026-03-01',
      '2026-04-01',
      ['2026-03-03', '2026-03-17', '2026-03-31'],
    ],
    [
      'every 10 days',
      rule({ freq: 'day', interval: 10 }),
      '2026-03-10',
      '2026-04-05',
      ['2026-03-13', '2026-03-23', '2026-04-02'],
    ],
    [
      'the 31st is the last day of shorter months',
      rule({ freq: 'month', dayOfMonth: 31, phaseOn: '2026-01-01' }),
      '2026-01-01',
      '2026-05-01',
      ['2026-01-31', '2026-02-28', '2026-03-31', '2026-04-30'],
    ],
    [
      'the 29th in a leap year and in others',
      rule({ freq: 'month', interval: 12, dayOfMonth: 29, phaseOn: '2027-02-01' }),
      '2027-01-01',
      '2029-12-31',
      ['2027-02-28', '2028-02-29', '2029-02-28'],
    ],
    [
      'a first day on February 29 comes back every year',
      rule({ freq: 'month', interval: 12, phaseOn: '2028-02-29' }),
      '2028-01-01',
      '2030-12-31',
      ['2028-02-29', '2029-02-28', '2030-02-28'],
    ],
    [
      'the second Thursday',
      rule({ freq: 'month', nth: { week: 2, weekday: 4 }, phaseOn: '2026-03-01' }),
      '2026-03-01',
      '2026-05-31',
      ['2026-03-12', '2026-04-09', '2026-05-14'],
    ],
    [
      'the last Friday',
      rule({ freq: 'month', nth: { week: -1, weekday: 5 }, phaseOn: '2026-03-01' }),
      '2026-03-01',
      '2026-05-31',
      ['2026-03-27', '2026-04-24', '2026-05-29'],
    ],
    [
      'a fifth Monday only where there is one',
      rule({ freq: 'month', nth: { week: 5, weekday: 1 }, phaseOn: '2026-03-01' }),
      '2026-03-01',
      '2026-08-31',
      ['2026-03-30', '2026-06-29', '2026-08-31'],
    ],
    [
      'a season over new year',
      rule({ freq: 'month', dayOfMonth: 15, phaseOn: '2026-01-01', season: [{ from: '11-15', to: '02-28' }] }),
      '2026-01-01',
      '2027-03-31',
      ['2026-01-15', '2026-02-15', '2026-11-15', '2026-12-15', '2027-01-15', '2027-02-15'],
    ],
    [
      'a season that ends on February 29',
      rule({ season: [{ from: '02-20', to: '02-29' }], phaseOn: '2027-02-01', weekdays: [0] }),
      '2027-01-01',
      '2028-12-31',
      ['2027-02-21', '2027-02-28', '2028-02-20', '2028-02-27'],
    ],
    [
      'exceptions are left out and still counted',
      rule({ end: { count: 3 }, exceptions: ['2026-03-10'] }),
      '2026-03-01',
      '2026-12-31',
      ['2026-03-03', '2026-03-17'],
    ],
    ['an end day', rule({ end: { on: '2026-03-10' } }), '2026-03-01', '2026-12-31', ['2026-03-03', '2026-03-10']],
  ])('%s', (_name, r, from, to, expected) => {
    expect(days(r, from, to)).toEqual(expected)
  })

  it('counts from the beginning, not from the window', () => {
    expect(days(rule({ end: { count: 3 } }), '2026-03-15', '2026-12-31')).toEqual(['2026-03-17'])
  })

  it('the first visit of a season is its first matching weekday, and A/B weeks keep their phase over the winter', () => {
    const season = [{ from: '03-01', to: '11-30' }]
    const b = rule({ interval: 2, phaseOn: '2026-03-10', season })
    const spring = days(b, '2027-01-01', '2027-04-01')
    expect(spring[0]).toBe('2027-03-09')
    expect(daysBetween('2026-03-10', spring[0] ?? '') % 14).toBe(0)
  })

  const thanksgiving = '2026-11-26'
  const both = [thanksgiving, '2026-11-27']
  const everyThursday = rule({ weekdays: [4], phaseOn: '2026-11-23' })
  it.each<[string, Recurrence, Day[], { workDays?: number[]; holidays: Day[] }]>([
    ['next', everyThursday, ['2026-11-27', '2026-12-03'], { workDays: weekdaysOnly, holidays: [thanksgiving] }],
    [
      'next, over the week-end and a second holiday',
      rule({ weekdays: [5], phaseOn: '2026-11-23' }),
      ['2026-11-30', '2026-12-04'],
      { workDays: weekdaysOnly, holidays: both },
    ],
    [
      'previous',
      { ...everyThursday, holiday: 'previous' },
      ['2026-11-25', '2026-12-03'],
      { workDays: weekdaysOnly, holidays: both },
    ],
    [
      'previous, but not before the first day',
      { ...everyThursday, phaseOn: thanksgiving, holiday: 'previous' },
      ['2026-11-30', '2026-12-03'],
      { workDays: weekdaysOnly, holidays: both },
    ],
    ['skip', { ...everyThursday, holiday: 'skip' }, ['2026-12-03'], { holidays: both }],
    [
      'never two on one day',
      { ...everyThursday, weekdays: [4, 1] },
      ['2026-11-23', '2026-11-30', '2026-12-03'],
      { workDays: [1, 2, 3, 4], holidays: both },
    ],
  ])('holiday: %s', (_name, r, expected, calendar) => {
    expect(days(r, '2026-11-01', '2026-12-05', calendar)).toEqual(expected)
  })

  it('a chosen Saturday is kept; the 15th moves off one', () => {
    const calendar = { workDays: weekdaysOnly }
    expect(days(rule({ weekdays: [6] }), '2026-03-01', '2026-03-08', calendar)).toEqual(['2026-03-07'])
    const monthly = rule({ freq: 'month', dayOfMonth: 15, holiday: 'skip' })
    expect(days(monthly, '2026-03-01', '2026-03-31', calendar)).toEqual(['2026-03-16'])
    expect(occurrences(monthly, { from: '2026-03-01', to: '2026-03-31', holidays: [], ...calendar })[0]?.on).toBe(
      '2026-03-15',
    )
  })
})

const arbitraryDay = fc.integer({ min: 0, max: 1500 }).map((n) => addDays('2026-01-01', n))
const arbitrarySeason = fc.constantFrom<SeasonSpan[] | undefined>(
  undefined,
  [],
  [{ from: '03-01', to: '11-30' }],
  [{ from: '11-01', to: '02-29' }],
  [
    { from: '03-01', to: '03-31' },
    { from: '09-15', to: '10-31' },
  ],
)
const arbitraryRule: fc.Arbitrary<Recurrence> = fc
  .record({
    freq: fc.constantFrom('day' as const, 'week' as const, 'month' as const),
    interval: fc.integer({ min: 1, max: 6 }),
    weekdays: fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { maxLength: 3 }),
    nth: fc.option(fc.record({ week: fc.constantFrom(1, 2, 3, 4, 5, -1), weekday: fc.integer({ min: 0, max: 6 }) })),
    dayOfMonth: fc.option(fc.integer({ min: 1, max: 31 })),
    phaseOn: arbitraryDay,
    season: arbitrarySeason,
    end: fc.option(fc.oneof(fc.record({ count: fc.integer({ min: 1, max: 30 }) }), fc.record({ on: arbitraryDay }))),
    holiday: fc.constantFrom('skip' as const, 'next' as const, 'previous' as const),
    exceptions: fc.array(arbitraryDay, { maxLength: 4 }),
  })
  .map(({ nth, dayOfMonth, end, ...rest }) => ({
    ...rest,
    ...(nth ? { nth } : {}),
    ...(dayOfMonth ? { dayOfMonth } : {}),
    ...(end ? { end } : {}),
  }))
const arbitraryCalendar = fc.record({
  workDays: fc.constantFrom([1, 2, 3, 4, 5], [0, 1, 2, 3, 4, 5, 6], [2, 3]),
  holidays: fc.array(arbitraryDay, { maxLength: 8 }),
})

describe('occurrences, for every rule', () => {
  it('no day twice, in the window by name, never an exception, never on a holiday', () => {
    fc.assert(
      fc.property(arbitraryRule, arbitraryCalendar, arbitraryDay, fc.integer({ min: 0, max: 300 }), (r, c, from, n) => {
        const to = addDays(from, n)
        const found = occurrences(r, { ...c, from, to })
        expect(new Set(found.map((o) => o.day)).size).toBe(found.length)
        for (const { on, day } of found) {
          expect(on >= from && on <= to && on >= r.phaseOn).toBe(true)
          expect(day >= r.phaseOn).toBe(true)
          expect(r.exceptions).not.toContain(on)
          expect(c.holidays).not.toContain(day)
          expect(inSeason(on, r.season ?? [])).toBe(true)
          if (r.end && 'on' in r.end) expect(on <= r.end.on).toBe(true)
        }
      }),
    )
  })

  it('says the same however the window is cut', () => {
    fc.assert(
      fc.property(
        arbitraryRule,
        arbitraryCalendar,
        arbitraryDay,
        fc.integer({ min: 1, max: 120 }),
        fc.integer({ min: 1, max: 120 }),
        (r, c, from, a, b) => {
          const whole = occurrences(r, { ...c, from, to: addDays(from, a + b) })
          const parts = [
            ...occurrences(r, { ...c, from, to: addDays(from, a - 1) }),
            ...occurrences(r, { ...c, from: addDays(from, a), to: addDays(from, a + b) }),
          ]
          expect(parts).toEqual(whole)
        },
      ),
    )
  })

  it('every N weeks is always a whole number of N weeks from the phase', () => {
    fc.assert(
      fc.property(
        arbitraryRule.filter((r) => r.freq === 'week'),
        arbitraryDay,
        (r, from) => {
          for (const { on } of occurrences(r, { from, to: addDays(from, 200), holidays: [] })) {
            expect((daysBetween(startOfWeek(r.phaseOn), startOfWeek(on)) / 7) % r.interval).toBe(0)
            expect(r.weekdays.length > 0 ? r.weekdays : [weekdayOf(r.phaseOn)]).toContain(weekdayOf(on))
          }
        },
      ),
    )
  })

  it('an end after n visits names at most n days', () => {
    fc.assert(
      fc.property(arbitraryRule, fc.integer({ min: 1, max: 12 }), (r, count) => {
        const found = occurrences(
          { ...r, end: { count } },
          { from: r.phaseOn, to: addDays(r.phaseOn, 900), holidays: [] },
        )
        expect(found.length).toBeLessThanOrEqual(count)
      }),
    )
  })
})

describe('plannedVisits', () => {
  const mow = { id: 'mow', recurrence: rule(), onceOn: null }
  const feed = { id: 'feed', recurrence: rule({ interval: 4 }), onceOn: null }
  const window = { from: '2026-03-01', to: '2026-03-31', startOn: '2026-03-01', endOn: null, holidays: [] }
  it('merges lines that fall on the same day', () => {
    const visits = plannedVisits([mow, feed], window)
    expect(visits.map((v) => [v.day, v.lineIds.length])).toEqual([
      ['2026-03-03', 2],
      ['2026-03-10', 1],
      ['2026-03-17', 1],
      ['2026-03-24', 1],
      ['2026-03-31', 2],
    ])
  })
  it('a holiday that moves one line onto another is one visit, known by the earlier day', () => {
    const wednesday = { id: 'hedge', recurrence: rule({ weekdays: [3], interval: 9 }), onceOn: null }
    const visits = plannedVisits([wednesday, mow], { ...window, holidays: ['2026-03-03'], to: '2026-03-05' })
    expect(visits).toEqual([{ on: '2026-03-03', day: '2026-03-04', lineIds: ['hedge', 'mow'] }])
  })
  it('stays within the job', () => {
    const visits = plannedVisits([mow, { id: 'x', recurrence: null, onceOn: '2026-03-12' }], {
      ...window,
      startOn: '2026-03-09',
      endOn: '2026-03-20',
    })
    expect(visits.map((v) => v.day)).toEqual(['2026-03-10', '2026-03-12', '2026-03-17'])
  })
})

describe('horizonOf', () => {
  const line = (changes: Partial<Recurrence>) => ({ recurrence: rule(changes), onceOn: null })
  const season = [{ from: '03-01', to: '11-30' }]
  it('is twelve weeks in season', () => {
    expect(horizonOf('2026-04-01', [line({ season: undefined })], season)).toBe('2026-06-23')
  })
  it('reaches over the winter into spring', () => {
    // ten days of November, the other 74 from March 1
    expect(horizonOf('2026-11-21', [line({ season: undefined })], season)).toBe('2027-05-13')
  })
  it('is twelve weeks for a rule of its own that has no season', () => {
    expect(horizonOf('2026-11-21', [line({ season: [] })], season)).toBe('2027-02-12')
  })
  it('holds a single day that is far away', () => {
    expect(horizonOf('2026-04-01', [{ recurrence: null, onceOn: '2026-10-03' }], season)).toBe('2026-10-03')
  })
})

it('nextOccurrence looks over the winter, and knows an end', () => {
  const r = rule({ season: undefined })
  const season = [{ from: '03-01', to: '11-30' }]
  expect(nextOccurrence(r, '2026-12-01', { holidays: [], season })?.on).toBe('2027-03-02')
  expect(nextOccurrence(rule({ end: { count: 2 } }), '2026-03-11', { holidays: [] })).toBeNull()
})

describe('firstVisits', () => {
  const calendar = {
    today: '2026-06-12',
    workDays: [1, 2, 3, 4, 5],
    holidays: [],
    holidayRule: 'next' as const,
    season: [],
  }
  const weekly = { id: 'a', recurrence: rule({ phaseOn: '2026-06-04', weekdays: [4] }), onceOn: null }
  it.each([
    ['a start to come', [weekly], '2026-06-18', null, '2026-06-18', []],
    ['one of yesterday', [weekly], '2026-06-11', null, '2026-06-18', ['2026-06-11']],
    ['one of last week', [weekly], '2026-06-04', null, '2026-06-18', ['2026-06-04', '2026-06-11']],
    ['over altogether', [weekly], '2026-06-04', '2026-06-11', null, ['2026-06-04', '2026-06-11']],
    ['a single day', [{ id: 'b', recurrence: null, onceOn: '2026-06-12' }], '2026-06-12', null, '2026-06-12', []],
    ['two lines on one day', [weekly, { ...weekly, id: 'b' }], '2026-06-11', null, '2026-06-18', ['2026-06-11']],
  ])('%s', (_name, lines, startOn, endOn, first, over) => {
    const found = firstVisits(lines, { startOn, endOn }, calendar)
    expect([found.first?.day ?? null, found.over.map((visit) => visit.day)]).toEqual([first, over])
  })
})

it.each([
  [null, 'once'],
  [rule(), 'weekly'],
  [rule({ interval: 2 }), 'biweekly'],
  [rule({ freq: 'day', interval: 10 }), 'biweekly'],
  [rule({ interval: 2, weekdays: [1, 4] }), 'weekly'],
  [rule({ interval: 4 }), 'monthly'],
  [rule({ freq: 'month' }), 'monthly'],
] as const)('frequencyOf %#', (r, expected) => {
  expect(frequencyOf(r as Recurrence | null)).toBe(expected)
})

describe('recurrenceText', () => {
  const season = [{ from: '03-01', to: '11-30' }]
  it.each([
    [rule({ season: undefined }), 'Every week on Tuesday, March 1 to November 30'],
    [rule({ interval: 2, weekdays: [0, 1, 4] }), 'Every second week on Monday, Thursday and Sunday'],
    [rule({ interval: 3 }), 'Every 3 weeks on Tuesday'],
    [rule({ freq: 'day', interval: 10 }), 'Every 10 days'],
    [rule({ freq: 'month', dayOfMonth: 31 }), 'Every month on the last day'],
    [rule({ freq: 'month', dayOfMonth: 22, interval: 2 }), 'Every second month on the 22nd'],
    [rule({ freq: 'month', dayOfMonth: 12 }), 'Every month on the 12th'],
    [rule({ freq: 'month', nth: { week: -1, weekday: 5 } }), 'Every month on the last Friday'],
    [rule({ end: { count: 6 } }), 'Every week on Tuesday, 6 times'],
    [rule({ end: { on: '2026-09-01' } }), 'Every week on Tuesday, until September 1, 2026'],
  ])('%#: %s', (r, text) => {
    expect(recurrenceText(r as Recurrence, season)).toBe(text)
  })
  it('says a single day', () => {
    expect(scheduleText({ recurrence: null, onceOn: '2026-05-04' })).toBe('Once on May 4, 2026')
  })
})

describe('job states', () => {
  it('has exactly the moves of the state machine', () => {
    const moves = jobStatuses.flatMap((from) =>
      jobVerbs.flatMap((verb) => {
        const to = nextJobStatus(from, verb)
        return to ? [`${from} ${verb} ${to}`] : []
      }),
    )
    expect(moves).toEqual([
      'draft activate active',
      'draft cancel canceled',
      'active pause paused',
      'active complete completed',
      'active cancel canceled',
      'paused resume active',
      'paused complete completed',
      'paused cancel canceled',
      'completed reactivate active',
      'canceled reactivate active',
    ])
  })

  const facts = {
    status: 'active' as const,
    archived: false,
    recurring: true,
    onDemand: false,
    once: false,
    endOn: null,
    nextOn: '2026-09-01',
    lateVisits: 0,
    openVisits: 12,
    unscheduledVisits: 0,
    lastOpenOn: '2026-08-25',
    uninvoicedVisits: 0,
  }
  it.each([
    ['all is well', {}, []],
    ['a visit of last week is open', { lateVisits: 1 }, ['late']],
    ['paused is not late', { lateVisits: 1, status: 'paused' as const }, []],
    ['a visit without a day', { unscheduledVisits: 1 }, ['unscheduled']],
    ['in winter nothing is open and nothing is wrong', { openVisits: 0, lastOpenOn: null }, []],
    ['no more visits, still open', { openVisits: 0, lastOpenOn: null, nextOn: null }, ['action_required']],
    [
      'work of one time is done: first its invoice, then its end',
      { once: true, recurring: false, openVisits: 0, lastOpenOn: null, nextOn: null, uninvoicedVisits: 1 },
      ['requires_invoicing'],
    ],
    [
      'work of one time is done and invoiced',
      { once: true, recurring: false, openVisits: 0, lastOpenOn: null, nextOn: null },
      ['action_required'],
    ],
    ['finished work is not billed', { uninvoicedVisits: 2 }, ['requires_invoicing']],
    ['also of a job that is over', { uninvoicedVisits: 2, status: 'completed' as const }, ['requires_invoicing']],
    ['the end is near', { endOn: '2026-07-12' }, ['ending_30d']],
    ['the end is 31 days away', { endOn: '2026-07-13' }, []],
    ['the last visit of a counted rule is near', { nextOn: null, lastOpenOn: '2026-06-30' }, ['ending_30d']],
    ['one visit once does not end', { nextOn: null, lastOpenOn: '2026-06-30', recurring: false }, []],
  ])('%s', (_name, changes, flags) => {
    expect(jobFlags({ ...facts, ...changes }, '2026-06-12')).toEqual(flags)
  })
})
