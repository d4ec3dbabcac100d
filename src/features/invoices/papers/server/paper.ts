import type { Language } from '../../../businesses/notices/rules.ts'
import type { Paper } from '../../server/sheet.ts'
import { type PaymentFacts, paymentWords } from '../rules.ts'

const around = {
  en: { creditTo: 'CREDIT TO', from: 'RECEIVED FROM', empty: 'Not on an invoice yet' },
  es: { creditTo: 'CRÉDITO PARA', from: 'RECIBIDO DE', empty: 'Todavía en ninguna factura' },
} satisfies Record<Language, unknown>

/** The receipt of a payment, or the credit note. */
export const paymentPaper = (facts: PaymentFacts, to: Paper['to'], language: Language = 'en'): Paper => {
  const { columns, ...words } = paymentWords(facts, language)
  const t = around[language]
  const [first = '', second = '', last = ''] = columns
  return {
    ...words,
    language,
    ...(facts.isTest ? { isTest: true } : {}),
    toLabel: facts.creditNote ? t.creditTo : t.from,
    to,
    columns: [{ label: first, widthMm: 34 }, { label: second }, { label: last, right: true, widthMm: 34 }],
    empty: t.empty,
    pay: null,
  }
}
