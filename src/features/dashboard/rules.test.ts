import { describe, expect, it } from 'vitest'
import { changePercent, perLaborHour } from './rules.ts'

describe('figures of the dashboard', () => {
  it.each([
    [1124, 1000, 12.4],
    [0, 1000, -100],
    [500, 0, null],
    [0, 0, null],
  ])('%i against %i is %s', (now, before, expected) => {
    expect(changePercent(now, before)).toBe(expected)
  })
  it.each([
    [6820, 3600, 6820],
    [5500, 899, null],
    [5500, 7200, 2750],
  ])('%i cents in %i man-seconds is %s an hour', (cents, seconds, expected) => {
    expect(perLaborHour(cents, seconds)).toBe(expected)
  })
})
