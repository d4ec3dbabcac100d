/** What a font that lies in a PDF needs to be drawn by glyph number; a reader of PDFs ignores the rest. */
const keptTables = ['OS/2', 'cmap', 'glyf', 'head', 'hhea', 'hmtx', 'loca', 'maxp', 'name', 'post']

const recordBytes = 16
const pad4 = (length: number): number => (length + 3) & ~3

/** The tables of a font file by their tag. @see https://learn.microsoft.com/typography/opentype/spec/otff */
const tablesOf = (file: Buffer): Map<string, Buffer> => {
  const tables = new Map<string, Buffer>()
  for (let n = 0; n < file.readUInt16BE(4); n++) {
    const at = 12 + n * recordBytes
    const from = file.readUInt32BE(at + 8)
    tables.set(file.toString('latin1', at, at + 4), file.subarray(from, from + file.readUInt32BE(at + 12)))
  }
  return tables
}

const needed = (tables: ReadonlyMap<string, Buffer>, tag: string): Buffer => {
  const table = tables.get(tag)
  if (!table) throw new Error(`The font has no table ${tag}.`)
  return table
}

/** The glyphs of which a drawn glyph is put together, by the spec of `glyf`. */
const partsOf = (glyph: Buffer): number[] => {
  if (glyph.length < 10 || glyph.readInt16BE(0) >= 0) return []
  const parts: number[] = []
  for (let at = 10, goesOn = true; goesOn; ) {
    const flags = glyph.readUInt16BE(at)
    parts.push(glyph.readUInt16BE(at + 2))
    const scaleBytes = flags & 0x8 ? 2 : flags & 0x40 ? 4 : flags & 0x80 ? 8 : 0
    at += 4 + (flags & 0x1 ? 4 : 2) + scaleBytes
    goesOn = (flags & 0x20) !== 0
  }
  return parts
}

const checksum = (bytes: Buffer): number => {
  let sum = 0
  for (let at = 0; at + 4 <= bytes.length; at += 4) sum = (sum + bytes.readUInt32BE(at)) >>> 0
  return sum
}

/**
 * A TrueType font with the outlines of some glyphs only, under the numbers they had: what a PDF that tells glyphs by their number is to hold.
 * @param file the whole font
 * @param glyphIds which are drawn; what they are put together of and the sign for a missing letter come along
 * @throws Error for a file that lacks what a TrueType font has
 * @see https://learn.microsoft.com/typography/opentype/spec
 */
export const subsetFont = (file: Buffer, glyphIds: Iterable<number>): Buffer => {
  const tables = tablesOf(file)
  const [head, loca, glyf] = [needed(tables, 'head'), needed(tables, 'loca'), needed(tables, 'glyf')]
  const count = needed(tables, 'maxp').readUInt16BE(4)
  const isLong = head.readInt16BE(50) === 1
  const offset = (id: number): number => (isLong ? loca.readUInt32BE(id * 4) : loca.readUInt16BE(id * 2) * 2)
  const glyph = (id: number): Buffer => glyf.subarray(offset(id), offset(id + 1))

  const kept = new Set<number>()
  for (const waiting = [0, ...glyphIds]; ; ) {
    const id = waiting.pop()
    if (id === undefined) break
    if (id >= count || kept.has(id)) continue
    kept.add(id)
    waiting.push(...partsOf(glyph(id)))
  }
  const outlines: Buffer[] = []
  const places = Buffer.alloc((count + 1) * 4)
  let place = 0
  for (let id = 0; id < count; id++) {
    places.writeUInt32BE(place, id * 4)
    if (!kept.has(id)) continue
    outlines.push(glyph(id))
    place += glyph(id).length
  }
  places.writeUInt32BE(place, count * 4)
  const newHead = Buffer.from(head)
  newHead.writeUInt32BE(0, 8)
  newHead.writeInt16BE(1, 50)

  const made = keptTables.flatMap((tag) => {
    const bytes =
      tag === 'glyf' ? Buffer.concat(outlines) : tag === 'loca' ? places : tag === 'head' ? newHead : tables.get(tag)
    return bytes ? [{ tag, bytes }] : []
  })
  const font = Buffer.alloc(made.reduce((sum, { bytes }) => sum + pad4(bytes.length), 12 + made.length * recordBytes))
  const power = Math.floor(Math.log2(made.length))
  font.writeUInt32BE(file.readUInt32BE(0), 0)
  font.writeUInt16BE(made.length, 4)
  font.writeUInt16BE(2 ** power * 16, 6)
  font.writeUInt16BE(power, 8)
  font.writeUInt16BE((made.length - 2 ** power) * 16, 10)
  let at = 12 + made.length * recordBytes
  let headAt = 0
  for (const [n, { tag, bytes }] of made.entries()) {
    bytes.copy(font, at)
    const record = 12 + n * recordBytes
    font.write(tag, record, 'latin1')
    font.writeUInt32BE(checksum(font.subarray(at, at + pad4(bytes.length))), record + 4)
    font.writeUInt32BE(at, record + 8)
    font.writeUInt32BE(bytes.length, record + 12)
    if (tag === 'head') headAt = at
    at += pad4(bytes.length)
  }
  font.writeUInt32BE((0xb1b0afba - checksum(font)) >>> 0, headAt + 8)
  return font
}
