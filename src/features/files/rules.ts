/** Pictures: what we take, and how large one stays. */

/** Longest edge of a picture that we keep, in pixels. */
export const longestEdge = 1600
/** Largest upload in bytes. */
export const largestUpload = 15 * 1024 * 1024
/** A photo above this is sent in pieces of at most this size, so that a line that breaks costs one piece. */
export const pieceBytes = 128 * 1024
/** How long the pieces of an upload wait for the next one: a phone may be a month without a signal. */
export const uploadDays = 60
/** An upload that stands still for so long makes room for a new one; its phone has all of it and begins again. */
export const idleUploadHours = 24
/** What one person's phone may have under way. */
export const mostUnderWayBytes = 4 * largestUpload
/** Above this a picture is not decoded: a small file may unpack to gigabytes. */
export const mostPixels = 80_000_000

/** What a picture that goes with a text weighs at most: three of them are below the 600 kB that every carrier takes. */
export const largestTextPicture = 190 * 1024

export type ImageKind = 'jpeg' | 'png' | 'webp'

/** Whether the first bytes say a file is a PDF, whatever its name says. */
export const isPdf = (bytes: Uint8Array): boolean => [...'%PDF-'].every((c, i) => bytes[i] === c.charCodeAt(0))

/** Whether the first bytes say a file is a GIF: phones send them with texts, and its first picture is kept. */
export const isGif = (bytes: Uint8Array): boolean => [...'GIF8'].every((c, i) => bytes[i] === c.charCodeAt(0))

/** What the first bytes say a file is, whatever its name or header says; null for everything we do not take. */
export const imageKindOf = (bytes: Uint8Array): ImageKind | null => {
  const at = (offset: number, text: string) => [...text].every((c, i) => bytes[offset + i] === c.charCodeAt(0))
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return 'jpeg'
  if (bytes[0] === 0x89 && at(1, 'PNG\r\n')) return 'png'
  if (at(0, 'RIFF') && at(8, 'WEBP')) return 'webp'
  return null
}
