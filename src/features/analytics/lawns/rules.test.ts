import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  earnedAt,
  isSteep,
  type LawnFacts,
  raisePercent,
  raiseRefusal,
  raiseText,
  servicesBelow,
  suggestedCents,
} from './rules.ts'

const lawn = (changes: Partial<LawnFacts> = {}): LawnFacts => ({
  completions: 4,
  laborSeconds: 4 * 3600,
  quantity: 1,
  unitPriceCents: 4200,
  ...changes,
})

describe('the price at which a lawn earns its target', () => {
  it('is the labor of a visit at the target, up to the step of its service', () => {
    expect(earnedAt(lawn(), 4200)).toBe(4200)
    expect(suggestedCents(lawn(), 6000, 100)).toBe(6000)
    expect(suggestedCents(lawn(), 6010, 500)).toBe(6500)
    expect(suggestedCents(lawn(), 6010, 1)).toBe(6010)
    expect(suggestedCents(lawn({ quantity: 3, unitPriceCents: 1400 }), 6000, 100)).toBe(2000)
  })
  it('is none where it earns that, where no target is set, and where nothing is known', () => {
    expect(suggestedCents(lawn(), 4200, 100)).toBeNull()
    expect(suggestedCents(lawn(), 0, 100)).toBeNull()
    expect(suggestedCents(lawn({ laborSeconds: 0 }), 6000, 100)).toBeNull()
    expect(suggestedCents(lawn({ completions: 0, laborSeconds: 0 }), 6000, 100)).toBeNull()
  })
  it('is never a decrease, reaches the target and is no step too high', () => {
    fc.assert(
      fc.property(
        fc.record({
          completions: fc.integer({ min: 1, max: 60 }),
          laborSeconds: fc.integer({ min: 900, max: 500_000 }),
          quantity: fc.constantFrom(1, 2, 7.5),
          unitPriceCents: fc.integer({ min: 0, max: 50_000 }),
        }),
        fc.integer({ min: 1, max: 20_000 }),
        fc.constantFrom(1, 25, 100, 500),
        (facts, target, step) => {
          const cents = suggestedCents(facts, target, step)
          if (cents === null) return
          expect(cents).toBeGreaterThan(facts.unitPriceCents)
          expect(cents % step).toBe(0)
          expect(earnedAt(facts, cents) ?? 0).toBeGreaterThanOrEqual(target - 1)
          expect(earnedAt(facts, cents - step) ?? 0).toBeLessThanOrEqual(target)
        },
      ),
    )
  })
})

it('is steep above a quarter', () => {
  expect([raisePercent(4000, 5000), raisePercent(4000, 4000), raisePercent(0, 100)]).toEqual([25, null, null])
  expect([isSteep(25), isSteep(26)]).toEqual([false, true])
})

it('is told in words', () => {
  expect([servicesBelow(1, 1), servicesBelow(14, 9)]).toEqual([
    '1 service at 1 property earns less',
    '14 services at 9 properties earn less',
  ])
})

it('is refused where it is no raise, or more than a slip of the keys', () => {
  expect([4200, 4201, 10_000_000, 10_000_001].map((cents) => raiseRefusal(4200, cents))).toEqual([
    ...['More than $42.00: a letter only raises.', null, null],
    'At most $100,000.00.',
  ])
  expect([raiseText(18), raiseText(892_757)]).toEqual(['+18%', 'over 10 times'])
})
