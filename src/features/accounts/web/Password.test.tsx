import { expect, test } from 'vitest'
import { newPasswordErrors } from './Password.tsx'

test.each([
  ['', '', ['password', 'repeated']],
  ['short', 'other', ['password', 'repeated']],
  ['long-enough-2026', '', ['repeated']],
  ['long-enough-2026', 'long-enough-2027', ['repeated']],
  ['long-enough-2026', 'long-enough-2026', []],
])('%j and %j: every field that is wrong is marked', (password, repeated, wrong) => {
  expect(Object.keys(newPasswordErrors(password, repeated))).toEqual(wrong)
})
