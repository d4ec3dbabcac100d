import { expect, it } from 'vitest'
import { addressLines, cityLine } from './address-lines.ts'

const none = { street: null, city: null, state: null, zip: null }

it('an address is written line by line, and what is missing leaves no mark', () => {
  expect(addressLines({ street: '7 Oak St', city: 'Savannah', state: 'GA', zip: '31419' })).toEqual([
    '7 Oak St',
    'Savannah, GA 31419',
  ])
  expect(addressLines(none)).toEqual([])
  expect(cityLine({ city: 'Savannah', state: null, zip: '31419' })).toBe('Savannah, 31419')
  expect(cityLine({ city: null, state: 'GA', zip: null })).toBe('GA')
})
