import { formatDay } from '../../../shared/dates.ts'
import { formatCents } from '../../../shared/money.ts'
import { creditNoteName, paidRows } from '../corrections/rules.ts'
import { invoiceName, type Totals } from '../rules.ts'

type Sums = Pick<Totals, 'subtotalCents' | 'discountCents' | 'taxes' | 'totalCents'> & {
  paidCents: number
  /** What of that is credit, no money; none where it is left out. */
  creditedCents?: number
  balanceCents: number
}
export type SumRow = { label: string; cents: number; strong: boolean }

const row = (label: string, cents: number, strong = false): SumRow => ({ label, cents, strong })

/** The sums under the lines of an invoice, on paper and in a mail, from the first to what is to pay. */
export const sumRows = (invoice: Sums, words: { paid: string; balance: string }): SumRow[] => [
  row('Subtotal', invoice.subtotalCents),
  ...(invoice.discountCents ? [row('Discount', -invoice.discountCents)] : []),
  ...invoice.taxes.map((tax) => row(`${rateLabel(tax)} of ${formatCents(tax.baseCents)}`, tax.taxCents)),
  row('Total', invoice.totalCents, true),
  ...paidRows(invoice, words.paid).map(({ label, cents }) => row(label, cents)),
  row(words.balance, invoice.balanceCents, true),
]

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
  creditNote: { number: number; netCents: number; taxCents: number; invoiceNumber: number | null } | null
  job: { number: number; title: string } | null
  on: { number: number; issueOn: string | null; amountCents: number }[]
}

type Words = { title: string; days: string[]; columns: string[]; rows: string[][]; sums: SumRow[]; texts: string[] }

/** What of a payment lies nowhere. */
export const restOf = (payment: PaymentFacts): number =>
  payment.amountCents -
  payment.refundedCents -
  payment.tipCents -
  payment.on.reduce((sum, { amountCents }) => sum + amountCents, 0)

const putOn = (payment: PaymentFacts): string[][] =>
  payment.on.map(({ number, issueOn, amountCents }) => [
    issueOn ? formatDay(issueOn) : '',
    invoiceName(number),
    formatCents(amountCents),
  ])

/** What stands on a receipt or a credit note. */
export const paymentWords = (payment: PaymentFacts): Words => {
  const { creditNote, amountCents, refundedCents, note, job } = payment
  const rest = restOf(payment)
  const takenBack = payment.status === 'reversed'
  const day = formatDay(payment.receivedOn, { year: true })
  const state = takenBack ? ['Taken back'] : []
  const bound = job ? [`Deposit for job #${job.number}, ${job.title}`] : []
  if (creditNote)
    return {
      title: creditNoteName(creditNote.number),
      days: [
        `Credited ${day}`,
        ...(creditNote.invoiceNumber === null ? [] : [`For ${invoiceName(creditNote.invoiceNumber)}`]),
        ...state,
      ],
      columns: ['Date', 'What', 'Amount'],
      rows: [[formatDay(payment.receivedOn), note || 'Credit', formatCents(creditNote.netCents)]],
      sums: [
        ...(creditNote.taxCents !== 0 ? [row('Sales tax', creditNote.taxCents)] : []),
        row('Credited', amountCents, true),
        ...payment.on.map((one) => row(`Put on ${invoiceName(one.number)}`, -one.amountCents)),
        ...(takenBack ? [] : [row('Left as credit', rest, true)]),
      ],
      texts: ['You do not have to pay this amount, or it is taken off what you owe next.'],
    }
  return {
    title: receiptName(payment.receiptNumber ?? 0),
    days: [`Received ${day}`, `By ${methodNames[payment.method].toLowerCase()}`, ...state],
    columns: ['Issued', 'Paid on', 'Amount'],
    rows: [
      ...putOn(payment),
      ...(payment.tipCents > 0 ? [['', 'Tip for the crew', formatCents(payment.tipCents)]] : []),
    ],
    sums: [
      row('Received', amountCents, true),
      ...(refundedCents > 0 ? [row('Went back', -refundedCents)] : []),
      ...(takenBack || rest === 0 ? [] : [row(job ? 'Deposit, waits for its invoice' : 'Left as credit', rest, true)]),
    ],
    texts: [...bound, ...(note ? [`Note: ${note}`] : []), 'Thank you.'],
  }
}

/** What a mail or text about an invoice is, by the beginning of the key that keeps it from going twice. */
const kindsByKey = [
  ['bank-begun:', 'bank_begun'],
  ['bank-failed:', 'bank_failed'],
  ['bank-returned:', 'bank_returned'],
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
  if (key.includes(':receipt')) return 'receipt'
  return key.startsWith('invoice:') ? 'invoice' : 'other'
}

/** "Savannah tax 7%"; a name that says its rate already says it once. */
export const rateLabel = ({ name, ratePercent }: { name: string; ratePercent: number }): string =>
  name.endsWith(` ${ratePercent}%`) ? name : `${name} ${ratePercent}%`
