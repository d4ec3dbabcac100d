import { button, paragraph, rows, small, type WrittenLetter, writeLetter } from '../../../platform/mail/letter.ts'
import { formatDay } from '../../../shared/dates.ts'
import { formatCents } from '../../../shared/money.ts'
import { firstNameOf } from '../../../shared/names.ts'
import { formatPhone } from '../../../shared/phone.ts'
import { invoiceName, sumRows } from '../rules.ts'
import type { InvoiceContent } from './queries.ts'

export type Sender = {
  name: string
  phone: string | null
  email: string | null
  street: string | null
  city: string | null
  state: string | null
  zip: string | null
  brandColor: string
  invoiceTerms: string
}

/** How a business is reached, in one line. */
export const contactOf = (sender: Sender): string =>
  [sender.phone ? formatPhone(sender.phone) : null, sender.email].filter(Boolean).join(' · ')

export type InvoiceMail = WrittenLetter & { subject: string }

/** `received` is a receipt for a part: something is still open. */
export type InvoiceMailKind = 'sent' | 'reminder' | 'receipt' | 'received'

/**
 * The mail that carries an invoice, reminds of it or thanks for money: the amount, the day and one button.
 * @param receivedCents the payment that a `received` thanks for
 */
export const invoiceMail = (
  invoice: InvoiceContent,
  sender: Sender,
  payUrl: string,
  kind: InvoiceMailKind,
  receivedCents = 0,
): InvoiceMail => {
  const name = invoiceName(invoice.number)
  const due = invoice.dueOn ? formatDay(invoice.dueOn, { long: true, year: true }) : ''
  const amount = formatCents(invoice.balanceCents)
  const firstName = firstNameOf(invoice.billTo.name)
  const isPaid = invoice.balanceCents === 0 && invoice.paidCents > 0
  const message = {
    sent: {
      subject: isPaid
        ? `${name} from ${sender.name}: nothing to pay`
        : `${name} from ${sender.name}: ${amount} due ${due}`,
      lead: isPaid
        ? `Here is your invoice over ${formatCents(invoice.totalCents)}. Money of yours that we had pays it; nothing is open.`
        : `Here is your invoice for ${amount}, due ${due}.${invoice.paidCents > 0 ? ` ${formatCents(invoice.paidCents)} of it is paid by money of yours that we had.` : ''}`,
      button: isPaid ? 'See the invoice' : 'See and pay the invoice',
    },
    reminder: {
      subject: `A reminder from ${sender.name}: ${name}, ${amount}`,
      lead: `A friendly reminder: ${amount} of ${name} is still open${invoice.overdue ? `; it was due ${due}` : `, due ${due}`}. If it is on its way already, thank you.`,
      button: 'See and pay the invoice',
    },
    receipt: {
      subject: `Paid: ${name} from ${sender.name}`,
      lead: `Thank you. Your payment for ${name} has arrived; nothing is open.`,
      button: 'See the receipt',
    },
    received: {
      subject: `Received: ${formatCents(receivedCents)} for ${name} from ${sender.name}`,
      lead: `Thank you. Your payment of ${formatCents(receivedCents)} for ${name} has arrived; ${amount} is still open${due && `, due ${due}`}.`,
      button: 'See and pay the rest',
    },
  }[kind]
  const contact = contactOf(sender)
  const letter = writeLetter({
    from: sender.name,
    brandColor: sender.brandColor,
    title: name,
    parts: [
      paragraph(`Hello ${firstName},`),
      paragraph(message.lead),
      ...(invoice.message ? [paragraph(invoice.message)] : []),
      rows(
        ...invoice.lines.map((line) => ({
          label: line.description,
          note: [line.serviceOn ? formatDay(line.serviceOn) : '', line.place ?? ''].filter(Boolean).join(' · '),
          value: formatCents(line.totalCents),
        })),
        ...sumRows(invoice, { paid: 'Paid so far', balance: kind === 'receipt' ? 'Still open' : 'To pay' }).map(
          ({ label, cents, strong }) => ({ label, value: formatCents(cents), strong }),
        ),
      ),
      button(message.button, payUrl),
      small(contact ? `${sender.name}\n${contact}` : sender.name),
    ],
  })
  return { subject: message.subject, ...letter }
}
