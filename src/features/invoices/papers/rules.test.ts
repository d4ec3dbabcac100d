import { expect, it } from 'vitest'
import { mailKindOf, rateLabel, sumRows, withMailKinds } from './rules.ts'

it.each([
  ['invoice:1:sent', 'invoice'],
  ['invoice:1:sent:text', 'invoice'],
  ['invoice:1:reminder:2026-06-12', 'reminder'],
  ['invoice:1:receipt-of:2', 'receipt'],
  ['bank-begun:1', 'bank_begun'],
  ['bank-failed:1:text', 'bank_failed'],
  ['bank-returned:1', 'bank_returned'],
  ['refund:1', 'refund'],
  ['autopay-notice:1:2:2026-06-12', 'autopay_notice'],
  ['autopay-declined:1:2:1:2026-06-12', 'autopay_declined'],
  ['autopay-off:1:2', 'autopay'],
  ['card-saved:1', 'autopay'],
  ['else:1', 'other'],
])('the key %s is of the kind %s', (key, kind) => {
  expect(mailKindOf(key)).toBe(kind)
})

it('what was sent again is what it was, however often, and by itself a message', () => {
  const first = { id: 'a', dedupeKey: 'invoice:1:sent' }
  const again = { id: 'b', dedupeKey: 'resend:a' }
  const thrice = { id: 'c', dedupeKey: 'resend:b' }
  const kinds = withMailKinds([thrice, again, first]).map(({ kind }) => kind)
  expect(kinds).toEqual(['invoice', 'invoice', 'invoice'])
  expect(withMailKinds([again])).toEqual([{ id: 'b', kind: 'other' }])
})

it.each([
  ['GA 7%', 7, 'GA 7%'],
  ['Savannah', 7, 'Savannah 7%'],
  ['GA 0.7%', 7, 'GA 0.7% 7%'],
])('the rate %s of %d%% is called %s', (name, ratePercent, label) => {
  expect(rateLabel({ name, ratePercent })).toBe(label)
})

it('says of what was paid ahead that it is a deposit', () => {
  const came = [{ onDay: '2026-11-28', method: 'card', cents: 3000, name: 'R-1', deposit: true }]
  const sums = {
    subtotalCents: 4000,
    discountCents: 0,
    taxes: [],
    totalCents: 4000,
    paidCents: 3000,
    balanceCents: 1000,
  }
  const label = (language: 'en' | 'es') =>
    sumRows({ ...sums, came }, { paid: '', balance: '' }, language).find(({ cents }) => cents === -3000)?.label
  expect([label('en'), label('es')]).toEqual([
    'Deposit paid by card on Sat, Nov 28, 2026, R-1',
    'Depósito pagado con tarjeta el sáb, 28 de nov de 2026, R-1',
  ])
})
