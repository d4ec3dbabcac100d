import fc from 'fast-check'
import { expect, it } from 'vitest'
import { addDays, type Day, daysBetween } from '../../../shared/dates.ts'
import { daysBeside, lastOfMonth, wholeMonths } from './rules.ts'

it.each([
  ['2026-03-01', '2026-03-31', ['2026-03-01'], []],
  ['2026-03-02', '2026-03-31', [], [['2026-03-02', '2026-03-31']]],
  ['2026-03-01', '2026-03-30', [], [['2026-03-01', '2026-03-30']]],
  [
    ...(['2025-12-15', '2026-03-03', ['2026-01-01', '2026-02-01']] as const),
    [
      ['2025-12-15', '2025-12-31'],
      ['2026-03-01', '2026-03-03'],
    ],
  ],
  ['2024-02-01', '2024-02-29', ['2024-02-01'], []],
])('from %s to %s the months %j are whole, and %j stand beside them', (from, to, months, beside) => {
  expect(wholeMonths({ from, to })).toEqual(months)
  expect(daysBeside({ from, to }, [...months]).map((one) => [one.from, one.to])).toEqual(beside)
})

it('every day of a span is in one month that is taken or in one stretch beside them, whichever months are taken', () => {
  const listed = (from: Day, to: Day): Day[] =>
    Array.from({ length: daysBetween(from, to) + 1 }, (_, at) => addDays(from, at))
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 900 }),
      fc.integer({ min: 0, max: 800 }),
      fc.nat(),
      (start, length, taken) => {
        const span = { from: addDays('2023-11-20', start), to: addDays('2023-11-20', start + length) }
        const months = wholeMonths(span).filter((_, at) => ((taken >> (at % 30)) & 1) === 1)
        const days = [
          ...months.flatMap((month) => listed(month, lastOfMonth(month))),
          ...daysBeside(span, months).flatMap(({ from, to }) => listed(from, to)),
        ]
        expect(days.toSorted()).toEqual(listed(span.from, span.to))
      },
    ),
  )
})
