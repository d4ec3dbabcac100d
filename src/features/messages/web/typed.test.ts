import { expect, test } from 'vitest'
import { restAfter, spanIn } from './typed.ts'

test.each([
  ['Hello', 'Hello', ''],
  ['Hello, and one more', 'Hello', ', and one more'],
  ['Hello Bye', 'Hello', 'Bye'],
  // changed within: it is not known what of it left
  ['Hallo Bye', 'Hello', 'Hallo Bye'],
  ['', 'Hello', ''],
])('of "%s" after "%s" left, "%s" is still to be written', (now, sent, rest) => {
  expect(restAfter(now, sent)).toBe(rest)
})

test.each([
  ['Hello /', 'Hello /', { from: 6, to: 7 }, { from: 6, to: 7 }],
  ['Hello / you', 'Hello /', { from: 6, to: 7 }, { from: 6, to: 7 }],
  ['Oh, Hello /', 'Hello /', { from: 6, to: 7 }, { from: 10, to: 11 }],
  // sent meanwhile: nothing of what is there now is taken away
  ['', 'Hello /', { from: 6, to: 7 }, { from: 0, to: 0 }],
  ['Bye now', 'Hello / you', { from: 6, to: 7 }, { from: 7, to: 7 }],
  ['Hello you', 'Hello', { from: 5, to: 5 }, { from: 9, to: 9 }],
])('in "%s", which was "%s", a span is where it was meant', (now, before, span, found) => {
  expect(spanIn(now, before, span)).toEqual(found)
})
