import { expect, it } from 'vitest'
import type { InvoiceContent } from './queries.ts'
import { invoiceMail } from './templates.ts'

const sender = { name: 'Green Valley', phone: null, email: null, brandColor: '#14432f', invoiceTerms: '' }
const place = { street: null, city: null, state: null, zip: null }
const payment = { method: 'card', deposit: true, allocatedCents: 3000, createdAt: '2026-11-20T12:00:00Z' }
const invoice = {
  ...{ language: 'en', number: 7, dueOn: '2026-12-12', createdAt: '2026-11-28T12:00:00Z', overdue: false },
  ...{ subtotalCents: 4000, discountCents: 0, taxes: [], totalCents: 4000, paidCents: 3000, creditedCents: 0 },
  ...{
    balanceCents: 1000,
    lines: [],
    payments: [payment],
    message: '',
    billTo: { ...place, name: 'Ann' },
    lateFees: [],
  },
} as unknown as InvoiceContent
const textOf = (change: object, news?: Parameters<typeof invoiceMail>[4]) =>
  invoiceMail(
    { ...invoice, ...change },
    { ...sender, ...place },
    'https://swath.example/i/a',
    'sent',
    news,
  ).text.replace(/\s+/g, ' ')

it('names what an invoice comes to, what pays of it, and what is open', () => {
  expect(textOf({})).toContain(
    'Here is your invoice for $40.00, due Saturday, December 12, 2026. $30.00 of it is paid by your deposit; $10.00 is open.',
  )
  expect(textOf({ language: 'es' })).toContain(
    'Aquí está su factura por $40.00, que vence el sábado, 12 de diciembre de 2026. Ya se pagaron $30.00 con su depósito; quedan $10.00 pendientes.',
  )
  expect(textOf({ payments: [{ ...payment, deposit: false }] })).toContain(
    'paid by your credit with us; $10.00 is open.',
  )
  expect(textOf({ payments: [], paidCents: 0, balanceCents: 4000 })).not.toContain('of it is paid')
})

it('and what autopay charges of it', () => {
  expect(textOf({}, { cents: 0, autopayOn: '2026-12-12' })).toContain(
    'invoice for $40.00. $30.00 of it is paid by your deposit; $10.00 is open. Autopay charges $10.00 on Saturday, December 12, 2026;',
  )
})

it('of one that is paid says by what', () => {
  expect(textOf({ paidCents: 4000, balanceCents: 0 })).toContain(
    'for $40.00. It is paid by your deposit; nothing is open.',
  )
})

it('offers what paying without a card takes off, in the language of its reader; not where autopay or a bank pays it', () => {
  const cashDiscount = { percent: '3%', cents: 30 }
  expect(textOf({}, { cents: 0, cashDiscount })).toContain(
    '3% off for paying without a card: $9.70 by bank, check or cash settles this invoice, $0.30 less.',
  )
  expect(textOf({ language: 'es' }, { cents: 0, cashDiscount })).toContain('3% de descuento por pagar sin tarjeta')
  for (const [change, news] of [
    [{}, { autopayOn: '2026-12-12' as const }],
    [{ pending: { coversCents: 1000 } }, {}],
    [{ paidCents: 4000, balanceCents: 0 }, {}],
  ] as const)
    expect(textOf(change, { cents: 0, cashDiscount, ...news })).not.toContain('without a card')
})
