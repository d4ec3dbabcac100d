import { encode } from 'uqr'
import { letter, newPdf, pdfBytes } from '../../../platform/pdf.ts'
import { formatPhone } from '../../../shared/phone.ts'
import { streetOnly } from '../rules.ts'

export type Cards = {
  name: string
  phone: string | null
  brandColor: string | null
  language: 'en' | 'es'
  offer: string
  /** Of the stop that the cards are for. */
  street: string
  url: string
  doors: readonly { street: string; city: string }[]
}

const words = {
  en: {
    near: (street: string) => `We work on ${street}.`,
    nearAny: 'We work in your street.',
    scan: 'Scan for your price in a minute:',
    call: (phone: string) => `or call ${phone}`,
    to: (street: string) => `For the neighbor at ${street}`,
  },
  es: {
    near: (street: string) => `Trabajamos en ${street}.`,
    nearAny: 'Trabajamos en su calle.',
    scan: 'Escanee y vea su precio en un minuto:',
    call: (phone: string) => `o llame al ${phone}`,
    to: (street: string) => `Para el vecino de ${street}`,
  },
} as const

const [wide, high] = [letter.widthMm / 2, letter.heightMm / 2]
const pad = 11
const codeMm = 36
const green: [number, number, number] = [20, 67, 47]
const ink: [number, number, number] = [22, 33, 26]
const quiet: [number, number, number] = [77, 90, 81]

const rgb = (hex: string | null): [number, number, number] =>
  hex && /^#[0-9a-f]{6}$/i.test(hex)
    ? ([1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as [number, number, number])
    : green

/** Cards to cut: four on a page, each with a code that leads to the business's page and says which stop it was for. */
export const doorCardsPdf = async (cards: Cards): Promise<Buffer> => {
  const said = words[cards.language]
  const doc = await newPdf({ title: `Door cards, ${cards.name}`, author: cards.name, language: cards.language })
  const code = encode(cards.url, { border: 0 })
  const cell = codeMm / code.size
  const color = rgb(cards.brandColor)
  const street = streetOnly(cards.street)
  for (const [at, door] of cards.doors.entries()) {
    if (at > 0 && at % 4 === 0) doc.addPage()
    const [x, y] = [(at % 2) * wide, (Math.floor(at / 2) % 2) * high]
    const inner = wide - 2 * pad
    doc.setDrawColor(200, 200, 195).setLineWidth(0.2).setLineDashPattern([2, 2], 0).rect(x, y, wide, high)
    doc
      .setLineDashPattern([], 0)
      .setFillColor(...color)
      .rect(x, y, wide, 4, 'F')
    doc
      .setFont('hanken', 'bold')
      .setFontSize(17)
      .setTextColor(...ink)
    const name = (doc.splitTextToSize(cards.name, inner) as string[]).slice(0, 2)
    doc.text(name, x + pad, y + 18)
    let down = y + 18 + name.length * 7
    doc.setFontSize(13)
    const near = (doc.splitTextToSize(street ? said.near(street) : said.nearAny, inner) as string[]).slice(0, 2)
    doc.text(near, x + pad, down + 3)
    down += 3 + near.length * 5.6
    doc
      .setFont('hanken', 'normal')
      .setFontSize(11)
      .setTextColor(...quiet)
    const offer = (doc.splitTextToSize(cards.offer, inner) as string[]).slice(0, 3)
    doc.text(offer, x + pad, down + 2)
    const top = y + high - pad - codeMm - 12
    doc
      .setTextColor(...ink)
      .setFontSize(10.5)
      .text(said.scan, x + pad, top - 3)
    doc.setFillColor(...ink)
    for (const [row, cells] of code.data.entries())
      for (let from = 0; from < code.size; from++) {
        if (!cells[from]) continue
        let to = from
        while (cells[to + 1]) to++
        doc.rect(x + pad + from * cell, top + row * cell, (to - from + 1) * cell, cell, 'F')
        from = to
      }
    const beside = x + pad + codeMm + 5
    if (cards.phone) {
      doc.setFont('hanken', 'bold').setFontSize(10.5)
      doc.text(
        doc.splitTextToSize(said.call(formatPhone(cards.phone)), inner - codeMm - 5) as string[],
        beside,
        top + 5,
      )
    }
    doc
      .setFont('hanken', 'normal')
      .setFontSize(8.5)
      .setTextColor(...quiet)
    doc.text(`${said.to(door.street)}${door.city ? `, ${door.city}` : ''}`, x + pad, y + high - 7, { maxWidth: inner })
  }
  return pdfBytes(doc)
}
