import { describe, expect, it } from 'vitest'
import { type ContactWays, recipientsOf, wayProblems } from './rules.ts'

const none: ContactWays = { invoicesBy: null, quotesBy: null, visitsBy: null, marketingBy: null }
const ann = {
  name: 'Ann',
  email: 'ann@oak.test',
  phone: '+19125550101',
  gets: ['invoices', 'quotes', 'visits', 'marketing'] as const,
}
const beth = { id: 'b', name: 'Beth', email: 'beth@oak.test', phone: '+19125550102', ...none }

describe('recipientsOf', () => {
  it('is the customer alone while no contact is chosen', () => {
    expect(recipientsOf(ann, [beth], 'visits')).toEqual([
      { contactId: null, name: 'Ann', email: 'ann@oak.test', phone: '+19125550101', way: null },
    ])
  })

  it('gives a contact only the way that was chosen', () => {
    const [, second] = recipientsOf(ann, [{ ...beth, invoicesBy: 'text' }], 'invoices')
    expect(second).toEqual({ contactId: 'b', name: 'Beth', email: null, phone: '+19125550102', way: 'text' })
  })

  it('leaves the customer out who does not get that kind', () => {
    const list = recipientsOf({ ...ann, gets: ['visits'] }, [{ ...beth, invoicesBy: 'email' }], 'invoices')
    expect(list.map((one) => one.name)).toEqual(['Beth'])
  })

  it('never loses an invoice or a quote, but lets notices and offers go to nobody', () => {
    const silent = { ...ann, gets: [] }
    expect(recipientsOf(silent, [beth], 'invoices')).toHaveLength(1)
    expect(recipientsOf(silent, [beth], 'quotes')).toHaveLength(1)
    expect(recipientsOf(silent, [beth], 'visits')).toEqual([])
    expect(recipientsOf(silent, [beth], 'marketing')).toEqual([])
  })

  it('writes to one address once, whoever shares it', () => {
    const same = { ...beth, email: 'ann@oak.test', invoicesBy: 'both' as const }
    expect(recipientsOf(ann, [same, { ...same, id: 'c' }], 'invoices').map((one) => [one.email, one.phone])).toEqual([
      ['ann@oak.test', '+19125550101'],
      [null, '+19125550102'],
    ])
  })
})

it('names the field of a way that cannot reach somebody', () => {
  expect(wayProblems({ ...beth, email: null, invoicesBy: 'both', visitsBy: 'text' })).toEqual([
    { path: 'invoicesBy', message: 'That needs an e-mail: add it, or choose another way.' },
  ])
})
