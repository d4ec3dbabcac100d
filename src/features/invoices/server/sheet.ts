import type { jsPDF as Document } from 'jspdf'
import type { CellInput } from 'jspdf-autotable'
import { encode } from 'uqr'
import { letter, newPdf, pdfBytes } from '../../../platform/pdf.ts'
import { cityLine } from '../../../shared/address-lines.ts'
import { formatCents } from '../../../shared/money.ts'
import { formatPhone } from '../../../shared/phone.ts'
import type { Language } from '../../businesses/notices/rules.ts'
import type { Invoice } from '../contract.ts'
import type { SumRow } from '../papers/rules.ts'
import type { InvoiceSender } from './templates.ts'

/** A JPEG; width and height in pixels. */
export type Logo = { bytes: Uint8Array; width: number; height: number }

const margin = 20
const { widthMm: pageWidth, heightMm: pageHeight } = letter
const right = pageWidth - margin
/** Where text begins on a further page, and where it ends above the page's number. */
const [top, bottom] = [24, pageHeight - 18]
const rowMm = 4.6
/** The largest that a logo gets. */
const logoBox = { widthMm: 58, heightMm: 18 }
const ink: [number, number, number] = [22, 33, 26]
const quiet: [number, number, number] = [77, 90, 81]
const hairline: [number, number, number] = [226, 221, 208]

const rgb = (hex: string): [number, number, number] =>
  [1, 3, 5].map((i) => Number.parseInt(hex.slice(i, i + 2), 16)) as [number, number, number]

/** Returns where the name stands under it. */
const writeLogo = (doc: Document, { bytes, width, height }: Logo): number => {
  const scale = Math.min(logoBox.widthMm / width, logoBox.heightMm / height)
  doc.addImage(bytes, 'JPEG', margin, 12, width * scale, height * scale)
  return 12 + height * scale + 7
}

/** Returns where the text goes on. */
const nextPage = (doc: Document): number => {
  doc.addPage()
  return top
}

/** A paper that a business hands to a customer: what it is called, whom it is for, a table, sums, and words. */
export type Paper = {
  /** Who writes it, where that is not who the others are by: as it stood when it was issued. */
  from?: InvoiceSender
  /** English where it is left out. */
  language?: Language
  title: string
  /** Under the title, at the right. */
  days: string[]
  toLabel: string
  to: Invoice['billTo']
  columns: { label: string; widthMm?: number; right?: boolean }[]
  rows: string[][]
  /** What the table says when it has no rows. */
  empty: string
  sums: SumRow[]
  /** Where it is paid, or null. */
  pay: { url: string; words: string } | null
  texts: string[]
  /** Somebody's name under it, as it was drawn or typed, with when and from where. */
  signature?: { label: string; name: string; strokes: readonly (readonly number[])[]; notes: string[] }
  /** Money on it was only played: it says so where nobody overlooks it. */
  isTest?: boolean
}

const codeMm = 24

const sheetWords = {
  en: {
    test: 'TEST: no money moved',
    scan: 'Scan the code with a phone, or type this address:',
    page: (page: number, pages: number) => `Page ${page} of ${pages}`,
  },
  es: {
    test: 'PRUEBA: no se movió dinero',
    scan: 'Escanee el código con un teléfono, o escriba esta dirección:',
    page: (page: number, pages: number) => `Página ${page} de ${pages}`,
  },
} satisfies Record<Language, unknown>

/** Two ways to the page on which it is paid, besides the link: a code for a phone, and the address to type. Returns where the text goes on. */
const writeWayToPay = (
  doc: Document,
  { url, words }: { url: string; words: string },
  scan: string,
  y: number,
): number => {
  const { data, size } = encode(url, { border: 0 })
  const cell = codeMm / size
  doc.setFillColor(...ink)
  // cells of a row that touch are one bar: between single squares a printer leaves hairlines
  for (const [row, cells] of data.entries())
    for (let from = 0; from < size; from++) {
      if (!cells[from]) continue
      let to = from
      while (cells[to + 1]) to++
      doc.rect(margin + from * cell, y + row * cell, (to - from + 1) * cell, cell, 'F')
      from = to
    }
  const left = margin + codeMm + 6
  doc
    .setFontSize(9.5)
    .setTextColor(39, 102, 168)
    .textWithLink(words, left, y + 4, { url })
  doc.setTextColor(...quiet).text(scan, left, y + 10)
  doc.setTextColor(...ink).text(doc.splitTextToSize(url, right - left) as string[], left, y + 15)
  return y + codeMm + 4
}

const writeHead = (doc: Document, paper: Paper, sender: InvoiceSender, logo: Logo | null): number => {
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
    cityLine(sender),
    sender.phone ? formatPhone(sender.phone) : null,
    sender.email,
  ].flatMap((line) => (line ? (doc.splitTextToSize(line, 105) as string[]) : []))
  const contactAt = nameAt + names.length * (logo ? 5 : 7)
  doc.text(contact, margin, contactAt)
  doc
    .setFont('hanken', 'bold')
    .setFontSize(18)
    .setTextColor(...color)
  doc.text(paper.title, right, 24, { align: 'right' })
  doc
    .setFont('hanken', 'normal')
    .setFontSize(9.5)
    .setTextColor(...quiet)
  doc.text(paper.days, right, 31, { align: 'right' })
  if (paper.isTest) {
    doc
      .setFont('hanken', 'bold')
      .setTextColor(...ink)
      .text(sheetWords[paper.language ?? 'en'].test, right, 31 + paper.days.filter(Boolean).length * rowMm, {
        align: 'right',
      })
    doc.setFont('hanken', 'normal').setTextColor(...quiet)
  }
  const billTo = Math.max(contactAt + contact.length * rowMm, 44) + 8
  doc.setFontSize(8.5).text(paper.toLabel, margin, billTo)
  doc.setFontSize(11).setTextColor(...ink)
  const { name, company, street } = paper.to
  const to = [name, company, street, cityLine(paper.to)].flatMap((line) =>
    line ? (doc.splitTextToSize(line, right - margin) as string[]) : [],
  )
  doc.text(to, margin, billTo + 5.5)
  return billTo + 8 + to.length * 5.2
}

const writeTable = (
  doc: Document,
  autoTable: typeof import('jspdf-autotable').autoTable,
  { columns, rows, empty }: Paper,
  startY: number,
): number => {
  const cell = (label: string, right: boolean | undefined): CellInput =>
    right ? { content: label, styles: { halign: 'right' } } : label
  const styleOf = ({ widthMm, right }: Paper['columns'][number]) => ({
    ...(right ? { halign: 'right' as const } : {}),
    ...(widthMm ? { cellWidth: widthMm } : {}),
  })
  autoTable(doc, {
    startY,
    margin: { left: margin, right: margin, bottom: 24 },
    theme: 'plain',
    // a service and its place stay on one page
    rowPageBreak: 'avoid',
    styles: {
      font: 'hanken',
      fontSize: 9.5,
      textColor: ink,
      cellPadding: { top: 2, bottom: 2, left: 1.5, right: 1.5 },
      lineColor: hairline,
    },
    headStyles: { fontStyle: 'bold', textColor: quiet, fontSize: 8.5 },
    bodyStyles: { lineWidth: { top: 0.2, bottom: 0, left: 0, right: 0 } },
    columnStyles: Object.fromEntries(columns.map((column, at) => [at, styleOf(column)])),
    head: [columns.map(({ label, right }) => cell(label, right))],
    body: rows.length > 0 ? rows : [columns.map((_, at) => (at === 1 ? empty : ''))],
  })
  return (doc as Document & { lastAutoTable?: { finalY: number } }).lastAutoTable?.finalY ?? startY
}

/** The signature in a box with what speaks for it. Returns where the text goes on. */
const writeSignature = (
  doc: Document,
  { label, name, strokes, notes }: NonNullable<Paper['signature']>,
  from: number,
): number => {
  const box = { widthMm: 90, heightMm: 30 }
  const lines = notes.flatMap((note) => doc.splitTextToSize(note, right - margin) as string[])
  const y = from + box.heightMm + 14 + lines.length * rowMm > bottom ? nextPage(doc) : from
  doc
    .setFontSize(8.5)
    .setTextColor(...quiet)
    .text(label, margin, y + 3)
  doc
    .setDrawColor(...hairline)
    .setLineWidth(0.3)
    .rect(margin, y + 5, box.widthMm, box.heightMm)
  doc
    .setDrawColor(...ink)
    .setLineWidth(0.6)
    .setTextColor(...ink)
  for (const points of strokes)
    for (let at = 0; at + 3 < points.length; at += 2)
      doc.line(
        margin + (points[at] ?? 0) * box.widthMm,
        y + 5 + (points[at + 1] ?? 0) * box.heightMm,
        margin + (points[at + 2] ?? 0) * box.widthMm,
        y + 5 + (points[at + 3] ?? 0) * box.heightMm,
      )
  if (strokes.length === 0) {
    doc.setFontSize(20)
    doc.text(
      (doc.splitTextToSize(name, box.widthMm - 10) as string[]).slice(0, 2),
      margin + 5,
      y + 5 + box.heightMm / 2 + 2,
    )
  }
  doc.setFontSize(10.5).text(name, margin, y + box.heightMm + 10)
  doc
    .setFontSize(8.5)
    .setTextColor(...quiet)
    .text(lines, margin, y + box.heightMm + 15)
  return y + box.heightMm + 18 + lines.length * rowMm
}

type AutoTable = typeof import('jspdf-autotable').autoTable

/** Draws a paper on the page that is current and as many more as it needs. */
const writePaper = (doc: Document, autoTable: AutoTable, paper: Paper, sender: InvoiceSender, logo: Logo | null) => {
  const t = sheetWords[paper.language ?? 'en']
  const first = doc.getNumberOfPages()
  const tableEnd = writeTable(doc, autoTable, paper, writeHead(doc, paper, sender, logo))
  doc
    .setDrawColor(...hairline)
    .setLineWidth(0.2)
    .line(margin, tableEnd, right, tableEnd)
  let y = tableEnd + 8
  if (y + paper.sums.length * 6 + 30 > bottom) y = nextPage(doc)
  for (const { label, cents, strong } of paper.sums) {
    doc
      .setFont('hanken', strong ? 'bold' : 'normal')
      .setFontSize(strong ? 11 : 9.5)
      .setTextColor(...ink)
    const labels = doc.splitTextToSize(label, right - 34 - margin) as string[]
    doc.text(labels, right - 34, y, { align: 'right' })
    doc.text(formatCents(cents), right - 1.5, y, { align: 'right' })
    y += 6 + (labels.length - 1) * rowMm
  }
  doc
    .setFont('hanken', 'normal')
    .setFontSize(9.5)
    .setTextColor(...quiet)
  if (paper.pay) {
    if (y + codeMm > bottom) y = nextPage(doc)
    y = writeWayToPay(doc, paper.pay, t.scan, y)
  }
  doc.setTextColor(...quiet)
  for (const text of paper.texts) {
    if (!text) continue
    const lines = doc.splitTextToSize(text, right - margin) as string[]
    const heightMm = lines.length * rowMm
    // what fits on a page is not torn over two
    if (y + heightMm > bottom && top + heightMm <= bottom) y = nextPage(doc)
    for (const line of lines) {
      if (y + rowMm > bottom) y = nextPage(doc)
      doc.text(line, margin, y + 4)
      y += rowMm
    }
    y += 6
  }
  if (paper.signature) writeSignature(doc, paper.signature, y)
  const pages = doc.getNumberOfPages() - first + 1
  for (let page = 1; page <= pages; page++) {
    doc.setPage(first + page - 1)
    doc.setFontSize(8).setTextColor(...quiet)
    doc.text(`${paper.title} · ${t.page(page, pages)}`, right, pageHeight - 10, { align: 'right' })
  }
}

/** A reader's window has room for few of them. */
const titlesOf = (papers: readonly Paper[]): string => {
  const titles = papers.map(({ title }) => title)
  return titles.length > 5 ? `${titles[0]} and ${titles.length - 1} more` : titles.join(', ')
}

/** Draws papers of a business one after the other, each with its own numbers of pages. @returns the bytes of the file */
export const drawPapers = async (
  papers: readonly Paper[],
  sender: InvoiceSender,
  logo: Logo | null,
): Promise<Uint8Array> => {
  const about = {
    title: `${titlesOf(papers)} ${sender.name}`,
    author: sender.name,
    language: papers.every((paper) => paper.language === 'es') ? ('es' as const) : ('en' as const),
  }
  const [doc, { autoTable }] = await Promise.all([newPdf(about), import('jspdf-autotable')])
  for (const [at, paper] of papers.entries()) {
    if (at > 0) doc.addPage()
    writePaper(doc, autoTable, paper, paper.from ?? sender, logo)
  }
  return pdfBytes(doc)
}

/** The same for one. */
export const drawPaper = (paper: Paper, sender: InvoiceSender, logo: Logo | null): Promise<Uint8Array> =>
  drawPapers([paper], sender, logo)
