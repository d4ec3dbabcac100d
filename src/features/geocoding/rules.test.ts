import { describe, expect, it } from 'vitest'
import { type Address, stateCodeOf, zip5 } from '../../shared/places.ts'
import { addressKeyOf, type Found, judge, kmBetween, type Surroundings, withoutService } from './rules.ts'

const savannah = { lat: 32.05, lng: -81.1 }
const address: Address = { street: '12 Oak St', city: 'Savannah', state: 'GA', zip: '31419' }
const around: Surroundings = {
  zip: savannah,
  area: { lat: 32.1, lng: -81.2 },
  isIn: (state, { lng }) => (state === 'GA') === lng < -80.9,
  isLand: ({ lng }) => lng < -75,
}
const found = (changes: Partial<Found> = {}): Found => ({
  lat: 32.06,
  lng: -81.11,
  quality: 'rooftop',
  several: false,
  label: '12 Oak St',
  ...changes,
})

describe('an answer', () => {
  it.each([['rooftop'], ['street']] as const)('found at the %s is believed', (quality) => {
    expect(judge(address, found({ quality }), around)).toEqual({
      point: { lat: 32.06, lng: -81.11 },
      quality,
      note: '',
    })
  })

  it.each([
    ['in another state', { lng: -80.5 }, 'another state than GA'],
    ['in the water', { lng: -70 }, 'outside of the country'],
    ['far from its ZIP code', { lat: 34 }, 'far from ZIP code 31419'],
  ])('%s is not believed: the middle of the ZIP code stands', (_, where, words) => {
    expect(judge(address, found(where), around)).toEqual({
      point: savannah,
      quality: 'zip',
      note: expect.stringContaining(words),
    })
  })

  it('that is one of several is kept as approximate', () => {
    expect(judge(address, found({ several: true }), around)).toMatchObject({
      point: { lat: 32.06 },
      quality: 'zip',
      note: expect.stringContaining('Several'),
    })
  })

  it('that knows only the area is no better than the ZIP code', () => {
    expect(judge(address, found({ quality: 'county' }), around)).toMatchObject({ point: savannah, quality: 'zip' })
    const unknownZip = { ...around, zip: null, area: null }
    expect(judge({ ...address, zip: '' }, found({ quality: 'county' }), unknownZip)).toMatchObject({
      point: { lat: 32.06 },
      quality: 'county',
    })
  })

  it('that is none leaves the ZIP code, and says what to do', () => {
    expect(judge(address, null, around)).toMatchObject({
      point: savannah,
      note: expect.stringContaining('set the pin'),
    })
  })
})

describe('without a service', () => {
  it.each([
    ['its ZIP code', address, around, 'zip', ''],
    ['the region of a ZIP code without an area', address, { ...around, zip: null }, 'county', 'no area of its own'],
    ['nowhere without a ZIP code', { ...address, zip: '' }, around, 'none', 'Without a ZIP code'],
    ['nowhere with an unknown one', address, { ...around, zip: null, area: null }, 'none', '31419 is not known'],
    ['nowhere when ZIP code and state do not fit', { ...address, state: 'SC' }, around, 'none', 'is not in SC'],
  ] as const)('an address stands in %s', (_, where, near, quality, words) => {
    const verdict = withoutService(where, near)
    expect(verdict.quality).toBe(quality)
    expect(verdict.note).toContain(words)
    expect(verdict.point === null).toBe(quality === 'none')
  })
})

describe('spellings', () => {
  it.each([
    ['31419', '31419'],
    ['31419-1234', '31419'],
    ['314191234', '31419'],
    ['1234', '01234'],
    [' 02134 ', '02134'],
    ['ABC', null],
    ['', null],
    ['123', null],
  ])('ZIP %j is %j', (text, zip) => expect(zip5(text)).toBe(zip))

  it.each([
    ['GA', 'GA'],
    ['ga.', 'GA'],
    ['Georgia', 'GA'],
    ['west virginia', 'WV'],
    ['D.C.', 'DC'],
    ['Ontario', null],
    ['', null],
  ])('state %j is %j', (text, code) => expect(stateCodeOf(text)).toBe(code))

  it('of one address are one key', () => {
    const other = { street: '12  OAK st.', city: 'savannah', state: 'Georgia', zip: '31419-0001' }
    expect(addressKeyOf(other)).toBe(addressKeyOf(address))
    expect(addressKeyOf({ ...address, street: '13 Oak St' })).not.toBe(addressKeyOf(address))
    expect(addressKeyOf({ ...address, street: 'x'.repeat(900) })).toHaveLength(500)
  })
})

it('measures kilometers', () => {
  expect(kmBetween({ lat: 32, lng: -81 }, { lat: 33, lng: -81 })).toBeCloseTo(111.2, 0)
  expect(kmBetween({ lat: 60, lng: 10 }, { lat: 60, lng: 11 })).toBeCloseTo(55.6, 0)
})
