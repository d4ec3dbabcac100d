import { letter, newPdf, pdfBytes } from '../../../platform/pdf.ts'
import { brand } from '../../../shared/brand.ts'
import { dayOf, formatDay } from '../../../shared/dates.ts'
import { formatCents } from '../../../shared/money.ts'

type Place = { name: string; street: string | null; city: string | null; state: string | null; zip: string | null }
type Row = {
  number: string
  status: string
  description: string
  issuedAt: string
  livemode: boolean
  subtotalCents: number
  discountCents: number
  taxCents: number
  totalCents: number
  paidCents: number
  to: Place
}

const left = 20
const right = letter.widthMm - left

/** One of our invoices on one page. A test says so across its head: nobody may take it for real money. */
export const drawInvoice = async ({
  invoice,
  timeZone,
  support,
}: {
  invoice: Row
  timeZone: string
  support: { email: string; phone: string }
}): Promise<Uint8Array> => {
  const doc = await newPdf({ title: `Invoice ${invoice.number} ${brand.name}`, author: brand.name })
  const line = (y: number, message: string, amount: string, bold = false) => {
    doc.setFont('hanken', bold ? 'bold' : 'normal').setFontSize(11)
    doc.text(message, left, y)
    doc.text(amount, right, y, { align: 'right' })
  }
  doc.setFont('hanken', 'bold').setFontSize(20).text(brand.name, left, 26)
  doc.setFontSize(14).text(`Invoice ${invoice.number}`, right, 26, { align: 'right' })
  if (!invoice.livemode) doc.setFontSize(10).text('TEST – no card was charged', left, 34)
  doc.setFont('hanken', 'normal').setFontSize(10)
  doc.text([support.email, support.phone], left, 42)
  const { name, street, city, state, zip } = invoice.to
  const place = [city, [state, zip].filter(Boolean).join(' ')].filter(Boolean).join(', ')
  doc.text(['Billed to', ...doc.splitTextToSize(name, 80), ...[street, place].filter((one) => one)], left, 60)
  doc.text(`Date: ${formatDay(dayOf(invoice.issuedAt, timeZone), { long: true, year: true })}`, right, 60, {
    align: 'right',
  })
  doc.line(left, 92, right, 92)
  const above: [string, number, boolean?][] = [
    [invoice.description || 'Subscription', invoice.subtotalCents],
    ...(invoice.discountCents ? [['Discount and credit', -invoice.discountCents] as [string, number]] : []),
    ['Sales tax', invoice.taxCents],
  ]
  const below: [string, number, boolean?][] = [
    ['Total', invoice.totalCents, true],
    ['Paid', invoice.paidCents],
    ...(invoice.status === 'open'
      ? [['Balance due', invoice.totalCents - invoice.paidCents, true] as [string, number, boolean]]
      : []),
  ]
  const rule = 102 + 8 * above.length
  doc.line(left, rule - 3, right, rule - 3)
  for (const [i, [message, cents, bold]] of above.entries()) line(102 + 8 * i, message, formatCents(cents), bold)
  for (const [i, [message, cents, bold]] of below.entries()) line(rule + 5 + 8 * i, message, formatCents(cents), bold)
  return pdfBytes(doc)
}
