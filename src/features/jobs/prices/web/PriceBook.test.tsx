import { expect, it } from 'vitest'
import type { PriceChange } from '../contract.ts'
import { undoWords } from './PriceBook.tsx'

const raise = {
  kind: 'raise',
  scope: 'future',
  fromOn: '2027-01-01',
  serviceNames: ['Fertilize and weed control'],
  visitCount: 1452,
  toldCount: 0,
  waitingCount: 0,
} as PriceChange

it('names the change that is taken back, how much it reached and who heard of it', () => {
  expect(undoWords(raise)).toBe(
    'Raise: Fertilize and weed control, from Fri, Jan 1, 2027. The old prices hold again for its 1,452 visits, except for what is finished, invoiced or priced by hand since.',
  )
  expect(undoWords({ ...raise, visitCount: 1, toldCount: 1, waitingCount: 3 })).toMatch(
    /its 1 visit, .* 1 customer heard of it already: tell them\. The messages that wait are recalled\.$/,
  )
  expect(undoWords({ ...raise, scope: 'new' })).toMatch(/New jobs have the old prices again/)
})
