import { describe, expect, it } from 'vitest'
import type { ImportField } from '../rules.ts'
import { readCadence, readDay, readWork } from './work-cells.ts'

const week = (interval: number, ...weekdays: number[]) => ({ kind: 'rule', freq: 'week', interval, weekdays })

describe('how often', () => {
  it.each([
    ['Weekly', '', week(1)],
    ['weekly on Tuesdays', '', week(1, 2)],
    ['Weekly - Monday', '', week(1, 1)],
    ['Every week', 'Mon/Thu', week(1, 1, 4)],
    ['Twice a week', 'Mon, Thu', week(1, 1, 4)],
    ['Twice a week', '', null],
    ['Bi-Weekly', '', week(2)],
    ['Every other week', 'Friday', week(2, 5)],
    ['Every 2 weeks on Mondays and Thursdays', '', week(2, 1, 4)],
    ['2 weeks', '', week(2)],
    ['every 14 days', '', week(2)],
    ['Every 10 days', '', { kind: 'rule', freq: 'day', interval: 10, weekdays: [] }],
    ['Monthly', '', { kind: 'rule', freq: 'month', interval: 1, weekdays: [] }],
    [
      'Monthly on the first Monday',
      '',
      { kind: 'rule', freq: 'month', interval: 1, weekdays: [], nth: { week: 1, weekday: 1 } },
    ],
    ['Monthly on the 15th', '', { kind: 'rule', freq: 'month', interval: 1, weekdays: [], dayOfMonth: 15 }],
    ['Every 3 months', '', { kind: 'rule', freq: 'month', interval: 3, weekdays: [] }],
    ['Quarterly', '', { kind: 'rule', freq: 'month', interval: 3, weekdays: [] }],
    ['One-time', '', { kind: 'once' }],
    ['As needed', '', { kind: 'on_demand' }],
    ['Twice a month', '', null],
    ['Whenever it rains', '', null],
    ['Monthly on Monday', '', null],
    ['Weekly', 'Someday', null],
    ['every', '', null],
  ] as const)('%j, %j', (text, days, cadence) => expect(readCadence(text, days)).toEqual(cadence))

  it.each([
    ['2026-03-02', '2026-03-02'],
    ['3/2/2026', '2026-03-02'],
    ['03/02/26 8:00 AM', '2026-03-02'],
    ['Mon, Mar 2, 2026', '2026-03-02'],
    ['March 2nd, 2026', '2026-03-02'],
    ['2026-02-30', null],
    ['13/13/2026', null],
    ['soon', null],
  ])('the day %j is %j', (text, day) => expect(readDay(text)).toBe(day))
})

const read = (cells: Partial<Record<ImportField, string>>) =>
  readWork(Object.values(cells), Object.keys(cells) as ImportField[], '2026-03-04')

describe('the work of a row', () => {
  it('begins on the next of its weekdays when no first day is said', () => {
    const { job } = read({ jobService: 'Mowing', jobFrequency: 'Weekly', jobDay: 'Tue', jobPrice: '$45 / visit' })
    expect([job?.startOn, job?.lines[0]?.recurrence?.weekdays, job?.lines[0]?.priceCents]).toEqual([
      '2026-03-10',
      [2],
      4500,
    ])
  })

  it.each<[Partial<Record<ImportField, string>>, string]>([
    [{ jobFrequency: 'Weekly' }, 'The job has no service, so nothing was booked.'],
    [{ jobService: 'Mowing' }, 'How often "Mowing" comes back is not said. The job was not booked.'],
    [{ jobService: 'Mowing', jobDay: 'Mon' }, '"Mon" does not say how often for sure. Book "Mowing" by hand.'],
    [
      { jobService: 'Mowing', jobFrequency: 'Once', jobStart: '3/1/2026' },
      'The day of "Mowing", 3/1/2026, is past. The job was not booked.',
    ],
    [
      { jobService: 'Mowing', jobFrequency: 'Weekly', jobStart: 'x' },
      'First day "x" is not a day like 3/2/2026. The job was not booked.',
    ],
    [
      { jobService: 'Mowing', jobFrequency: 'Weekly', jobDay: 'Mon', jobPrice: 'ask' },
      'Price "ask" is not an amount of dollars. The job was not booked.',
    ],
    [
      { jobService: 'Mowing', jobFrequency: 'Weekly', jobDay: 'Mon', jobEnd: '1/1/2026' },
      'The job "Mowing" ended on 1/1/2026. It was not booked.',
    ],
  ])('%j is named, never guessed', (cells, message) => {
    const { job, problems } = read(cells)
    expect([job, problems.map((problem) => problem.message)]).toEqual([null, [message]])
  })

  it.each([
    ['$1,240.50', 124050, 0],
    ['0.00', 0, 0],
    ['-$20.00', 0, 1],
    ['($20.00)', 0, 1],
    ['20.00 CR', 0, 1],
    ['lots', 0, 1],
  ])('the balance %j is %i cents', (text, cents, problems) => {
    const found = read({ openBalance: text })
    expect([found.balanceCents, found.problems.length]).toEqual([cents, problems])
  })

  it('takes no day of a balance that is still to come', () =>
    expect(read({ openBalance: '5', balanceOn: '12/31/2026' })).toMatchObject({
      balanceCents: 500,
      balanceOn: null,
      problems: [{ field: 'balanceOn' }],
    }))
})
