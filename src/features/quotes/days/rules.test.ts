import { expect, it } from 'vitest'
import { addedWords, densityOf } from './rules.ts'

const rule = { densityPercent: 500, densityMinutes: 5 }

it.each([
  ['on the way', 0, 3, 500],
  ['as far as the rule goes', 300, 3, 500],
  ['farther', 301, 3, 0],
  ['near, but no crew is there', 60, 0, 0],
])('what is off %s', (_, addedSeconds, stops, is) => expect(densityOf(rule, { addedSeconds, stops })).toBe(is))

it('nothing is off without a rule, and the drive is said in minutes', () => {
  expect(densityOf({ ...rule, densityPercent: 0 }, { addedSeconds: 0, stops: 3 })).toBe(0)
  expect([addedWords(20), addedWords(260)]).toEqual(['on the way', '4 min more driving a visit'])
})
