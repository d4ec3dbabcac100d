import { expect, it } from 'vitest'
import { sinceZero } from './rules.ts'

const cases: [name: string, days: [day: string, cents: number][], balanceCents: number, from: string | null][] = [
  ['nothing was ever booked', [], 0, null],
  ['one invoice', [['2028-03-01', 5000]], 5000, '2028-03-01'],
  [
    'paid up: back to where it began',
    [
      ['2028-04-01', -5000],
      ['2028-03-01', 5000],
    ],
    0,
    '2028-03-01',
  ],
  [
    'paid up, then billed again',
    [
      ['2028-05-01', 700],
      ['2028-04-01', -5000],
      ['2028-03-01', 5000],
    ],
    700,
    '2028-05-01',
  ],
  [
    'billed and paid on one day',
    [
      ['2028-05-01', 0],
      ['2028-04-01', -5000],
      ['2028-03-01', 5000],
    ],
    0,
    '2028-05-01',
  ],
  [
    'they have paid too much since',
    [
      ['2028-04-01', -6000],
      ['2028-03-01', 5000],
    ],
    -1000,
    '2028-03-01',
  ],
  [
    'they owed before all of these days',
    [
      ['2028-04-01', -1000],
      ['2028-03-01', 5000],
    ],
    9000,
    null,
  ],
]

it.each(cases)('%s', (_, days, balance, from) =>
  expect(
    sinceZero(
      days.map(([onDay, cents]) => ({ onDay, cents })),
      balance,
    ),
  ).toBe(from),
)
