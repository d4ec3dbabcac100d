import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { jsPDF as Document } from 'jspdf'

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

/** US letter in millimeters: what our customers' printers hold. */
export const letter = { widthMm: 215.9, heightMm: 279.4 }

/** A4 in millimeters: what the report is printed on. */
export const a4 = { widthMm: 210, heightMm: 297 }

/** Of what a file says itself to a reader: what it is, whose, and the language in which a screen reader says it. */
export type PdfAbout = { title: string; author?: string; language?: 'en' | 'es'; format?: 'letter' | 'a4' }

/** An empty document in millimeters, US letter unless told otherwise, with our typeface as `hanken`, normal and bold. A reader shows its title, not the file's name. */
export const newPdf = async ({ title, author, language = 'en', format = 'letter' }: PdfAbout): Promise<Document> => {
  const [{ jsPDF }, font] = await Promise.all([import('jspdf'), loadFonts()])
  const doc = new jsPDF({ unit: 'mm', format, compress: true })
  doc.setProperties({ title, ...(author ? { author } : {}), creator: 'Swath' })
  doc.setLanguage(language === 'es' ? 'es' : 'en-US')
  doc.viewerPreferences({ DisplayDocTitle: true })
  for (const style of ['normal', 'bold'] as const) {
    doc.addFileToVFS(`hanken-${style}.ttf`, font[style])
    doc.addFont(`hanken-${style}.ttf`, 'hanken', style)
  }
  return doc
}

export const pdfBytes = (doc: Document): Buffer => Buffer.from(doc.output('arraybuffer'))
