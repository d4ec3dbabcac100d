import type { jsPDF as Document } from 'jspdf'
import { letter, newPdf, pdfBytes } from '../../../platform/pdf.ts'
import { brand } from '../../../shared/brand.ts'

/** A report as a paper: one table over as many pages as it takes, lying where it has many columns. */
export type TablePaper = {
  title: string
  business: string
  sub: string
  columns: { label: string; isNumber: boolean }[]
  rows: string[][]
  total: string[] | null
  notes: string[]
}

const marginMm = 14
const green: [number, number, number] = [20, 67, 47]
const ink: [number, number, number] = [22, 33, 26]
const quiet: [number, number, number] = [77, 90, 81]
const rule: [number, number, number] = [214, 220, 214]
/** So many columns still stand side by side on an upright page. */
const mostUpright = 6

/** So many can still be read beside each other on a lying one; more are told in parts, each with the same first columns. */
const mostLying = 14
const leads = 2

/** The columns of each part, by their places. */
export const partsOf = (columns: number): number[][] => {
  if (columns <= mostLying) return [Array.from({ length: columns }, (_, at) => at)]
  const others = Array.from({ length: columns - leads }, (_, n) => leads + n)
  const parts = Math.ceil(others.length / (mostLying - leads))
  const each = Math.ceil(others.length / parts)
  const first = Array.from({ length: leads }, (_, at) => at)
  return Array.from({ length: parts }, (_, n) => [...first, ...others.slice(n * each, (n + 1) * each)])
}

const sizeOf = (columns: number): number => (columns <= 8 ? 9 : columns <= 12 ? 8 : 7)

export const tablePdf = async ({
  title,
  business,
  sub,
  columns,
  rows,
  total,
  notes,
}: TablePaper): Promise<Uint8Array> => {
  const isLying = columns.length > mostUpright
  const [doc, { autoTable }] = await Promise.all([
    newPdf({ title: `${title}, ${business}`, author: business, isLying }),
    import('jspdf-autotable'),
  ])
  const [widthMm, heightMm] = isLying ? [letter.heightMm, letter.widthMm] : [letter.widthMm, letter.heightMm]
  const innerMm = widthMm - 2 * marginMm
  doc
    .setFont('hanken', 'bold')
    .setFontSize(18)
    .setTextColor(...green)
  const titles = doc.splitTextToSize(title, innerMm) as string[]
  doc.text(titles, marginMm, marginMm + 6)
  let y = marginMm + 6 + titles.length * 6.5
  doc
    .setFont('hanken', 'normal')
    .setFontSize(9.5)
    .setTextColor(...quiet)
  const heads = [business, sub].flatMap((one) => doc.splitTextToSize(one, innerMm) as string[])
  doc.text(heads, marginMm, y)
  y += heads.length * 4.2 + 1
  const parts = partsOf(columns.length)
  // In parts a row is found again by its number.
  const isSplit = parts.length > 1
  for (const [n, part] of parts.entries()) {
    if (n > 0) {
      doc.addPage()
      y = marginMm + 4
    }
    if (isSplit) {
      const rest = part.slice(leads)
      doc
        .setFont('hanken', 'normal')
        .setFontSize(9.5)
        .setTextColor(...quiet)
      doc.text(
        `Part ${n + 1} of ${parts.length}: columns ${(rest[0] ?? 0) + 1} to ${(rest.at(-1) ?? 0) + 1} of ${columns.length}`,
        marginMm,
        y + 2,
      )
      y += 4
    }
    const cells = (row: readonly string[], number: string): string[] => [
      ...(isSplit ? [number] : []),
      ...part.map((at) => row[at] ?? ''),
    ]
    const shown = [...(isSplit ? [{ label: 'No.', isNumber: true }] : []), ...part.flatMap((at) => columns[at] ?? [])]
    autoTable(doc, {
      startY: y,
      head: [shown.map(({ label }) => label)],
      body:
        rows.length > 0
          ? rows.map((row, at) => cells(row, String(at + 1)))
          : [shown.map((_, at) => (at === 0 ? 'Nothing in these days.' : ''))],
      ...(total ? { foot: [cells(total, '')], showFoot: 'lastPage' as const } : {}),
      theme: 'plain',
      margin: { top: marginMm, right: marginMm, bottom: marginMm + 4, left: marginMm },
      rowPageBreak: 'avoid',
      styles: {
        font: 'hanken',
        fontSize: sizeOf(shown.length),
        textColor: ink,
        overflow: 'linebreak',
        cellPadding: { top: 1.2, bottom: 1.2, left: 1.2, right: 1.2 },
      },
      headStyles: { fontStyle: 'bold', textColor: 255, fillColor: green, valign: 'bottom' },
      bodyStyles: { lineColor: rule, lineWidth: { bottom: 0.2 } },
      footStyles: { fontStyle: 'bold', textColor: ink, lineColor: ink, lineWidth: { top: 0.4 } },
      columnStyles: Object.fromEntries(
        shown.flatMap(({ isNumber }, at) => (isNumber ? [[at, { halign: 'right' as const }]] : [])),
      ),
      didParseCell: ({ section, column, cell }) => {
        if (section !== 'body' && shown[column.index]?.isNumber) cell.styles.halign = 'right'
      },
    })
  }
  y = (doc as Document & { lastAutoTable: { finalY: number } }).lastAutoTable.finalY + 5
  doc
    .setFont('hanken', 'normal')
    .setFontSize(8.5)
    .setTextColor(...quiet)
  for (const note of notes)
    for (const words of doc.splitTextToSize(note, innerMm) as string[]) {
      if (y > heightMm - marginMm - 6) {
        doc.addPage()
        y = marginMm + 4
      }
      doc.text(words, marginMm, y)
      y += 4
    }
  const pages = doc.getNumberOfPages()
  for (let page = 1; page <= pages; page++) {
    doc.setPage(page)
    doc
      .setFont('hanken', 'normal')
      .setFontSize(8)
      .setTextColor(...quiet)
    doc.text(`Generated by ${brand.name}`, marginMm, heightMm - 8)
    doc.text(`Page ${page} of ${pages}`, widthMm - marginMm, heightMm - 8, { align: 'right' })
  }
  return pdfBytes(doc)
}
