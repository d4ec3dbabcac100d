import { formatDay } from '../../../shared/dates.ts'
import { formatCents } from '../../../shared/money.ts'
import type { Invoice } from '../contract.ts'
import { owedWithFees } from '../latefees/rules.ts'
import { sumRows } from '../papers/rules.ts'
import { type Pending, pendingWords } from '../pending/rules.ts'
import { invoiceName } from '../rules.ts'
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
  /** What was charged for paying it late and is open: on papers of their own, and owed with this one. */
  fees?: { number: number; openCents: number }[]
  /** What of the balance is on its way from a bank. */
  pending?: Pending
}

/** Goes up with every change of how the paper looks, so that no invoice is handed out in an old layout. */
export const layoutVersion = 3

const feeWords = ({ fees = [], balanceCents }: InvoicePaper): string => {
  if (fees.length === 0) return ''
  const list = fees.map(({ number, openCents }) => `${invoiceName(number)} over ${formatCents(openCents)}`).join(', ')
  const owed = owedWithFees({ balanceCents, lateFees: fees })
  return `Because it is late, ${fees.length === 1 ? 'a late fee was' : 'late fees were'} charged: ${list}. With ${fees.length === 1 ? 'it' : 'them'}, ${formatCents(owed)} is owed; the page pays all of it at once.`
}

/** What the page says too: nobody pays twice because they read the paper. */
const bankWords = ({ pending, balanceCents }: InvoicePaper): string => {
  if (!pending) return ''
  const rest = balanceCents - pending.cents
  return `${pendingWords(pending)} ${rest > 0 ? `${formatCents(rest)} is left to pay.` : 'Nothing more has to be paid.'}`
}

/** The paper of an invoice: its lines, its sums, the way to pay. */
const paperOf = (invoice: InvoicePaper, sender: InvoiceSender, payUrl: string | null): Paper => ({
  title: invoiceName(invoice.number),
  days: [
    invoice.issueOn ? `Issued ${formatDay(invoice.issueOn, { year: true })}` : 'Draft',
    invoice.dueOn ? `Due ${formatDay(invoice.dueOn, { year: true })}` : '',
  ],
  toLabel: 'BILL TO',
  to: invoice.billTo,
  columns: [
    { label: 'Date', widthMm: 30 },
    { label: 'Service' },
    { label: 'Qty', right: true, widthMm: 16 },
    { label: 'Price', right: true, widthMm: 26 },
    { label: 'Amount', right: true, widthMm: 28 },
  ],
  rows: invoice.lines.map((line) => [
    line.serviceOn ? formatDay(line.serviceOn) : '',
    line.place ? `${line.description}\n${line.place}` : line.description,
    String(line.quantity),
    formatCents(line.unitPriceCents),
    formatCents(line.totalCents),
  ]),
  empty: 'Nothing on this invoice yet',
  sums: sumRows(invoice, { paid: 'Paid', balance: 'Balance due' }),
  pay:
    payUrl && invoice.balanceCents > 0
      ? {
          url: payUrl,
          words:
            (invoice.pending?.cents ?? 0) < invoice.balanceCents
              ? 'Pay this invoice online'
              : 'See this invoice online',
        }
      : null,
  texts: [bankWords(invoice), feeWords(invoice), invoice.message, sender.invoiceTerms],
})

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
  invoices: readonly { invoice: InvoicePaper; payUrl: string | null }[]
  sender: InvoiceSender
  logo: Logo | null
}): Promise<Uint8Array> =>
  drawPapers(
    invoices.map(({ invoice, payUrl }) => paperOf(invoice, sender, payUrl)),
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
