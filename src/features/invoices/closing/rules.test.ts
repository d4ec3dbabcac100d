import { expect, it } from 'vitest'
import { monthsThatClose } from './rules.ts'

it.each([
  ['2026-10', null, null],
  ['2026-10', '2026-09-30', []],
  ['2026-10', '2026-07-31', ['2026-08', '2026-09']],
  ['2027-01', '2026-11-30', ['2026-12']],
])('with %s close, closed through %s, the months %j', (month, closedThrough, also) => {
  expect(monthsThatClose(month, closedThrough)).toEqual(also)
})
