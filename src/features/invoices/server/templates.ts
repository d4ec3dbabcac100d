import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { jsPDF as Document } from 'jspdf'
import { formatDay } from '../../../shared/dates.ts'
import { escapeHtml } from '../../../shared/html.ts'
import { formatCents } from '../../../shared/money.ts'
import { formatPhone } from '../../../shared/phone.ts'
import type { Invoice } from '../contract.ts'
import { invoiceName } from '../rules.ts'

export type Sender = {
  name: string
  phone: string | null
  email: string | null
  street: string | null
  city: string | null
  state: string | null
  zip: string | null
  brandColour: string
  invoiceTerms: string
}

const require = createRequire(import.meta.url)
const fontFiles = {
  normal: '@expo-google-fonts/hanken-grotesk/400Regular/HankenGrotesk_400Regular.ttf',
  bold: '@expo-google-fonts/hanken-grotesk/700Bold/HankenGrotesk_700Bold.ttf',
}
let fonts: Promise<Record<keyof typeof fontFiles, string>> | undefined

const loadFonts = (): Promise<Record<keyof typeof fontFiles, string>> => {
  const read = async (file: string) => (await readFile(require.resolve(file))).toString('base64')
  fonts ??= Promise.all([read(fontFiles.normal), read(fontFiles.bold)]).then(([normal, bold]) => ({ normal, bold }))
  return fonts
}

const margin = 20
const pageWidth = 210
const right = pageWidth - margin
const ink: [number, number, number] = [22, 33, 26]
const quiet: [number, number, number] = [77, 90, 81]

const rgb = (hex: string): [number, number, number] =>
  [1, 3, 5].map((i) => Number.parseInt(hex.slice(i, i + 2), 16)) as [number, number, number]

const placeLine = (place: { city: string | null; state: string | null; zip: string | null }): string =>
  [place.city, [place.state, place.zip].filter(Boolean).join(' ')].filter(Boolean).join(', ')

const writeHead = (doc: Document, invoice: Invoice, sender: Sender): number => {
  const colour = rgb(sender.brandColour)
  doc.setFillColor(...colour)
  doc.rect(0, 0, pageWidth, 4, 'F')
  doc
    .setFont('hanken', 'bold')
    .setFontSize(18)
    .setTextColor(...ink)
  doc.text(doc.splitTextToSize(sender.name, 105), margin, 24)
  doc
    .setFont('hanken', 'normal')
    .setFontSize(9.5)
    .setTextColor(...quiet)
  const contact = [
    sender.street,
    placeLine(sender),
    sender.phone ? formatPhone(sender.phone) : null,
    sender.email,
  ].filter((line): line is string => Boolean(line))
  const nameLines = doc.splitTextToSize(sender.name, 105).length as number
  doc.text(contact, margin, 24 + nameLines * 7)
  doc
    .setFont('hanken', 'bold')
    .setFontSize(18)
    .setTextColor(...colour)
  doc.text(invoiceName(invoice.number), right, 24, { align: 'right' })
  doc
    .setFont('hanken', 'normal')
    .setFontSize(9.5)
    .setTextColor(...quiet)
  const dates = [
    invoice.issueOn ? `Issued ${formatDay(invoice.issueOn, { year: true })}` : 'Draft',
    invoice.dueOn ? `Due ${formatDay(invoice.dueOn, { year: true })}` : '',
  ]
  doc.text(dates, right, 31, { align: 'right' })
  const top = Math.max(24 + nameLines * 7 + contact.length * 4.6, 44) + 8
  doc.setFontSize(8.5).text('BILL TO', margin, top)
  doc.setFontSize(11).setTextColor(...ink)
  const to = [invoice.billTo.name, invoice.billTo.company, invoice.billTo.street, placeLine(invoice.billTo)].filter(
    (line): line is string => Boolean(line),
  )
  doc.text(to, margin, top + 5.5)
  return top + 8 + to.length * 5.2
}

/**
 * The invoice as an A4 PDF from its stored numbers: a page a customer can print, file and pay from.
 * @returns the bytes of the file
 */
export const invoicePdf = async (invoice: Invoice, sender: Sender, payUrl: string | null): Promise<Buffer> => {
  const [{ jsPDF }, { autoTable }, font] = await Promise.all([import('jspdf'), import('jspdf-autotable'), loadFonts()])
  const doc = new jsPDF({ unit: 'mm', format: 'a4', compress: true })
  for (const style of ['normal', 'bold'] as const) {
    doc.addFileToVFS(`hanken-${style}.ttf`, font[style])
    doc.addFont(`hanken-${style}.ttf`, 'hanken', style)
  }
  doc.setProperties({ title: `${invoiceName(invoice.number)} ${sender.name}`, author: sender.name, creator: 'Swath' })
  const start = writeHead(doc, invoice, sender)
  autoTable(doc, {
    startY: start,
    margin: { left: margin, right: margin, bottom: 24 },
    theme: 'plain',
    styles: {
      font: 'hanken',
      fontSize: 9.5,
      textColor: ink,
      cellPadding: { top: 2, bottom: 2, left: 1.5, right: 1.5 },
      lineColor: [226, 221, 208],
    },
    headStyles: { fontStyle: 'bold', textColor: quiet, fontSize: 8.5 },
    bodyStyles: { lineWidth: { top: 0.2, bottom: 0, left: 0, right: 0 } },
    columnStyles: {
      0: { cellWidth: 30 },
      2: { halign: 'right', cellWidth: 16 },
      3: { halign: 'right', cellWidth: 26 },
      4: { halign: 'right', cellWidth: 28 },
    },
    head: [
      [
        'Date',
        'Service',
        { content: 'Qty', styles: { halign: 'right' } },
        { content: 'Price', styles: { halign: 'right' } },
        { content: 'Amount', styles: { halign: 'right' } },
      ],
    ],
    body: invoice.lines.map((line) => [
      line.serviceOn ? formatDay(line.serviceOn) : '',
      line.place ? `${line.description}\n${line.place}` : line.description,
      String(line.quantity),
      formatCents(line.unitPriceCents),
      formatCents(line.totalCents),
    ]),
  })
  let y = ((doc as Document & { lastAutoTable?: { finalY: number } }).lastAutoTable?.finalY ?? start) + 6
  const rows: [string, string, boolean][] = [
    ['Subtotal', formatCents(invoice.subtotalCents), false],
    ...(invoice.discountCents
      ? [['Discount', formatCents(-invoice.discountCents), false] as [string, string, boolean]]
      : []),
    ...invoice.taxes.map((tax): [string, string, boolean] => [
      `${tax.name} ${tax.ratePercent}% of ${formatCents(tax.baseCents)}`,
      formatCents(tax.taxCents),
      false,
    ]),
    ['Total', formatCents(invoice.totalCents), true],
    ...(invoice.paidCents ? [['Paid', formatCents(-invoice.paidCents), false] as [string, string, boolean]] : []),
    ['Balance due', formatCents(invoice.balanceCents), true],
  ]
  if (y + rows.length * 6 + 30 > 297 - 20) {
    doc.addPage()
    y = 24
  }
  for (const [label, amount, strong] of rows) {
    doc
      .setFont('hanken', strong ? 'bold' : 'normal')
      .setFontSize(strong ? 11 : 9.5)
      .setTextColor(...ink)
    doc.text(label, right - 34, y, { align: 'right' })
    doc.text(amount, right - 1.5, y, { align: 'right' })
    y += 6
  }
  doc
    .setFont('hanken', 'normal')
    .setFontSize(9.5)
    .setTextColor(...quiet)
  if (payUrl && invoice.balanceCents > 0) {
    y += 4
    doc.setTextColor(39, 102, 168).textWithLink('Pay this invoice online', margin, y, { url: payUrl })
    y += 6
  }
  doc.setTextColor(...quiet)
  for (const text of [invoice.message, sender.invoiceTerms]) {
    if (!text) continue
    const lines = doc.splitTextToSize(text, pageWidth - 2 * margin) as string[]
    if (y + lines.length * 4.6 > 297 - 18) {
      doc.addPage()
      y = 24
    }
    doc.text(lines, margin, y + 4)
    y += lines.length * 4.6 + 6
  }
  const pages = doc.getNumberOfPages()
  for (let page = 1; page <= pages; page++) {
    doc.setPage(page)
    doc.setFontSize(8).setTextColor(...quiet)
    doc.text(`${invoiceName(invoice.number)} · Page ${page} of ${pages}`, right, 297 - 10, { align: 'right' })
  }
  return Buffer.from(doc.output('arraybuffer'))
}

export type InvoiceMail = { subject: string; text: string; html: string }

/** The mail that carries an invoice or reminds of it: the amount, the day and one button. */
export const invoiceMail = (
  invoice: Invoice,
  sender: Sender,
  payUrl: string,
  kind: 'sent' | 'reminder' | 'receipt',
): InvoiceMail => {
  const name = invoiceName(invoice.number)
  const due = invoice.dueOn ? formatDay(invoice.dueOn, { long: true, year: true }) : ''
  const amount = formatCents(kind === 'receipt' ? invoice.totalCents : invoice.balanceCents)
  const firstName = invoice.billTo.name.split(' ')[0] ?? invoice.billTo.name
  const words = {
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
    words.lead,
    ...(invoice.message ? [invoice.message] : []),
    lines.join('\n'),
    `${words.button}: ${payUrl}`,
    `${sender.name}${contact ? `\n${contact}` : ''}`,
  ].join('\n\n')
  const cell = 'padding:8px 0;border-top:1px solid #e2ddd0;vertical-align:top'
  const html = `<!doctype html><html lang="en"><body style="margin:0;background:#faf8f3;color:#16211a;font:16px/1.5 'Hanken Grotesk',system-ui,sans-serif"><div style="max-width:560px;margin:0 auto;padding:32px 20px"><div style="height:6px;border-radius:3px;background:${escapeHtml(sender.brandColour)}"></div><h1 style="font-size:22px;margin:24px 0 4px">${escapeHtml(sender.name)}</h1><p style="margin:0 0 20px;color:#4d5a51">${escapeHtml(name)}</p><p>Hello ${escapeHtml(firstName)},</p><p>${escapeHtml(words.lead)}</p>${invoice.message ? `<p>${escapeHtml(invoice.message)}</p>` : ''}<table role="presentation" style="width:100%;border-collapse:collapse;font-size:15px">${invoice.lines
    .map(
      (line) =>
        `<tr><td style="${cell}">${escapeHtml(line.description)}<br><span style="color:#4d5a51;font-size:13px">${escapeHtml([line.serviceOn ? formatDay(line.serviceOn) : '', line.place ?? ''].filter(Boolean).join(' · '))}</span></td><td style="${cell};text-align:right;white-space:nowrap">${formatCents(line.totalCents)}</td></tr>`,
    )
    .join(
      '',
    )}<tr><td style="${cell};font-weight:700">${kind === 'receipt' ? 'Paid' : 'To pay'}</td><td style="${cell};font-weight:700;text-align:right">${amount}</td></tr></table><p style="margin:28px 0"><a href="${escapeHtml(payUrl)}" style="display:inline-block;background:#14432f;color:#ffffff;text-decoration:none;font-weight:600;padding:14px 22px;border-radius:10px">${escapeHtml(words.button)}</a></p><p style="color:#4d5a51;font-size:14px">${escapeHtml(sender.name)}${contact ? `<br>${escapeHtml(contact)}` : ''}</p></div></body></html>`
  return { subject: words.subject, text, html }
}
