import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { allocateCents, formatCents, formatPercent, lineCents, parseDollars, roundHalfUp } from './money.ts'

describe('money', () => {
  it.each([
    [115_000, '$1,150.00'],
    [0, '$0.00'],
    [-550, '-$5.50'],
  ])('%i cents read %s', (cents, text) => expect(formatCents(cents)).toBe(text))
  it.each([
    ['$1,234.5', 123_450],
    ['45', 4500],
    [' 45.00 ', 4500],
    ['45.005', null],
    ['1,23', null],
    ['abc', null],
    ['', null],
    ['-3.10', -310],
  ])('%s is %s', (text, cents) => {
    expect(parseDollars(text)).toBe(cents)
  })
  it.each([
    [0.5, 1],
    [1.005 * 100, 101],
    [-0.5, -1],
    [2.4999, 2],
  ])('%d rounds to %i', (value, expected) => expect(roundHalfUp(value)).toBe(expected))
  it('multiplies quantities with decimals', () => expect(lineCents(1.125, 4000)).toBe(4500))
  it.each([
    [12.4, '+12.4%'],
    [0, '+0.0%'],
    [-3.25, '-3.3%'],
  ])('%d as a change is %s', (value, text) => expect(formatPercent(value, { signed: true })).toBe(text))
  it('allocates every cent, to nobody less than the floor of the share', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -100_000, max: 1_000_000 }),
        fc.array(fc.integer({ min: 0, max: 10_000 }), { minLength: 1, maxLength: 40 }),
        (total, weights) => {
          const parts = allocateCents(total, weights)
          expect(parts.reduce((a, b) => a + b, 0)).toBe(total)
          const sum = weights.reduce((a, b) => a + b, 0)
          for (const [i, part] of parts.entries())
            expect(part).toBeGreaterThanOrEqual(
              Math.floor(sum === 0 ? total / weights.length : (total * (weights[i] ?? 0)) / sum),
            )
        },
      ),
    )
  })
})
