import { expect, it } from 'vitest'
import { closedMonthMessage, monthsThatClose } from './rules.ts'

it.each([
  ['2026-10', null, null],
  ['2026-10', '2026-09-30', []],
  ['2026-10', '2026-07-31', ['2026-08', '2026-09']],
  ['2027-01', '2026-11-30', ['2026-12']],
])('with %s close, closed through %s, the months %j', (month, closedThrough, also) => {
  expect(monthsThatClose(month, closedThrough)).toEqual(also)
})

it('tells who may reopen a month where that is done, and others whom to ask', () => {
  expect(closedMonthMessage('2026-10-03', true)).toContain(
    'reopen the month at Invoices, “For the accountant”, Months.',
  )
  expect(closedMonthMessage('2026-10-03')).toContain('ask the owner to reopen the month.')
})
