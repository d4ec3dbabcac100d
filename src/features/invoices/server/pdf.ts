import type { jsPDF as Document } from 'jspdf'
import { letter, newPdf, pdfBytes } from '../../../platform/pdf.ts'
import { formatDay } from '../../../shared/dates.ts'
import { formatCents } from '../../../shared/money.ts'
import { formatPhone } from '../../../shared/phone.ts'
import type { Invoice } from '../contract.ts'
import { invoiceName } from '../rules.ts'
import type { Sender } from './templates.ts'

/** A JPEG; width and height in pixels. */
export type Logo = { bytes: Uint8Array; width: number; height: number }

const margin = 20
const { widthMm: pageWidth, heightMm: pageHeight } = letter
const right = pageWidth - margin
/** The largest that a logo gets. */
const logoBox = { widthMm: 58, heightMm: 18 }
const ink: [number, number, number] = [22, 33, 26]
const quiet: [number, number, number] = [77, 90, 81]

const rgb = (hex: string): [number, number, number] =>
  [1, 3, 5].map((i) => Number.parseInt(hex.slice(i, i + 2), 16)) as [number, number, number]

const placeLine = (place: { city: string | null; state: string | null; zip: string | null }): string =>
  [place.city, [place.state, place.zip].filter(Boolean).join(' ')].filter(Boolean).join(', ')

/** Returns where the name stands under it. */
const writeLogo = (doc: Document, { bytes, width, height }: Logo): number => {
  const scale = Math.min(logoBox.widthMm / width, logoBox.heightMm / height)
  doc.addImage(bytes, 'JPEG', margin, 12, width * scale, height * scale)
  return 12 + height * scale + 7
}

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
>

/** Goes up with every change of how the paper looks, so that no invoice is handed out in an old layout. */
export const layoutVersion = 1

const writeHead = (doc: Document, invoice: InvoicePaper, sender: Sender, logo: Logo | null): number => {
  const color = rgb(sender.brandColor)
  doc.setFillColor(...color)
  doc.rect(0, 0, pageWidth, 4, 'F')
  const nameAt = logo ? writeLogo(doc, logo) : 24
  doc
    .setFont('hanken', 'bold')
    .setFontSize(logo ? 12 : 18)
    .setTextColor(...ink)
  const names = doc.splitTextToSize(sender.name, 105) as string[]
  doc.text(names, margin, nameAt)
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
  const contactAt = nameAt + names.length * (logo ? 5 : 7)
  doc.text(contact, margin, contactAt)
  doc
    .setFont('hanken', 'bold')
    .setFontSize(18)
    .setTextColor(...color)
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
  const top = Math.max(contactAt + contact.length * 4.6, 44) + 8
  doc.setFontSize(8.5).text('BILL TO', margin, top)
  doc.setFontSize(11).setTextColor(...ink)
  const to = [invoice.billTo.name, invoice.billTo.company, invoice.billTo.street, placeLine(invoice.billTo)].filter(
    (line): line is string => Boolean(line),
  )
  doc.text(to, margin, top + 5.5)
  return top + 8 + to.length * 5.2
}

/**
 * The invoice as a PDF from its stored numbers: a page a customer can print, file and pay from. Takes long enough to belong in a thread.
 * @returns the bytes of the file
 */
export const invoicePdf = async ({
  invoice,
  sender,
  payUrl,
  logo,
}: {
  invoice: InvoicePaper
  sender: Sender
  payUrl: string | null
  logo: Logo | null
}): Promise<Uint8Array> => {
  const [doc, { autoTable }] = await Promise.all([newPdf(), import('jspdf-autotable')])
  doc.setProperties({ title: `${invoiceName(invoice.number)} ${sender.name}`, author: sender.name, creator: 'Swath' })
  const start = writeHead(doc, invoice, sender, logo)
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
  if (y + rows.length * 6 + 30 > pageHeight - 20) {
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
    if (y + lines.length * 4.6 > pageHeight - 18) {
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
    doc.text(`${invoiceName(invoice.number)} · Page ${page} of ${pages}`, right, pageHeight - 10, { align: 'right' })
  }
  return pdfBytes(doc)
}
