import { expect, test } from 'vitest'
import { doorsBeside, streetOnly } from './rules.ts'

test.each([
  ['132 Laurel Green Ct', ['131 Laurel Green Ct', '133 Laurel Green Ct', '130 Laurel Green Ct', '134 Laurel Green Ct']],
  ['1 Oak St', ['2 Oak St', '3 Oak St']],
  ['Oak St', []],
  ['12B Oak St', []],
])('beside %s', (street, beside) => {
  expect(doorsBeside(street, 1)).toEqual(beside)
})

test('a card names the street, never the house', () => {
  expect(streetOnly('132 Laurel Green Ct')).toBe('Laurel Green Ct')
  expect(streetOnly('12B Oak St')).toBe('Oak St')
})
