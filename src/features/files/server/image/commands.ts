import sharp from 'sharp'
import { madeObject, readObject } from '../../../../platform/storage.ts'
import { AppError } from '../../../../shared/errors.ts'
import { imageKindOf, isGif, largestTextPicture, longestEdge, mostPixels } from '../../rules.ts'

sharp.cache(false)
sharp.concurrency(1)

/** A picture decoded and written again by us: no EXIF, no place, no hidden payload. */
export type CleanImage = { bytes: Buffer; mime: 'image/jpeg'; width: number; height: number }

const atOnce = 2
let running = 0
const waiting: (() => void)[] = []

/** Two pictures at a time: a crew that comes back into reception sends forty at once. */
const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
  if (running >= atOnce) await new Promise<void>((go) => waiting.push(go))
  else running += 1
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running -= 1
  }
}

/**
 * Decodes a photo and encodes it as JPEG of at most 1600 pixels, turned upright, without any metadata.
 * @param takes `gif`: also the first picture of a GIF, which phones send
 * @throws AppError unsupported_media when it is not a JPEG, PNG or WebP that can be read
 */
export const cleanImage = (bytes: Uint8Array, takes: { gif?: boolean } = {}): Promise<CleanImage> => {
  if (!imageKindOf(bytes) && !(takes.gif && isGif(bytes)))
    throw new AppError(
      'unsupported_media',
      'We can only keep photos in JPEG, PNG or WebP. Nothing was changed. On an iPhone choose "Most Compatible" under Camera, Formats.',
    )
  return inTurn(async () => {
    try {
      const { data, info } = await sharp(bytes, { limitInputPixels: mostPixels, failOn: 'error' })
        .rotate()
        .resize({ width: longestEdge, height: longestEdge, fit: 'inside', withoutEnlargement: true })
        .flatten({ background: '#ffffff' })
        .jpeg({ quality: 80 })
        .toBuffer({ resolveWithObject: true })
      return { bytes: data, mime: 'image/jpeg', width: info.width, height: info.height }
    } catch (cause) {
      throw new AppError(
        'unsupported_media',
        'This photo cannot be read: it is damaged or far too large. Nothing was changed; take it again.',
        { cause },
      )
    }
  })
}

/** Kept pictures for paper, in pixels at most: a logo of 1600 pixels would make each PDF heavy, a photo is drawn 144 mm wide. */
const printed = {
  logo: { width: 720, height: 240, quality: 88 },
  photo: { width: 1280, height: 1280, quality: 75 },
}

/** A kept picture as JPEG for a printed page. Null when the file is gone: a page without its logo is better than none. */
export const printPicture = (
  storageKey: string,
  use: keyof typeof printed = 'logo',
): Promise<{ bytes: Buffer; width: number; height: number } | null> =>
  inTurn(async () => {
    const kept = await readObject(storageKey)
    if (!kept) return null
    try {
      const { data, info } = await sharp(kept)
        .resize({ width: printed[use].width, height: printed[use].height, fit: 'inside', withoutEnlargement: true })
        .jpeg({ quality: printed[use].quality })
        .toBuffer({ resolveWithObject: true })
      return { bytes: data, width: info.width, height: info.height }
    } catch {
      return null
    }
  })

/** A kept picture for the hands that make another one of it. */
const keptPicture = async (storageKey: string): Promise<Buffer> => {
  const kept = await readObject(storageKey)
  if (!kept) throw new Error('The file is gone.')
  return kept
}

/** A storage that cannot be reached now does not mean that a picture is gone. */
const nullUnlessAway = (error: unknown): null => {
  if (error instanceof AppError && error.code === 'unavailable') throw error
  return null
}

/** What fits between the words of a day on a phone: some 15 KB. */
const small = { edge: 400, quality: 55 }

/** A picture in small, made once. Null when it is no picture, or its file is gone: then it is shown as it is. */
export const smallPicture = async (
  businessId: string,
  file: { mime: string; storageKey: string },
): Promise<Buffer | null> => {
  if (!file.mime.startsWith('image/')) return null
  try {
    const recipe = `small-1 ${small.edge} ${small.quality} ${file.storageKey}`
    const { bytes } = await madeObject(businessId, recipe, () =>
      inTurn(async () =>
        sharp(await keptPicture(file.storageKey))
          .resize({ width: small.edge, height: small.edge, fit: 'inside', withoutEnlargement: true })
          .jpeg({ quality: small.quality })
          .toBuffer(),
      ),
    )
    return bytes
  } catch (error) {
    return nullUnlessAway(error)
  }
}

/** How large a picture for a text is tried, one after the other, until it is light enough. */
const forTexts = [
  { edge: 1280, quality: 72 },
  { edge: 1024, quality: 62 },
  { edge: 800, quality: 52 },
  { edge: 560, quality: 42 },
]

/** A picture as it goes with a text, of at most 190 kB, made once. Null when it is no picture, or its file is gone. */
export const textPicture = async (
  businessId: string,
  file: { mime: string; storageKey: string },
): Promise<Buffer | null> => {
  if (!file.mime.startsWith('image/')) return null
  try {
    const { bytes } = await madeObject(businessId, `text-1 ${largestTextPicture} ${file.storageKey}`, () =>
      inTurn(async () => {
        const kept = await keptPicture(file.storageKey)
        let made = Buffer.alloc(0)
        for (const { edge, quality } of forTexts) {
          made = await sharp(kept)
            .resize({ width: edge, height: edge, fit: 'inside', withoutEnlargement: true })
            .jpeg({ quality })
            .toBuffer()
          if (made.byteLength <= largestTextPicture) break
        }
        return made
      }),
    )
    return bytes
  } catch (error) {
    return nullUnlessAway(error)
  }
}
