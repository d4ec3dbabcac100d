import { expect, it } from 'vitest'
import { containing, numbersStarting } from './like.ts'

it('finds words as they are typed', () => {
  expect(containing('50%_a\\b')).toBe('%50\\%\\_a\\\\b%')
})

it.each([1, 7, 42, 104, 1042, 123_456_789])('the spans of %d hold exactly the numbers that begin so', (typed) => {
  const spans = numbersStarting(String(typed))
  for (const number of [1, 7, 8, 42, 43, 104, 105, 420, 1039, 1040, 1042, 1049, 1050, 10_420, 123_456_789, 123_456_790])
    expect([number, spans.some(({ from, to }) => from <= number && number <= to)]).toEqual([
      number,
      String(number).startsWith(String(typed)),
    ])
})

it.each(['', '0', '01', '1234567890', 'x', '-1'])('nothing begins with %j', (typed) => {
  expect(numbersStarting(typed)).toEqual([])
})
