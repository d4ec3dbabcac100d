import { expect, it } from 'vitest'
import { cameIn, namedInvoices, paidAheadIn } from './rules.ts'

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

const issued = '2026-11-28T12:00:00Z'
const before = { method: 'card', deposit: false, allocatedCents: 3000, createdAt: '2026-11-20T12:00:00Z' }
const since = { ...before, createdAt: '2026-11-29T12:00:00Z' }
const deposit = { ...since, deposit: true }

it.each([
  ['', '', []],
  [' by your deposit', ' con su depósito', [deposit]],
  [' by your credit with us', ' con su crédito con nosotros', [before]],
  [' by your credit with us', ' con su crédito con nosotros', [{ ...since, method: 'credit' }]],
  [' by your deposit and your credit with us', ' con su depósito y su crédito con nosotros', [before, deposit]],
  ['', '', [deposit, since]],
])('says what was there before an invoice: "%s"', (en, es, payments) => {
  expect(paidAheadIn('en', { payments, createdAt: issued })).toBe(en)
  expect(paidAheadIn('es', { payments, createdAt: issued })).toBe(es)
})
