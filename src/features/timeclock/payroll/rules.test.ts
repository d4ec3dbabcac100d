import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { csvText } from '../../../shared/csv.ts'
import type { ClockEntry } from '../rules.ts'
import {
  isBelowMinimum,
  laborCostCents,
  mileageCents,
  type PaidDay,
  type PayLine,
  payOfWeek,
  payRows,
  presets,
  roundedEntries,
  roundings,
} from './rules.ts'

const start = Date.UTC(2026, 5, 12, 11)
const entry = (fromSecond: number, toSecond: number | null): ClockEntry => ({
  id: 'e',
  kind: 'work',
  startedAt: new Date(start + fromSecond * 1000).toISOString(),
  endedAt: toSecond === null ? null : new Date(start + toSecond * 1000).toISOString(),
  flagged: null,
})
const secondsOf = (one: ClockEntry) => (Date.parse(one.endedAt ?? '') - Date.parse(one.startedAt)) / 1000

describe('rounding', () => {
  it.each([
    [15, 7 * 60 + 59, 0],
    [15, 8 * 60, 15],
    [15, 22 * 60 + 59, 15],
    [15, 23 * 60, 30],
    [6, 2 * 60 + 59, 0],
    [6, 3 * 60, 6],
    [5, 2 * 60 + 59, 0],
    [5, 3 * 60, 5],
    [0, 61, 61 / 60],
  ] as const)('to %i minutes reads %i s as minute %d', (minutes, second, expected) => {
    const [found] = roundedEntries([entry(0, second)], minutes)
    expect(found && secondsOf(found) / 60).toBe(expected)
  })
  it('leaves what it was given as it was, and an open spell open', () => {
    const given = [entry(100, null)]
    const copy = structuredClone(given)
    expect(roundedEntries(given, 15)[0]?.endedAt).toBeNull()
    expect(given).toEqual(copy)
  })
  it.each(roundings.filter((one) => one > 0))(
    'to %i minutes is never further off than a step, keeps order, and is fair',
    (minutes) => {
      const spell = fc.tuple(fc.integer({ min: 0, max: 40_000 }), fc.integer({ min: 0, max: 40_000 }))
      fc.assert(
        fc.property(spell, ([from, long]) => {
          const [found] = roundedEntries([entry(from, from + long)], minutes)
          const off = found ? secondsOf(found) - long : Number.NaN
          expect(Math.abs(off)).toBeLessThanOrEqual(minutes * 60 + 60)
          expect(found && secondsOf(found)).toBeGreaterThanOrEqual(0)
        }),
      )
      // every minute of a step once in and once out: nothing is won or lost
      const all = Array.from({ length: minutes }, (_, minute) => entry(minute * 60, (minute + 480) * 60))
      const sum = roundedEntries(all, minutes).reduce((total, one) => total + secondsOf(one), 0)
      expect(sum).toBe(minutes * 480 * 60)
    },
  )
})

const day = (changes: Partial<PaidDay> = {}): PaidDay => ({
  regular: 8 * 3600,
  overtime: 0,
  double: 0,
  lawns: 0,
  terms: { centsPerHour: 2000, pieceCents: null, bonusCents: null },
  ...changes,
})

describe('the pay of a week', () => {
  it('is hours at the wage of their day, and half again for overtime', () => {
    const raised = { centsPerHour: 2200, pieceCents: null, bonusCents: null }
    expect(payOfWeek([day(), day({ terms: raised })])).toMatchObject({ hourCents: 33_600, premiumCents: 0 })
    expect(payOfWeek([day({ overtime: 2 * 3600 })])).toMatchObject({
      hourCents: 20_000,
      premiumCents: 2000,
      grossCents: 22_000,
    })
    expect(payOfWeek([day({ double: 3600 })])).toMatchObject({ hourCents: 18_000, premiumCents: 2000 })
  })
  it('counts a bonus into the rate that overtime is paid at', () => {
    const terms = { centsPerHour: 2000, pieceCents: null, bonusCents: 100 }
    // 50 hours, 50 lawns: a rate of $21, half of it for ten hours
    const week = [day({ regular: 40 * 3600, overtime: 10 * 3600, lawns: 50, terms })]
    expect(payOfWeek(week)).toMatchObject({ hourCents: 100_000, bonusCents: 5000, premiumCents: 10_500 })
  })
  it('pays lawns instead of hours, overtime from what they came to, and says when that is under the law', () => {
    const terms = { centsPerHour: 2000, pieceCents: 500, bonusCents: null }
    const week = [day({ regular: 40 * 3600, overtime: 10 * 3600, lawns: 100, terms })]
    expect(payOfWeek(week)).toMatchObject({ hourCents: 0, pieceCents: 50_000, premiumCents: 5000, grossCents: 55_000 })
    const few = payOfWeek([day({ lawns: 11, terms })])
    expect([isBelowMinimum(few, 8 * 3600), isBelowMinimum(payOfWeek([day({ lawns: 12, terms })]), 8 * 3600)]).toEqual([
      true,
      false,
    ])
  })
  it('costs more with the burden, person by person', () => {
    const parts = [
      { seconds: 1800, centsPerHour: 2000, burdenPercent: 12 },
      { seconds: 1800, centsPerHour: 2500, burdenPercent: 0 },
    ]
    expect(laborCostCents(parts)).toBe(1120 + 1250)
    expect(mileageCents(123, 700)).toBe(861)
  })
})

describe('the file', () => {
  const ana: PayLine = {
    name: 'Ana Maria Reyes',
    number: '00417',
    regular: 40 * 3600,
    overtime: 1.5 * 3600,
    double: 0,
    lawns: 12,
    pieceCents: 0,
    bonusCents: 1200,
    tenthMiles: 123,
    mileageCents: 861,
  }
  const bo: PayLine = {
    ...ana,
    name: 'Bo',
    number: '',
    overtime: 0,
    double: 3600,
    lawns: 0,
    bonusCents: 0,
    tenthMiles: 0,
    mileageCents: 0,
  }
  const period = { from: '2026-06-01', to: '2026-06-14', companyCode: 'X7K' }
  const rows = (preset: (typeof presets)[number]) => payRows(preset, [ana, bo], period)
  it('has as many cells in each row as its header, and nothing in it is a formula', () => {
    for (const preset of presets) {
      const [head, ...rest] = rows(preset)
      for (const row of rest) expect(row).toHaveLength(head?.length ?? 0)
      expect(csvText(payRows(preset, [{ ...ana, name: '=1+1' }], period))).not.toMatch(/(^|,)=1/m)
    }
  })
  it('is what each payroll reads', () => {
    expect(rows('adp')[1]).toEqual([
      'X7K',
      '260614',
      '00417',
      '40.00',
      '1.50',
      '',
      '',
      '',
      '',
      'BON',
      '12.00',
      'MIL',
      '8.61',
    ])
    expect(rows('adp')[2]?.slice(3, 7)).toEqual(['40.00', '', 'DT', '1.00'])
    expect(rows('gusto')[1]).toEqual(['Reyes', 'Ana Maria', '00417', '40.00', '1.50', '', '', '12.00', '8.61'])
    expect(rows('quickbooks').slice(1, 4)).toEqual([
      ['Ana Maria Reyes', '2026-06-01', '2026-06-14', 'Regular', '40.00', ''],
      ['Ana Maria Reyes', '2026-06-01', '2026-06-14', 'Overtime', '1.50', ''],
      ['Ana Maria Reyes', '2026-06-01', '2026-06-14', 'Bonus', '', '12.00'],
    ])
    const paychex = rows('paychex')[1]
    expect([paychex?.[0], paychex?.[1], paychex?.[4], paychex?.[7], paychex?.[9]]).toEqual([
      'X7K',
      '00417',
      'Regular',
      '40.00',
      '06/14/2026',
    ])
    expect(rows('plain')[2]).toEqual(['Bo', '', '2026-06-01', '2026-06-14', '40.00', '', '1.00', '', '', '', '', ''])
  })
})
