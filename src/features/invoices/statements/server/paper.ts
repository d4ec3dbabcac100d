import { formatDay } from '../../../../shared/dates.ts'
import { formatCents } from '../../../../shared/money.ts'
import type { Paper } from '../../server/sheet.ts'
import type { Statement } from '../contract.ts'
import { statementSums } from '../rules.ts'

/** The paper of a statement: every entry with what was owed after it. */
export const statementPaper = (
  statement: Omit<Statement, 'customer'>,
  to: Paper['to'],
  url: string,
  terms: string,
): Paper => ({
  title: 'Statement',
  days: [formatDay(statement.from, { year: true }), `to ${formatDay(statement.to, { year: true })}`],
  toLabel: 'STATEMENT FOR',
  to,
  columns: [
    { label: 'Date', widthMm: 34 },
    { label: 'What' },
    { label: 'Amount', right: true, widthMm: 30 },
    { label: 'Balance', right: true, widthMm: 30 },
  ],
  rows: statement.entries.map((entry) => [
    formatDay(entry.onDay, { year: true }),
    entry.label,
    formatCents(entry.amountCents),
    formatCents(entry.balanceCents),
  ]),
  empty: 'Nothing was charged or paid in this time',
  sums: statementSums(statement),
  pay: { url, words: 'See and pay what is open online' },
  texts: [statement.notes.join('\n'), terms],
})
