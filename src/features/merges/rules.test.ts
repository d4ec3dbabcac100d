import { describe, expect, it } from 'vitest'
import { type Booked, bookedLabel, type Mergeable, mergeConflicts, mergedValues, mergeRefusal } from './rules.ts'

const bare: Mergeable = {
  name: 'Ann Lee',
  company: null,
  email: null,
  phone: null,
  billingStreet: null,
  billingCity: null,
  billingState: null,
  billingZip: null,
  termsDays: null,
  taxCertificate: null,
  tags: [],
  notes: '',
  stage: 'active',
}
const none: Booked = { jobs: 0, quotes: 0, invoices: 0, payments: 0, plans: 0, cards: 0, papers: 0, entries: 0 }

describe('merged values', () => {
  it('keep what is there, fill what is empty, join tags and notes', () => {
    const kept = { ...bare, email: 'ann@oak.test', tags: ['weekly'], notes: 'Back gate.' }
    const gone = { ...bare, email: 'old@oak.test', phone: '+19125550101', tags: ['weekly', 'dog'], notes: 'Pays cash.' }
    expect(mergedValues(kept, gone)).toEqual({
      phone: '+19125550101',
      tags: ['weekly', 'dog'],
      notes: 'Back gate.\n\nPays cash.',
    })
    expect(mergeConflicts(kept, gone)).toEqual([{ label: 'E-mail', kept: 'ann@oak.test', gone: 'old@oak.test' }])
  })

  it('never mix two bill addresses', () => {
    const kept = { ...bare, billingStreet: '1 Oak St' }
    const gone = { ...bare, billingStreet: '2 Elm St', billingCity: 'Savannah' }
    expect(mergedValues(kept, gone)).toEqual({})
    expect(mergedValues(bare, gone)).toEqual({ billingStreet: '2 Elm St', billingCity: 'Savannah' })
  })

  it('make a lead that is a customer elsewhere a customer', () => {
    expect(mergedValues({ ...bare, stage: 'lead' }, bare)).toEqual({ stage: 'active' })
    expect(mergedValues(bare, { ...bare, stage: 'lead' })).toEqual({})
  })
})

describe('a merge is refused', () => {
  const kept = { id: 'a', name: 'Ann Lee', archived: false, booked: none }
  const gone = { id: 'b', name: 'Ann Lee', booked: none }
  it.each([
    [kept, gone, null],
    [kept, { ...gone, id: 'a' }, 'same record'],
    [{ ...kept, archived: true }, gone, 'Switch it on first'],
    [kept, { ...gone, booked: { ...none, jobs: 1 } }, 'Keep that one'],
    [{ ...kept, booked: { ...none, jobs: 1 } }, gone, null],
    [
      { ...kept, booked: { ...none, jobs: 1 } },
      { ...gone, booked: { ...none, invoices: 2 } },
      'Both have work or money',
    ],
  ])('by what was booked', (one, other, words) => {
    if (words === null) expect(mergeRefusal(one, other)).toBeNull()
    else expect(mergeRefusal(one, other)).toContain(words)
  })
})

it('names what was booked, the books only where nothing else says it', () => {
  expect(bookedLabel({ ...none, jobs: 2, invoices: 1, entries: 4 })).toBe('2 jobs and 1 invoice')
  expect(bookedLabel({ ...none, entries: 1 })).toBe('1 entry in the books')
})
