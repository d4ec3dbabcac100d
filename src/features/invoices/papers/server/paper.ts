import type { Paper } from '../../server/sheet.ts'
import { type PaymentFacts, paymentWords } from '../rules.ts'

/** The receipt of a payment, or the credit note. */
export const paymentPaper = (facts: PaymentFacts, to: Paper['to']): Paper => {
  const { columns, ...words } = paymentWords(facts)
  const [first = '', second = '', last = ''] = columns
  return {
    ...words,
    toLabel: facts.creditNote ? 'CREDIT TO' : 'RECEIVED FROM',
    to,
    columns: [{ label: first, widthMm: 34 }, { label: second }, { label: last, right: true, widthMm: 34 }],
    empty: 'Not on an invoice yet',
    pay: null,
  }
}
