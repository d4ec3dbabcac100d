import { isChargeable } from '../../../platform/payments/provider.ts'
import { formatCents } from '../../../shared/money.ts'
import type { Language } from '../../businesses/notices/rules.ts'
import type { Invoice } from '../contract.ts'
import { owedWithFees } from '../latefees/rules.ts'
import { type CameRow, sumRows } from '../papers/rules.ts'
import { type Pending, pendingWords } from '../pending/rules.ts'
import { invoiceName } from '../rules.ts'
import { dayIn, withoutCardIn } from '../words/rules.ts'
import { drawPaper, drawPapers, type Logo, type Paper } from './sheet.ts'
import type { InvoiceSender } from './templates.ts'

/** What stands on the paper; nothing else of an invoice changes its PDF. */
export type InvoicePaper = Pick<
  Invoice,
  | 'number'
  | 'issueOn'
  | 'dueOn'
  | 'billTo'
  | 'lines'
  | 'taxes'
  | 'subtotalCents'
  | 'discountCents'
  | 'totalCents'
  | 'paidCents'
  | 'balanceCents'
  | 'message'
> & {
  /** What of what is paid is credit; left out where nothing is. */
  creditedCents?: number
  /** What was let go of it. */
  writtenOffCents?: number
  /** Payments and credits one by one, with what went back. */
  came?: CameRow[]
  /** What stands in the place of the due day where nothing is due any more. */
  closed?: 'paid' | 'written_off'
  /** What was charged for paying it late and is open: on papers of their own, and owed with this one. */
  fees?: { number: number; openCents: number }[]
  /** What of the balance is on its way from a bank. */
  pending?: Pending
  /** What is taken off when all of the balance is paid by bank, check or cash. */
  cashDiscount?: { percent: string; cents: number }
  /** Its customer's; left out it is English. */
  language?: Language
  /** Some of what is paid was only played. */
  isTest?: boolean
}

/** Goes up with every change of how the paper looks, so that no invoice is handed out in an old layout. */
export const layoutVersion = 5

const words = {
  en: {
    fee: (name: string, sum: string) => `${name} over ${sum}`,
    fees: (count: number, list: string, owed: string) =>
      `Because it is late, ${count === 1 ? 'a late fee was' : 'late fees were'} charged: ${list}. With ${count === 1 ? 'it' : 'them'}, ${owed} is owed; the page pays all of it at once.`,
    left: (sum: string) => `${sum} is left to pay.`,
    nothingMore: 'Nothing more has to be paid.',
    issued: (day: string) => `Issued ${day}`,
    draft: 'Draft',
    due: (day: string) => `Due ${day}`,
    billTo: 'BILL TO',
    columns: { date: 'Date', service: 'Service', quantity: 'Qty', price: 'Price', amount: 'Amount' },
    empty: 'Nothing on this invoice yet',
    paid: 'Paid',
    balance: 'Balance due',
    nothingOpen: 'Balance',
    closed: { paid: 'Paid', written_off: 'Closed' },
    pay: 'Pay this invoice online',
    see: 'See this invoice online',
  },
  es: {
    fee: (name: string, sum: string) => `${name} por ${sum}`,
    fees: (count: number, list: string, owed: string) =>
      `Por el atraso se ${count === 1 ? 'cobró un recargo' : 'cobraron recargos'}: ${list}. Con ${count === 1 ? 'él' : 'ellos'} se deben ${owed}; la página lo paga todo de una vez.`,
    left: (sum: string) => `Quedan ${sum} por pagar.`,
    nothingMore: 'No hay que pagar nada más.',
    issued: (day: string) => `Emitida el ${day}`,
    draft: 'Borrador',
    due: (day: string) => `Vence el ${day}`,
    billTo: 'FACTURAR A',
    columns: { date: 'Fecha', service: 'Servicio', quantity: 'Cant.', price: 'Precio', amount: 'Monto' },
    empty: 'Todavía no hay nada en esta factura',
    paid: 'Pagado',
    balance: 'Saldo pendiente',
    nothingOpen: 'Saldo',
    closed: { paid: 'Pagada', written_off: 'Cerrada' },
    pay: 'Pague esta factura en línea',
    see: 'Vea esta factura en línea',
  },
} satisfies Record<Language, unknown>

/** Whether its page takes a card for what is open: it is not on its way from a bank, nor too little or too much. */
const isPayable = ({ balanceCents, pending }: InvoicePaper): boolean =>
  (pending?.coversCents ?? 0) < balanceCents && isChargeable(balanceCents)

const feeWords = ({ fees = [], balanceCents, language = 'en' }: InvoicePaper): string => {
  if (fees.length === 0) return ''
  const t = words[language]
  const list = fees.map(({ number, openCents }) => t.fee(invoiceName(number), formatCents(openCents))).join(', ')
  return t.fees(fees.length, list, formatCents(owedWithFees({ balanceCents, lateFees: fees })))
}

/** What the page says too: nobody pays twice because they read the paper. */
const bankWords = ({ pending, balanceCents, language = 'en' }: InvoicePaper): string => {
  if (!pending) return ''
  const t = words[language]
  const rest = balanceCents - pending.coversCents
  return `${pendingWords(pending, language)} ${rest > 0 ? t.left(formatCents(rest)) : t.nothingMore}`
}

const discountWords = ({ cashDiscount, pending, balanceCents, language = 'en' }: InvoicePaper): string =>
  cashDiscount && !pending ? withoutCardIn(language, cashDiscount, balanceCents) : ''

/** The paper of an invoice: its lines, its sums, the way to pay. */
const paperOf = (invoice: InvoicePaper, sender: InvoiceSender, payUrl: string | null): Paper => {
  const { language = 'en' } = invoice
  const t = words[language]
  return {
    language,
    ...(invoice.isTest ? { isTest: true } : {}),
    title: invoiceName(invoice.number),
    days: [
      invoice.issueOn ? t.issued(dayIn(language, invoice.issueOn, { year: true })) : t.draft,
      invoice.closed
        ? t.closed[invoice.closed]
        : invoice.dueOn
          ? t.due(dayIn(language, invoice.dueOn, { year: true }))
          : '',
    ],
    toLabel: t.billTo,
    to: invoice.billTo,
    columns: [
      { label: t.columns.date, widthMm: 30 },
      { label: t.columns.service },
      { label: t.columns.quantity, right: true, widthMm: 16 },
      { label: t.columns.price, right: true, widthMm: 26 },
      { label: t.columns.amount, right: true, widthMm: 28 },
    ],
    rows: invoice.lines.map((line) => [
      line.serviceOn ? dayIn(language, line.serviceOn) : '',
      line.place ? `${line.description}\n${line.place}` : line.description,
      String(line.quantity),
      formatCents(line.unitPriceCents),
      formatCents(line.totalCents),
    ]),
    empty: t.empty,
    sums: sumRows(invoice, { paid: t.paid, balance: invoice.closed ? t.nothingOpen : t.balance }, language),
    pay: payUrl && invoice.balanceCents > 0 ? { url: payUrl, words: isPayable(invoice) ? t.pay : t.see } : null,
    texts: [bankWords(invoice), discountWords(invoice), feeWords(invoice), invoice.message, sender.invoiceTerms],
  }
}

/**
 * The invoice as a PDF from its stored numbers: a page a customer can print, file and pay from. Takes long enough to belong in a thread.
 * @returns the bytes of the file
 */
export const invoicePdf = ({
  invoice,
  sender,
  payUrl,
  logo,
}: {
  invoice: InvoicePaper
  sender: InvoiceSender
  payUrl: string | null
  logo: Logo | null
}): Promise<Uint8Array> => drawPaper(paperOf(invoice, sender, payUrl), sender, logo)

/** Several invoices as one PDF, each on pages of its own. */
export const invoicesPdf = ({
  invoices,
  sender,
  logo,
}: {
  invoices: readonly { invoice: InvoicePaper; payUrl: string | null; issuer: InvoiceSender }[]
  sender: InvoiceSender
  logo: Logo | null
}): Promise<Uint8Array> =>
  drawPapers(
    invoices.map(({ invoice, payUrl, issuer }) => ({ ...paperOf(invoice, issuer, payUrl), from: issuer })),
    sender,
    logo,
  )

/** Any other paper of a business as a PDF. */
export const paperPdf = ({
  paper,
  sender,
  logo,
}: {
  paper: Paper
  sender: InvoiceSender
  logo: Logo | null
}): Promise<Uint8Array> => drawPaper(paper, sender, logo)
