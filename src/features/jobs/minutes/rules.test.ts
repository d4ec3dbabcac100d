import { describe, expect, it } from 'vitest'
import { differs, headline, isDismissed, isProposed, learnedMinutes, medianOf, withoutOutliers } from './rules.ts'

describe('what a lawn takes', () => {
  it('is the median of its five newest visits', () => {
    expect(learnedMinutes([60, 50, 70, 55, 65, 500, 500])).toEqual({ minutes: 60, visits: 5, leftOut: 0 })
    expect(learnedMinutes([60, 50, 70, 56])).toEqual({ minutes: 58, visits: 4, leftOut: 0 })
  })
  it('is not known of fewer than three', () => {
    expect(learnedMinutes([60, 61])).toBeNull()
    expect(learnedMinutes([])).toBeNull()
    // of three that do not agree one is left out, and two are left
    expect(learnedMinutes([60, 61, 300])).toBeNull()
  })
  it('leaves a forgotten clock and a tap at the gate out', () => {
    expect(learnedMinutes([58, 400, 60, 2, 62])).toEqual({ minutes: 60, visits: 3, leftOut: 2 })
    expect(withoutOutliers([40, 40, 40, 40, 49])).toEqual([40, 40, 40, 40, 49])
    expect(withoutOutliers([40, 40, 40, 40, 51])).toEqual([40, 40, 40, 40])
    expect(withoutOutliers([20, 40, 60, 80, 100])).toHaveLength(5)
  })
  it('is the same in whatever order they come', () => {
    const orders = [
      [58, 400, 60, 2, 62],
      [2, 58, 60, 62, 400],
      [400, 62, 60, 58, 2],
    ]
    expect(new Set(orders.map((one) => JSON.stringify(learnedMinutes(one)))).size).toBe(1)
    expect(medianOf([3, 1, 2])).toBe(2)
    expect(medianOf([])).toBe(0)
  })
})

describe('a proposal', () => {
  it('takes five minutes and 15 percent', () => {
    expect([differs(30, 34), differs(30, 35), differs(30, 25)]).toEqual([false, true, true])
    expect([differs(100, 114), differs(100, 115), differs(100, 85)]).toEqual([false, true, true])
    expect(differs(0, 5)).toBe(true)
  })
  it('stays away once dismissed, until visits say something else', () => {
    expect(isProposed(40, 60, null)).toBe(true)
    const left = { learnedMinutes: 60, budgetMinutes: 40 }
    expect([isProposed(40, 60, left), isDismissed(40, 60, left)]).toEqual([false, true])
    expect(isProposed(40, 64, left)).toBe(false)
    expect(isProposed(40, 70, left)).toBe(true)
    expect([isProposed(58, 60, null), isDismissed(58, 60, left)]).toEqual([false, false])
  })
  it('is asked anew once somebody planned otherwise', () => {
    const left = { learnedMinutes: 60, budgetMinutes: 40 }
    expect([isProposed(100, 60, left), isDismissed(100, 60, left)]).toEqual([true, false])
  })
})

it('is told in a sentence', () => {
  expect(headline({ longer: 12, shorter: 3 })).toBe('12 lawns take longer than planned, 3 take less.')
  expect(headline({ longer: 1, shorter: 0 })).toBe('1 lawn takes longer than planned.')
  expect(headline({ longer: 0, shorter: 1 })).toBe('1 lawn takes less.')
  expect(headline({ longer: 0, shorter: 0 })).toBeNull()
})
