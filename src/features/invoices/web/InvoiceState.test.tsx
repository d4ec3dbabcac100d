import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { show } from '../../../ui/testing/show.tsx'
import { InvoiceState } from './InvoiceState.tsx'

const invoice = {
  status: 'issued',
  disputed: false,
  pendingCents: 0,
  overdue: false,
  dueOn: '2026-06-10',
  viewedAt: null,
  totalCents: 5500,
  paidCents: 0,
  creditedCents: 0,
} as const

it.each([
  ['No charge', { status: 'paid', totalCents: 0 }],
  ['Paid', { status: 'paid' }],
  ['Open', {}],
  ['Seen', { viewedAt: '2026-06-01T12:00:00Z' }],
  ['Part paid', { status: 'partially_paid', paidCents: 1000 }],
  ['Part paid', { status: 'partially_paid', paidCents: 1000, creditedCents: 400 }],
  ['Part credited', { status: 'partially_paid', paidCents: 1000, creditedCents: 1000 }],
  ['2 days late', { overdue: true }],
  ['1 day late', { overdue: true, dueOn: '2026-06-11' }],
  ['Written off', { status: 'written_off', overdue: true }],
  ['On its way', { overdue: true, pendingCents: 5500 }],
  ['Disputed', { overdue: true, disputed: true }],
] as const)('says "%s" of an invoice with %j', (words, changes) => {
  show(<InvoiceState invoice={{ ...invoice, ...changes }} today="2026-06-12" />)
  expect(screen.getByText(words)).toBeTruthy()
})
