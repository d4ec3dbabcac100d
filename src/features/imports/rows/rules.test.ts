import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ImportField, importFieldIds } from '../rules.ts'
import { readRow } from './rules.ts'

const row = (cells: Partial<Record<ImportField, string>>) => {
  const all = { name: 'Ann', street: '1 Oak St', ...cells }
  const { values, problems } = readRow(Object.values(all), Object.keys(all) as ImportField[])
  return { values, problems: problems.map((p) => `${p.field}: ${p.message}`) }
}

describe('what a row says', () => {
  it.each<[Partial<Record<ImportField, string>>, Record<string, unknown>]>([
    [{ name: '', firstName: 'Ann', lastName: 'Nguyễn' }, { name: 'Ann Nguyễn' }],
    [
      { name: '', company: 'Acme HOA' },
      { name: 'Acme HOA', company: null },
    ],
    [{ phone: '912.555.0123 x4' }, { phone: '+19125550123' }],
    [{ phone: '(912) 555-0123 / 912-555-0199' }, { phone: '+19125550123', notes: 'Other phone: 912-555-0199' }],
    [{ phone: '+44 20 7946 0018' }, { phone: '+442079460018' }],
    [{ email: 'Ann@X.test; b@y.test' }, { email: 'ann@x.test', notes: 'Other e-mail: b@y.test' }],
    [
      { email: 'N/A', phone: '-' },
      { email: null, phone: null },
    ],
    [
      { street: '', address: '12 Oak St, Savannah, GA 31401' },
      { street: '12 Oak St', city: 'Savannah', state: 'GA', zip: '31401' },
    ],
    [
      { street: '', address: '12 Oak St, Apt 4, Savannah GA 31401, USA' },
      { street: '12 Oak St, Apt 4', city: 'Savannah', state: 'GA', zip: '31401' },
    ],
    [
      { street: '', address: '12 Oak St' },
      { street: '12 Oak St', city: '' },
    ],
    [{ zip: '2139' }, { zip: '02139' }],
    [{ zip: '601' }, { zip: '00601' }],
    [{ zip: '361' }, { zip: '361' }],
    [{ lawnSquareFeet: '5,500 sq ft' }, { lawnSquareFeet: 5500 }],
    [{ lawnSquareFeet: '0.5 ac' }, { lawnSquareFeet: 21780 }],
    [{ lawnAcres: '0.25' }, { lawnSquareFeet: 10890 }],
    [{ mowHeight: '3.5"' }, { mowHeightInches: 3.5 }],
    [
      { latitude: '0', longitude: '0' },
      { latitude: null, longitude: null },
    ],
    [{ tags: 'weekly; vip;weekly' }, { tags: ['weekly', 'vip'] }],
    [
      { stage: 'Inactive', type: 'Commercial' },
      { stage: 'past', type: 'commercial' },
    ],
    [{ name: "'=1+1" }, { name: '=1+1' }],
    [{ name: '=1+1' }, { name: '=1+1' }],
  ])('%j', (cells, values) => {
    expect(row(cells).problems).toEqual([])
    expect(row(cells).values).toMatchObject(values)
  })

  it.each<[Partial<Record<ImportField, string>>, string]>([
    [{ name: ' ' }, 'name: No name.'],
    [{ street: '' }, 'street: The street is empty.'],
    [{ name: 'x'.repeat(121) }, 'name: Full name has 121 characters; 120 fit.'],
  ])('%j is refused', (cells, problem) => expect(row(cells).problems).toEqual([problem]))

  it.each<[Partial<Record<ImportField, string>>, string, Record<string, unknown>]>([
    [
      { latitude: '200', longitude: '-81' },
      'latitude: Latitude 200 is not between -90 and 90.',
      { latitude: null, longitude: null },
    ],
    [
      { latitude: '32.1' },
      'latitude: A pin needs both latitude and longitude; 32.1 stands alone.',
      { latitude: null, longitude: null },
    ],
    [
      { latitude: 'north', longitude: '-81' },
      'latitude: Latitude "north" is not a number.',
      { latitude: null, longitude: null },
    ],
    [{ email: 'ann@' }, 'email: "ann@" is not an e-mail address.', { email: null }],
    [{ phone: '555-0123' }, 'phone: "555-0123" is not a phone number with ten digits.', { phone: null }],
    [
      { lawnSquareFeet: 'big' },
      'lawnSquareFeet: Lawn size "big" is not a number of square feet.',
      { lawnSquareFeet: null },
    ],
    [
      { lawnSquareFeet: '-4' },
      'lawnSquareFeet: Lawn size "-4" is not a number of square feet.',
      { lawnSquareFeet: null },
    ],
    [{ mowHeight: '35' }, 'mowHeight: Mow height "35" is not between 0.5 and 8 inches.', { mowHeightInches: null }],
    [
      { phone: 'none yet; 912-555-0123' },
      'phone: "none yet" is not a phone number with ten digits.',
      { phone: '+19125550123' },
    ],
  ])('%j comes in without it, and says so', (cells, left, values) => {
    const all = { name: 'Ann', street: '1 Oak St', notes: 'Gate on the left', ...cells }
    const read = readRow(Object.values(all), Object.keys(all) as ImportField[])
    expect([read.problems, read.leftOut.map((p) => `${p.field}: ${p.message}`)]).toEqual([[], [left]])
    const notes = `Gate on the left\nLeft out at the import: ${left.slice(left.indexOf(': ') + 2)}`
    expect(read.values).toMatchObject({ ...values, notes })
  })

  it('costs no customer when the notes have no room for what was left out', () => {
    const long = 'n'.repeat(3_990)
    const all = { name: 'Ann', street: '1 Oak St', notes: long, email: 'ann@' }
    const { values, problems } = readRow(Object.values(all), Object.keys(all) as ImportField[])
    expect([problems, values.notes]).toEqual([[], long])
  })

  it('never throws, whatever stands in the cells', () =>
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'binary' }), { maxLength: 12 }),
        fc.shuffledSubarray(importFieldIds),
        (cells, mapping) => {
          const { values } = readRow(cells, mapping)
          expect(values.lawnSquareFeet === null || Number.isInteger(values.lawnSquareFeet)).toBe(true)
        },
      ),
    ))
})
