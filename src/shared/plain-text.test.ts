import { expect, it } from 'vitest'
import { cutAtWord } from './plain-text.ts'

it.each([
  ['INV-7 from Green Valley: $200.00 due Friday', 30, 'INV-7 from Green Valley…'],
  ['INV-7 from Green Valley: $200.00 due Friday', 32, 'INV-7 from Green Valley: $200.00…'],
  ['INV-7 from Green Valley: $200.00 due Friday', 80, 'INV-7 from Green Valley: $200.00 due Friday'],
  ['two\n\nlines', 80, 'two lines'],
  ['Donaudampfschiff', 5, 'Donau…'],
])('cuts "%s" at %i without tearing a word', (text, most, cut) => {
  expect(cutAtWord(text, most)).toBe(cut)
})
