import { describe, expect, it } from 'vitest'
import { rateClash, ratesFor, type TaxRule, taxPlaceLabel } from './rules.ts'

const state: TaxRule = { name: 'Ohio', ratePercent: 5.75, taxCategory: 'lawn', state: 'OH' }
const franklin: TaxRule = { ...state, name: 'Franklin', ratePercent: 8, places: ['43201', 'Upper Arlington'] }
const delaware: TaxRule = { ...state, name: 'Delaware', ratePercent: 7.25, places: ['43015'] }
const transit: TaxRule = { ...state, name: 'Transit', ratePercent: 0.5, places: ['43201'], onTop: true }
const next: TaxRule = { ...delaware, ratePercent: 7.5, validFrom: '2026-07-01' }
const rates = [state, franklin, { ...delaware, validTo: '2026-06-30' }, next, transit]

const names = (place: { state?: string | null; city?: string; zip?: string }, day: string | null = '2026-05-01') =>
  ratesFor(rates, { taxCategory: 'lawn', place, day }).map(({ name, ratePercent }) => `${name} ${ratePercent}`)

describe('ratesFor', () => {
  it.each([
    [
      'a ZIP code before its state, and what comes on top',
      { state: 'OH', zip: '43201-1234' },
      ['Franklin 8', 'Transit 0.5'],
    ],
    ['a city, however it is written', { state: 'OH', city: 'UPPER ARLINGTON', zip: '43220' }, ['Franklin 8']],
    ['the other county', { state: 'OH', city: 'Delaware', zip: '43015' }, ['Delaware 7.25']],
    ['the state where no place is named', { state: 'OH', city: 'Akron', zip: '44301' }, ['Ohio 5.75']],
    ['another state', { state: 'IN', city: 'Upper Arlington' }, []],
    ['nobody knows where', {}, []],
  ])('%s', (_name, place, expected) => expect(names(place)).toEqual(expected))

  it.each([
    ['2026-06-30', ['Delaware 7.25']],
    ['2026-07-01', ['Delaware 7.5']],
    [null, ['Delaware 7.5']],
  ])('of the day of the work: %s', (day, expected) =>
    expect(names({ state: 'OH', zip: '43015' }, day)).toEqual(expected),
  )
})

describe('rateClash', () => {
  it.each([
    ['a second one of the same state', { ...state, name: 'Franklin', ratePercent: 8 }, true],
    ['a second one of the same ZIP code', { ...franklin, name: 'Columbus', places: ['43004', '43201'] }, true],
    ['the same once more', state, true],
    ['one of other ZIP codes', { ...franklin, places: ['43004'] }, false],
    ['one on top', { ...state, name: 'Local', ratePercent: 1, onTop: true }, false],
    ['the same on top once more', transit, true],
    ['one on something else', { ...state, taxCategory: 'goods' }, false],
    ['one of another state', { ...state, state: 'IN' }, false],
    ['one in the days between', { ...delaware, validFrom: '2026-06-01', validTo: '2026-07-31' }, true],
    ['one for everywhere', { ...state, state: null }, false],
  ])('%s', (_name, draft, clashes) => expect(rateClash(draft, rates) !== null).toBe(clashes))
})

it('says where a rate holds', () => {
  expect([state, franklin, { state: null }].map(taxPlaceLabel)).toEqual([
    'OH',
    '43201, Upper Arlington in OH',
    'everywhere',
  ])
})
