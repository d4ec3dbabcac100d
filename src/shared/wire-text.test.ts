import { expect, it } from 'vitest'
import { clip, wireText } from './wire-text.ts'

it.each([
  ['Half\u0000 an\u0007 acre\n\tplease', 100, 'Half an acre\n\tplease'],
  ['cut \ud83c', 100, 'cut '],
  ['\udf33 tail', 100, ' tail'],
  ['tree 🌳', 100, 'tree 🌳'],
  ['tree 🌳', 6, 'tree '],
  ['', 5, ''],
])('%j of at most %i is kept as %j', (text, max, kept) => expect(wireText(text, max)).toBe(kept))

it('does not cut an emoji in two', () => {
  expect(clip('ab🌳', 3)).toBe('ab')
  expect(clip('ab🌳', 4)).toBe('ab🌳')
})
