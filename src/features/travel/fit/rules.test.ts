import { describe, expect, it } from 'vitest'
import { type Clocked, enoughDrives, errorPercent, fitTravelModel, plausible, suggestTravelModel } from './rules.ts'

/** Repeatable chance (mulberry32). */
const chance = (seed: number) => () => {
  seed = (seed + 0x6d2b79f5) | 0
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
  return ((t ^ (t >>> 14)) >>> 0) / 4294967296
}

const usual = { factorSeconds: 180, exponent: 0.66 }

/** Clocks of crews on known roads: noise of a third either way, and a share of lunches, fuel stops and late taps. */
const clocks = (travelModel: typeof usual, count: number, outliers: number, seed = 7): Clocked[] => {
  const random = chance(seed)
  return Array.from({ length: count }, () => {
    const km = 0.3 * 40 ** random()
    const noise = Math.exp((random() + random() + random() - 1.5) * 0.5)
    const seconds = travelModel.factorSeconds * km ** travelModel.exponent * noise
    return { km, seconds: random() < outliers ? seconds * (random() < 0.75 ? 3 + random() * 6 : 0.3) : seconds }
  })
}

describe('the fit', () => {
  it.each([
    [{ factorSeconds: 180, exponent: 0.66 }, 0],
    [{ factorSeconds: 240, exponent: 0.6 }, 0.1],
    [{ factorSeconds: 130, exponent: 0.8 }, 0.1],
    [{ factorSeconds: 300, exponent: 0.5 }, 0.2],
  ])('recovers %j from 300 noisy clocks with %f outliers', (travelModel, outliers) => {
    for (const seed of [1, 2, 3, 4, 5]) {
      const fit = fitTravelModel(clocks(travelModel, 300, outliers, seed), usual)!
      expect(Math.abs(fit.factorSeconds / travelModel.factorSeconds - 1)).toBeLessThan(0.15)
      expect(Math.abs(fit.exponent - travelModel.exponent)).toBeLessThan(0.08)
    }
  })

  it('keeps the exponent when all drives are about as long', () => {
    const random = chance(3)
    const drives = Array.from({ length: 80 }, () => {
      const km = 2 + random() * 0.5
      return { km, seconds: 260 * km ** 0.66 * (0.8 + random() * 0.4) }
    })
    const fit = fitTravelModel(drives, usual)!
    expect(fit.exponent).toBe(0.66)
    expect(Math.abs(fit.factorSeconds - 260)).toBeLessThan(20)
  })

  it('stays within sane bounds whatever the clocks say', () => {
    const slow = clocks({ factorSeconds: 1100, exponent: 1.1 }, 200, 0).map((d) => ({ ...d, seconds: d.seconds * 3 }))
    const fit = fitTravelModel(slow, usual)
    if (fit) {
      expect(fit.factorSeconds).toBeLessThanOrEqual(1200)
      expect(fit.exponent).toBeLessThanOrEqual(1.2)
    }
  })

  it('says nothing of too few drives', () => {
    expect(fitTravelModel(clocks(usual, enoughDrives - 1, 0), usual)).toBeNull()
    expect(suggestTravelModel([], usual)).toBeNull()
  })
})

describe('a suggestion', () => {
  it('comes when it is better, with what it changes', () => {
    const drives = clocks({ factorSeconds: 260, exponent: 0.6 }, 200, 0.1)
    const found = suggestTravelModel(drives, usual)!
    expect(found.errorAfter).toBeLessThan(found.errorBefore - 2)
    expect(errorPercent(found, plausible(drives))).toBe(found.errorAfter)
  })

  it('does not come when the settings are as good', () => {
    expect(suggestTravelModel(clocks(usual, 200, 0.1), usual)).toBeNull()
  })
})

describe('plausible drives', () => {
  it.each([
    [{ km: 3, seconds: 400 }, true],
    [{ km: 3, seconds: 3 * 3600 }, false],
    [{ km: 3, seconds: 20 }, false],
    [{ km: 60, seconds: 900 }, false],
    [{ km: 0.05, seconds: 120 }, false],
    [{ km: 0, seconds: 0 }, false],
    [{ km: Number.NaN, seconds: 100 }, false],
  ])('%j: %s', (drive, good) => expect(plausible([drive]).length === 1).toBe(good))
})
