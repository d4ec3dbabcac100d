import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addDays, daysBetween } from '../../../shared/dates.ts'
import { renewAheadDays, renewalOf, seasonYearOf, windowsOf } from './rules.ts'

const monthDay = fc.integer({ min: 0, max: 365 }).map((days) => addDays('2024-01-01', days).slice(5))
const steps = fc.array(fc.record({ from: monthDay, to: monthDay }), { minLength: 1, maxLength: 12 })

describe('the season that follows', () => {
  it('is made 45 days before its first window, also around February 29 and over New Year', () => {
    const leap = [{ from: '02-29', to: '03-31' }]
    expect(renewalOf(leap, 2026, '2026-11-23')).toEqual({
      year: 2027,
      renewsOn: '2027-01-15',
      windows: [{ opensOn: '2027-03-01', closesOn: '2027-03-31', step: 0 }],
    })
    expect(renewalOf(leap, 2027, '2027-11-23').windows[0]?.opensOn).toBe('2028-02-29')
    const winter = [
      { from: '11-01', to: '12-15' },
      { from: '01-10', to: '02-29' },
    ]
    expect(renewalOf(winter, 2026, '2026-11-23')).toEqual({
      year: 2027,
      renewsOn: '2027-09-17',
      windows: [
        { opensOn: '2027-11-01', closesOn: '2027-12-15', step: 0 },
        { opensOn: '2028-01-10', closesOn: '2028-02-29', step: 1 },
      ],
    })
  })
  it('that nobody made in time gives way to one that can be done', () => {
    expect(renewalOf([{ from: '03-01', to: '04-30' }], 2023, '2026-11-23')).toMatchObject({ year: 2027 })
    // the second round is still ahead: the season is made with what is left of it
    const left = renewalOf(
      [
        { from: '03-01', to: '04-30' },
        { from: '09-01', to: '10-15' },
      ],
      2025,
      '2026-07-01',
    )
    expect(left).toMatchObject({ year: 2026, windows: [{ step: 1, opensOn: '2026-09-01' }] })
  })
  it('over ten years of nights each season is made once, none before its day, none out of order', () => {
    fc.assert(
      fc.property(steps, fc.integer({ min: 2023, max: 2028 }), (rounds, year) => {
        let season = year
        const made: number[] = []
        for (let day = `${year}-06-15`; day < `${year + 10}-06-15`; day = addDays(day, 1)) {
          const next = renewalOf(rounds, season, day)
          expect(next.year).toBeGreaterThan(season)
          if (next.renewsOn > day) continue
          // the night comes twice: what is made now is not made again
          expect(next.windows.length).toBeGreaterThan(0)
          for (const { closesOn } of next.windows) expect(closesOn >= day).toBe(true)
          const [first] = windowsOf(rounds, next.year)
          expect(daysBetween(next.renewsOn, first?.opensOn ?? '')).toBe(renewAheadDays)
          season = next.year
          made.push(season)
        }
        expect(new Set(made).size).toBe(made.length)
        // year after year, once the first is made
        for (const [at, one] of made.entries()) if (at > 0) expect(one).toBe((made[at - 1] ?? 0) + 1)
        expect(seasonYearOf(rounds, `${year + 10}-06-15`) - season).toBeLessThanOrEqual(2)
      }),
      { numRuns: 40 },
    )
  }, 60_000)
})
