import { addDays, addMonths, type Day, daysBetween, formatDay } from '../../../shared/dates.ts'
import { formatCents } from '../../../shared/money.ts'
import { creditNoteName } from '../corrections/rules.ts'
import type { SumRow } from '../papers/rules.ts'
import { methodNames, receiptName } from '../papers/rules.ts'
import { invoiceName } from '../rules.ts'

/** An entry of the ledger with what it is about. */
export type EntryFacts = {
  kind: 'invoice' | 'payment' | 'credit' | 'refund' | 'void' | 'write_off' | 'adjustment' | 'dispute' | 'tip'
  refType: string
  amountCents: number
  invoiceNumber: number | null
  creditNumber: number | null
  receiptNumber: number | null
  method: keyof typeof methodNames | null
}

const paymentName = ({ creditNumber, receiptNumber, method }: EntryFacts): string =>
  creditNumber !== null
    ? `Credit ${creditNoteName(creditNumber)}`
    : `${['Payment', method ? `by ${methodNames[method].toLowerCase()}` : ''].filter(Boolean).join(' ')}${
        receiptNumber === null ? '' : `, ${receiptName(receiptNumber)}`
      }`

/** What an entry of the ledger is called on a statement. */
export const entryLabel = (entry: EntryFacts): string => {
  const invoice = entry.invoiceNumber === null ? 'Invoice' : invoiceName(entry.invoiceNumber)
  switch (entry.kind) {
    case 'invoice':
      return `Invoice ${invoice}`
    case 'void':
      return `${invoice} voided`
    case 'write_off':
      return `${invoice} written off`
    case 'payment':
      return paymentName(entry)
    case 'credit':
      return entry.creditNumber === null ? 'Credit' : `Credit note ${creditNoteName(entry.creditNumber)}`
    case 'refund':
      return 'Refund'
    case 'tip':
      return entry.amountCents > 0 ? 'Tip for the crew' : 'Tip given back'
    case 'dispute':
      return 'Payment that the bank took back'
    case 'adjustment':
      if (entry.refType === 'dispute') return 'Disputed payment, back again'
      return entry.refType === 'write_off'
        ? `${invoice} open again`
        : entry.refType === 'refund'
          ? 'Refund that did not go through'
          : `${paymentName(entry)}, taken back`
  }
}

/** The longest period of one statement, in days, and the most entries on it. */
export const longestDays = 366
export const mostEntries = 1000

/** Why a period is refused, or null. */
export const periodProblem = (from: Day, to: Day): string | null =>
  from > to
    ? 'The first day is after the last.'
    : daysBetween(from, to) >= longestDays
      ? 'A statement goes over a year at most.'
      : null

/** The sums under a statement, from what was owed before to what is owed at its end. */
export const statementSums = (statement: {
  from: Day
  openingCents: number
  chargedCents: number
  returnedCents: number
  paidCents: number
  closingCents: number
}): SumRow[] => {
  const { from, openingCents, chargedCents, returnedCents, paidCents, closingCents } = statement
  return [
    { label: `Balance before ${formatDay(from, { year: true })}`, cents: openingCents, strong: false },
    { label: 'Charged', cents: chargedCents, strong: false },
    ...(returnedCents > 0 ? [{ label: 'Refunded or taken back', cents: returnedCents, strong: false }] : []),
    { label: 'Paid and credited', cents: paidCents, strong: false },
    closingCents < 0
      ? { label: 'Your credit', cents: -closingCents, strong: true }
      : { label: 'Balance due', cents: closingCents, strong: true },
  ]
}

/** What of the open invoices nobody asks for now: their bank is looking into a payment, or one is on its way. */
export const statementNotes = (
  invoices: readonly { number: number; openCents: number; disputed: boolean; pendingCents: number }[],
): string[] =>
  invoices.flatMap(({ number, openCents, disputed, pendingCents }) =>
    disputed
      ? [
          `Your bank is looking into a payment of ${invoiceName(number)}. Nothing is asked for its ${formatCents(openCents)} until the bank has decided.`,
        ]
      : pendingCents > 0
        ? [
            `A bank payment of ${formatCents(pendingCents)} for ${invoiceName(number)} is on its way. Please do not pay it twice.`,
          ]
        : [],
  )

/** The periods that a person chooses from. */
export const usualPeriods = (today: Day): { id: string; label: string; from: Day; to: Day }[] => {
  const month = `${today.slice(0, 7)}-01`
  const lastMonth = addMonths(month, -1)
  const year = `${today.slice(0, 4)}-01-01`
  return [
    { id: 'month', label: 'This month', from: month, to: today },
    { id: 'last', label: 'Last month', from: lastMonth, to: addDays(month, -1) },
    { id: 'year', label: 'This year', from: year, to: today },
  ]
}
