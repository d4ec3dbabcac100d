import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { addDays, isDay } from '../../shared/dates.ts'
import { totalIn, vendorOf } from './mailin/rules.ts'
import { irsRateOn, mileageCents, milesText, rateText, tenthMilesOf } from './mileage/rules.ts'
import { dueOn, nextOn, yearlyCents } from './recurring/rules.ts'
import { evenParts, oddDay, partsProblem, spanOfMonth, spanProblem } from './rules.ts'

describe('parts', () => {
  it('add up to the cent, however many there are', () =>
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e8 }), fc.integer({ min: 1, max: 20 }), (cents, count) => {
        const parts = evenParts(cents, count).map((amountCents) => ({ amountCents }))
        expect(partsProblem(cents, parts)).toBeNull()
        expect(partsProblem(cents + 1, parts)).toContain('$0.01 less')
      }),
    ))
  test('none is one', () => expect(partsProblem(500, [])).toBeNull())
})

test.each([
  ['2026-02-11', '2026-02-01', '2026-02-28'],
  ['2028-02-29', '2028-02-01', '2028-02-29'],
  ['2026-12-31', '2026-12-01', '2026-12-31'],
])('the month of %s', (day, from, to) => expect(spanOfMonth(day)).toEqual({ from, to }))

test('a span is a year at most', () => {
  expect(spanProblem('2028-01-01', '2028-12-31')).toBeNull()
  expect(spanProblem('2026-01-01', '2027-01-02')).not.toBeNull()
  expect(spanProblem('2026-02-02', '2026-02-01')).not.toBeNull()
})

describe('costs that come again', () => {
  test.each([
    ['2026-01-31', 'month', 1, '2026-02-28'],
    ['2026-01-31', 'month', 2, '2026-03-31'],
    ['2024-02-29', 'year', 1, '2025-02-28'],
    ['2024-02-29', 'year', 4, '2028-02-29'],
    ['2025-11-30', 'quarter', 1, '2026-02-28'],
    ['2025-11-30', 'quarter', 2, '2026-05-30'],
  ] as const)('%s, every %s, no. %i is %s', (first, every, n, day) => expect(dueOn(first, every, n)).toBe(day))

  it('come once a period: the next after one is the one after it, until the end', () =>
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 4000 }),
        fc.constantFrom('month' as const, 'quarter' as const, 'year' as const),
        fc.integer({ min: 0, max: 30 }),
        (offset, every, n) => {
          const firstOn = addDays('2020-01-01', offset)
          const cost = { firstOn, every, endOn: null }
          const day = dueOn(firstOn, every, n)
          expect(isDay(day)).toBe(true)
          expect(nextOn(cost, day)).toBe(day)
          expect(nextOn(cost, addDays(day, 1))).toBe(dueOn(firstOn, every, n + 1))
          expect(nextOn({ ...cost, endOn: day }, addDays(day, 1))).toBeNull()
        },
      ),
    ))
  test('what they come to in a year', () =>
    expect((['month', 'quarter', 'year'] as const).map((every) => yearlyCents(1000, every))).toEqual([
      12_000, 4000, 1000,
    ]))
})

describe('mileage', () => {
  test.each([
    ['2021-12-31', null],
    ['2022-06-30', 585],
    ['2022-07-01', 625],
    ['2024-12-31', 670],
    ['2025-01-01', 700],
    ['2026-11-23', 725],
    ['2027-01-01', 725],
  ])('the rate of %s', (day, tenths) => expect(irsRateOn(day)?.tenthCents ?? null).toBe(tenths))
  test('a year without a row is said', () =>
    expect(['2026-12-31', '2027-01-01'].map((day) => irsRateOn(day)?.known)).toEqual([true, false]))
  test('to the cent', () => {
    // 128.4 miles at 72.5 cents
    expect(mileageCents(1284, 725)).toBe(9309)
    expect(tenthMilesOf(1609.344)).toBe(10)
    expect([rateText(725), rateText(700), milesText(12_845)]).toEqual(['72.5¢', '70¢', '1,284.5'])
  })
})

describe('a receipt by mail', () => {
  test.each([
    ['Subtotal $40.00\nTax $3.00\nTotal: $43.00', 4300],
    ['ORDER TOTAL 1,204.50', 120_450],
    ['Sub-total: $9.00', null],
    ['Thanks for shopping', null],
  ])('%j', (text, cents) => expect(totalIn(text)).toBe(cents))
  test('its vendor is who sent it, a mailbox of a person is none', () =>
    expect(['receipts@e.siteone.com', 'ana@gmail.com', ''].map(vendorOf)).toEqual(['Siteone', '', '']))
})

it('a day more than a year ago is asked about, any other is not', () => {
  expect(oddDay('2024-02-29', '2026-11-29')).toBe('More than a year ago: is 2024 right?')
  expect([oddDay('2026-02-28', '2026-11-29'), oddDay(null, '2026-11-29')]).toEqual([undefined, undefined])
})
