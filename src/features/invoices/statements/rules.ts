import { addDays, addMonths, type Day, daysBetween } from '../../../shared/dates.ts'
import { formatCents } from '../../../shared/money.ts'
import { cashDiscountCents, discountLabel } from '../../businesses/cashdiscount/rules.ts'
import type { Language } from '../../businesses/notices/rules.ts'
import { creditNoteName } from '../corrections/rules.ts'
import type { methodNames, SumRow } from '../papers/rules.ts'
import { receiptName } from '../papers/rules.ts'
import { invoiceName } from '../rules.ts'
import { dayIn, methodIn } from '../words/rules.ts'

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

const entryWords = {
  en: {
    payment: (method: string | null) => `Payment${method ? ` by ${method}` : ''}`,
    creditOf: (name: string) => `Credit ${name}`,
    invoice: (name: string) => `Invoice ${name}`,
    anInvoice: 'Invoice',
    voided: (name: string) => `${name} voided`,
    writtenOff: (name: string) => `${name} written off`,
    openAgain: (name: string) => `${name} open again`,
    credit: 'Credit',
    creditNote: (name: string) => `Credit note ${name}`,
    refund: 'Refund',
    tip: 'Tip for the crew',
    tipBack: 'Tip given back',
    dispute: 'Payment that the bank took back',
    disputeBack: 'Disputed payment, back again',
    refundFailed: 'Refund that did not go through',
    takenBack: (payment: string) => `${payment}, taken back`,
  },
  es: {
    payment: (method: string | null) => `Pago${method ? ` con ${method}` : ''}`,
    creditOf: (name: string) => `Crédito ${name}`,
    invoice: (name: string) => `Factura ${name}`,
    anInvoice: 'Factura',
    voided: (name: string) => `${name} anulada`,
    writtenOff: (name: string) => `${name} dada por perdida`,
    openAgain: (name: string) => `${name} pendiente otra vez`,
    credit: 'Crédito',
    creditNote: (name: string) => `Nota de crédito ${name}`,
    refund: 'Reembolso',
    tip: 'Propina para la cuadrilla',
    tipBack: 'Propina devuelta',
    dispute: 'Pago que el banco retiró',
    disputeBack: 'Pago en disputa, de vuelta',
    refundFailed: 'Reembolso que no se pudo hacer',
    takenBack: (payment: string) => `${payment}, anulado`,
  },
} satisfies Record<Language, unknown>

/** What a payment is called: "Payment by check, R-7", "Crédito CN-3". */
export const paymentName = (
  {
    creditNumber,
    receiptNumber,
    method,
  }: Pick<EntryFacts, 'creditNumber' | 'receiptNumber'> & { method: string | null },
  language: Language = 'en',
): string => {
  const t = entryWords[language]
  return creditNumber !== null
    ? t.creditOf(creditNoteName(creditNumber))
    : `${t.payment(method ? methodIn(language, method) : null)}${receiptNumber === null ? '' : `, ${receiptName(receiptNumber)}`}`
}

/** What an entry of the ledger is called on a statement. */
export const entryLabel = (entry: EntryFacts, language: Language = 'en'): string => {
  const t = entryWords[language]
  const invoice = entry.invoiceNumber === null ? t.anInvoice : invoiceName(entry.invoiceNumber)
  switch (entry.kind) {
    case 'invoice':
      return t.invoice(invoice)
    case 'void':
      return t.voided(invoice)
    case 'write_off':
      return t.writtenOff(invoice)
    case 'payment':
      return paymentName(entry, language)
    case 'credit':
      return entry.creditNumber === null ? t.credit : t.creditNote(creditNoteName(entry.creditNumber))
    case 'refund':
      return t.refund
    case 'tip':
      return entry.amountCents > 0 ? t.tip : t.tipBack
    case 'dispute':
      return t.dispute
    case 'adjustment':
      if (entry.refType === 'dispute' || entry.refType === 'dispute_turn') return t.disputeBack
      return entry.refType === 'write_off'
        ? t.openAgain(invoice)
        : entry.refType === 'refund'
          ? t.refundFailed
          : t.takenBack(paymentName(entry, language))
  }
}

/** The longest period of one statement, in days, and the most entries on it. */
export const longestDays = 366
export const mostEntries = 1000

/**
 * The first day of what came since a customer last owed nothing: of the entry after the last day, before their newest entry, that ended at zero.
 * @param days what each day with entries came to, the newest first
 * @param balanceCents what they owe after the newest one
 * @returns null where no day of these ended at zero, nor what was before them
 */
export const sinceZero = (days: readonly { onDay: Day; cents: number }[], balanceCents: number): Day | null => {
  let after = balanceCents
  for (const { onDay, cents } of days) {
    after -= cents
    // what they owed before this day
    if (after === 0) return onDay
  }
  return null
}

/** Why a period is refused, or null. */
export const periodProblem = (from: Day, to: Day): string | null =>
  from > to
    ? 'The first day is after the last.'
    : daysBetween(from, to) >= longestDays
      ? 'A statement goes over a year at most.'
      : null

const sumWords = {
  en: {
    before: (day: string) => `Balance before ${day}`,
    charged: 'Charged',
    voided: 'Voided of earlier invoices',
    returned: 'Refunded or taken back',
    paid: 'Paid and credited',
    credit: 'Your credit',
    due: 'Balance due',
    disputed: (name: string, sum: string) =>
      `Your bank is looking into a payment of ${name}. Nothing is asked for its ${sum} until the bank has decided.`,
    less: (percent: string, off: string, sum: string) =>
      `${percent} off for paying without a card: ${sum} by bank, check or cash settles what is open, ${off} less.`,
    pending: (sum: string, name: string) =>
      `A bank payment of ${sum} for ${name} is on its way. Please do not pay it twice.`,
  },
  es: {
    before: (day: string) => `Saldo antes del ${day}`,
    charged: 'Cargos',
    voided: 'Anulado de facturas anteriores',
    returned: 'Reembolsado o retirado',
    paid: 'Pagado y acreditado',
    credit: 'Su crédito',
    due: 'Saldo pendiente',
    disputed: (name: string, sum: string) =>
      `Su banco está revisando un pago de ${name}. No se le piden los ${sum} hasta que el banco decida.`,
    less: (percent: string, off: string, sum: string) =>
      `${percent} de descuento por pagar sin tarjeta: con ${sum} por banco, con cheque o en efectivo queda pagado lo pendiente, ${off} menos.`,
    pending: (sum: string, name: string) =>
      `Un pago bancario de ${sum} por ${name} va en camino. Por favor no lo pague dos veces.`,
  },
} satisfies Record<Language, unknown>

/** The sums under a statement, from what was owed before to what is owed at its end. */
export const statementSums = (
  statement: {
    from: Day
    openingCents: number
    chargedCents: number
    voidedCents: number
    returnedCents: number
    paidCents: number
    closingCents: number
  },
  language: Language = 'en',
): SumRow[] => {
  const { from, openingCents, chargedCents, voidedCents, returnedCents, paidCents, closingCents } = statement
  const t = sumWords[language]
  return [
    { label: t.before(dayIn(language, from, { year: true })), cents: openingCents, strong: false },
    { label: t.charged, cents: chargedCents, strong: false },
    ...(voidedCents < 0 ? [{ label: t.voided, cents: voidedCents, strong: false }] : []),
    ...(returnedCents > 0 ? [{ label: t.returned, cents: returnedCents, strong: false }] : []),
    { label: t.paid, cents: paidCents, strong: false },
    closingCents < 0
      ? { label: t.credit, cents: -closingCents, strong: true }
      : { label: t.due, cents: closingCents, strong: true },
  ]
}

/** What of the open invoices nobody asks for now: their bank is looking into a payment, or one is on its way. */
export const statementNotes = (
  invoices: readonly { number: number; openCents: number; disputed: boolean; pendingCents: number }[],
  language: Language = 'en',
): string[] =>
  invoices.flatMap(({ number, openCents, disputed, pendingCents }) =>
    disputed
      ? [sumWords[language].disputed(invoiceName(number), formatCents(openCents))]
      : pendingCents > 0
        ? [sumWords[language].pending(formatCents(pendingCents), invoiceName(number))]
        : [],
  )

/** What is taken off when all that is open is paid by bank, check or cash, each invoice by itself; null where nothing is. */
export const discountNote = (openCents: readonly number[], bps: number, language: Language = 'en'): string | null => {
  const sum = (of: readonly number[]) => of.reduce((all, cents) => all + cents, 0)
  const offCents = sum(openCents.map((cents) => cashDiscountCents(cents, bps)))
  return offCents === 0
    ? null
    : sumWords[language].less(discountLabel(bps), formatCents(offCents), formatCents(sum(openCents) - offCents))
}

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

const customers = (count: number): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? 'customer' : 'customers'}`

/** What became of a sending to all who owe, for the office. */
export const runWords = (run: {
  sentCount: number
  settledCount: number
  unreachedCount: number
  failedCount: number
}): { title: string; content: string } => {
  const { sentCount, settledCount, unreachedCount, failedCount } = run
  return {
    title: `${sentCount.toLocaleString('en-US')} ${sentCount === 1 ? 'statement was' : 'statements were'} sent`,
    content: [
      settledCount > 0 ? `${customers(settledCount)} owed nothing any more when theirs came.` : '',
      unreachedCount > 0 ? `Neither a mail nor a text reaches ${customers(unreachedCount)}: print theirs.` : '',
      failedCount > 0 ? `${failedCount === 1 ? '1 could' : `${failedCount} could`} not be sent.` : '',
    ]
      .filter(Boolean)
      .join(' '),
  }
}
