import { describe, expect, it, test } from 'vitest'
import { estimateDrive } from '../../solver/matrix.ts'
import { driveExampleMinutes, isLight, loadedWageCents, slugProblem, usualHolidays } from './rules.ts'

describe('driveExampleMinutes', () => {
  it.each([1, 3, 5, 12])('%i miles are what the route engine takes them for', (miles) => {
    const engine = estimateDrive((miles * 1609.344) / 1.4, { factorSeconds: 200, exponent: 0.7 })
    expect(driveExampleMinutes(miles, 200, 0.7)).toBe(Math.round(engine.seconds / 60))
  })
})

describe('usualHolidays', () => {
  it.each([
    [2026, ['2026-01-01', '2026-05-25', '2026-07-04', '2026-09-07', '2026-11-26', '2026-12-25']],
    [2027, ['2027-01-01', '2027-05-31', '2027-07-04', '2027-09-06', '2027-11-25', '2027-12-25']],
  ])('%i', (year, days) => expect(usualHolidays(year).map((one) => one.day)).toEqual(days))
})

it('an hour costs the wage and what is paid on top', () => expect(loadedWageCents(2000, 12)).toBe(2240))

test.each([
  ['oak-lawns', null],
  ['Oak-Lawns ', null],
  ['ab', 'Three to 50 characters'],
  ['x'.repeat(51), 'Three to 50 characters'],
  ['oak lawns', 'Small letters, digits and dashes only'],
  ['-oak', 'It begins and ends with a letter or digit'],
])('the address %j: %s', (slug, problem) => expect(slugProblem(slug)).toBe(problem))

describe('text on a business color', () => {
  it.each([
    ['#14432f', false],
    ['#000000', false],
    ['#2766a8', false],
    ['#ffffff', true],
    ['#f2c200', true],
    ['#7fcba4', true],
    ['nonsense', false],
  ])('%s', (hex, light) => expect(isLight(hex)).toBe(light))
})
