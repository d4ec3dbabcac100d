import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { describe, expect, it } from 'vitest'
import { subsetFont } from './fonts.ts'
import { fontInside, newPdf, pdfBytes } from './pdf.ts'

const file = readFileSync(
  createRequire(import.meta.url).resolve('@expo-google-fonts/hanken-grotesk/400Regular/HankenGrotesk_400Regular.ttf'),
)

/** Tag, place and length of each table. */
const directory = (font: Buffer) =>
  Array.from({ length: font.readUInt16BE(4) }, (_, n) => {
    const at = 12 + n * 16
    return {
      tag: font.toString('latin1', at, at + 4),
      from: font.readUInt32BE(at + 8),
      size: font.readUInt32BE(at + 12),
    }
  })
const table = (font: Buffer, tag: string) => {
  const { from = 0, size = 0 } = directory(font).find((one) => one.tag === tag) ?? {}
  return font.subarray(from, from + size)
}
const longs = (font: Buffer) => {
  let sum = 0
  for (let at = 0; at < font.length; at += 4) sum = (sum + font.readUInt32BE(at)) >>> 0
  return sum
}
/** The outline of each glyph, by its number. */
const outlines = (font: Buffer) => {
  const [loca, glyf] = [table(font, 'loca'), table(font, 'glyf')]
  const isLong = table(font, 'head').readInt16BE(50) === 1
  const at = (id: number) => (isLong ? loca.readUInt32BE(id * 4) : loca.readUInt16BE(id * 2) * 2)
  return Array.from({ length: table(font, 'maxp').readUInt16BE(4) }, (_, id) => glyf.subarray(at(id), at(id + 1)))
}
const whole = outlines(file)
/** Some glyphs that stand for themselves, not put together of others. */
const drawn = whole
  .flatMap((glyph, id) => (id > 0 && glyph.length > 0 && glyph.readInt16BE(0) >= 0 ? [id] : []))
  .slice(0, 3)
const compound = whole.findIndex((glyph) => glyph.length > 0 && glyph.readInt16BE(0) < 0)

describe('a font that is cut down to some glyphs', () => {
  it('has their outlines under the numbers they had, that of a missing letter, and no other', () => {
    const font = subsetFont(file, drawn)
    const left = outlines(font)
    expect(left).toHaveLength(whole.length)
    for (const [id, glyph] of left.entries())
      expect(glyph.equals(id === 0 || drawn.includes(id) ? (whole[id] ?? Buffer.of(1)) : Buffer.alloc(0))).toBe(true)
    expect(font.length).toBeLessThan(file.length / 2)
  })

  it('brings along what a letter with an accent is put together of', () => {
    expect(compound).toBeGreaterThan(0)
    const left = outlines(subsetFont(file, [compound])).flatMap((glyph, id) => (glyph.length > 0 ? [id] : []))
    expect(left).toContain(compound)
    expect(left).toContain(whole[compound]?.readUInt16BE(12))
  })

  it('is whole by its own sums, its tables at fours of bytes and in order', () => {
    const font = subsetFont(file, [36])
    expect(longs(font)).toBe(0xb1b0afba)
    const tables = directory(font)
    expect(tables.map(({ tag }) => tag)).toEqual(tables.map(({ tag }) => tag).toSorted())
    expect(tables.every(({ from }) => from % 4 === 0)).toBe(true)
  })

  it('refuses what is no such font', () => {
    expect(() => subsetFont(Buffer.alloc(12), [1])).toThrow('The font has no table head.')
  })

  it('is what lies in our papers', async () => {
    const doc = await newPdf({ title: 'A paper' })
    const cuts: number[][] = []
    const { subset } = fontInside(doc, 'normal')
    const { encode } = subset
    subset.encode = (ids) => {
      cuts.push([...ids])
      const cut = encode(ids)
      expect(cut).toEqual(subsetFont(file, ids))
      return cut
    }
    doc.setFont('hanken', 'normal').text('Mowing', 20, 20)
    expect(pdfBytes(doc).length).toBeGreaterThan(1000)
    expect(cuts).toHaveLength(1)
  })
})
