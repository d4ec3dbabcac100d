import { expect, it } from 'vitest'
import { isDaylight } from './rules.ts'

it.each([
  [0, false],
  [35, false],
  [8 * 60 + 59, false],
  [9 * 60, true],
  [17 * 60 + 59, true],
  [18 * 60, false],
  [23 * 60 + 35, false],
])('minute %i of the day', (minute, expected) => {
  expect(isDaylight(minute)).toBe(expected)
})
