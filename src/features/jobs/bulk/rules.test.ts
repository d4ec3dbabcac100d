import { describe, expect, it } from 'vitest'
import { type BulkJob, type BulkLine, bulkOutcome, monthCents, newUnitCents, type PriceChange } from './rules.ts'

const weekly = {
  freq: 'week' as const,
  interval: 1,
  weekdays: [2],
  phaseOn: '2028-01-04',
  holiday: 'next' as const,
  exceptions: [],
}
const line: BulkLine = {
  ...{
    id: 'a',
    serviceId: 'mow',
    quantity: 1,
    unitPriceCents: 5000,
    newPriceOn: null,
    recurrence: weekly,
    onceOn: null,
    undated: null,
  },
}
const job: BulkJob & { billing: string } = {
  ...{ status: 'active', crewId: null, startOn: '2028-01-01', endOn: null, pausedUntil: null, billing: 'per_visit' },
  lines: [line],
}
const price = (changes: Partial<PriceChange>): PriceChange => ({
  ...{ kind: 'price', mode: 'percent', cents: 0, percent: 0, serviceId: null, roundTo: 'cent', fromOn: null },
  ...changes,
})
const calendar = {
  ...{ today: '2028-02-29', workDays: [1, 2, 3, 4, 5], holidays: [], holidayRule: 'next' as const },
  season: [{ from: '01-01', to: '12-31' }],
}

describe('a new price', () => {
  it.each([
    [5000, { percent: 5 }, 5250],
    [4999, { percent: 5 }, 5249],
    [4999, { percent: 5, roundTo: 'dollar' as const }, 5200],
    [4999, { percent: 5, roundTo: 'five' as const }, 5000],
    [5000, { percent: -100 }, 0],
    [5000, { mode: 'amount' as const, cents: -250 }, 4750],
    [5000, { mode: 'set' as const, cents: 6100, roundTo: 'five' as const }, 6100],
    [1, { percent: 50 }, 2],
  ])('of %i with %o is %i', (before, changes, after) => expect(newUnitCents(before, price(changes))).toBe(after))

  it('never comes out less than nothing', () =>
    expect(bulkOutcome(job, price({ mode: 'amount', cents: -5001 }))).toEqual({ reason: 'below_zero' }))

  it('waits for what the price book has said already', () =>
    expect(bulkOutcome({ ...job, lines: [{ ...line, newPriceOn: '2028-04-01' }] }, price({ percent: 5 }))).toEqual({
      reason: 'price_ahead',
    }))
})

describe('a new weekday', () => {
  const to = (weekday: number, lines: BulkLine[]) =>
    bulkOutcome({ ...job, lines }, { kind: 'day', weekday, fromOn: null })
  it('leaves lines that have none and moves the others', () => {
    const once: BulkLine = { ...line, id: 'b', recurrence: null, onceOn: '2028-03-01' }
    const monthly: BulkLine = {
      ...line,
      id: 'c',
      recurrence: { ...weekly, freq: 'month', weekdays: [], nth: { week: -1, weekday: 2 } },
    }
    const outcome = to(4, [once, line, monthly])
    expect(
      outcome.reason === null && [...(outcome.rules ?? [])].map(([id, rule]) => [id, rule.weekdays, rule.nth]),
    ).toEqual([
      ['a', [4], undefined],
      ['c', [], { week: -1, weekday: 4 }],
    ])
    expect(to(4, [once])).toEqual({ reason: 'once' })
    expect(to(2, [once, line])).toEqual({ reason: 'same' })
    expect(to(4, [{ ...line, recurrence: { ...weekly, freq: 'day', interval: 10, weekdays: [] } }])).toEqual({
      reason: 'no_weekday',
    })
  })
})

describe('what is over, rests or ends', () => {
  it.each([
    [{ status: 'completed' as const }, { kind: 'resume' as const }, 'over'],
    [{ status: 'draft' as const }, { kind: 'pause' as const, until: null }, 'draft'],
    [{ status: 'paused' as const }, { kind: 'pause' as const, until: null }, 'same'],
    [{ status: 'paused' as const }, { kind: 'pause' as const, until: '2028-05-01' }, 'resting'],
    [{ status: 'draft' as const }, { kind: 'end' as const, lastOn: null }, 'draft'],
    [{ endOn: '2028-04-01' }, { kind: 'end' as const, lastOn: '2028-05-01' }, 'ends_before'],
    [{ startOn: '2028-06-01' }, { kind: 'end' as const, lastOn: '2028-05-01' }, 'starts_later'],
  ])('%o asked for %o stays: %s', (changes, change, reason) =>
    expect(bulkOutcome({ ...job, ...changes }, change)).toEqual({ reason }),
  )
})

it('a month is a twelfth of a year of the rules, also from a February 29', () => {
  const month = (changes: object = {}) => monthCents({ ...job, ...changes }, calendar, '2029-02-27')
  expect(month()).toBe(Math.round((53 * 5000) / 12))
  expect(month({ status: 'paused' })).toBe(0)
  expect(month({ status: 'paused', pausedUntil: '2028-08-31' })).toBe(Math.round((26 * 5000) / 12))
  expect(month({ billing: 'flat' })).toBe(0)
  expect(month({ endOn: '2028-03-31' })).toBe(Math.round((5 * 5000) / 12))
})
