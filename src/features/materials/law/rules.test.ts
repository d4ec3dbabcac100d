import { expect, test } from 'vitest'
import { type ForLaw, isWithin, lawFindings, lawOf, mostNitrogen } from './rules.ts'

const spread: ForLaw = {
  state: 'MD',
  day: '2026-06-12',
  nitrogenPounds: 0.9,
  solublePounds: 0.7,
  phosphatePercent: 0,
  phosphorusAsked: false,
}
const rules = (more: Partial<ForLaw>) => lawFindings({ ...spread, ...more }).map(({ rule }) => rule)

test('Maryland: 0.9 lb in all and 0.7 lb soluble, to the hair', () => {
  expect(rules({})).toEqual([])
  expect(rules({ nitrogenPounds: 0.91 })).toEqual(['total'])
  expect(rules({ solublePounds: 0.71 })).toEqual(['soluble'])
  expect(rules({ nitrogenPounds: 0.1 + 0.8 })).toEqual([])
})

test.each([
  ['2026-11-15', 0.9, false],
  ['2026-11-16', 0.5, false],
  ['2026-11-30', 0.5, false],
  ['2026-12-01', 0.9, true],
  ['2027-01-15', 0.9, true],
  ['2027-02-28', 0.9, true],
  ['2028-02-29', 0.9, true],
  ['2027-03-01', 0.9, false],
])('a company in Maryland on %s: at most %s lb, closed: %s', (day, most, isOut) => {
  const at = (nitrogenPounds: number) => rules({ day, nitrogenPounds, solublePounds: 0.5 })
  expect([at(most).includes('total'), at(most + 0.01).includes('total')]).toEqual([false, true])
  expect(at(most).includes('blackout')).toBe(isOut)
})

test('the words of Maryland’s late fall are true to it', () => {
  const words = (more: Partial<ForLaw>) => lawFindings({ ...spread, ...more }).map((one) => one.words)
  expect(words({ day: '2026-11-16', solublePounds: 0 })).toEqual([
    'Maryland allows at most 0.5 lb of nitrogen per 1,000 sq ft at once from November 16 to November 30; this is 0.9 lb.',
  ])
  expect(words({ day: '2027-01-15' })[0]).toContain('no lawn fertilizer from December 1 to the end of February')
})

test('phosphorus needs a soil test or a new lawn: above nothing in Maryland, above 0.67 percent in three other states', () => {
  expect(rules({ phosphatePercent: 3 })).toEqual(['phosphorus'])
  expect(rules({ phosphatePercent: 3, phosphorusAsked: true })).toEqual([])
  // what nobody typed is not nothing
  expect(rules({ phosphatePercent: null })).toEqual(['phosphorus'])
  for (const state of ['CT', 'NY', 'VT']) {
    expect(rules({ state, phosphatePercent: 0.67 })).toEqual([])
    expect(rules({ state, phosphatePercent: 1, nitrogenPounds: 2, solublePounds: 2 })).toEqual(['phosphorus'])
  }
})

test('a state without a known law says nothing', () => {
  expect(rules({ state: 'GA', nitrogenPounds: 3, solublePounds: 3, phosphatePercent: 10 })).toEqual([])
  expect(rules({ state: null, nitrogenPounds: 3 })).toEqual([])
  expect([lawOf('NJ')?.cap, lawOf('GA')]).toEqual([null, null])
})

test('the most that is left: by what of it is soluble, and by the day', () => {
  const most = (state: string, slow: number | null, day = '2026-06-12') => mostNitrogen(state, slow, day)
  expect([most('MD', null), most('MD', 30), most('MD', 100), most('GA', null)]).toEqual([0.7, 0.9, 0.9, null])
  expect([most('MD', 10), most('MD', null, '2026-11-16')]).toEqual([0.77, 0.5])
})

test('a span over new year', () => {
  expect(isWithin('2026-05-05', { from: '05-01', to: '06-01' })).toBe(true)
  expect(isWithin('2026-07-05', { from: '05-01', to: '06-01' })).toBe(false)
})
