import { formatCents } from '../../../shared/money.ts'
import type { Language } from '../../businesses/notices/rules.ts'
import { creditNoteName, paidRows } from '../corrections/rules.ts'
import { invoiceName, type Totals } from '../rules.ts'
import { dayIn, methodIn, sumWords } from '../words/rules.ts'

type Sums = Pick<Totals, 'subtotalCents' | 'discountCents' | 'taxes' | 'totalCents'> & {
  paidCents: number
  /** What of that is credit, no money; none where it is left out. */
  creditedCents?: number
  /** What was let go of it; none where it is left out. */
  writtenOffCents?: number
  balanceCents: number
  /** Each payment by itself, where its paper says so: in the place of their sums. */
  came?: readonly CameRow[]
}
/** Money or credit that came for an invoice, below zero where it went back. */
export type CameRow = { onDay: string; method: string; cents: number; name: string; deposit?: boolean }
export type SumRow = { label: string; cents: number; strong: boolean }

const row = (label: string, cents: number, strong = false): SumRow => ({ label, cents, strong })

/** The sums under the lines of an invoice, on paper and in a mail, from the first to what is to pay. */
export const sumRows = (
  invoice: Sums,
  words: { paid: string; balance: string },
  language: Language = 'en',
): SumRow[] => {
  const t = sumWords[language]
  return [
    row(t.subtotal, invoice.subtotalCents),
    ...(invoice.discountCents ? [row(t.discount, -invoice.discountCents)] : []),
    ...invoice.taxes.map((tax) => row(taxLabel(tax, language), tax.taxCents)),
    row(t.total, invoice.totalCents, true),
    ...(invoice.came ?? []).map((one) => row(cameLabel(one, language), -one.cents)),
    ...paidRows(invoice.came ? { ...invoice, paidCents: 0, creditedCents: 0, gaveBack: [] } : invoice, {
      ...t,
      paid: words.paid,
    }).map(({ label, cents }) => row(label, cents)),
    row(words.balance, invoice.balanceCents, true),
  ]
}

/** "Paid Sat, Nov 28, 2026 by card, R-1007", "Given back Sun, Nov 29, 2026 by card". */
const cameLabel = ({ onDay, method, cents, name, deposit = false }: CameRow, language: Language): string => {
  const t = cameWords[language]
  const day = dayIn(language, onDay, { year: true })
  const said =
    method === 'credit'
      ? t.credited(day)
      : (cents < 0 ? t.gaveBack : deposit ? t.deposit : t.paid)(day, methodIn(language, method))
  return name ? `${said}, ${name}` : said
}

const cameWords = {
  en: {
    paid: (day: string, method: string) => `Paid ${day} by ${method}`,
    deposit: (day: string, method: string) => `Deposit paid by ${method} on ${day}`,
    gaveBack: (day: string, method: string) => `Given back ${day} by ${method}`,
    credited: (day: string) => `Credited ${day}`,
  },
  es: {
    paid: (day: string, method: string) => `Pagado el ${day} con ${method}`,
    deposit: (day: string, method: string) => `Depósito pagado con ${method} el ${day}`,
    gaveBack: (day: string, method: string) => `Devuelto el ${day} con ${method}`,
    credited: (day: string) => `Acreditado el ${day}`,
  },
} satisfies Record<Language, unknown>

/** "Chatham County 7% of $80.82", on paper and page. */
export const taxLabel = (
  tax: { name: string; ratePercent: number; baseCents: number },
  language: Language = 'en',
): string => `${rateLabel(tax)} ${sumWords[language].of} ${formatCents(tax.baseCents)}`

/** "R-1007". */
export const receiptName = (number: number): string => `R-${number}`

export const methodNames = {
  card: 'Card',
  ach: 'Bank transfer',
  check: 'Check',
  cash: 'Cash',
  credit: 'Credit',
  other: 'Another way',
} as const

/** A payment as its paper tells it: what came in or was credited, and where it went. */
/** What came past every card provider: handed over, or taken in the books. */
const pastProviders: readonly string[] = ['manual', 'quickbooks']

/** Whether money was only played: it came through a card provider, and not with its keys for real money. */
export const isTestMoney = ({ provider, livemode }: { provider: string; livemode: boolean }): boolean =>
  !livemode && !pastProviders.includes(provider)

export type PaymentFacts = {
  method: keyof typeof methodNames
  amountCents: number
  refundedCents: number
  /** What of it is for the crew. */
  tipCents: number
  status: string
  receivedOn: string
  note: string
  receiptNumber: number | null
  /** The business puts credit on invoices by itself. */
  usesCredit?: boolean
  /** It was only played. */
  isTest?: boolean
  creditNote: {
    number: number
    netCents: number
    taxCents: number
    invoiceNumber: number | null
    invoiceId?: string | null
    /** Nothing of that invoice is open any more. */
    isClosed?: boolean
  } | null
  /** What a deposit is for: a job, or, without a number, the quote that is to become one. */
  job: { number: number | null; title: string } | null
  on: { number: number; issueOn: string | null; amountCents: number }[]
}

type Words = { title: string; days: string[]; columns: string[]; rows: string[][]; sums: SumRow[]; texts: string[] }

/** What of a payment lies nowhere. */
export const restOf = (payment: PaymentFacts): number =>
  payment.amountCents -
  payment.refundedCents -
  payment.tipCents -
  payment.on.reduce((sum, { amountCents }) => sum + amountCents, 0)

const putOn = (payment: PaymentFacts, language: Language): string[][] =>
  payment.on.map(({ number, issueOn, amountCents }) => [
    issueOn ? dayIn(language, issueOn) : '',
    invoiceName(number),
    formatCents(amountCents),
  ])

const paperWords = {
  en: {
    takenBack: 'Taken back',
    depositFor: (number: number | null, title: string) =>
      number === null ? `Deposit for ${title}` : `Deposit for job #${number}, ${title}`,
    creditedOn: (day: string) => `Credit note of ${day}`,
    forInvoice: (name: string) => `For ${name}`,
    noteColumns: ['Date', 'What', 'Amount'],
    credit: 'Credit',
    tax: 'Sales tax',
    credited: 'Credited',
    putOn: (name: string) => `Put on ${name}`,
    left: 'Left as credit',
    waits: 'Deposit, waits for its invoice',
    nothingToPay: 'This is not a bill: you need not pay anything.',
    goesOn: 'What is left as credit goes on your next invoice.',
    askUs: 'Ask us to use what is left as credit on an invoice.',
    receivedOn: (day: string) => `Received ${day}`,
    by: (method: string) => `By ${method}`,
    columns: ['Issued', 'Paid on', 'Amount'],
    tip: 'Tip for the crew',
    received: 'Received',
    wentBack: 'Went back',
    note: (words: string) => `Note: ${words}`,
    thanks: 'Thank you.',
  },
  es: {
    takenBack: 'Anulado',
    depositFor: (number: number | null, title: string) =>
      number === null ? `Depósito para ${title}` : `Depósito para el trabajo #${number}, ${title}`,
    creditedOn: (day: string) => `Nota de crédito del ${day}`,
    forInvoice: (name: string) => `Por ${name}`,
    noteColumns: ['Fecha', 'Concepto', 'Monto'],
    credit: 'Crédito',
    tax: 'Impuesto sobre las ventas',
    credited: 'Acreditado',
    putOn: (name: string) => `Aplicado a ${name}`,
    left: 'Queda como crédito',
    waits: 'Depósito, espera su factura',
    nothingToPay: 'Esto no es una factura: no tiene que pagar nada.',
    goesOn: 'Lo que queda como crédito se aplica a su próxima factura.',
    askUs: 'Pídanos que apliquemos lo que queda como crédito a una factura.',
    receivedOn: (day: string) => `Recibido el ${day}`,
    by: (method: string) => `Pagado con ${method}`,
    columns: ['Emitida', 'Pagó', 'Monto'],
    tip: 'Propina para la cuadrilla',
    received: 'Recibido',
    wentBack: 'Devuelto',
    note: (words: string) => `Nota: ${words}`,
    thanks: 'Gracias.',
  },
} satisfies Record<Language, unknown>

/** What stands on a receipt or a credit note. */
export const paymentWords = (payment: PaymentFacts, language: Language = 'en'): Words => {
  const { creditNote, amountCents, refundedCents, note, job } = payment
  const t = paperWords[language]
  const rest = restOf(payment)
  const takenBack = payment.status === 'reversed'
  const day = dayIn(language, payment.receivedOn, { year: true })
  const state = takenBack ? [t.takenBack] : []
  const bound = job ? [t.depositFor(job.number, job.title)] : []
  if (creditNote)
    return {
      title: creditNoteName(creditNote.number),
      days: [
        t.creditedOn(day),
        ...(creditNote.invoiceNumber === null ? [] : [t.forInvoice(invoiceName(creditNote.invoiceNumber))]),
        ...state,
      ],
      columns: t.noteColumns,
      rows: [[dayIn(language, payment.receivedOn), note || t.credit, formatCents(creditNote.netCents)]],
      sums: [
        ...(creditNote.taxCents !== 0 ? [row(t.tax, creditNote.taxCents)] : []),
        row(t.credited, amountCents, true),
        ...payment.on.map((one) => row(t.putOn(invoiceName(one.number)), -one.amountCents)),
        ...(takenBack ? [] : [row(t.left, rest, true)]),
      ],
      texts: [t.nothingToPay, ...(takenBack || rest === 0 ? [] : [payment.usesCredit ? t.goesOn : t.askUs])],
    }
  return {
    title: receiptName(payment.receiptNumber ?? 0),
    days: [t.receivedOn(day), t.by(methodIn(language, payment.method)), ...state],
    columns: t.columns,
    rows: [...putOn(payment, language), ...(payment.tipCents > 0 ? [['', t.tip, formatCents(payment.tipCents)]] : [])],
    sums: [
      row(t.received, amountCents, true),
      ...(refundedCents > 0 ? [row(t.wentBack, -refundedCents)] : []),
      ...(takenBack || rest === 0 ? [] : [row(job ? t.waits : t.left, rest, true)]),
    ],
    texts: [...bound, ...(note ? [t.note(note)] : []), t.thanks],
  }
}

/** What a mail or text about an invoice is, by the beginning of the key that keeps it from going twice. */
const kindsByKey = [
  ['bank-begun:', 'bank_begun'],
  ['bank-failed:', 'bank_failed'],
  ['bank-returned:', 'bank_returned'],
  ['refund:', 'refund'],
  ['autopay-notice:', 'autopay_notice'],
  ['autopay-declined:', 'autopay_declined'],
  ['autopay-', 'autopay'],
  ['card-', 'autopay'],
] as const
export const mailKinds = [
  'invoice',
  'reminder',
  'receipt',
  'bank_begun',
  'bank_failed',
  'bank_returned',
  'refund',
  'credit_note',
  'autopay_notice',
  'autopay_declined',
  'autopay',
  'other',
] as const

/** What a mail or text about an invoice is. */
export const mailKindOf = (key: string): (typeof mailKinds)[number] => {
  const known = kindsByKey.find(([begin]) => key.startsWith(begin))
  if (known) return known[1]
  if (key.includes(':reminder')) return 'reminder'
  if (key.includes(':credit-note')) return 'credit_note'
  if (key.includes(':receipt')) return 'receipt'
  return key.startsWith('invoice:') ? 'invoice' : 'other'
}

/** What an invoice tells of a payment, with the names of its papers instead of their numbers. */
export const withPapers = <T extends { creditNumber: number | null; receiptNumber: number | null }>({
  creditNumber,
  receiptNumber,
  ...payment
}: T) => ({
  ...payment,
  creditNote: creditNumber === null ? null : creditNoteName(creditNumber),
  receipt: receiptNumber === null ? null : receiptName(receiptNumber),
})

/** An invoice's mails and texts with what each is: one that was sent again is what it was the first time. @param mails with all that were sent of them */
export const withMailKinds = <T extends { id: string; dedupeKey: string }>(mails: readonly T[]) => {
  const keys = new Map(mails.map(({ id, dedupeKey }) => [id, dedupeKey]))
  const kindOf = (key: string): (typeof mailKinds)[number] => {
    const again = key.startsWith('resend:') ? keys.get(key.slice('resend:'.length)) : undefined
    return again === undefined || again === key ? mailKindOf(key) : kindOf(again)
  }
  return mails.map(({ dedupeKey, ...mail }) => ({ ...mail, kind: kindOf(dedupeKey) }))
}

/** "Savannah tax 7%"; a name that says its rate already says it once. */
export const rateLabel = ({ name, ratePercent }: { name: string; ratePercent: number }): string =>
  name.endsWith(` ${ratePercent}%`) ? name : `${name} ${ratePercent}%`
