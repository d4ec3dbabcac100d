import { letter, newPdf, pdfBytes } from './pdf.ts'

/** One letter to print: who it is for, and what they read. */
export type PaperLetter = {
  name: string
  addressLines: string[]
  date: string
  subject: string
  text: string
  language: 'en' | 'es'
}

export type PaperLetters = { business: string; businessLines: string[]; letters: PaperLetter[] }

const marginMm = 25
const widthMm = letter.widthMm - 2 * marginMm
const lineMm = 5.6
/** Where the window of an envelope is. */
const addressMm = 52

/** A page a letter, US letter, the address where an envelope's window shows it. Lines of the text stay lines. */
export const lettersPdf = async ({ business, businessLines, letters }: PaperLetters): Promise<Uint8Array> => {
  const doc = await newPdf({ title: `Letters of ${business}`, author: business })
  for (const [at, one] of letters.entries()) {
    if (at > 0) doc.addPage('letter', 'portrait')
    doc.setTextColor(22, 33, 26)
    doc.setFont('hanken', 'bold').setFontSize(13).text(business, marginMm, 24)
    doc.setFont('hanken', 'normal').setFontSize(10)
    if (businessLines.length > 0) doc.text(businessLines, marginMm, 30)
    doc.setFontSize(11).text([one.name, ...one.addressLines], marginMm, addressMm)
    doc.text(one.date, marginMm, 84)
    doc.setFont('hanken', 'bold').text(doc.splitTextToSize(one.subject, widthMm) as string[], marginMm, 98)
    doc.setFont('hanken', 'normal')
    let y = 108
    for (const line of doc.splitTextToSize(one.text, widthMm) as string[]) {
      doc.text(line, marginMm, y)
      y += lineMm
    }
    doc.text(business, marginMm, y + 2 * lineMm)
  }
  return pdfBytes(doc)
}
