import { formatCents } from '../../../../shared/money.ts'
import type { Language } from '../../../businesses/notices/rules.ts'
import type { Paper } from '../../server/sheet.ts'
import { dayIn } from '../../words/rules.ts'
import type { Statement } from '../contract.ts'
import { statementSums } from '../rules.ts'

const words = {
  en: {
    title: 'Statement',
    to: (day: string) => `to ${day}`,
    for: 'STATEMENT FOR',
    columns: ['Date', 'What', 'Amount', 'Balance'],
    empty: 'Nothing was charged or paid in this time',
    pay: 'See and pay what is open online',
    see: 'See your statement online',
  },
  es: {
    title: 'Estado de cuenta',
    to: (day: string) => `al ${day}`,
    for: 'ESTADO DE CUENTA DE',
    columns: ['Fecha', 'Concepto', 'Monto', 'Saldo'],
    empty: 'No hubo cargos ni pagos en este período',
    pay: 'Vea y pague lo pendiente en línea',
    see: 'Vea su estado de cuenta en línea',
  },
} satisfies Record<Language, unknown>

/** The paper of a statement: every entry with what was owed after it. */
export const statementPaper = (
  statement: Omit<Statement, 'customer'>,
  to: Paper['to'],
  url: string,
  terms: string,
  language: Language = 'en',
): Paper => {
  const t = words[language]
  const [date = '', what = '', amount = '', balance = ''] = t.columns
  return {
    language,
    title: t.title,
    days: [dayIn(language, statement.from, { year: true }), t.to(dayIn(language, statement.to, { year: true }))],
    toLabel: t.for,
    to,
    columns: [
      { label: date, widthMm: 34 },
      { label: what },
      { label: amount, right: true, widthMm: 30 },
      { label: balance, right: true, widthMm: 30 },
    ],
    rows: statement.entries.map((entry) => [
      dayIn(language, entry.onDay, { year: true }),
      entry.label,
      formatCents(entry.amountCents),
      formatCents(entry.balanceCents),
    ]),
    empty: t.empty,
    sums: statementSums(statement, language),
    pay: { url, words: statement.closingCents > 0 ? t.pay : t.see },
    texts: [statement.notes.join('\n'), terms],
  }
}
