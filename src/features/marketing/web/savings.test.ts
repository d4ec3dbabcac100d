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
    [{}, day],
    [{ stops: '1,0' }, { stops: 'Write a decimal with a point, like 12.5.' }],
    [{ dollarsAnHour: '$125' }, { ...day, dollarsAnHour: 125 }],
    [{ dollarsAnHour: '37.50' }, { ...day, dollarsAnHour: 37.5 }],
    [{ dollarsAnHour: '12,5' }, { dollarsAnHour: 'Write a decimal with a point, like 12.5.' }],
    [{ dollarsAnHour: '$1,250' }, { dollarsAnHour: 'From $1 to $500 an hour.' }],
    [{ stops: '' }, { stops: 'Type how many stops a day.' }],
    [{ stops: 'many' }, { stops: 'This is not a number.' }],
    [{ stops: '1000000' }, { stops: 'From 1 to 500 stops a day.' }],
    [{ stops: '1,000' }, { stops: 'From 1 to 500 stops a day.' }],
    [{ stops: '-5' }, { stops: 'From 1 to 500 stops a day.' }],
    [{ crews: '31' }, { crews: 'At most as many crews as stops.' }],
    [{ crews: '1.5' }, { crews: 'Whole crews only.' }],
    [{ daysAWeek: '8' }, { daysAWeek: 'From 1 to 7 days a week.' }],
    [
      { daysAWeek: '8', stops: 'x' },
      { daysAWeek: 'From 1 to 7 days a week.', stops: 'This is not a number.' },
    ],
  ])('%o is read as %o', (text, expected) => {
    const { day: read, wrong } = readDay({ ...typed, ...text })
    expect(read ?? wrong).toEqual(expected)
  })

  it('may be what stands there first', () => {
    expect(
      readDay(Object.fromEntries(Object.entries(dayLimits).map(([key, { first }]) => [key, String(first)])) as never)
        .day,
    ).toEqual(day)
  })
})
