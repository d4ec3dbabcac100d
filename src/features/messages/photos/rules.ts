import { smsSegments } from '../rules.ts'

/** So many photos go with one message that a person writes: with three of the size below a text is what every carrier takes. */
export const mostMessagePhotos = 3

/**
 * What a text with photos counts as, however many and whatever it says: the provider asks about two and a half times the price of a segment for it
 * (in November 2026 $0.0200 against $0.0083), and its words are not counted in segments.
 */
export const photoTextSegments = 3

/** Segments of a text as it leaves. */
export const segmentsOf = (text: string, photoCount: number): number =>
  photoCount > 0 ? photoTextSegments : smsSegments(text).segments

/** So many parts of one text are looked at; the provider sends no more. */
export const mostMedia = 10

/** What a medium is called where it is not shown. */
const kinds: readonly [RegExp, string][] = [
  [/^video\//, 'a video'],
  [/^audio\//, 'a voice message'],
  [/^text\/(x-)?vcard$/, 'a contact card'],
  [/^text\/calendar$/, 'a calendar entry'],
  [/^application\/pdf$/, 'a PDF'],
  [/^image\//, 'a photo'],
]
const kindOf = (mime: string): string => kinds.find(([is]) => is.test(mime))?.[1] ?? 'a file'

/** "2 photos and a video". */
const listed = (mimes: readonly string[]): string => {
  const counts = new Map<string, number>()
  for (const mime of mimes) counts.set(kindOf(mime), (counts.get(kindOf(mime)) ?? 0) + 1)
  const words = [...counts].map(([one, count]) => (count === 1 ? one : `${count} ${one.replace(/^an? /, '')}s`))
  return words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** What stands in the place of words where a text has none: "(2 photos)", "(A video)". Empty without any part. */
export const wordsInstead = (mimes: readonly string[]): string =>
  mimes.length === 0 ? '' : `(${capital(listed(mimes))})`

/** What came along and is not shown, as a sentence; null where all of it is. */
export const notKeptWords = (mimes: readonly string[]): string | null =>
  mimes.length === 0
    ? null
    : `${capital(listed(mimes))} came with it and cannot be shown here: ask for it by e-mail, or as a photo.`

/** That photos came and the provider has not handed them out. */
export const awaitedWords = (count: number): string =>
  `${count === 1 ? 'A photo' : `${count} photos`} came with it: the SMS provider has not handed ${count === 1 ? 'it' : 'them'} out yet.`

/** Why a photo that came is not there. */
export const lostPhotoWords = (count: number, why: string): string =>
  `${count === 1 ? 'A photo' : `${count} photos`} came with it and ${count === 1 ? 'is' : 'are'} not here: ${why}. Ask them to send ${count === 1 ? 'it' : 'them'} again.`
