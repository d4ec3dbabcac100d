import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addDays, daysBetween, weekdayOf } from '../../../shared/dates.ts'
import { inSeason, intervalOn, isLongGap, occurrences, spacingProblem, weekLetter, weekOf } from '../rules.ts'
import { recurrenceText } from '../wording/rules.ts'
import { Recurrence as Contract } from './contract.ts'
import { paceGaps, type Recurrence, type SeasonSpan } from './rules.ts'

const rule = (changes: Partial<Recurrence> = {}): Recurrence => ({
  freq: 'week',
  interval: 1,
  weekdays: [2],
  phaseOn: '2026-01-06',
  season: [{ from: '03-01', to: '10-31' }],
  holiday: 'next',
  exceptions: [],
  ...changes,
})
const shoulders = [
  { from: '03-01', to: '03-31', interval: 2 },
  { from: '10-01', to: '10-31', interval: 2 },
]
const daysOf = (r: Recurrence, from: string, to: string, holidays: string[] = []) =>
  occurrences(r, { from, to, holidays, workDays: [1, 2, 3, 4, 5] }).map((o) => o.day)

describe('shoulder seasons', () => {
  it('every second week in March and October, every week between', () => {
    const days = daysOf(rule({ periods: shoulders }), '2026-01-01', '2026-12-31')
    expect(days.slice(0, 4)).toEqual(['2026-03-03', '2026-03-17', '2026-03-31', '2026-04-07'])
    expect(days.slice(-4)).toEqual(['2026-09-22', '2026-09-29', '2026-10-13', '2026-10-27'])
    expect(recurrenceText(rule({ periods: shoulders }))).toBe(
      'Every week on Tuesday, March 1 to October 31, every second week from March 1 to March 31 and October 1 to October 31',
    )
  })

  it('a rule without them reads as before', () => {
    expect(daysOf(rule({ periods: [] }), '2026-01-01', '2028-12-31')).toEqual(
      daysOf(rule(), '2026-01-01', '2028-12-31'),
    )
  })
})

const pace = fc.integer({ min: 1, max: 4 })
const anyRule = fc
  .record({
    freq: fc.constantFrom('day' as const, 'week' as const, 'month' as const),
    interval: pace,
    weekdays: fc.uniqueArray(fc.integer({ min: 1, max: 5 }), { maxLength: 2 }),
    phase: fc.integer({ min: 0, max: 1500 }),
    first: pace,
    last: pace,
    gap: fc.integer({ min: 0, max: 40 }),
    tolerance: fc.option(fc.record({ before: fc.nat(4), after: fc.nat(4) }), { nil: undefined }),
    holiday: fc.constantFrom('next' as const, 'previous' as const, 'skip' as const),
    // Over the turn of the year, too, and with February 29 as an edge.
    season: fc.constantFrom<SeasonSpan[]>(
      [{ from: '03-01', to: '11-15' }],
      [{ from: '02-29', to: '10-31' }],
      [{ from: '11-01', to: '04-15' }],
      [],
    ),
  })
  .map(({ phase, first, last, gap, tolerance, ...rest }): Recurrence => {
    const r: Recurrence = {
      ...rest,
      phaseOn: addDays('2024-01-01', phase),
      exceptions: [],
      periods: [
        { from: '03-01', to: '04-10', interval: first },
        { from: '10-01', to: '02-29', interval: last },
      ],
      ...(tolerance ? { tolerance } : {}),
    }
    const minGapDays = Math.min(gap, paceGaps(r).shortest)
    return minGapDays > 0 ? { ...r, minGapDays } : r
  })
const holidays = fc
  .uniqueArray(fc.integer({ min: 0, max: 2200 }), { maxLength: 60 })
  .map((ns) => ns.map((n) => addDays('2024-01-01', n)))

describe('any rule over seven years, clock changes and leap days in them', () => {
  it('no day twice, none outside of the season or the tolerance, none nearer than the least gap, no drift of the weeks', () => {
    fc.assert(
      fc.property(anyRule, holidays, (r, off) => {
        const found = occurrences(r, { from: '2024-01-01', to: '2030-12-31', holidays: off, workDays: [1, 2, 3, 4, 5] })
        const days = found.map((o) => o.day)
        expect(new Set(days).size).toBe(days.length)
        for (const [at, { on, day }] of found.entries()) {
          expect(inSeason(day, r.season ?? [])).toBe(true)
          expect(off.includes(day)).toBe(false)
          if (r.tolerance) {
            expect(daysBetween(on, day)).toBeLessThanOrEqual(r.tolerance.after)
            expect(daysBetween(day, on)).toBeLessThanOrEqual(r.tolerance.before)
          }
          const before = days[at - 1]
          if (before && r.minGapDays) expect(daysBetween(before, day)).toBeGreaterThanOrEqual(r.minGapDays)
          if (r.freq === 'week') expect((daysBetween(weekOf(r.phaseOn), weekOf(on)) / 7) % intervalOn(r, on)).toBe(0)
        }
      }),
    )
  })

  it('says the same however the window is cut', () => {
    fc.assert(
      fc.property(anyRule, holidays, fc.array(fc.integer({ min: 1, max: 2400 }), { maxLength: 5 }), (r, off, cuts) => {
        const calendar = { holidays: off, workDays: [1, 2, 3, 4, 5] }
        const end = '2030-12-31'
        const whole = occurrences(r, { from: '2024-01-01', to: end, ...calendar })
        const edges = [...new Set(cuts)].sort((a, b) => a - b).map((n) => addDays('2024-01-01', n))
        const parts = [...edges, addDays(end, 1)].flatMap((to, at) =>
          occurrences(r, { from: edges[at - 1] ?? '2024-01-01', to: addDays(to, -1), ...calendar }),
        )
        expect(parts).toEqual(whole)
      }),
    )
  })
})

describe('week A and week B', () => {
  it('take turns for ever, over the turn of the year and leap days', () => {
    fc.assert(
      fc.property(fc.integer({ min: -5000, max: 40_000 }), (n) => {
        const day = addDays('1990-01-01', n)
        expect(weekLetter(addDays(day, 7))).not.toBe(weekLetter(day))
        expect(weekLetter(addDays(day, 14))).toBe(weekLetter(day))
        expect(weekLetter(weekOf(day))).toBe(weekLetter(day))
        expect(weekdayOf(weekOf(day))).toBe(1)
      }),
    )
  })
})

describe('gaps', () => {
  it('a visit that would come too soon after the last of another pace is left out', () => {
    const r = rule({ interval: 2, periods: [{ from: '03-01', to: '04-10', interval: 3 }], minGapDays: 14 })
    const days = daysOf(r, '2026-03-01', '2026-05-31')
    expect(days).toEqual(['2026-03-10', '2026-03-31', '2026-04-14', '2026-04-28', '2026-05-12', '2026-05-26'])
    const without = daysOf({ ...r, phaseOn: '2026-01-13', minGapDays: 1 }, '2026-03-01', '2026-05-31')
    const withGap = daysOf({ ...r, phaseOn: '2026-01-13' }, '2026-03-01', '2026-05-31')
    expect(without).toEqual(['2026-03-17', '2026-04-07', '2026-04-21', '2026-05-05', '2026-05-19'])
    expect(withGap).toEqual(without)
    const near = { ...r, periods: [{ from: '03-01', to: '04-20', interval: 3 }], phaseOn: '2026-01-20' }
    expect(daysOf({ ...near, minGapDays: 1 }, '2026-04-01', '2026-05-31')).toContain('2026-04-28')
  })

  it('knows a gap that is too long, and none over the winter', () => {
    const r = rule({ maxGapDays: 10 })
    const season = r.season ?? []
    expect(isLongGap(r, '2026-04-07', '2026-04-17', season)).toBe(false)
    expect(isLongGap(r, '2026-04-07', '2026-04-18', season)).toBe(true)
    expect(isLongGap(r, '2026-10-27', '2027-03-02', season)).toBe(false)
  })

  it.each([
    ['2026-04-07', null],
    ['2026-04-09', null],
    ['2026-04-10', '3 days late, 2 days are allowed'],
    ['2026-04-05', '2 days early, 1 day is allowed'],
    ['2026-04-08', '4 days from the visit beside it, at least 5 are asked for'],
  ])('a visit of April 7 on %s', (day, expected) => {
    const others = day === '2026-04-08' ? ['2026-04-12'] : ['2026-03-31', '2026-04-21']
    expect(spacingProblem({ tolerance: { before: 1, after: 2 }, minGapDays: 5 }, day, '2026-04-07', others)).toBe(
      expected,
    )
  })
})

it.each<[Partial<Recurrence>, string]>([
  [{ periods: [...shoulders, { from: '10-20', to: '02-01', interval: 3 }] }, 'Two periods share days'],
  [{ periods: [{ from: '02-30', to: '03-31', interval: 2 }] }, 'A day like 03-01'],
  [{ minGapDays: 8 }, 'comes after 7 days'],
  [{ maxGapDays: 6 }, 'leaves 7 days'],
  [{ weekdays: [1, 4], minGapDays: 4 }, 'comes after 3 days'],
])('refuses %o in words', (changes, words) => {
  const { error } = Contract.safeParse(rule(changes))
  expect(error?.issues.map((issue) => issue.message).join()).toContain(words)
})
