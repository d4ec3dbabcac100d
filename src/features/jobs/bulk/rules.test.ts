import { describe, expect, it } from 'vitest'
import {
  type BulkJob,
  type BulkLine,
  bulkOutcome,
  monthCents,
  newUnitCents,
  type PriceChange,
  steepPercent,
} from './rules.ts'

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
describe('a new price', () => {
  it.each([
    [5000, { percent: 5 }, 5250],
    [4999, { percent: 5 }, 5249],
    [4999, { percent: 5, roundTo: 'dollar' as const }, 5300],
    [4999, { percent: 5, roundTo: 'five' as const }, 5500],
    [4600, { percent: 3, roundTo: 'five' as const }, 5000],
    [4600, { percent: -3, roundTo: 'five' as const }, 4000],
    [5000, { percent: -10, roundTo: 'five' as const }, 4500],
    [0, { mode: 'amount' as const, cents: 200 }, 0],
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
    const round = {
      ...once,
      onceOn: null,
      undated: { kind: 'step', name: 'Round 1', opensOn: '2026-03-01', closesOn: '2026-04-01', minGapDays: 0 } as const,
    }
    expect(to(4, [round])).toEqual({ reason: 'rounds' })
    expect(to(4, [once])).toEqual({ reason: 'once' })
    expect(to(2, [once, line])).toEqual({ reason: 'same' })
    expect(to(4, [{ ...line, recurrence: { ...weekly, freq: 'day', interval: 10, weekdays: [] } }])).toEqual({
      reason: 'no_weekday',
    })
  })
})

describe('a day and a crew together', () => {
  const to = (weekday: number | null, crew: { id: string | null } | null, lines: BulkLine[] = [line]) =>
    bulkOutcome({ ...job, lines }, { kind: 'assign', weekday, crew, fromOn: null })
  const said = (outcome: ReturnType<typeof to>) =>
    outcome.reason === null
      ? { days: [...(outcome.rules?.values() ?? [])].map((rule) => rule.weekdays), crew: outcome.crewId }
      : outcome.reason
  const other = { id: 'another' }
  const same = { id: job.crewId }
  const several = { ...line, recurrence: { ...weekly, weekdays: [2, 4] } }
  it.each([
    ['both', to(4, other), { days: [[4]], crew: 'another' }],
    ['the day alone', to(4, null), { days: [[4]], crew: undefined }],
    ['the crew alone', to(null, other), { days: [], crew: 'another' }],
    [
      'no crew',
      bulkOutcome({ ...job, crewId: 'north' }, { kind: 'assign', weekday: null, crew: { id: null }, fromOn: null }),
      { days: [], crew: null },
    ],
    ['the day, with the crew as it is', to(4, same), { days: [[4]], crew: undefined }],
    ['the crew, with the day as it is', to(2, other), { days: [], crew: 'another' }],
    ['nothing new', to(2, same), 'same'],
    ['a day that cannot be moved keeps the crew, too', to(4, other, [several]), 'several_days'],
  ])('%s', (_, outcome, expected) => expect(said(outcome)).toEqual(expected))
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

it('a month goes by the pace: the weekday, Feb 29 and how many of them a year has do not change it', () => {
  const month = (changes: object = {}, today = '2028-02-29') => monthCents({ ...job, ...changes }, today)
  const weekly = Math.round(((365.25 / 12) * 5000) / 7)
  expect(month()).toBe(weekly)
  for (const weekday of [0, 1, 2, 3, 4, 5, 6]) {
    const outcome = bulkOutcome(job, { kind: 'day', weekday, fromOn: null })
    const rules = outcome.reason === null ? outcome.rules : undefined
    const lines = job.lines.map((line) => ({ ...line, recurrence: rules?.get(line.id) ?? line.recurrence }))
    expect(month({ lines })).toBe(weekly)
  }
  expect(month({ status: 'paused' })).toBe(0)
  expect(month({ status: 'paused', pausedUntil: '2028-08-31' })).toBe(weekly)
  expect(month({ billing: 'flat' })).toBe(0)
  expect(month({ endOn: '2028-11-30' })).toBe(weekly)
  expect(month({ endOn: '2028-02-28' })).toBe(0)
})

it('a change of prices that nobody means stands out', () => {
  const item = (beforeCents: number | null, afterCents: number | null) => ({ beforeCents, afterCents })
  expect(steepPercent([item(5000, 5250), item(4000, 4400)])).toBeNull()
  expect(steepPercent([item(5000, 0), item(4000, 0)])).toBe(-100)
  expect(steepPercent([item(5000, 100_000_000)])).toBe(1_999_900)
  expect(steepPercent([item(null, null)])).toBeNull()
  expect(steepPercent([item(0, 5000)])).toBeNull()
})
