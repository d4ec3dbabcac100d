import { describe, expect, it } from 'vitest'
import { addressLine, readAddress } from './places.ts'

const home = { city: 'Savannah', state: 'GA', zip: '31401' }

describe('an address in one line', () => {
  it.each([
    ['12 Yard Rd, Savannah, GA 31419', ['12 Yard Rd', 'Savannah', 'GA', '31419']],
    ['12 Yard Rd, Savannah GA 31419-1234', ['12 Yard Rd', 'Savannah', 'GA', '31419-1234']],
    ['12 Yard Rd, Bluffton, South Carolina', ['12 Yard Rd', 'Bluffton', 'SC', '']],
    ['12 Yard Rd 31419', ['12 Yard Rd', '', 'GA', '31419']],
    ['12 Yard Rd, Pooler', ['12 Yard Rd', 'Pooler', 'GA', '']],
    ['5 Oak Ct', ['5 Oak Ct', 'Savannah', 'GA', '31401']],
    ['31419 Highway 80', ['31419 Highway 80', 'Savannah', 'GA', '31401']],
    ['', ['', 'Savannah', 'GA', '31401']],
  ])('%j is read', (text, parts) => {
    const { street, city, state, zip } = readAddress(text, home)
    expect([street, city, state, zip]).toEqual(parts)
  })

  it('is written again', () => {
    expect(addressLine({ street: '12 Yard Rd', ...home })).toBe('12 Yard Rd, Savannah, GA 31401')
    expect(addressLine({ street: '', city: 'Savannah', state: '', zip: '' })).toBe('Savannah')
  })
})
