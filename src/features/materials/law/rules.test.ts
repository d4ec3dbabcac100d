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
const rules = (more: Partial<ForLaw>) => lawFindings({ ...spread, ...more }).map(({ rule, stops }) => [rule, stops])

test('Maryland: 0.9 lb in all and 0.7 lb soluble, to the hair', () => {
  expect(rules({})).toEqual([])
  expect(rules({ nitrogenPounds: 0.91 })).toEqual([['total', true]])
  expect(rules({ solublePounds: 0.71 })).toEqual([['soluble', true]])
  expect(rules({ nitrogenPounds: 0.1 + 0.8 })).toEqual([])
})

test.each([
  ['2026-11-30', false],
  ['2026-12-01', true],
  ['2027-01-15', true],
  ['2027-03-01', true],
  ['2027-03-02', false],
])('a company in Maryland on %s: %s', (day, isOut) => {
  expect(rules({ day }).some(([rule]) => rule === 'blackout')).toBe(isOut)
})

test('phosphorus is asked about, not refused: above nothing in Maryland, above 0.67 percent in three other states', () => {
  expect(rules({ phosphatePercent: 3 })).toEqual([['phosphorus', false]])
  expect(rules({ phosphatePercent: 3, phosphorusAsked: true })).toEqual([])
  for (const state of ['CT', 'NY', 'VT']) {
    expect(rules({ state, phosphatePercent: 0.67 })).toEqual([])
    expect(rules({ state, phosphatePercent: 1, nitrogenPounds: 2, solublePounds: 2 })).toEqual([['phosphorus', false]])
  }
})

test('a state without a known law says nothing', () => {
  expect(rules({ state: 'GA', nitrogenPounds: 3, solublePounds: 3, phosphatePercent: 10 })).toEqual([])
  expect(rules({ state: null, nitrogenPounds: 3 })).toEqual([])
  expect([lawOf('NJ')?.cap, lawOf('GA')]).toEqual([null, null])
})

test('the most that is left: by what of it is soluble', () => {
  expect([mostNitrogen('MD', null), mostNitrogen('MD', 30), mostNitrogen('MD', 100), mostNitrogen('GA', null)]).toEqual(
    [0.7, 0.9, 0.9, null],
  )
  expect(mostNitrogen('MD', 10)).toBe(0.77)
})

test('a span over new year', () => {
  expect(isWithin('2026-05-05', { from: '05-01', to: '06-01' })).toBe(true)
  expect(isWithin('2026-07-05', { from: '05-01', to: '06-01' })).toBe(false)
})
