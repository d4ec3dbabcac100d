import { expect, test } from 'vitest'
import { servicesAsked } from './asked.ts'

const services = [
  { id: 'mow', name: 'Mowing' },
  { id: 'feed', name: 'Fertilization' },
  { id: 'mow-2', name: 'Mowing, edging' },
]

test.each([
  ['Fertilization, once; Mowing, every week', { mow: 'weekly', feed: 'once' }],
  ['mowing,  every two weeks\nGate is open', { mow: 'biweekly' }],
  ['Mowing, edging, every month', { 'mow-2': 'monthly' }],
  ['Mowing', { mow: null }],
  ['How much is mowing, every week or so?', {}],
  ['', {}],
])('%s', (wants, found) => {
  expect(Object.fromEntries(servicesAsked(wants, services).map(({ id, frequency }) => [id, frequency]))).toEqual(found)
})
