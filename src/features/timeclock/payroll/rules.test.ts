import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ClockEntry } from '../rules.ts'
import {
  isBelowMinimum,
  laborCostCents,
  mileageCents,
  type PaidDay,
  payOfWeek,
  roundedTo,
  roundings,
  wageOfWeek,
} from './rules.ts'

const start = Date.UTC(2026, 5, 12, 11)
const entry = (fromSecond: number, toSecond: number | null): ClockEntry => ({
  id: 'e',
  kind: 'work',
  startedAt: new Date(start + fromSecond * 1000).toISOString(),
  endedAt: toSecond === null ? null : new Date(start + toSecond * 1000).toISOString(),
  flagged: null,
})
const secondsOf = (one: Pick<ClockEntry, 'startedAt' | 'endedAt'>) =>
  (Date.parse(one.endedAt ?? '') - Date.parse(one.startedAt)) / 1000

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
    const found = roundedTo(minutes)(entry(0, second))
    expect(secondsOf(found) / 60).toBe(expected)
  })
  it('leaves what it was given as it was, and an open spell open', () => {
    const given = [entry(100, null)]
    const copy = structuredClone(given)
    expect(given.map(roundedTo(15))[0]?.endedAt).toBeNull()
    expect(given).toEqual(copy)
  })
  it.each(roundings.filter((one) => one > 0))(
    'to %i minutes is never further off than a step, keeps order, and is fair',
    (minutes) => {
      const spell = fc.tuple(fc.integer({ min: 0, max: 40_000 }), fc.integer({ min: 0, max: 40_000 }))
      fc.assert(
        fc.property(spell, ([from, long]) => {
          const found = roundedTo(minutes)(entry(from, from + long))
          const off = secondsOf(found) - long
          expect(Math.abs(off)).toBeLessThanOrEqual(minutes * 60 + 60)
          expect(secondsOf(found)).toBeGreaterThanOrEqual(0)
        }),
      )
      // every minute of a step once in and once out: nothing is won or lost
      const all = Array.from({ length: minutes }, (_, minute) => entry(minute * 60, (minute + 480) * 60))
      const sum = all.map(roundedTo(minutes)).reduce((total, one) => total + secondsOf(one), 0)
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
  it('is told line by line, at the rate of the hours, and the lines add up to it', () => {
    const raised = { centsPerHour: 3000, pieceCents: null, bonusCents: null }
    const lines = (days: PaidDay[]) =>
      payOfWeek(days).items.map(({ item, rateCents, hundredths, cents }) => [item, rateCents, hundredths, cents])
    expect(lines([day(), day({ terms: raised })])).toEqual([
      ['regular', 2000, 800, 16_000],
      ['regular', 3000, 800, 24_000],
    ])
    // overtime on the day of the lower wage: the week's rate is higher than it, and the rest is the premium
    expect(lines([day({ overtime: 2 * 3600 }), day({ regular: 10 * 3600, terms: raised })])).toEqual([
      ['regular', 2000, 800, 16_000],
      ['overtime', 2000, 200, 6000],
      ['regular', 3000, 1000, 30_000],
      ['premium', null, 0, 500],
    ])
    // on the day of the higher one it is lower: the hours go plain and what overtime adds is one sum
    expect(lines([day(), day({ overtime: 2 * 3600, terms: raised })])).toEqual([
      ['regular', 2000, 800, 16_000],
      ['regular', 3000, 1000, 30_000],
      ['premium', null, 0, 2556],
    ])
    const byLawn = { centsPerHour: 2000, pieceCents: 900, bonusCents: null }
    expect(lines([day({ overtime: 2 * 3600, lawns: 10, terms: byLawn })])).toEqual([
      ['lawnHours', null, 1000, 0],
      ['piece', null, 0, 9000],
      ['premium', null, 0, 900],
    ])
  })
  it('adds up, and pays no less than the law whatever the week was', () => {
    const seconds = fc.integer({ min: 0, max: 30_000 })
    const terms = fc.record({
      centsPerHour: fc.integer({ min: 725, max: 6000 }),
      pieceCents: fc.option(fc.integer({ min: 0, max: 3000 })),
      bonusCents: fc.option(fc.integer({ min: 0, max: 500 })),
    })
    const one = fc.record({
      regular: seconds,
      overtime: seconds,
      double: seconds,
      lawns: fc.integer({ min: 0, max: 30 }),
      terms,
    })
    fc.assert(
      fc.property(fc.array(one, { maxLength: 7 }), (days) => {
        const pay = payOfWeek(days)
        expect(pay.items.reduce((sum, { cents }) => sum + cents, 0)).toBe(pay.grossCents)
        expect(pay.hourCents + pay.pieceCents + pay.bonusCents + pay.premiumCents).toBe(pay.grossCents)
        const all = days.reduce((sum, each) => sum + each.regular + each.overtime + each.double, 0)
        const earned = days.reduce(
          (sum, { terms: of, ...each }) =>
            sum +
            each.lawns * ((of.pieceCents ?? 0) + (of.bonusCents ?? 0)) +
            (of.pieceCents === null ? ((each.regular + each.overtime + each.double) / 3600) * of.centsPerHour : 0),
          0,
        )
        const halves = days.reduce((sum, each) => sum + each.overtime / 2 + each.double, 0)
        const due = earned + (all > 0 ? (earned / all) * halves : 0)
        // hours go by the hundredth: half of one a line, at double the rate at the most
        expect(Math.abs(pay.grossCents - due)).toBeLessThanOrEqual(days.length * 3 * (60 + 1) + 2)
      }),
    )
  })
  it('asks the least wage of the days that were worked for the rule of a state', () => {
    const at = (centsPerHour: number, paidSeconds = 3600, pieceCents: number | null = null) => ({
      paidSeconds,
      terms: { centsPerHour, pieceCents, bonusCents: null },
    })
    expect(wageOfWeek([at(2500), at(2000), at(900, 0)])).toBe(2000)
    expect([wageOfWeek([]), wageOfWeek([at(2500), at(2000, 60, 800)])]).toEqual([null, null])
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
