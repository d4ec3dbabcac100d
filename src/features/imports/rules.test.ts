import { describe, expect, it } from 'vitest'
import { presetOf } from './presets/rules.ts'
import { expectedCustomers, fieldOfHeader, guessMapping, mappingProblems } from './rules.ts'

const columns = (...headers: string[]) => headers.map((header) => ({ header, samples: [] }))

describe('headers', () => {
  it.each([
    ['NAME', 'name'],
    ['  Customer name ', 'name'],
    ['First Name', 'firstName'],
    ['E-Mail Address', 'email'],
    ['Main Phone #', 'phone'],
    ['Service Street 1', 'street'],
    ['Address Line 1', 'street'],
    ['ZIP Code', 'zip'],
    ['Postal code/ZIP', 'zip'],
    ['Lat', 'latitude'],
    ['lng', 'longitude'],
    ['Lawn Size (sq ft)', 'lawnSquareFeet'],
    ['Lawn', 'lawnSquareFeet'],
    ['Lot size', 'lawnSquareFeet'],
    ['Sq ft', 'lawnSquareFeet'],
    ['Sq. Ft.', 'lawnSquareFeet'],
    ['Turf', 'lawnSquareFeet'],
    ['Turf area (sq ft)', 'lawnSquareFeet'],
    ['Mowable area', 'lawnSquareFeet'],
    ['Yard size', 'lawnSquareFeet'],
    ['Acres', 'lawnAcres'],
    ['Lot size (acres)', 'lawnAcres'],
    ['Gate code', 'gateCode'],
    ['Billing Street 1', 'billingStreet'],
    ['Favorite color', null],
  ])('%j is %j', (header, field) => expect(fieldOfHeader(header)).toBe(field))
})

describe('the proposal', () => {
  it('reads an address file', () =>
    expect(guessMapping(columns('street', 'unit', 'city', 'state', 'zip', 'latitude', 'longitude'))).toEqual([
      'street',
      'unit',
      'city',
      'state',
      'zip',
      'latitude',
      'longitude',
    ]))

  it('takes the service address of a Jobber list, not the billing one', () => {
    const headers = [
      'J-ID',
      'Display Name',
      'Main Phone #',
      'E-mails',
      'Billing Street 1',
      'Billing City',
      'Service Street 1',
      'Service City',
    ]
    const preset = presetOf(headers)
    expect(preset?.name).toBe('Jobber')
    expect(guessMapping(columns(...headers), preset?.fields)).toEqual([
      'externalId',
      'name',
      'phone',
      'email',
      'billingStreet',
      'billingCity',
      'street',
      'city',
    ])
  })

  it('works where a list knows only the billing address', () =>
    expect(guessMapping(columns('Customer', 'Bill to', 'Billing ZIP'))).toEqual(['name', 'street', 'zip']))

  it('knows columns by their contents where headers say nothing', () =>
    expect(
      guessMapping([
        { header: 'Column 1', samples: ['Ann Lee'] },
        { header: 'Column 2', samples: ['ann@lee.test', 'b@c.test'] },
        { header: 'Column 3', samples: ['(912) 555-0123'] },
        { header: 'Column 4', samples: ['12 Oak St'] },
        { header: 'Column 5', samples: ['31401', '31405-1234'] },
      ]),
    ).toEqual([null, 'email', 'phone', 'street', 'zip']))

  it('takes the lawn before the lot, and no kind of grass for a size', () => {
    expect(guessMapping(columns('Name', 'Lot size', 'Lawn'))).toEqual(['name', null, 'lawnSquareFeet'])
    expect(guessMapping([{ header: 'Turf', samples: ['Bermuda', 'Zoysia'] }])).toEqual([null])
  })

  it('proposes a field once, but every phone column', () =>
    expect(guessMapping(columns('Name', 'Customer', 'Home phone', 'Mobile'))).toEqual(['name', null, 'phone', 'phone']))
})

it('asks for a name, a street and no field twice', () => {
  expect(mappingProblems(['email', null])).toHaveLength(2)
  expect(mappingProblems(['name', 'street', 'street'])).toHaveLength(1)
  expect(mappingProblems(['lastName', 'address', 'phone', 'phone'])).toEqual([])
})

it.each([
  [212, 4, null, 0, 'skip', { customers: 212, archived: 0 }],
  [212, 4, 100, 90, 'import', { customers: 216, archived: 206 }],
  [5, 0, 25, 30, 'skip', { customers: 5, archived: 5 }],
] as const)(
  '%i good and %i doubles, %s held, %i there, %s: %o',
  (customerCount, duplicateCount, limit, customers, choice, expected) =>
    expect(expectedCustomers({ customerCount, duplicateCount, plan: { limit, customers } }, choice)).toEqual(expected),
)
