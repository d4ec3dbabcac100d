import { letter, newPdf, pdfBytes } from '../../../../platform/pdf.ts'

export type Picture = { bytes: Uint8Array; width: number; height: number }

const margin = 20
const rowMm = 5
const [top, bottom] = [24, letter.heightMm - 20]
const box = { widthMm: letter.widthMm - 2 * margin, heightMm: 108 }

/**
 * A paper for a bank: the words, then the photos, two on a page. Takes long enough to belong in a thread.
 * @returns the bytes of the file
 */
export const evidencePdf = async ({
  title,
  text,
  pictures,
}: {
  title: string
  text: string
  pictures: readonly Picture[]
}): Promise<Uint8Array> => {
  const doc = await newPdf({ title })
  doc.setFont('hanken', 'bold').setFontSize(15).text(doc.splitTextToSize(title, box.widthMm), margin, top)
  doc.setFont('hanken', 'normal').setFontSize(10.5)
  let y = top + 14
  for (const line of doc.splitTextToSize(text, box.widthMm) as string[]) {
    if (y > bottom) {
      doc.addPage()
      y = top
    }
    doc.text(line, margin, y)
    y += rowMm
  }
  for (const [at, { bytes, width, height }] of pictures.entries()) {
    if (at % 2 === 0) doc.addPage()
    const scale = Math.min(box.widthMm / width, box.heightMm / height)
    const place = top - 8 + (at % 2) * (box.heightMm + 12)
    doc.addImage(bytes, 'JPEG', margin, place, width * scale, height * scale)
  }
  return pdfBytes(doc)
}
