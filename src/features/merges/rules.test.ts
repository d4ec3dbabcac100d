import { describe, expect, it } from 'vitest'
import {
  type Booked,
  isFinalMerge,
  type Mergeable,
  type MergeSide,
  mergeConflicts,
  mergedValues,
  mergeNotes,
  mergeRefusal,
} from './rules.ts'

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
  custom: {},
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
  const side: MergeSide = { id: 'a', name: 'Ann Lee', archived: false, booked: none, hasCard: false, inBooks: false }
  const other = { ...side, id: 'b' }
  it.each([
    [side, other, null],
    [side, side, 'same record'],
    [{ ...side, archived: true }, other, 'Switch it on first'],
    [{ ...side, booked: { ...none, jobs: 1 } }, { ...other, booked: { ...none, invoices: 2 } }, null],
    [{ ...side, hasCard: true }, other, null],
    [side, { ...other, hasCard: true }, null],
    [{ ...side, hasCard: true }, { ...other, hasCard: true }, 'Both have a card'],
    [side, { ...other, inBooks: true }, 'Keep that one'],
    [{ ...side, inBooks: true }, other, null],
    [{ ...side, inBooks: true }, { ...other, inBooks: true }, 'Both are customers in QuickBooks'],
  ])('where a person has to decide: %j and %j', (one, two, words) => {
    if (words === null) expect(mergeRefusal(one, two)).toBeNull()
    else expect(mergeRefusal(one, two)).toContain(words)
  })

  it('or told to be final, and what it does to autopay and plans', () => {
    const paid = { ...other, hasCard: true, booked: { ...none, cards: 1, plans: 1 } }
    expect(isFinalMerge(other)).toBe(false)
    expect(mergeNotes(side, other)).toEqual([])
    expect(mergeNotes({ ...side, booked: { ...none, plans: 1 } }, paid).join(' ')).toMatch(
      /cannot be taken back.*autopay.*Both have billing plans/,
    )
  })
})
