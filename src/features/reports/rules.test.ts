import { describe, expect, it } from 'vitest'
import { addMonths } from '../../shared/dates.ts'
import { allColumns, chosenColumns } from './columns/rules.ts'
import {
  cellNumber,
  cellPlain,
  cellText,
  groupingOf,
  kindInfo,
  nextTurn,
  periodOf,
  periodsOf,
  phoneOrder,
  reportKinds,
  spanFor,
  spanProblem,
  spanText,
  whenText,
} from './rules.ts'

const owner = { role: 'Owner' as const, permissions: [] }
const dispatcher = { role: 'Admin' as const, permissions: ['schedule' as const] }

describe('the days of a report', () => {
  it.each([
    ['last_7', '2026-03-09', '2026-03-15'],
    ['last_365', '2025-03-16', '2026-03-15'],
    ['this_month', '2026-03-01', '2026-03-15'],
    ['last_month', '2026-02-01', '2026-02-28'],
    ['last_quarter', '2025-10-01', '2025-12-31'],
    ['this_year', '2026-01-01', '2026-03-15'],
    ['last_year', '2025-01-01', '2025-12-31'],
  ] as const)('%s', (period, from, to) => {
    expect(spanFor('sales', { period }, '2026-03-15')).toEqual({ from, to })
  })
  it('of one as of a day are that day, of one ahead begin today', () => {
    expect(spanFor('aging', {}, '2026-03-15')).toEqual({ from: '2026-03-15', to: '2026-03-15' })
    expect(spanFor('aging', { period: 'month_end' }, '2026-03-15').to).toBe('2026-02-28')
    expect(spanFor('aging', { period: 'custom', from: '2026-01-01', to: '2026-02-03' }, '2026-03-15').from).toBe(
      '2026-02-03',
    )
    expect(spanFor('renewals', { period: 'next_30' }, '2026-03-15')).toEqual({ from: '2026-03-15', to: '2026-04-14' })
  })
  it('are never more than 13 months, and no usual period of any report is refused', () => {
    for (const kind of reportKinds)
      for (const period of periodsOf(kind))
        for (const today of ['2026-01-01', '2026-02-28', '2028-02-29', '2026-12-31'])
          expect([kind, period, spanProblem(kind, spanFor(kind, { period }, today), today)]).toEqual([
            kind,
            period,
            null,
          ])
    const from = '2025-01-15'
    expect(spanProblem('sales', { from, to: addMonths(from, 13) }, '2026-12-31')?.path).toBe('to')
    expect(spanProblem('aging', { from, to: from }, '2026-03-15')?.message).toBe('Choose a day of the last 13 months.')
  })
  it('that a report does not have are its usual ones', () => {
    expect([periodOf('aging', 'last_7'), periodOf('sales', null), periodOf('renewals', 'x')]).toEqual([
      'today',
      'last_30',
      'next_60',
    ])
    expect([groupingOf('skips', 'week'), groupingOf('tax', 'crew'), groupingOf('skips', 'crew')]).toEqual([
      'reason',
      null,
      'crew',
    ])
    expect(spanText('aging', { from: '2026-03-15', to: '2026-03-15' })).toBe('As of Sun, Mar 15, 2026')
  })
})

describe('columns', () => {
  it('have ids of their own, the first of which is shown at once', () => {
    for (const kind of reportKinds)
      for (const by of [...kindInfo[kind].by, null]) {
        const all = allColumns(kind, by)
        expect(new Set(all.map(({ id }) => id)).size).toBe(all.length)
        expect(chosenColumns(owner, kind, by, null).length).toBeGreaterThan(3)
      }
  })
  it('are chosen and ordered by their ids; what is hidden or unknown is left out, and nothing left is what it begins with', () => {
    const ids = (who: typeof owner | typeof dispatcher, chosen: string[] | null) =>
      chosenColumns(who, 'skips', 'reason', chosen).map(({ id }) => id)
    expect(ids(owner, ['charge', 'name', 'nonsense', 'charge'])).toEqual(['charge', 'name'])
    expect(ids(dispatcher, ['charge', 'name'])).toEqual(['name'])
    expect(ids(dispatcher, ['charge'])).toEqual(['name', 'skips', 'share', 'charged'])
  })
})

it('cells read as people write them and add up in a spreadsheet', () => {
  expect([
    cellText('cents', 123_456),
    cellText('hours', 5400),
    cellText('minutes', 5400),
    cellText('percent', 12.3),
  ]).toEqual(['$1,234.56', '1.50', '90', '12.3%'])
  expect([cellText('cents', null), cellText('cents', 0), cellText('day', '2026-03-15')]).toEqual([
    '–',
    '$0.00',
    'Sun, Mar 15, 2026',
  ])
  expect([
    cellNumber('cents', 123_456),
    cellNumber('hours', 5400),
    cellNumber('text', 'x'),
    cellNumber('cents', null),
  ]).toEqual([1234.56, 1.5, 'x', null])
})

it('numbers of one column have the same decimals, on the screen and in a plain file', () => {
  const type = allColumns('routes', 'crew').find(({ id }) => id === 'stopsPerHour')?.type ?? 'text'
  expect([1.7, 1, 1234.5, null].map((value) => cellText(type, value))).toEqual(['1.7', '1.0', '1,234.5', '–'])
  expect([1.7, 1, null].map((value) => cellPlain(type, value))).toEqual(['1.7', '1.0', null])
  expect([cellPlain('cents', 123_400), cellPlain('count', 3)]).toEqual([1234, 3])
})

describe('when a report goes out', () => {
  const weekly = { rhythm: 'weekly' as const, weekday: 1, monthDay: 1, hour: 7 }
  const monthly = { ...weekly, rhythm: 'monthly' as const, monthDay: 31 }
  // 2026-03-16 is a Monday
  it.each([
    [weekly, '2026-03-15', 600, '2026-03-16'],
    [weekly, '2026-03-16', 419, '2026-03-16'],
    [weekly, '2026-03-16', 420, '2026-03-23'],
    [monthly, '2026-02-01', 0, '2026-02-28'],
    [monthly, '2026-02-28', 420, '2026-03-31'],
    [monthly, '2026-12-31', 500, '2027-01-31'],
    [{ ...monthly, monthDay: 1 }, '2026-03-01', 419, '2026-03-01'],
    [{ ...monthly, monthDay: 1 }, '2026-03-01', 421, '2026-04-01'],
  ])('%o after %s at minute %s is %s', (when, day, minute, next) => {
    expect(nextTurn(when, day, minute)).toBe(next)
  })
  it('is said in words', () => {
    expect([whenText(weekly), whenText(monthly)]).toEqual([
      'Every Monday at 7:00 AM',
      'On the last day of every month at 7:00 AM',
    ])
  })
})

it('has the sum of a row behind its name on a phone, then the other numbers, and words last', () => {
  const columns = [
    { id: 'customer', type: 'text' },
    { id: 'invoice', type: 'text' },
    { id: 'issued', type: 'day' },
    { id: 'not_due', type: 'cents' },
    { id: 'days', type: 'count' },
    { id: 'total', type: 'cents' },
  ] as const
  expect(phoneOrder(columns).map((at) => columns[at]?.id)).toEqual([
    ...['customer', 'total', 'not_due', 'days', 'invoice', 'issued'],
  ])
  expect(phoneOrder([])).toEqual([])
})
