import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { jsPDF as Document } from 'jspdf'
import { subsetFont } from './fonts.ts'

const require = createRequire(import.meta.url)
const fontFiles = {
  normal: '@expo-google-fonts/hanken-grotesk/400Regular/HankenGrotesk_400Regular.ttf',
  bold: '@expo-google-fonts/hanken-grotesk/700Bold/HankenGrotesk_700Bold.ttf',
}
type Font = { file: Buffer; base64: string }
let fonts: Promise<Record<keyof typeof fontFiles, Font>> | undefined

const loadFonts = (): Promise<Record<keyof typeof fontFiles, Font>> => {
  const read = async (path: string): Promise<Font> => {
    const file = await readFile(require.resolve(path))
    return { file, base64: file.toString('base64') }
  }
  fonts ??= Promise.all([read(fontFiles.normal), read(fontFiles.bold)]).then(([normal, bold]) => ({ normal, bold }))
  return fonts
}

/** Of the library's font: how it is cut down to the glyphs of a document. */
type FontInside = { subset: { encode: (glyphIds: readonly number[]) => Uint8Array } }

/** The typeface of a document as the library has it inside, where its types do not tell of it. */
export const fontInside = (doc: Document, style: keyof typeof fontFiles): FontInside =>
  (doc.internal as unknown as { getFont: (name: string, style: string) => { metadata: FontInside } }).getFont(
    'hanken',
    style,
  ).metadata

/** US letter in millimeters: what our customers' printers hold. */
export const letter = { widthMm: 215.9, heightMm: 279.4 }

/** A4 in millimeters: what the report is printed on. */
export const a4 = { widthMm: 210, heightMm: 297 }

/** Of what a file says itself to a reader: what it is, whose, and the language in which a screen reader says it. */
export type PdfAbout = {
  title: string
  author?: string
  language?: 'en' | 'es'
  format?: 'letter' | 'a4'
  /** Wider than high. */
  isLying?: boolean
}

/** An empty document in millimeters, US letter unless told otherwise, with our typeface as `hanken`, normal and bold. A reader shows its title, not the file's name. */
export const newPdf = async ({
  title,
  author,
  language = 'en',
  format = 'letter',
  isLying = false,
}: PdfAbout): Promise<Document> => {
  const [{ jsPDF }, font] = await Promise.all([import('jspdf'), loadFonts()])
  const doc = new jsPDF({ unit: 'mm', format, compress: true, orientation: isLying ? 'landscape' : 'portrait' })
  doc.setProperties({ title, ...(author ? { author } : {}), creator: 'Swath' })
  doc.setLanguage(language === 'es' ? 'es' : 'en-US')
  doc.viewerPreferences({ DisplayDocTitle: true })
  for (const style of ['normal', 'bold'] as const) {
    doc.addFileToVFS(`hanken-${style}.ttf`, font[style].base64)
    doc.addFont(`hanken-${style}.ttf`, 'hanken', style)
    // the library does this byte by byte in lists of numbers: most of the time of a paper went there
    fontInside(doc, style).subset.encode = (glyphIds) => subsetFont(font[style].file, glyphIds)
  }
  return doc
}

export const pdfBytes = (doc: Document): Buffer => Buffer.from(doc.output('arraybuffer'))
