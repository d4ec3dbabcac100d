import { expect, it } from 'vitest'
import { show } from '../../../ui/testing/show.tsx'
import { AtIssue } from './AtIssue.tsx'

it.each([
  [8000, 0, 'When it is issued, the deposit of $80.00 is taken off: $220.00 is left to pay.'],
  [30_000, 0, 'When it is issued, the deposit of $300.00 is taken off: nothing is left to pay.'],
  [8000, 2000, 'the deposit of $80.00 and $20.00 of their credit are taken off: $200.00 is left to pay.'],
  [0, 0, ''],
])('with a deposit of %i and credit of %i says "%s"', (depositCents, creditCents, words) => {
  const { container } = show(<AtIssue invoice={{ totalCents: 30_000, atIssue: { depositCents, creditCents } }} />)
  expect(container.querySelector('p')?.textContent ?? '').toContain(words)
})
