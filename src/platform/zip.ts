import { promisify } from 'node:util'
import { crc32, deflateRaw } from 'node:zlib'

const deflate = promisify(deflateRaw)
const utf8Names = 0x0800
const most = 0xffffffff

/** Date and time as the format keeps them: two seconds exact, from 1980. */
const dosTime = (at: Date): number =>
  ((Math.max(at.getUTCFullYear(), 1980) - 1980) << 25) |
  ((at.getUTCMonth() + 1) << 21) |
  (at.getUTCDate() << 16) |
  (at.getUTCHours() << 11) |
  (at.getUTCMinutes() << 5) |
  (at.getUTCSeconds() >> 1)

/**
 * Files as one ZIP archive (PKWARE APPNOTE 6.3.10, deflate, UTF-8 names). Compresses outside of the main thread.
 * @throws Error when it would need the 64-bit form: more than 4 GB
 */
export const zipOf = async (files: readonly { name: string; content: Buffer }[], at: Date): Promise<Buffer> => {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, content } of files) {
    const packed = await deflate(content)
    if (content.length > most || offset > most) throw new Error('This is too much for one archive.')
    const nameBytes = Buffer.from(name, 'utf8')
    const head = Buffer.alloc(26)
    head.writeUInt16LE(20, 0)
    head.writeUInt16LE(utf8Names, 2)
    head.writeUInt16LE(8, 4)
    head.writeUInt32LE(dosTime(at) >>> 0, 6)
    head.writeUInt32LE(crc32(content), 10)
    head.writeUInt32LE(packed.length, 14)
    head.writeUInt32LE(content.length, 18)
    head.writeUInt16LE(nameBytes.length, 22)
    parts.push(Buffer.from([0x50, 0x4b, 3, 4]), head, nameBytes, packed)
    const place = Buffer.alloc(14)
    place.writeUInt32LE(offset, 10)
    directory.push(Buffer.from([0x50, 0x4b, 1, 2, 20, 0]), head, place, nameBytes)
    offset += 30 + nameBytes.length + packed.length
  }
  const index = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(files.length, 8)
  end.writeUInt16LE(files.length, 10)
  end.writeUInt32LE(index.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...parts, index, end])
}
