import { expect, it } from 'vitest'
import { addedWords, densityOf, isBest } from './rules.ts'

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

it.each([
  ['all days alike', [1320, 1320], [0, 0], false],
  ['a difference of seconds that nobody reads', [1310, 1322], [0, 0], false],
  ['less driving', [240, 1320], [0, 0], true],
  ['something off', [240, 240], [500, 0], true],
  ['one day alone', [240], [0], false],
  ['no day', [], [], false],
])('the first day is called the best: %s', (_, seconds, off, is) =>
  expect(isBest(seconds.map((addedSeconds, at) => ({ addedSeconds, densityPercent: off[at] ?? 0 })))).toBe(is),
)
