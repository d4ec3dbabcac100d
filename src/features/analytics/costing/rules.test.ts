import { describe, expect, it } from 'vitest'
import {
  crewHourCents,
  earnedPerHour,
  isLaborKnown,
  lawnPayCents,
  marginCents,
  marginPercent,
  routeOf,
  targetPrice,
  unclockedWords,
} from './rules.ts'

const costs = (changes = {}) => ({
  completions: 4,
  worthCents: 20_000,
  laborSeconds: 4 * 3600,
  laborCents: 11_000,
  expenseCents: 1500,
  materialCents: 0,
  clockedCompletions: 4,
  clockedWorthCents: 20_000,
  clockedLaborSeconds: 4 * 3600,
  ...changes,
})

describe('what is left of finished work', () => {
  it('is its worth less labor and what was bought for it', () => {
    expect(marginCents(costs())).toBe(7500)
    expect(marginPercent(costs())).toBe(37.5)
    expect(marginCents(costs({ laborCents: 25_000 }))).toBe(-6500)
    expect(marginCents(costs({ materialCents: 9000 }))).toBe(-1500)
  })
  it('is no percent of nothing', () => {
    expect(marginPercent(costs({ worthCents: 0 }))).toBeNull()
  })
  it('is told for a labor hour of the visits with a clock, not for a few minutes', () => {
    expect(earnedPerHour(costs())).toBe(5000)
    expect(earnedPerHour(costs({ clockedCompletions: 2, clockedWorthCents: 10_000, clockedLaborSeconds: 7200 }))).toBe(
      5000,
    )
    expect(earnedPerHour(costs({ clockedLaborSeconds: 899 }))).toBeNull()
  })
  it('is no hundred percent where no visit has a clock: labor is not known', () => {
    const unseen = costs({ clockedCompletions: 0, laborCents: 0, worthCents: 4000 })
    expect([marginPercent(unseen), isLaborKnown(unseen), isLaborKnown(costs())]).toEqual([null, false, true])
  })
  it('says of how many visits the clock tells nothing', () => {
    expect(unclockedWords(costs())).toBeNull()
    expect(unclockedWords(costs({ clockedCompletions: 3 }))).toBe('1 of 4 visits has no time on the clock')
    expect(unclockedWords(costs({ clockedCompletions: 0 }))).toBe('4 of 4 visits have no time on the clock')
    expect(unclockedWords(costs({ completions: 1, clockedCompletions: 0 }))).toBe('The visit has no time on the clock')
  })
})

describe('the price at which a lawn earns its target', () => {
  const low = { suggestedCents: 2000, unitPriceCents: 1400, quantity: 3 }
  it('is that of price letters, for a visit', () => {
    expect(targetPrice(4000, 6000, { low: [low], left: [], coming: [] })).toEqual({
      ...{ cents: 6000, nowCents: 4200, reason: null, why: null },
    })
  })
  it('is not told without a reason', () => {
    const reason = (...of: Parameters<typeof targetPrice>) => {
      const { cents, reason: why } = targetPrice(...of)
      return [cents, why]
    }
    expect(reason(4000, 0, { low: [low], left: [], coming: [] })).toEqual([null, 'noTarget'])
    expect(reason(null, 6000, { low: [low], left: [], coming: [] })).toEqual([null, 'noTime'])
    expect(reason(6000, 6000, { low: [low], left: [], coming: [] })).toEqual([null, 'reached'])
    expect(reason(4000, 6000, { low: [low, low], left: [], coming: [] })).toEqual([null, 'several'])
    expect(reason(4000, 6000, { low: [], left: [{ reason: 'flat', why: 'is flat' }], coming: [] })).toEqual([
      null,
      'flat',
    ])
    expect(reason(4000, 6000, { low: [], left: [], coming: [] })).toEqual([null, 'raised'])
    const coming = [{ unitPriceCents: 5000, quantity: 4, fromOn: '2026-12-30' }]
    expect(targetPrice(4000, 6000, { low: [], left: [], coming })).toMatchObject({
      ...{ cents: null, reason: 'coming', why: 'a new price of $200.00 a visit holds from Wed, Dec 30, 2026' },
    })
    expect(reason(4000, 6000, undefined)).toEqual([null, 'otherWork'])
  })
})

describe('a route', () => {
  it('is a day and a crew', () => {
    const crewId = '01890000-0000-7000-8000-000000000001'
    expect(routeOf(`2026-06-12.${crewId}`)).toEqual({ day: '2026-06-12', crewId })
    expect(routeOf('none')).toBeNull()
    expect(routeOf(crewId)).toBeNull()
  })
})

describe('what an hour of a crew costs', () => {
  const part = (changes = {}) => ({
    seconds: 3600,
    centsPerHour: 2000,
    pieceCents: null,
    burdenPercent: 0,
    ...changes,
  })
  it('is the mean by their time, with taxes and insurance', () => {
    expect(crewHourCents([part({ seconds: 3 * 3600, burdenPercent: 10 }), part({ centsPerHour: 1600 })])).toBeCloseTo(
      2050,
    )
  })
  it('is nothing by the hour of who is paid by the lawn, whose lawns cost instead, and a bonus beside the hour', () => {
    expect(crewHourCents([part({ pieceCents: 1200 })])).toBe(0)
    expect(crewHourCents([part({ pieceCents: 1200 }), part()])).toBeCloseTo((crewHourCents([part()]) ?? 0) / 2)
    expect(lawnPayCents({ pieceCents: 1200, bonusCents: null, burdenPercent: 10 })).toBeCloseTo(1320)
    expect(lawnPayCents({ pieceCents: null, bonusCents: 100, burdenPercent: 0 })).toBe(100)
  })
  it('is not known where nobody was on the clock', () => {
    expect(crewHourCents([])).toBeNull()
    expect(crewHourCents([part({ seconds: 0 })])).toBeNull()
  })
})
