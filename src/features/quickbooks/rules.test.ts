import { expect, it } from 'vitest'
import { countedLabel } from './rules.ts'

it.each([
  ['invoice', 12, undefined, 'Invoices'],
  ['invoice', 1, undefined, 'Invoice'],
  ['use', 2, undefined, 'Uses of credits'],
  ['movement', 1, 1, 'Tip'],
  ['movement', 3, 3, 'Tips'],
  ['movement', 1, undefined, 'Dispute, tip or correction'],
  ['movement', 3, 1, 'Disputes, tips and corrections'],
] as const)('names a row of %s with %i, %s of them tips, %s', (kind, count, tips, words) => {
  expect(countedLabel(kind, count, tips)).toBe(words)
})
