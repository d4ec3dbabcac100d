import { letter, newPdf, pdfBytes } from '../../../../platform/pdf.ts'
import type { RecordPaper } from './files.ts'

const margin = 18
const labelMm = 36
const rowMm = 4.6
const [top, bottom] = [22, letter.heightMm - 18]
const widthMm = letter.widthMm - 2 * margin

/** Records one below the other, each with every field that it has, pages numbered. Takes long enough to belong in a thread. */
export const recordsPdf = async (paper: RecordPaper): Promise<Uint8Array> => {
  const doc = await newPdf({ title: paper.title, author: paper.business })
  doc.setFont('hanken', 'bold').setFontSize(16).text(paper.title, margin, top)
  doc.setFont('hanken', 'normal').setFontSize(10)
  doc.text([paper.business, paper.sub], margin, top + 7)
  let y = top + 22
  const room = (mm: number): void => {
    if (y + mm <= bottom) return
    doc.addPage()
    y = top
  }
  if (paper.records.length === 0) doc.text('No application was recorded in this time.', margin, y)
  for (const record of paper.records) {
    room(rowMm * 8)
    doc.setDrawColor(200).line(margin, y - 5, margin + widthMm, y - 5)
    doc.setFont('hanken', 'bold').setFontSize(11)
    const title = doc.splitTextToSize(record.title, widthMm) as string[]
    doc.text(title, margin, y)
    y += title.length * rowMm + 2
    doc.setFontSize(9)
    for (const { label, text } of record.lines) {
      const lines = doc.setFont('hanken', 'normal').splitTextToSize(text, widthMm - labelMm) as string[]
      room(lines.length * rowMm)
      doc.setTextColor(100).text(label, margin, y)
      doc.setTextColor(20).text(lines, margin + labelMm, y)
      y += lines.length * rowMm
    }
    y += 9
  }
  const pages = doc.getNumberOfPages()
  for (let page = 1; page <= pages; page += 1) {
    doc.setPage(page)
    doc.setFont('hanken', 'normal').setFontSize(8).setTextColor(100)
    doc.text(`Page ${page} of ${pages}`, letter.widthMm - margin, letter.heightMm - 9, { align: 'right' })
  }
  return pdfBytes(doc)
}
