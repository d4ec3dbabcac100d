import { expect, it } from 'vitest'
import { cameIn, namedInvoices } from './rules.ts'

const totalCents = 22_764

it.each([
  [0, 0, '', ''],
  [10_000, 0, '$100.00 of $227.64 is paid', '$100.00 de $227.64 están pagados'],
  [10_000, 10_000, '$100.00 of $227.64 was credited', '$100.00 de $227.64 se acreditaron'],
  [
    10_000,
    4000,
    '$60.00 of $227.64 is paid and $40.00 was credited',
    '$60.00 de $227.64 están pagados y $40.00 se acreditaron',
  ],
])(
  'of %i cents that came, %i of them credit, says what is money and what is not',
  (paidCents, creditedCents, en, es) => {
    expect(cameIn('en', { totalCents, paidCents, creditedCents })).toBe(en)
    expect(cameIn('es', { totalCents, paidCents, creditedCents })).toBe(es)
  },
)

it('names a few invoices, and says how many more there are', () => {
  expect(namedInvoices([7])).toBe('INV-7')
  expect(namedInvoices([7, 8])).toBe('INV-7 and INV-8')
  expect(namedInvoices([1, 2, 3, 4, 5, 6, 7])).toBe('INV-1, INV-2, INV-3, INV-4, INV-5 and 2 more')
})
