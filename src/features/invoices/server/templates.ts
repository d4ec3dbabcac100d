import { absoluteUrl } from '../../../platform/links.ts'
import { button, paragraph, rows, small, type WrittenLetter, writeLetter } from '../../../platform/mail/letter.ts'
import { formatDay } from '../../../shared/dates.ts'
import { formatCents } from '../../../shared/money.ts'
import { firstNameOf } from '../../../shared/names.ts'
import { contactOf, type Sender } from '../../businesses/rules.ts'
import { openFees, owedWithFees } from '../latefees/rules.ts'
import { sumRows } from '../papers/rules.ts'
import { invoiceName } from '../rules.ts'
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

/**
 * The mail that carries an invoice, reminds of it or thanks for money: the amount, the day and one button.
 * @param news the money or the credit that a receipt tells of, a tip that came on top, and the day on which money came
 */
export const invoiceMail = (
  invoice: InvoiceContent,
  sender: InvoiceSender,
  payUrl: string,
  kind: InvoiceMailKind,
  news: { cents: number; tipCents?: number; onDay?: string | undefined } = { cents: 0 },
): InvoiceMail => {
  const name = invoiceName(invoice.number)
  const due = invoice.dueOn ? formatDay(invoice.dueOn, { long: true, year: true }) : ''
  const amount = formatCents(invoice.balanceCents)
  const firstName = firstNameOf(invoice.billTo.name)
  const isPaid = invoice.balanceCents === 0
  const [told, came] = [
    formatCents(news.cents),
    news.onDay ? `arrived on ${formatDay(news.onDay, { long: true, year: true })}` : 'has arrived',
  ]
  const byMoney = invoice.paidCents - invoice.creditedCents
  const message = {
    sent: {
      subject: isPaid
        ? `${name} from ${sender.name}: nothing to pay`
        : `${name} from ${sender.name}: ${amount} due ${due}`,
      lead: isPaid
        ? invoice.totalCents === 0
          ? 'Here is your invoice. Nothing is charged on it, so there is nothing to pay.'
          : `Here is your invoice over ${formatCents(invoice.totalCents)}. ${byMoney > 0 ? 'Money of yours that we had' : 'Your credit with us'} pays it; nothing is open.`
        : `Here is your invoice for ${amount}, due ${due}.${invoice.paidCents > 0 ? ` ${formatCents(invoice.paidCents)} of it is paid by ${byMoney > 0 ? 'money of yours that we had' : 'your credit with us'}.` : ''}`,
      button: isPaid ? 'See the invoice' : 'See and pay the invoice',
    },
    reminder: {
      subject: `A reminder from ${sender.name}: ${name}, ${amount}`,
      lead: `A friendly reminder: ${amount} of ${name} is still open${invoice.overdue ? `; it was due ${due}` : `, due ${due}`}. If it is on its way already, thank you.`,
      button: 'See and pay the invoice',
    },
    receipt: {
      subject: `Paid: ${name} from ${sender.name}`,
      lead: `Thank you. Your payment of ${told} for ${name} ${came}; nothing is open.`,
      button: 'See the receipt',
    },
    received: {
      subject: `Received: ${told} for ${name} from ${sender.name}`,
      lead: `Thank you. Your payment of ${told} for ${name} ${came}; ${amount} is still open${due && `, due ${due}`}.`,
      button: 'See and pay the rest',
    },
    credited: {
      subject: `Credited: ${name} from ${sender.name}`,
      lead: `We credited you ${told} on ${name}. Nothing is open on it any more, and there is nothing for you to do.`,
      button: 'See the invoice',
    },
    used: {
      subject: `Paid by your credit: ${name} from ${sender.name}`,
      lead: `${told} of your credit with us pays ${byMoney + invoice.creditedCents > news.cents ? 'the rest of ' : ''}${name}. Nothing is open on it any more, and there is nothing for you to do.`,
      button: 'See the invoice',
    },
  }[kind]
  const fees = kind === 'reminder' ? openFees(invoice) : []
  const feeCents = fees.reduce((sum, { openCents }) => sum + openCents, 0)
  const contact = contactOf(sender)
  const letter = writeLetter({
    from: sender.name,
    brandColor: sender.brandColor,
    title: name,
    parts: [
      paragraph(`Hello ${firstName},`),
      paragraph(message.lead),
      ...(news.tipCents
        ? [paragraph(`With it came ${formatCents(news.tipCents)} as a tip. It goes to the crew; thank you from them.`)]
        : []),
      ...(invoice.message ? [paragraph(invoice.message)] : []),
      rows(
        ...invoice.lines.map((line) => ({
          label: line.description,
          note: [line.serviceOn ? formatDay(line.serviceOn) : '', line.place ?? ''].filter(Boolean).join(' · '),
          value: formatCents(line.totalCents),
        })),
        ...sumRows(invoice, { paid: 'Paid so far', balance: isPaid ? 'Still open' : 'To pay' }).map(
          ({ label, cents, strong }) => ({ label, value: formatCents(cents), strong }),
        ),
      ),
      button(message.button, payUrl),
      ...(fees.length > 0
        ? [
            paragraph(
              `Because it is late, ${fees.length === 1 ? 'a late fee was' : 'late fees were'} added: ${formatCents(feeCents)}. With it, ${formatCents(owedWithFees(invoice))} is open.`,
            ),
            ...fees.map((fee) =>
              button(`See and pay the late fee ${invoiceName(fee.number)}`, absoluteUrl(fee.publicPath)),
            ),
          ]
        : []),
      small(contact ? `${sender.name}\n${contact}` : sender.name),
    ],
  })
  return { subject: message.subject, ...letter }
}
