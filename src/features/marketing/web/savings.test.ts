import { describe, expect, it } from 'vitest'
import { dayLimits, measured, readDay, seasonSavings } from './savings.ts'

const day = { stops: 30, crews: 2, dollarsAnHour: 50, daysAWeek: 5 }

describe('what a season saves', () => {
  it('is what was measured, at a size that was', () => {
    // 2 crews of 15 stops: 0.87 and 8.92 minutes a stop, 4,500 stops
    expect(seasonSavings(day)).toEqual({ least: { hours: 65, dollars: 3250 }, most: { hours: 669, dollars: 33_450 } })
  })

  it('lies between its neighbors in between, and at the nearest one beyond', () => {
    const { least } = seasonSavings({ ...day, stops: 35 })
    expect(least.hours).toBe(Math.round((((0.87 + 0.67) / 2) * 35 * 150) / 60))
    expect(seasonSavings({ ...day, stops: 400, crews: 10 }).least.hours).toBe(Math.round((0.53 * 400 * 150) / 60))
    expect(seasonSavings({ ...day, stops: 4, crews: 1 }).most.hours).toBe(Math.round((5.53 * 4 * 150) / 60))
  })

  it('grows with days and wage, and is never more at least than at most', () => {
    expect(seasonSavings({ ...day, daysAWeek: 6 }).least.hours).toBeGreaterThan(seasonSavings(day).least.hours)
    expect(seasonSavings({ ...day, dollarsAnHour: 100 }).most.dollars).toBe(66_900)
    for (const { nearest, listed } of measured) expect(listed).toBeGreaterThan(nearest)
  })
})

describe('what is typed', () => {
  const typed = { stops: '30', crews: '2', dollarsAnHour: '50', daysAWeek: '5' }
  it.each([
    [typed, day],
    [
      { ...typed, dollarsAnHour: '$1,00' },
      { ...day, dollarsAnHour: 100 },
    ],
    [
      { ...typed, dollarsAnHour: '37.50' },
      { ...day, dollarsAnHour: 37.5 },
    ],
    [{ ...typed, stops: '' }, null],
    [{ ...typed, stops: 'many' }, null],
    [{ ...typed, stops: '0' }, null],
    [{ ...typed, crews: '31' }, null],
    [{ ...typed, daysAWeek: '8' }, null],
    [{ ...typed, stops: '-5' }, null],
  ])('%o is read as %o', (text, read) => {
    expect(readDay(text)).toEqual(read)
  })

  it('may be what stands there first', () => {
    expect(
      readDay(Object.fromEntries(Object.entries(dayLimits).map(([key, { first }]) => [key, String(first)])) as never),
    ).toEqual(day)
  })
})
