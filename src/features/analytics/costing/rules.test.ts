import { describe, expect, it } from 'vitest'
import { crewHourCents, earnedPerHour, marginCents, marginPercent, priceForTarget, routeOf } from './rules.ts'

const costs = (changes = {}) => ({
  completions: 4,
  worthCents: 20_000,
  laborSeconds: 4 * 3600,
  laborCents: 11_000,
  expenseCents: 1500,
  ...changes,
})

describe('what is left of finished work', () => {
  it('is its worth less labor and what was bought for it', () => {
    expect(marginCents(costs())).toBe(7500)
    expect(marginPercent(costs())).toBe(37.5)
    expect(marginCents(costs({ laborCents: 25_000 }))).toBe(-6500)
  })
  it('is no percent of nothing', () => {
    expect(marginPercent(costs({ worthCents: 0 }))).toBeNull()
  })
  it('is told for a man-hour, not for a few minutes', () => {
    expect(earnedPerHour(costs())).toBe(5000)
    expect(earnedPerHour(costs({ laborSeconds: 899 }))).toBeNull()
  })
})

describe('the price at which a lawn earns its target', () => {
  it('is the man-hours of a visit at the target, in whole dollars', () => {
    expect(priceForTarget(costs(), 6000)).toEqual({ cents: 6000, reason: null })
    expect(priceForTarget(costs({ laborSeconds: 4 * 3000 }), 6500).cents).toBe(5500)
  })
  it('is not told without a reason', () => {
    const none = (reason: string) => ({ cents: null, reason })
    expect(priceForTarget(costs(), 5000)).toEqual(none('reached'))
    expect(priceForTarget(costs({ completions: 1, worthCents: 1000 }), 6000)).toEqual(none('fewVisits'))
    expect(priceForTarget(costs({ laborSeconds: 0 }), 6000)).toEqual(none('noTime'))
    expect(priceForTarget(costs(), 0)).toEqual(none('noTarget'))
    expect(priceForTarget(costs(), 6000, { plan: true, severalJobs: true })).toEqual(none('plan'))
    expect(priceForTarget(costs(), 6000, { severalJobs: true })).toEqual(none('severalJobs'))
  })
  it('never rounds a whole dollar up because of a fraction of a cent', () => {
    expect(priceForTarget(costs({ completions: 3, laborSeconds: 3 * 2400, worthCents: 100 }), 6000).cents).toBe(4000)
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
    lawns: 0,
    centsPerHour: 2000,
    pieceCents: null,
    bonusCents: null,
    burdenPercent: 0,
    ...changes,
  })
  it('is the mean by their time, with taxes and insurance', () => {
    expect(crewHourCents([part({ seconds: 3 * 3600, burdenPercent: 10 }), part({ centsPerHour: 1600 })])).toBeCloseTo(
      2050,
    )
  })
  it('is the lawns of who is paid by the lawn, and a bonus on top of the hour', () => {
    expect(crewHourCents([part({ seconds: 7200, lawns: 6, pieceCents: 1200, centsPerHour: 0 })])).toBeCloseTo(3600)
    expect(crewHourCents([part({ lawns: 3, bonusCents: 100, burdenPercent: 10 })])).toBeCloseTo(2530)
  })
  it('is not known where nobody was on the clock', () => {
    expect(crewHourCents([])).toBeNull()
    expect(crewHourCents([part({ seconds: 0 })])).toBeNull()
  })
})
