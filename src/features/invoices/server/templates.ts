import { absoluteUrl } from '../../../platform/links.ts'
import { button, paragraph, rows, type WrittenLetter } from '../../../platform/mail/letter.ts'
import type { Day } from '../../../shared/dates.ts'
import { formatCents } from '../../../shared/money.ts'
import { firstNameOf } from '../../../shared/names.ts'
import { customerLetter } from '../../businesses/letters/server/queries.ts'
import type { Language } from '../../businesses/notices/rules.ts'
import type { Sender } from '../../businesses/rules.ts'
import { openFees, owedWithFees } from '../latefees/rules.ts'
import { sumRows } from '../papers/rules.ts'
import { invoiceName } from '../rules.ts'
import { dayIn, paidAheadIn, withoutCardIn } from '../words/rules.ts'
import type { InvoiceContent } from './queries.ts'

export type InvoiceSender = Sender & {
  street: string | null
  city: string | null
  state: string | null
  zip: string | null
  invoiceTerms: string
}

export type InvoiceMail = WrittenLetter & { subject: string }

/** `received` is a receipt for a part: something is still open. `credited` and `used` close an invoice without money that came now. */
export type InvoiceMailKind = 'sent' | 'reminder' | 'receipt' | 'received' | 'credited' | 'used'

type Said = { subject: string; lead: string; button: string }
type Facts = {
  name: string
  from: string
  due: string
  amount: string
  /** What the news are over. */
  told: string
  total: string
  paid: string
  /** What pays it that was there before, "by your deposit"; empty where money came for it since. */
  by: string
  isPaid: boolean
  isFree: boolean
  someIsPaid: boolean
  overdue: boolean
  cameOn: string
  /** Less than the whole invoice. */
  isRest: boolean
  /** The day on which autopay charges it; empty where somebody has to pay. */
  autopay: string
}

const words = {
  en: {
    hello: (name: string) => `Hello ${name},`,
    sent: (f: Facts): Said => ({
      subject: f.isPaid
        ? `${f.name} from ${f.from}: nothing to pay`
        : f.autopay
          ? `${f.name} from ${f.from}: ${f.amount}, paid by autopay on ${f.autopay}`
          : `${f.name} from ${f.from}: ${f.amount} due ${f.due}`,
      lead: f.isPaid
        ? f.isFree
          ? 'Here is your invoice. Nothing is charged on it, so there is nothing to pay.'
          : `Here is your invoice for ${f.total}. It is paid${f.by}; nothing is open.`
        : `Here is your invoice for ${f.total}${f.autopay ? '' : `, due ${f.due}`}.${f.someIsPaid ? ` ${f.paid} of it is paid${f.by}; ${f.amount} is open.` : ''}${f.autopay ? ` Autopay charges ${f.someIsPaid ? f.amount : 'it'} on ${f.autopay}; there is nothing for you to do.` : ''}`,
      button: f.isPaid || f.autopay ? 'See the invoice' : 'See and pay the invoice',
    }),
    reminder: (f: Facts): Said => ({
      subject: `A reminder from ${f.from}: ${f.name}, ${f.amount}`,
      lead: `A friendly reminder: ${f.amount} of ${f.name} is still open${f.overdue ? `; it was due ${f.due}` : `, due ${f.due}`}. If it is on its way already, thank you.`,
      button: 'See and pay the invoice',
    }),
    receipt: (f: Facts): Said => ({
      subject: `Paid: ${f.name} from ${f.from}`,
      lead: `Thank you. Your payment of ${f.told} for ${f.name} ${f.cameOn ? `arrived on ${f.cameOn}` : 'has arrived'}; nothing is open.`,
      button: 'See the receipt',
    }),
    received: (f: Facts): Said => ({
      subject: `Received: ${f.told} for ${f.name} from ${f.from}`,
      lead: `Thank you. Your payment of ${f.told} for ${f.name} ${f.cameOn ? `arrived on ${f.cameOn}` : 'has arrived'}; ${f.amount} is still open${f.due && `, due ${f.due}`}.`,
      button: 'See and pay the rest',
    }),
    credited: (f: Facts): Said => ({
      subject: `Credited: ${f.name} from ${f.from}`,
      lead: `We credited you ${f.told} on ${f.name}. Nothing is open on it any more, and there is nothing for you to do.`,
      button: 'See the invoice',
    }),
    used: (f: Facts): Said => ({
      subject: `Paid by your credit: ${f.name} from ${f.from}`,
      lead: `${f.told} of your credit with us pays ${f.isRest ? 'the rest of ' : ''}${f.name}. Nothing is open on it any more, and there is nothing for you to do.`,
      button: 'See the invoice',
    }),
    kept: (sum: string) => `${sum} of it is more than was open. We keep it as your credit for what comes next.`,
    tip: (sum: string) => `With it came ${sum} as a tip. It goes to the crew; thank you from them.`,
    paid: 'Paid so far',
    open: 'Still open',
    toPay: 'To pay',
    fees: (count: number, sum: string, owed: string) =>
      `Because it is late, ${count === 1 ? 'a late fee was' : 'late fees were'} added: ${sum}. With it, ${owed} is open.`,
    fee: (name: string) => `See and pay the late fee ${name}`,
  },
  es: {
    hello: (name: string) => `Hola ${name}:`,
    sent: (f: Facts): Said => ({
      subject: f.isPaid
        ? `${f.name} de ${f.from}: nada que pagar`
        : f.autopay
          ? `${f.name} de ${f.from}: ${f.amount}, por pago automático el ${f.autopay}`
          : `${f.name} de ${f.from}: ${f.amount}, vence el ${f.due}`,
      lead: f.isPaid
        ? f.isFree
          ? 'Aquí está su factura. No tiene ningún cargo, así que no hay nada que pagar.'
          : `Aquí está su factura por ${f.total}. Está pagada${f.by}; no queda nada pendiente.`
        : `Aquí está su factura por ${f.total}${f.autopay ? '' : `, que vence el ${f.due}`}.${f.someIsPaid ? ` Ya se pagaron ${f.paid}${f.by}; quedan ${f.amount} pendientes.` : ''}${f.autopay ? ` Se ${f.someIsPaid ? `cobran ${f.amount}` : 'cobra'} por pago automático el ${f.autopay}; no tiene que hacer nada.` : ''}`,
      button: f.isPaid || f.autopay ? 'Ver la factura' : 'Ver y pagar la factura',
    }),
    reminder: (f: Facts): Said => ({
      subject: `Un recordatorio de ${f.from}: ${f.name}, ${f.amount}`,
      lead: `Un recordatorio amable: ${f.amount} de ${f.name} sigue pendiente${f.overdue ? `; venció el ${f.due}` : `, vence el ${f.due}`}. Si el pago ya va en camino, gracias.`,
      button: 'Ver y pagar la factura',
    }),
    receipt: (f: Facts): Said => ({
      subject: `Pagada: ${f.name} de ${f.from}`,
      lead: `Gracias. Su pago de ${f.told} por ${f.name} ${f.cameOn ? `llegó el ${f.cameOn}` : 'ha llegado'}; no queda nada pendiente.`,
      button: 'Ver el recibo',
    }),
    received: (f: Facts): Said => ({
      subject: `Recibido: ${f.told} por ${f.name} de ${f.from}`,
      lead: `Gracias. Su pago de ${f.told} por ${f.name} ${f.cameOn ? `llegó el ${f.cameOn}` : 'ha llegado'}; quedan ${f.amount} pendientes${f.due && `, con vencimiento el ${f.due}`}.`,
      button: 'Ver y pagar el resto',
    }),
    credited: (f: Facts): Said => ({
      subject: `Acreditada: ${f.name} de ${f.from}`,
      lead: `Le acreditamos ${f.told} en ${f.name}. Ya no queda nada pendiente y no tiene que hacer nada.`,
      button: 'Ver la factura',
    }),
    used: (f: Facts): Said => ({
      subject: `Pagada con su crédito: ${f.name} de ${f.from}`,
      lead: `${f.told} de su crédito con nosotros pagan ${f.isRest ? 'el resto de ' : ''}${f.name}. Ya no queda nada pendiente y no tiene que hacer nada.`,
      button: 'Ver la factura',
    }),
    kept: (sum: string) => `${sum} son más de lo pendiente. Quedan como su crédito para lo que siga.`,
    tip: (sum: string) => `Con él vinieron ${sum} de propina. Son para la cuadrilla, que se lo agradece.`,
    paid: 'Pagado hasta ahora',
    open: 'Pendiente',
    toPay: 'Por pagar',
    fees: (count: number, sum: string, owed: string) =>
      `Por el atraso se ${count === 1 ? 'agregó un recargo' : 'agregaron recargos'}: ${sum}. Con eso quedan ${owed} pendientes.`,
    fee: (name: string) => `Ver y pagar el recargo ${name}`,
  },
} satisfies Record<Language, unknown>

type News = {
  cents: number
  creditCents?: number
  tipCents?: number
  onDay?: string | undefined
  autopayOn?: Day | null
  cashDiscount?: { percent: string; cents: number } | undefined
}

/** What of an invoice its first words need. */
export type SaidInvoice = Pick<
  InvoiceContent,
  | 'number'
  | 'language'
  | 'dueOn'
  | 'balanceCents'
  | 'totalCents'
  | 'paidCents'
  | 'creditedCents'
  | 'overdue'
  | 'message'
  | 'payments'
  | 'createdAt'
> & { billTo: { name: string }; lateFees: readonly { openCents: number }[] }

const saidOf = (invoice: SaidInvoice, from: string, kind: InvoiceMailKind, news: News): Said => {
  const { language } = invoice
  const byMoney = invoice.paidCents - invoice.creditedCents
  return words[language][kind]({
    name: invoiceName(invoice.number),
    from,
    due: invoice.dueOn ? dayIn(language, invoice.dueOn, { long: true, year: true }) : '',
    amount: formatCents(invoice.balanceCents),
    told: formatCents(news.cents),
    total: formatCents(invoice.totalCents),
    paid: formatCents(invoice.paidCents),
    by: paidAheadIn(language, invoice),
    isPaid: invoice.balanceCents === 0,
    isFree: invoice.totalCents === 0,
    someIsPaid: invoice.paidCents > 0,
    overdue: invoice.overdue,
    cameOn: news.onDay ? dayIn(language, news.onDay, { long: true, year: true }) : '',
    isRest: byMoney + invoice.creditedCents > news.cents,
    autopay: news.autopayOn ? dayIn(language, news.autopayOn, { long: true, year: true }) : '',
  })
}

/** What its late fees add, in a sentence. */
const feesSaid = (invoice: SaidInvoice): string => {
  const fees = openFees(invoice)
  const feeCents = fees.reduce((sum, { openCents }) => sum + openCents, 0)
  return words[invoice.language].fees(fees.length, formatCents(feeCents), formatCents(owedWithFees(invoice)))
}

/** The words of a mail that reminds of an invoice, without its lines and buttons. */
export const reminderSaid = (invoice: SaidInvoice, from: string): { subject: string; text: string } => {
  const { subject, lead } = saidOf(invoice, from, 'reminder', { cents: 0 })
  const parts = [
    words[invoice.language].hello(firstNameOf(invoice.billTo.name)),
    lead,
    invoice.message,
    openFees(invoice).length > 0 ? feesSaid(invoice) : '',
  ]
  return { subject, text: parts.filter(Boolean).join('\n\n') }
}

/**
 * The mail that carries an invoice, reminds of it or thanks for money: the amount, the day and one button, in its customer's language.
 * @param news the money or the credit that a receipt tells of, a tip that came on top, the day on which money came, and what paying without a card
 * takes off
 */
export const invoiceMail = (
  invoice: InvoiceContent,
  sender: InvoiceSender,
  payUrl: string,
  kind: InvoiceMailKind,
  news: News = { cents: 0 },
): InvoiceMail => {
  const { language } = invoice
  const t = words[language]
  const isPaid = invoice.balanceCents === 0
  const message = saidOf(invoice, sender.name, kind, news)
  const fees = kind === 'reminder' ? openFees(invoice) : []
  const letter = customerLetter(sender, {
    language,
    title: invoiceName(invoice.number),
    parts: [
      paragraph(t.hello(firstNameOf(invoice.billTo.name))),
      paragraph(message.lead),
      ...(news.creditCents ? [paragraph(t.kept(formatCents(news.creditCents)))] : []),
      ...(news.tipCents ? [paragraph(t.tip(formatCents(news.tipCents)))] : []),
      ...(invoice.message ? [paragraph(invoice.message)] : []),
      rows(
        ...invoice.lines.map((line) => ({
          label: line.description,
          note: [line.serviceOn ? dayIn(language, line.serviceOn) : '', line.place ?? ''].filter(Boolean).join(' · '),
          value: formatCents(line.totalCents),
        })),
        ...sumRows(invoice, { paid: t.paid, balance: isPaid ? t.open : t.toPay }, language).map(
          ({ label, cents, strong }) => ({ label, value: formatCents(cents), strong }),
        ),
      ),
      // as on the paper: whoever reads the mail alone is offered it too
      ...(news.cashDiscount && !isPaid && !news.autopayOn && !invoice.pending
        ? [paragraph(withoutCardIn(language, news.cashDiscount, invoice.balanceCents))]
        : []),
      button(message.button, payUrl),
      ...(fees.length > 0
        ? [
            paragraph(feesSaid(invoice)),
            ...fees.map((fee) => button(t.fee(invoiceName(fee.number)), absoluteUrl(fee.publicPath))),
          ]
        : []),
    ],
  })
  return { subject: message.subject, ...letter }
}
