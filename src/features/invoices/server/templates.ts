import { formatDay } from '../../../shared/dates.ts'
import { escapeHtml } from '../../../shared/html.ts'
import { formatCents } from '../../../shared/money.ts'
import { formatPhone } from '../../../shared/phone.ts'
import { invoiceName } from '../rules.ts'
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

export type InvoiceMail = { subject: string; text: string; html: string }

/** The mail that carries an invoice or reminds of it: the amount, the day and one button. */
export const invoiceMail = (
  invoice: InvoiceContent,
  sender: Sender,
  payUrl: string,
  kind: 'sent' | 'reminder' | 'receipt',
): InvoiceMail => {
  const name = invoiceName(invoice.number)
  const due = invoice.dueOn ? formatDay(invoice.dueOn, { long: true, year: true }) : ''
  const amount = formatCents(kind === 'receipt' ? invoice.totalCents : invoice.balanceCents)
  const firstName = invoice.billTo.name.split(' ')[0] ?? invoice.billTo.name
  const message = {
    sent: {
      subject: `${name} from ${sender.name}: ${amount} due ${due}`,
      lead: `Here is your invoice for ${amount}, due ${due}.`,
      button: 'See and pay the invoice',
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
  }[kind]
  const lines = invoice.lines.map(
    (line) =>
      `${line.serviceOn ? `${formatDay(line.serviceOn)}: ` : ''}${line.description}${line.place ? `, ${line.place}` : ''}: ${formatCents(line.totalCents)}`,
  )
  const contact = [sender.phone ? formatPhone(sender.phone) : null, sender.email].filter(Boolean).join(' · ')
  const text = [
    `Hello ${firstName},`,
    message.lead,
    ...(invoice.message ? [invoice.message] : []),
    lines.join('\n'),
    `${message.button}: ${payUrl}`,
    `${sender.name}${contact ? `\n${contact}` : ''}`,
  ].join('\n\n')
  const cell = 'padding:8px 0;border-top:1px solid #e2ddd0;vertical-align:top'
  const html = `<!doctype html><html lang="en"><body style="margin:0;background:#faf8f3;color:#16211a;font:16px/1.5 'Hanken Grotesk',system-ui,sans-serif"><div style="max-width:560px;margin:0 auto;padding:32px 20px"><div style="height:6px;border-radius:3px;background:${escapeHtml(sender.brandColor)}"></div><h1 style="font-size:22px;margin:24px 0 4px">${escapeHtml(sender.name)}</h1><p style="margin:0 0 20px;color:#4d5a51">${escapeHtml(name)}</p><p>Hello ${escapeHtml(firstName)},</p><p>${escapeHtml(message.lead)}</p>${invoice.message ? `<p>${escapeHtml(invoice.message)}</p>` : ''}<table role="presentation" style="width:100%;border-collapse:collapse;font-size:15px">${invoice.lines
    .map(
      (line) =>
        `<tr><td style="${cell}">${escapeHtml(line.description)}<br><span style="color:#4d5a51;font-size:13px">${escapeHtml([line.serviceOn ? formatDay(line.serviceOn) : '', line.place ?? ''].filter(Boolean).join(' · '))}</span></td><td style="${cell};text-align:right;white-space:nowrap">${formatCents(line.totalCents)}</td></tr>`,
    )
    .join(
      '',
    )}<tr><td style="${cell};font-weight:700">${kind === 'receipt' ? 'Paid' : 'To pay'}</td><td style="${cell};font-weight:700;text-align:right">${amount}</td></tr></table><p style="margin:28px 0"><a href="${escapeHtml(payUrl)}" style="display:inline-block;background:#14432f;color:#ffffff;text-decoration:none;font-weight:600;padding:14px 22px;border-radius:10px">${escapeHtml(message.button)}</a></p><p style="color:#4d5a51;font-size:14px">${escapeHtml(sender.name)}${contact ? `<br>${escapeHtml(contact)}` : ''}</p></div></body></html>`
  return { subject: message.subject, text, html }
}
